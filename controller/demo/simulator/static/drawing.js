// Draws what the simulated table shows. What did not change stays as it is, so that nothing loses the focus.
(() => {
  "use strict";
  const RED = "hd";
  const NAMES = JSON.parse(document.querySelector(".simulator").dataset.cards);
  const LAMPS = {
    off: text("off"), open: text("open"), "no-bets": text("no bets"), latched: text("latched"), win: text("win"), jackpot: text("jackpot"), fault: text("fault"),
  };
  const PHASES = {idle: text("idle"), shuffling: text("shuffling"), checking: text("checking"), done: text("done"), stopped: text("stopped")};
  const STATES = {
    "not-running": text("not running"), "no-power": text("no power"), "cable-out": text("cable out"), jammed: text("jammed"), "lid-open": text("lid open"),
    "in-session": text("in session"), "no-session": text("no session"),
  };
  const KEYS = {
    hit: [text("Hit"), "H"], stand: [text("Stand"), "S"], double: [text("Double"), "D"], split: [text("Split"), "P"], surrender: [text("Surrender"), "R"],
    insurance: [text("Insurance"), ""], "even-money": [text("Even money"), ""], play: [text("Play"), "Y"], "quick-pay": [text("Quick Pay"), "Q"],
    close: [text("Close"), "C"], pay: [text("Paid"), "A"],
  };
  const find = (selector, where = document) => where.querySelector(selector);
  const all = (selector, where = document) => [...where.querySelectorAll(selector)];

  function element(tag, className, text = "") {
    const made = document.createElement(tag);
    made.className = className;
    made.textContent = text;
    return made;
  }

  function suit(id) {
    const drawn = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    drawn.setAttribute("class", "suit");
    drawn.setAttribute("aria-hidden", "true");
    const use = drawn.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "use"));
    use.setAttribute("href", `#suit-${id}`);
    return drawn;
  }

  function card(face) {
    const drawn = element("span", "card");
    drawn.setAttribute("role", "img");
    if (face === "??") {
      drawn.classList.add("back");
      drawn.setAttribute("aria-label", NAMES[face]);
      return drawn;
    }
    drawn.classList.toggle("red", RED.includes(face[1]));
    drawn.setAttribute("aria-label", NAMES[face]);
    const corner = drawn.appendChild(element("span", "corner", face[0] === "T" ? "10" : face[0]));
    corner.append(suit(face[1]));
    drawn.append(suit(face[1]));
    return drawn;
  }

  // Fills an element anew if what it shows is not what it showed.
  function fill(where, shown, make) {
    const key = JSON.stringify(shown);
    if (where.dataset.shown === key) return;
    where.dataset.shown = key;
    where.replaceChildren(...make());
  }

  function write(where, words) {
    if (where.textContent !== words) where.textContent = words;
  }

  function fan(where, cards) {
    fill(where, cards, () => cards.map(card));
    where.classList.toggle("many", cards.length > 3);
  }

  function spots(seat, number) {
    const drawn = all(`[data-seat="${number}"]`);
    seat.spots.forEach((spot, place) => {
      const button = drawn[place], lamp = find(".lamp", button);
      lamp.className = `lamp ${spot.lamp}`;
      button.dataset.lamp = spot.lamp;
      button.dataset.stake = spot.stake === null ? "" : spot.stake;
      write(find(".stake", button), spot.worth);
      fill(find(".stack", button), [spot.stack, spot.stake], () => chips(spot));
      button.setAttribute("aria-label", text("Seat {seat}, {spot}: {amount}, lamp {lamp}", {
        seat: number, spot: find(".name", button).textContent, amount: spot.worth || text("no chips"), lamp: LAMPS[spot.lamp],
      }));
    });
  }

  const MOST_CHIPS = 6;
  function chips(spot) {
    if (spot.stake === 0) return [element("i", "chip-unknown")];
    const values = spot.stack.flatMap(([value, count]) => Array(count).fill(value));
    return values.slice(0, MOST_CHIPS).map((value) => element("i", colours[value] || ""));
  }
  const colours = Object.fromEntries(all(".sim-rack [data-chip]").map((chip) => [chip.dataset.chip, chip.classList[1]]));

  function hands(seat, number, due) {
    const where = find(`.sim-seat[data-at="${number}"] .sim-hands`);
    const shown = seat.hands.map((hand) => hand.place);
    fill(where, shown, () => shown.map((place, index) => place_button(place, text("Seat {seat}, hand {hand}", {seat: number, hand: index + 1}))));
    seat.hands.forEach((hand, index) => {
      fan(find(".sim-cards", where.children[index]), hand.cards);
      where.children[index].classList.toggle("due", hand.place === due);
    });
    where.classList.toggle("several", seat.hands.length > 1);
  }

  function wish(seat, number) {
    const where = find(`.sim-seat[data-at="${number}"] .sim-wish`);
    write(where, seat.wish ? text("{key}, please", {key: KEYS[seat.wish][0]}) : "");
  }

  function place_button(place, label) {
    const made = element("button", "sim-place");
    made.type = "button";
    made.dataset.place = place;
    made.dataset.drop = "";
    made.setAttribute("aria-label", label);
    made.append(element("span", "sim-cards"));
    return made;
  }

  function shoe({cards, devices}) {
    const held = find("#held"), draw = find("#draw"), due = cards.held ? cards.held_due : cards.due;
    held.hidden = !cards.held;
    fill(held, [cards.held], () => cards.held ? [card(cards.held)] : []);
    fill(find("#prepared"), cards.prepared, () => cards.prepared.map(small));
    fill(find("#chosen"), cards.prepared, () => cards.prepared.length ? cards.prepared.map(small) : [text("Cards as they were shuffled")]);
    draw.disabled = cards.drawing || Boolean(cards.held) || !cards.cards_due;
    const shut = devices[0].jammed ? STATES.jammed : devices[0].open ? STATES["lid-open"] : cards.cards_due ? due_words(due) : text("locked");
    write(find("#draw-state"), shut);
    for (const place of all(".sim-top [data-place]")) place.classList.toggle("due", place.dataset.place === due);
    write(find("#burned"), String(cards.burned));
    const dealer = find("[data-place='dealer']");
    dealer.classList.toggle("turnable", cards.turnable);
    find("[data-act='collect-cards']").classList.toggle("first", cards.old);
  }

  function due_words(place) {
    if (!place) return text("due");
    if (place === "burn") return text("to burn");
    if (place === "dealer") return text("for the dealer");
    if (place === "dealer-down") return text("for the dealer, face down");
    const [seat, hand] = place.split("-");
    return hand === "1" ? text("for seat {seat}", {seat}) : text("for seat {seat}, hand {hand}", {seat, hand});
  }

  function small(face) {
    const drawn = element("span", "small" + (RED.includes(face[1]) ? " red" : ""), face[0] === "T" ? "10" : face[0]);
    drawn.append(suit(face[1]));
    return drawn;
  }

  function machine(device, {cards, shuffler}) {
    const where = find(`.sim-device[data-device="${device.name}"]`);
    const state = !device.connected ? "not-running" : !device.powered ? "no-power" : !device.plugged ? "cable-out"
      : device.jammed ? "jammed" : device.open ? "lid-open" : device.in_session ? "in-session" : "no-session";
    where.dataset.state = state;
    write(find(".sim-state", where), STATES[state]);
    const pack = shuffler.pack ? [text("a pack of {count} in your hands", {count: shuffler.pack})] : [];
    const phase = PHASES[shuffler.phase] + (shuffler.percent ? ` ${shuffler.percent} %` : "");
    const facts = {
      shoe: [text("{count} cards left", {count: cards.left}), ...pack],
      shuffler: [phase, text("{count} inside", {count: shuffler.inside}), text("{count} in the tray", {count: shuffler.tray})],
    };
    write(find(".sim-facts", where), (facts[device.name] || []).join(" · "));
    const toggles = {
      cable: [!device.plugged, text("Pull cable"), text("Plug in")], power: [!device.powered, text("Power off"), text("Power on")],
      jam: [device.jammed, text("Jam"), text("Free card")], cover: [device.open, text("Open lid"), text("Close lid")],
    };
    for (const button of all("[data-toggle]", where)) {
      const [on, off_words, on_words] = toggles[button.dataset.toggle];
      button.setAttribute("aria-pressed", String(on));
      write(button, on ? on_words : off_words);
    }
    if (device.name === "shoe") find("[data-act='load-shoe']", where).classList.toggle("first", shuffler.pack > 0);
    if (device.name === "shuffler") find("[data-act='take-pack']", where).classList.toggle("first", shuffler.tray > 0);
  }

  function dealer_console({console: shown, devices}) {
    const off = !devices[4].powered ? text("The console has no power") : "";
    write(find("#sim-prompt"), off || shown.text || text("Nothing is shown"));
    fill(find("#sim-keys"), [shown.keys, shown.number], () => shown.keys.map((key) => key_button(key, shown)));
  }

  function key_button({action, seat}, {number, keys}) {
    const [title, letter] = KEYS[action];
    const made = element("button", `key act-${action}`);
    Object.assign(made.dataset, {key: action, place: "", keySeat: seat, prompt: number});
    delete made.dataset.place;
    made.type = "button";
    const alone = keys.filter((key) => key.action === action).length === 1;
    if (letter && (alone || seat === 0)) made.dataset.letter = letter;
    made.append(element("span", "", action === "pay" && seat === 0 ? text("All paid") : title));
    if (seat) made.append(element("span", "of", text("seat {seat}", {seat})));
    if (made.dataset.letter) made.append(element("kbd", "", letter));
    return made;
  }

  function draw(picture) {
    const due = picture.cards.held ? picture.cards.held_due : picture.cards.due;
    picture.seats.forEach((seat, index) => {
      spots(seat, index + 1);
      hands(seat, index + 1, due);
      wish(seat, index + 1);
      find(`.sim-seat[data-at="${index + 1}"]`).classList.toggle("asked", !picture.cards.held && picture.console.seat === index + 1);
    });
    fan(find("[data-place='dealer'] .sim-cards"), picture.dealer.cards);
    shoe(picture);
    for (const device of picture.devices) machine(device, picture);
    dealer_console(picture);
    find("#sim-ready").hidden = !picture.ready;
    write(find("#sim-lines"), [...picture.lines, ...picture.levels].join(" · "));
  }

  window.simulator.follow(draw);
})();
