// Sorting by a click on a heading and filtering by words, for tables marked with data-sort and data-filter.
(() => {
  "use strict";

  const value = (row, column, numeric) => {
    const cell = row.cells[column];
    if (!numeric) return cell.textContent.trim().toLowerCase();
    return cell.dataset.value === undefined ? null : Number(cell.dataset.value);
  };

  const compare = (a, b, numeric) => numeric ? a - b : a.localeCompare(b, "en", { numeric: true });

  const sort = (table, column, heading) => {
    const down = heading.getAttribute("aria-sort") === "ascending";
    const numeric = heading.dataset.kind === "number";
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row) => [value(row, column, numeric), row]);
    // what is not known stays at the end, whichever way
    rows.sort(([a], [b]) => a === null || b === null ? (a === null) - (b === null) : (down ? -1 : 1) * compare(a, b, numeric));
    table.querySelectorAll("th").forEach((other) => other.removeAttribute("aria-sort"));
    heading.setAttribute("aria-sort", down ? "descending" : "ascending");
    body.append(...rows.map(([, row]) => row));
  };

  const makeSortable = (table) => {
    table.querySelectorAll("thead th").forEach((heading, column) => {
      const button = document.createElement("button");
      button.className = "lb-sort";
      button.type = "button";
      button.append(...heading.childNodes);
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
