// A round step by step: buttons, arrow keys, a slider, the list, or by itself at the pace it was played.
(() => {
  "use strict";
  const scenes = [...document.querySelectorAll("template[data-scene]")];
  if (!scenes.length) return;
  const stage = document.querySelector(".stage");
  const slider = document.getElementById("step");
  const place = document.querySelector("output.place b");
  const came = document.querySelector(".came");
  const steps = [...document.querySelectorAll("[data-step]")];
  const players = [...document.querySelectorAll("[data-pace]")];
  const LONGEST = 6000; // nobody waits longer for a step than that
  const SHORTEST = 300;
  let at = 0;
  let timer = 0;
  let pace = 0;

  const GO = {first: () => 0, back: () => at - 1, next: () => at + 1, last: () => scenes.length - 1};
  const KEYS = {Home: "first", ArrowLeft: "back", ArrowRight: "next", End: "last"};

  function show(number) {
    at = Math.max(0, Math.min(scenes.length - 1, number));
    stage.replaceChildren(scenes[at].content.cloneNode(true));
    slider.value = at;
    place.textContent = at;
    came.replaceChildren(...[...steps[at].children].map((part) => part.cloneNode(true)));
    steps.forEach((step, each) => step.toggleAttribute("aria-current", each === at));
    const list = steps[at].closest("ol");
    const above = steps[at].offsetTop - list.offsetTop;
    list.scrollTop = above - list.clientHeight / 4;
    const here = new URL(location);
    here.searchParams.set("step", at);
    history.replaceState(null, "", here);
  }

  function play(speed) {
    clearTimeout(timer);
    pace = speed;
    players.forEach((player) => player.setAttribute("aria-pressed", Number(player.dataset.pace) === pace));
    if (!pace) return;
    if (at === scenes.length - 1) show(0);
    wait();
  }

  function wait() {
    if (at === scenes.length - 1) { play(0); return; }
    const passed = 1000 * (steps[at + 1].dataset.at - steps[at].dataset.at);
    const due = Math.max(SHORTEST, Math.min(LONGEST, passed)) / pace;
    timer = setTimeout(() => { show(at + 1); wait(); }, due);
  }

  function go(where) {
    play(0);
    show(where);
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-go], [data-step], [data-pace]");
    if (!button) return;
    const {go: way, step, pace: speed} = button.dataset;
    if (speed) play(Number(speed) === pace ? 0 : Number(speed));
    else go(way ? GO[way]() : Number(step));
  });
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target === slider || !KEYS[event.key]) return;
    event.preventDefault();
    go(GO[KEYS[event.key]]());
  });
  slider.addEventListener("input", () => go(Number(slider.value)));
  show(Number(new URLSearchParams(location.search).get("step")) || 0);
})();
