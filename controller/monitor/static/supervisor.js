// The floor supervisor's page: the tab is named after the table as it is; what is new is told, and how long ago it was.
(() => {
  "use strict";
  const lost = document.getElementById("lost");
  const news = document.getElementById("news");
  const SPANS = [[86400, "d"], [3600, "h"], [60, "min"]];
  const opened = new Set();
  let known = null;

  function told() {
    const found = [...document.querySelectorAll("[data-news]")];
    const fresh = known ? found.filter((one) => !known.has(one.dataset.news)) : [];
    known = new Set(found.map((one) => one.dataset.news));
    fresh.forEach((one) => one.classList.add("new"));
    const texts = fresh.map((one) => one.dataset.tells).filter(Boolean);
    if (texts.length) news.textContent = texts.join(". ");
  }

  function named() {
    const {title, table} = document.querySelector("[data-title]").dataset;
    document.title = lost.hidden ? title : `? ${table}: connection lost`;
  }

  function ages() {
    for (const one of document.querySelectorAll("[data-since]")) {
      const seconds = Date.now() / 1000 - Number(one.dataset.since);
      const [span, unit] = SPANS.find(([least]) => seconds >= least) || [0, ""];
      one.dataset.age = unit ? `${Math.floor(seconds / span)} ${unit} ago` : "just now";
    }
  }

  // What somebody has opened stays open when its panel is drawn anew.
  function unfold() {
    for (const id of opened) {
      const found = document.getElementById(id);
      if (found) found.open = true;
    }
  }

  function look() {
    told();
    named();
    ages();
    unfold();
  }

  document.addEventListener("toggle", ({target}) => {
    if (target.matches("details[id]")) opened[target.open ? "add" : "delete"](target.id); // dialogs toggle, too
  }, true);
  document.body.addEventListener("htmx:sseMessage", look);
  new MutationObserver(named).observe(lost, {attributeFilter: ["hidden"]});
  setInterval(ages, 10000);
  look();
})();
