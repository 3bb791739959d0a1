// The dealer's keys: pressed once, told at once, refused with a sentence; dead while the line to the table is.
(() => {
  "use strict";
  const {ask, send, say} = window.tableside;
  const PAD = "/api/v1/keys";
  const TWICE = 350; // milliseconds: a second tap so soon after is the same tap
  const refusal = document.getElementById("refusal");
  const parts = [document.querySelector(".keys"), document.querySelector(".due")];
  const STEADY = 3;
  let last = 0, answers = 0;

  function lost() {
    return document.body.classList.contains("stale");
  }

  async function told(button, path, body) {
    if (lost() || button.disabled) return;
    say("", refusal);
    const focused = document.activeElement === button;
    button.disabled = true;
    button.classList.add("pressed");
    try {
      await send("POST", path, body);
    } catch (error) {
      say(error.message, refusal);
    } finally {
      button.disabled = false;
      button.classList.remove("pressed");
      if (focused) focus(button.id);
    }
  }

  // What would follow, with the token that goes with it; nothing where the table refuses, which is shown.
  async function foresee(method, path, body) {
    if (lost()) return null;
    say("", refusal);
    return send(method, path, body).catch((error) => say(error.message, refusal));
  }

  // A key that is disabled loses the focus; it may have been drawn anew since.
  function focus(id) {
    const now = document.getElementById(id);
    if (now && document.activeElement === document.body) now.focus();
  }

  function press(button, cents) {
    const {action, more, seat} = button.dataset;
    const round = Number(button.closest("[data-round]").dataset.round);
    const body = {action: action || more, seat: Number(seat), round, press: crypto.randomUUID ? crypto.randomUUID() : fresh()};
    return told(button, PAD, cents === undefined ? body : {...body, cents});
  }

  function fresh() { // without TLS a browser has no randomUUID
    return [...crypto.getRandomValues(new Uint32Array(4))].map((one) => one.toString(16)).join("-");
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    const again = event.detail > 1 && event.timeStamp - last < TWICE;
    last = event.timeStamp;
    if (again && button.closest(".keys")) return;
    if (button.dataset.action) press(button);
    if (button.dataset.asks === "help") told(button, "/api/v1/requests", {about: "help", why: button.dataset.why});
  });

  // The browser follows a table that is back by itself. Where it was sent away it gives up: the page is loaded anew
  // once the table has answered for a while, and who is signed out signs in.
  async function look() {
    const answered = lost() && await ask("GET", "/api/v1/requests").then(() => true, () => false);
    answers = answered && lost() ? answers + 1 : 0;
    if (answers > STEADY) location.reload();
  }

  function guard() {
    for (const part of parts) part.inert = lost();
    if (lost()) for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close(); // it would lie over the notice
  }
  new MutationObserver(guard).observe(document.body, {attributeFilter: ["class"]});
  setInterval(look, 1000);
  window.dealing = {press, told, foresee};
})();
