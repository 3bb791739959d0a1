// The floor supervisor's page: the tab shows the state of the table, and the page reads out what is new.
(() => {
  "use strict";
  const lost = document.getElementById("lost");
  const news = document.getElementById("news");
  const opened = new Set();
  let known = null;

  function announce() {
    const found = [...document.querySelectorAll("[data-news]")];
    const fresh = known ? found.filter((one) => !known.has(one.dataset.news)) : [];
    known = new Set(found.map((one) => one.dataset.news));
    fresh.forEach((one) => one.classList.add("new"));
    const texts = fresh.map((one) => one.dataset.tells).filter(Boolean);
    if (texts.length) news.textContent = texts.join(". ");
  }

  function named() {
    const {title, table} = document.querySelector("[data-title]").dataset;
    document.title = lost.hidden ? title : text("? {table}: connection lost", {table});
  }

  // A section that a person has opened stays open when its panel is drawn anew.
  function unfold() {
    for (const id of opened) {
      const found = document.getElementById(id);
      if (found) found.open = true;
    }
  }

  function look() {
    announce();
    named();
    unfold();
  }

  document.addEventListener("toggle", ({target}) => {
    if (target.matches("details[id]")) opened[target.open ? "add" : "delete"](target.id); // dialogs toggle, too
  }, true);
  document.body.addEventListener("htmx:sseMessage", look);
  new MutationObserver(named).observe(lost, {attributeFilter: ["hidden"]});
  look();
})();
