// The keyboard: arrows from table to table; letters do what the legend says, unless a field has the focus or letters are switched off.
(() => {
  "use strict";
  const tools = document.getElementById("tools");
  const legend = document.getElementById("legend");
  const letters = document.getElementById("letters");
  const SHORTCUTS = {n: next, a: attention, o: order, s: () => document.getElementById("sound").click(), w: () => document.getElementById("wall").click(), "/": find, "?": explain};
  const STEPS = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};

  function links() {
    return [...document.querySelectorAll(".tile:not([hidden]) .name")];
  }

  function next() {
    const urgent = [...document.querySelectorAll(".tile.now:not([hidden]) .name, .tile.look:not([hidden]) .name")];
    if (urgent.length) urgent[(urgent.indexOf(document.activeElement) + 1) % urgent.length].focus();
  }

  // The view for a wall has no filters.
  function attention() {
    if (tools.elements.attention) tools.elements.attention.click();
  }

  function order() {
    if (tools.elements.order) [...tools.elements.order].find((one) => !one.checked).click();
  }

  function find() {
    const field = document.getElementById("find");
    if (field) field.focus();
  }

  function explain() {
    legend.showModal();
  }

  function centre(link) {
    const {left, right, top, bottom} = link.closest(".tile").getBoundingClientRect();
    return [(left + right) / 2, (top + bottom) / 2];
  }

  // The nearest tile in the direction of the arrow; in the same row for left and right.
  function step([across, down]) {
    const all = links();
    const here = document.activeElement;
    const index = all.indexOf(here);
    if (index < 0) return all.length ? all[0].focus() : undefined;
    if (across) return (all[index + across] || here).focus();
    const [x, y] = centre(here);
    let best = null;
    let least = Infinity;
    for (const link of all) {
      const [left, top] = centre(link);
      const ahead = (top - y) * down;
      const far = ahead * 4 + Math.abs(left - x);
      if (ahead > 8 && far < least) [best, least] = [link, far];
    }
    return best ? best.focus() : undefined;
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (event.key === "Escape" && event.target.id === "find") return event.target.blur();
    if (event.target.matches("input:not([type=radio], [type=checkbox]), select")) return;
    const arrow = !event.target.matches("input") && STEPS[event.key];
    const act = arrow ? () => step(arrow) : letters.checked && SHORTCUTS[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  letters.checked = localStorage.getItem("letters") !== "off";
  letters.addEventListener("change", () => localStorage.setItem("letters", letters.checked ? "on" : "off"));
  document.getElementById("help").addEventListener("click", explain);
})();
