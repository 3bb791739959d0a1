// Hands: chips, cards and devices react to a tap, to a key of the keyboard, and to dragging.
(() => {
  "use strict";
  const {act, picture} = window.simulator;
  const {cents} = window.tableside;
  const find = (selector) => document.querySelector(selector);
  const FAR = 8; // pixels: what moves less is a tap
  let tool = {chip: Number(find("[data-chip][aria-pressed='true']").dataset.chip)}, carried = null, dragged = false;

  function choose(button) {
    const {chip, tool: other} = button.dataset;
    tool = chip ? {chip: Number(chip)} : {name: other};
    carry(null);
    for (const each of document.querySelectorAll("[data-chip], [data-tool]")) each.setAttribute("aria-pressed", String(each === button));
  }

  // The spot whose chips are to be moved, until another spot is tapped.
  function carry(spot) {
    if (carried) carried.classList.remove("carried");
    carried = spot;
    if (spot) spot.classList.add("carried");
  }

  function at(spot) {
    return {seat: Number(spot.dataset.seat), spot: spot.dataset.spot};
  }

  const ON_SPOT = {
    take: (spot) => act("take-chips", at(spot)),
    unreadable: (spot) => act("lay-unreadable", at(spot)),
    fail: (spot) => act("fail-sensor", {...at(spot), on: true}),
    see: (spot) => act("fail-sensor", {...at(spot), on: false}),
    move(spot) {
      if (!carried) return spot.dataset.stake === "" ? act("take-chips", at(spot)) : carry(spot);
      move(carried, spot);
      carry(null);
    },
  };

  function move(from, to) {
    if (from !== to) act("move-chips", {...at(from), to_seat: Number(to.dataset.seat), to_spot: to.dataset.spot});
  }

  function on_spot(spot) {
    if (tool.chip) act("lay-chip", {...at(spot), chip: tool.chip});
    else ON_SPOT[tool.name](spot);
  }

  function on_place(button) {
    const {place} = button.dataset, {cards} = picture();
    if (cards.held) act("lay-card", {place});
    else if (place === "dealer" && cards.turnable) act("turn-card");
    else act("pick-up-card", {place, number: Math.max(1, button.querySelectorAll(".card").length)});
  }

  function draw() {
    act("draw", {lay: find("#lay-at-once").checked});
  }

  function press(key) {
    const typed = find("#sim-amount");
    if (!typed.reportValidity()) return;
    const amount = typed.value ? cents(typed.value, typed) : 0;
    typed.value = "";
    act("press", {key: key.dataset.key, seat: Number(key.dataset.keySeat), prompt: Number(key.dataset.prompt), cents: amount});
  }

  const TOGGLES = {
    cable: (on) => ({plugged: !on}), power: (on) => ({on: !on}), jam: (on) => ({on}), cover: (on) => ({open: on}),
  };

  function toggle(button) {
    const name = button.dataset.toggle, on = button.getAttribute("aria-pressed") !== "true";
    const device = button.closest(".sim-device").dataset.device;
    act(name, {...(name === "cover" ? {} : {device}), ...TOGGLES[name](on)});
  }

  const ON_CLICK = {
    "[data-chip], [data-tool]": choose,
    ".sim-spot": on_spot,
    "[data-place]": on_place,
    "[data-key]": press,
    "[data-toggle]": toggle,
    "[data-do]": (button) => act(button.dataset.do, {device: button.closest(".sim-device").dataset.device}),
    "[data-act]": (button) => act(button.dataset.act, JSON.parse(button.dataset.body || "{}")),
    "#draw": draw,
    "#held": () => act("lay-card"),
    "#choose": () => find("#chooser").showModal(),
  };

  document.addEventListener("click", (event) => {
    if (dragged) return void (dragged = false);
    for (const [selector, done] of Object.entries(ON_CLICK)) {
      const found = event.target.closest(selector);
      if (found) return void done(found);
    }
  });

  document.addEventListener("keydown", (event) => {
    if (event.target === find("#held") && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      act("lay-card");
    }
    if (event.repeat || event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input:not([type='checkbox']), dialog")) return;
    const letter = event.key.toUpperCase();
    if (letter === "L") act("lay-card");
    const button = [...document.querySelectorAll("[data-letter]")].find((one) => one.dataset.letter === letter);
    if (button && !button.disabled) button.click();
  });

  // Chips of the rack and of spots, and the card in the hand, can be dragged to where they go.
  let drag = null;
  document.addEventListener("pointerdown", (event) => {
    const from = event.target.closest("[data-chip], .sim-spot, #held");
    const empty = from && from.classList.contains("sim-spot") && !from.dataset.stake;
    drag = from && !empty && event.isPrimary ? {from, x: event.clientX, y: event.clientY, ghost: null} : null;
    dragged = false;
  });
  document.addEventListener("pointermove", (event) => {
    if (!drag) return;
    if (!drag.ghost && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < FAR) return;
    drag.ghost ||= ghost(drag.from);
    drag.ghost.style.translate = `${event.clientX}px ${event.clientY}px`;
  });
  document.addEventListener("pointerup", (event) => {
    const done = drag;
    drag = null;
    if (!done || !done.ghost) return;
    done.ghost.remove();
    dragged = true;
    setTimeout(() => { dragged = false; });
    const under = document.elementFromPoint(event.clientX, event.clientY);
    drop(done.from, under && under.closest("[data-drop]"));
  });
  document.addEventListener("pointercancel", () => {
    if (drag && drag.ghost) drag.ghost.remove();
    drag = null;
  });

  function ghost(from) {
    const made = document.createElement("div");
    made.className = "sim-ghost";
    const shown = from.querySelector(".stack") || from;
    made.append(shown.cloneNode(true));
    made.querySelectorAll("[id]").forEach((one) => one.removeAttribute("id"));
    if (made.firstChild.id) made.firstChild.removeAttribute("id");
    return document.body.appendChild(made);
  }

  function drop(from, to) {
    if (!to) return;
    if (from.id === "held") return to.dataset.place && act("lay-card", {place: to.dataset.place});
    if (from.dataset.chip) return to.dataset.spot && act("lay-chip", {...at(to), chip: Number(from.dataset.chip)});
    if (to.dataset.spot) return move(from, to);
    if ("rack" in to.dataset) act("take-chips", at(from));
  }

  // The chooser: a rank, then a suit; what was chosen comes next.
  const chooser = find("#chooser"), wrong = chooser.querySelector(".said");
  let rank = "";

  function prepare(cards) {
    return act("prepare", {cards}, wrong);
  }

  chooser.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.dataset.rank) rank = button.dataset.rank;
    else if (button.dataset.suit && rank) {
      prepare([...picture().cards.prepared, rank + button.dataset.suit]);
      rank = "";
    } else if (button.id === "forget") prepare([]);
    else if (button.id === "chosen-done") chooser.close();
    for (const each of chooser.querySelectorAll("[data-rank]")) each.setAttribute("aria-pressed", String(each.dataset.rank === rank));
  });
})();
