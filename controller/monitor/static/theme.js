// The colours that a person chose in this browser, before the page is drawn. Without a choice a page has its own
// colours, or those of high contrast where the browser asks for more contrast.
(() => {
  "use strict";
  const KEY = "theme";
  const THEMES = ["dark", "light", "contrast"];
  const more = matchMedia("(prefers-contrast: more)");

  function chosen() {
    try {
      const theme = localStorage.getItem(KEY);
      return THEMES.includes(theme) ? theme : "";
    } catch { // a browser that keeps nothing
      return "";
    }
  }

  function choose(theme) {
    try {
      if (theme) localStorage.setItem(KEY, theme);
      else localStorage.removeItem(KEY);
    } catch { /* this page follows all the same */ }
    show(theme);
  }

  function show(theme) {
    const shown = theme || (more.matches ? "contrast" : "");
    if (shown) document.documentElement.dataset.theme = shown;
    else delete document.documentElement.dataset.theme;
  }

  show(chosen());
  more.addEventListener("change", () => show(chosen()));
  addEventListener("storage", (event) => {
    if (event.key === KEY) show(chosen());
  });
  addEventListener("DOMContentLoaded", () => {
    for (const option of document.querySelectorAll("input[name='theme']")) {
      option.checked = option.value === chosen();
      option.addEventListener("change", () => choose(option.value));
    }
  });
})();
