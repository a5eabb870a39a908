// Draws the figures of a page from the specifications that stand in it; asks no other host for anything.
(() => {
  "use strict";
  const views = new Map();
  const isDark = () => document.body.getAttribute("data-md-color-scheme") === "slate";

  const draw = async (figure) => {
    const host = figure.querySelector(".lb-live");
    const source = figure.querySelector("template");
    if (!host || !source || !window.vegaEmbed) return;
    const config = structuredClone(window.levelbookTheme[isDark() ? "dark" : "light"]);
    if (host.clientWidth < 560) {
      config.axisY.labelLimit = 120;
      config.legend.columns = 1;
    }
    const spec = JSON.parse(source.content.textContent);
    // panels under each other cannot take the width of the page by themselves
    for (const panel of spec.vconcat ?? []) panel.width = Math.max(host.clientWidth - 90, 180);
    const options = { renderer: "svg", ast: true, actions: false, config, tooltip: { theme: isDark() ? "dark" : "light" } };
    figure.classList.add("lb-drawn");
    try {
      const drawn = await window.vegaEmbed(host, spec, options);
      views.get(figure)?.finalize();
      views.set(figure, drawn);
    } catch (error) {
      // the still image comes back
      figure.classList.remove("lb-drawn");
      console.error(error);
    }
  };

  const redraw = () => {
    for (const [figure, drawn] of views) {
      if (!figure.isConnected) { drawn.finalize(); views.delete(figure); }
    }
    document.querySelectorAll(".lb-figure").forEach((figure) => { if (figure.dataset.seen) draw(figure); });
  };

  const watch = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting || entry.target.dataset.seen) continue;
      entry.target.dataset.seen = "yes";
      draw(entry.target);
    }
  }, { rootMargin: "600px" });

  const start = () => {
    redraw();
    document.querySelectorAll(".lb-figure").forEach((figure) => watch.observe(figure));
  };

  new MutationObserver(redraw).observe(document.body, { attributes: true, attributeFilter: ["data-md-color-scheme"] });
  if (window.document$) window.document$.subscribe(start); else start();
})();
