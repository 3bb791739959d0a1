// Sounds: three rising tones for a table that needs a person now, again each minute while one does; one tone for a table to check.
(() => {
  "use strict";
  const button = document.getElementById("sound");
  const place = document.getElementById("tables");
  const TONES = {now: [660, 880, 1175], look: [660]}; // Hz
  const LENGTH = 0.16; // seconds
  const AGAIN = 60000; // milliseconds
  let audio = null;
  let last = 0;

  function on() {
    return button.getAttribute("aria-pressed") === "true";
  }

  function tone(hertz, begin) {
    const source = audio.createOscillator();
    const gain = audio.createGain();
    source.frequency.value = hertz;
    gain.gain.setValueAtTime(0, begin);
    gain.gain.linearRampToValueAtTime(0.3, begin + 0.02);
    gain.gain.linearRampToValueAtTime(0, begin + LENGTH);
    source.connect(gain).connect(audio.destination);
    source.start(begin);
    source.stop(begin + LENGTH);
  }

  function play(call) {
    if (!on() || !audio) return;
    last = Date.now();
    button.dataset.played = call;
    TONES[call].forEach((hertz, place) => tone(hertz, audio.currentTime + place * LENGTH));
  }

  // Browsers let a page play sounds only after a person has touched it.
  function set(wanted) {
    if (wanted && !audio) audio = new AudioContext();
    if (wanted) audio.resume();
    button.setAttribute("aria-pressed", String(wanted));
    button.textContent = wanted ? text("Sound: on") : text("Sound: off");
    localStorage.setItem("sound", wanted ? "on" : "off");
  }

  function repeat() {
    if (Number(place.dataset.urgent) && Date.now() - last >= AGAIN) play("now");
  }

  button.addEventListener("click", () => {
    set(!on());
    play("look");
  });
  document.addEventListener("call", ({detail}) => play(detail));
  setInterval(repeat, 1000);
  if (localStorage.getItem("sound") === "on") document.addEventListener("pointerdown", () => on() || set(true), {once: true});
})();
