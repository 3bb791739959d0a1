// The page of all tables. The stream brings new and changed tiles. The script puts them in their place and shows in the tab how many tables need a person.
(() => {
  "use strict";
  const place = document.getElementById("tables");
  const tools = document.getElementById("tools");
  const find = document.getElementById("find");
  const news = document.getElementById("news");
  const lost = document.getElementById("lost");
  const title = document.title;
  const counts = [...document.querySelectorAll("[data-count]")];
  const URGENT = ["now", "look"];
  const ROOMY = 24; // so many tables have large tiles
  const CLOSE = 80; // and so many tiles of middle size
  const NEED = place.dataset.order === "need";
  const WALL = "wall" in place.dataset;
  const SCALES = [2.4, 2.2, 2, 1.85, 1.7, 1.6, 1.5, 1.4, 1.3, 1.2, 1.1, 1, 0.9, 0.8, 0.7, 0.6];
  const tiles = new Map(); // by table, in their order
  let before = null; // tables of the last connection that have not come again
  let begun = false;
  let changed = false;
  let fitted = ""; // what the tiles on a wall have their size for
  let calls = new Map(); // of the alerts about the floor itself, by number

  function begin() {
    before = new Set(tiles.keys());
  }

  function take({data}) {
    const parsed = document.createElement("template");
    parsed.innerHTML = data;
    for (const tile of [...parsed.content.children]) {
      const old = tiles.get(tile.dataset.table);
      const held = old && old.contains(document.activeElement);
      if (old) old.replaceWith(tile);
      tiles.set(tile.dataset.table, tile);
      if (before) before.delete(tile.dataset.table);
      if (held) tile.querySelector("a").focus();
      heard(old, tile);
    }
    changed = true;
  }

  // Reads the tile out and plays its sound when a table begins to need a person, or needs one more urgently; not when the page opens.
  function heard(old, tile) {
    const call = tile.dataset.call;
    if (!begun || !URGENT.includes(call)) return;
    const was = old ? old.dataset.call : "well";
    if (was === call || was === "now") return;
    news.textContent = tile.dataset.tells;
    tile.classList.add("new");
    document.dispatchEvent(new CustomEvent("call", {detail: call}));
  }

  // Alerts about the floor itself count like tables that need a person.
  function house() {
    const found = [...document.querySelectorAll(".house [data-alert]")];
    for (const one of found) {
      if (!begun || calls.get(one.dataset.alert) === one.dataset.call || !URGENT.includes(one.dataset.call)) continue;
      news.textContent = one.dataset.tells;
      document.dispatchEvent(new CustomEvent("call", {detail: one.dataset.call}));
    }
    calls = new Map(found.map((one) => [one.dataset.alert, one.dataset.call]));
    counted();
  }

  function drop(table) {
    const tile = tiles.get(table);
    if (tile) tile.remove();
    tiles.delete(table);
    changed = true;
  }

  function gone({data}) {
    data.split("\n").forEach(drop);
  }

  function sort({data}) {
    const named = data.split("\n").map((table) => [table, tiles.get(table)]);
    tiles.clear();
    for (const [table, tile] of named) tiles.set(table, tile);
    changed = true;
  }

  // Each message ends with a beat.
  function settle() {
    if (before) {
      if (before.size) before.forEach(drop);
      before = null;
      changed = true;
    }
    if (!changed) return;
    changed = false;
    arrange();
    counted();
    begun = true;
    document.dispatchEvent(new CustomEvent("tiles"));
  }

  function arrange() {
    const waiting = document.getElementById("waiting");
    waiting.hidden = tiles.size > 0;
    waiting.querySelector("p").textContent = waiting.dataset.none;
    if (!WALL) place.dataset.density = density();
    if (WALL) requestAnimationFrame(refit);
    const groups = new Map();
    for (const tile of tiles.values()) {
      const name = NEED ? (tile.dataset.call === "well" ? "well" : "attention") : tile.dataset.pit;
      if (!groups.has(name)) groups.set(name, []);
      groups.get(name).push(tile);
    }
    const known = new Map([...place.querySelectorAll(".group")].map((group) => [group.dataset.group, group]));
    for (const [name, group] of known) if (!groups.has(name)) group.remove();
    for (const [name, members] of groups) fill(known.get(name) || heading(name), members);
    inOrder(place, [...groups.keys()].map((name) => document.getElementById(`group-${name}`)));
    look();
  }

  function density() {
    return tiles.size <= ROOMY ? "roomy" : tiles.size <= CLOSE ? "close" : "dense";
  }

  // On a wall the tiles are as large as the screen allows for all of them, because people cannot scroll there. A thousand tiles take long
  // to lay out, so they keep their size until something else has to fit.
  function refit() {
    const what = `${tiles.size} ${[...tiles.values()].filter((tile) => tile.dataset.call !== "well").length} ${innerWidth} ${innerHeight}`;
    if (what === fitted && fits()) return;
    fitted = what;
    fit();
  }

  function fits() {
    return document.documentElement.scrollHeight <= innerHeight;
  }

  // The largest scale that fits is found by halves.
  function fit() {
    for (const kind of [density(), "dense"]) {
      place.dataset.density = kind;
      let [first, last] = [0, SCALES.length];
      while (first < last) {
        const middle = (first + last) >> 1;
        place.style.zoom = SCALES[middle];
        if (fits()) last = middle;
        else first = middle + 1;
      }
      if (first < SCALES.length) {
        place.style.zoom = SCALES[first];
        return;
      }
    }
    place.style.zoom = 1; // too many for this screen: the page scrolls
  }

  function heading(name) {
    const group = document.createElement("section");
    Object.assign(group, {className: `group ${NEED ? name : ""}`, id: `group-${name}`});
    group.dataset.group = name;
    group.innerHTML = "<h2><span></span> <span class=\"quiet\"></span></h2><ul></ul>";
    group.querySelector("span").textContent = NEED ? place.dataset[name] : name;
    place.append(group);
    return group;
  }

  function fill(group, members) {
    group.querySelector(".quiet").textContent = members.length;
    inOrder(group.querySelector("ul"), members);
  }

  // Moves only what is not in its place.
  function inOrder(parent, children) {
    let next = parent.querySelector(":scope > .tile, :scope > .group");
    for (const child of children) {
      if (child === next) next = next.nextElementSibling;
      else move(parent, child, next);
    }
  }

  // A moved element loses the focus.
  function move(parent, child, next) {
    const held = child.contains(document.activeElement) ? document.activeElement : null;
    parent.insertBefore(child, next);
    if (held) held.focus();
  }

  function counted() {
    const count = {all: tiles.size, now: 0, look: 0};
    for (const call of [...tiles.values()].map((tile) => tile.dataset.call).concat([...calls.values()])) if (call in count) count[call] += 1;
    for (const one of counts) one.textContent = count[one.dataset.count];
    document.getElementById("sum").dataset.worst = count.now ? "now" : count.look ? "look" : "well";
    place.dataset.urgent = count.now;
    named(count);
  }

  function named(count = {now: 0, look: 0}) {
    const sign = count.now ? "✕ " : count.look ? "▲ " : "";
    const number = count.now + count.look;
    document.title = lost.hidden ? `${number ? `${sign}(${number}) ` : ""}${title}` : `? ${title}`;
  }

  // What is typed into "Find" hides the other tables; it changes nothing that is counted.
  function look() {
    const wanted = find ? find.value.trim().toLowerCase() : "";
    for (const [table, tile] of tiles) tile.hidden = !table.includes(wanted);
  }

  // Another choice is another page, which can be kept as a bookmark.
  function chosen() {
    const query = new URLSearchParams();
    for (const [name, value] of new FormData(tools)) if (value !== "*") query.set(name, value);
    location.assign(`/floor?${query}`);
  }

  document.addEventListener("htmx:sseOpen", ({detail: {source}}) => {
    if (source.followed) return;
    source.followed = true;
    for (const [name, act] of Object.entries({begin, tiles: take, gone, order: sort, beat: settle})) source.addEventListener(name, act);
  });
  document.addEventListener("htmx:sseMessage", ({target}) => target.matches(".houses") && house());
  tools.addEventListener("submit", (event) => event.preventDefault());
  tools.addEventListener("change", (event) => event.target !== find && chosen());
  if (find) find.addEventListener("input", look);
  if (WALL) addEventListener("resize", refit);
  new MutationObserver(() => (lost.hidden ? counted() : named())).observe(lost, {attributeFilter: ["hidden"]});
  house();
  sessionStorage.setItem("floor", location.pathname + location.search);
})();
