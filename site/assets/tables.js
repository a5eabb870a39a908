// Sorting by a click on a heading and filtering by words, for tables marked with data-sort and data-filter.
(() => {
  "use strict";

  // classes of the cells of a matrix, the worst first
  const VERDICTS = ["e", "v", "w", "i", "a", "n", "p"];

  const value = (row, column, kind) => {
    const cell = row.cells[column];
    if (kind === "verdict") return VERDICTS.includes(cell.className) ? VERDICTS.indexOf(cell.className) : null;
    if (kind !== "number") return cell.textContent.trim().toLowerCase();
    return cell.dataset.value === undefined ? null : Number(cell.dataset.value);
  };

  const compare = (a, b, numeric) => numeric ? a - b : a.localeCompare(b, "en", { numeric: true });

  const sort = (table, column, heading) => {
    const down = heading.getAttribute("aria-sort") === "ascending";
    const kind = heading.dataset.kind;
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row) => [value(row, column, kind), row]);
    // what is not known stays at the end, whichever way
    rows.sort(([a], [b]) => a === null || b === null ? (a === null) - (b === null) : (down ? -1 : 1) * compare(a, b, kind !== undefined));
    table.querySelectorAll("th").forEach((other) => other.removeAttribute("aria-sort"));
    heading.setAttribute("aria-sort", down ? "descending" : "ascending");
    body.append(...rows.map(([, row]) => row));
  };

  const makeSortable = (table) => {
    table.querySelectorAll("thead th").forEach((heading, column) => {
      const button = document.createElement("button");
      button.className = "lb-sort";
      button.type = "button";
      const link = heading.querySelector("a");
      // a heading that leads to a page keeps its link, and the button stands beside it
      if (link) button.setAttribute("aria-label", `Sort by ${link.textContent}`);
      else button.append(...heading.childNodes);
      button.addEventListener("click", () => sort(table, column, heading));
      heading.append(button);
    });
  };

  const makeFilter = (box) => {
    const form = document.createElement("div");
    const input = document.createElement("input");
    const count = document.createElement("span");
    const rows = [...box.querySelectorAll("tbody tr")];
    const texts = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
    const apply = () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const row of rows) {
        row.hidden = !words.every((word) => texts.get(row).includes(word));
        shown += row.hidden ? 0 : 1;
      }
      count.textContent = `${shown} of ${rows.length} rows`;
    };
    form.className = "lb-filter";
    input.type = "search";
    input.placeholder = "Show rows with all these words";
    input.setAttribute("aria-label", `Filter: ${box.getAttribute("aria-label")}`);
    count.setAttribute("role", "status");
    input.addEventListener("input", apply);
    form.append(input, count);
    box.before(form);
    apply();
  };

  const start = () => {
    document.querySelectorAll("table[data-sort]:not([data-ready])").forEach((table) => {
      table.dataset.ready = "yes";
      makeSortable(table);
    });
    document.querySelectorAll(".lb-table[data-filter]:not([data-ready])").forEach((box) => {
      box.dataset.ready = "yes";
      makeFilter(box);
    });
  };

  if (window.document$) window.document$.subscribe(start); else start();
})();
