// A card that has just come lands, and the seat that has just won lights up; nothing moves for people who ask for less motion.
(() => {
  "use strict";
  const less = matchMedia("(prefers-reduced-motion: reduce)");
  const LANDS = [{opacity: 0, transform: "translateY(-24px)"}, {opacity: 1, transform: "none"}];
  const WINS = [{boxShadow: "inset 0 0 0 6px var(--good)"}, {boxShadow: "inset 0 0 0 0 var(--good)"}];

  // By name of its place, what may move: the cards of each hand in their order, and seats that have won.
  function movable(panel) {
    const found = new Map();
    for (const hand of panel.querySelectorAll(".seat, .hand")) {
      const seat = hand.querySelector("h3 > b")?.textContent || "dealer";
      hand.querySelectorAll(".card").forEach((card, place) => found.set(`${seat} ${place}`, [card, LANDS, 180]));
      if (hand.querySelector(".gain.up")) found.set(`${seat} wins`, [hand, WINS, 900]);
    }
    return found;
  }

  for (const panel of document.querySelectorAll(".felt, .dealer")) {
    let before = movable(panel);
    new MutationObserver(() => {
      const now = movable(panel);
      for (const [name, [element, frames, duration]] of now) {
        if (!before.has(name) && !less.matches) element.animate(frames, {duration, easing: "ease-out"});
      }
      before = now;
    }).observe(panel, {childList: true});
  }
})();
