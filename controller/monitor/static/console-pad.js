// Keys by keyboard, and the dialogs of amounts, claims and requests.
(() => {
  "use strict";
  const {press, told, foresee} = window.dealing;
  const QUIET = 30; // milliseconds: badge readers type quicker, and press no key
  const amount = document.getElementById("amount");
  const claim = document.getElementById("claim");
  const field = amount.querySelector("input");
  let typed = 0, waiting = 0, opener = "", round = "", confirmed = null;

  function cents() {
    return window.tableside.cents(field.value, field);
  }

  function opens(button, dialog, title, sentence) {
    opener = button.id;
    round = shown();
    dialog.querySelector("h2").textContent = title;
    dialog.querySelector(".range").textContent = sentence;
    dialog.querySelector(".wrong").textContent = "";
    dialog.showModal();
  }

  // The dealer sees what follows, and confirms just that: the token of the preview goes with it.
  async function confirms(button, title, label, sentence, preview, path, body) {
    const seen = await foresee(...preview);
    if (!seen || dialogs()) return;
    claim.querySelector("[data-confirm]").textContent = label;
    confirmed = {path, body: {...body, token: seen.token}};
    opens(button, claim, title, sentence || `${seen.sentences.join(". ")}.`);
  }

  function dialogs() {
    return document.querySelector("dialog[open]");
  }

  function claims(button) {
    const {claim: number, title, text: sentence} = button.dataset;
    const path = `/api/v1/claims/${number}/steps`;
    confirms(button, title, text("Confirm the hand"), sentence, ["GET", `${path}/confirm/preview`], path, {step: "confirm", why: "Seen by the dealer"});
  }

  function asks(button) {
    const {asks: about, why} = button.dataset, path = "/api/v1/requests";
    confirms(button, button.querySelector(".what").textContent, text("Ask the supervisor"), "", ["POST", `${path}/preview`, {about}], path, {about, why});
  }

  function amounts(button) {
    const {seat, label, leastText, mostText, usualText} = button.dataset;
    field.value = "";
    amount.querySelector("[data-confirm]").textContent = label;
    const to = mostText ? text("From {least} to {most}", {least: leastText, most: mostText}) : text("From {least}", {least: leastText});
    opens(button, amount, text("{label}, seat {seat}", {label, seat}), usualText ? text("{range}; usual amount {usual}", {range: to, usual: usualText}) : to);
  }

  function wrong({least, most, step, leastText, mostText, stepText}) {
    const value = cents();
    if (value < Number(least)) return text("At least {amount}", {amount: leastText});
    if (most && value > Number(most)) return text("At most {amount}", {amount: mostText});
    return value % Number(step) ? text("A multiple of {amount}", {amount: stepText}) : "";
  }

  function shown() {
    return document.querySelector("[data-round]").dataset.round;
  }

  // What a dialog was opened for, as long as it is legal and of the same round.
  function found() {
    return round === shown() && document.getElementById(opener);
  }

  amount.addEventListener("submit", (event) => {
    event.preventDefault();
    const button = found();
    const why = button ? wrong(button.dataset) : text("No longer possible");
    amount.querySelector(".wrong").textContent = why;
    if (why) return;
    amount.close();
    press(button, cents());
  });
  claim.addEventListener("submit", (event) => {
    event.preventDefault();
    const button = found();
    claim.close();
    if (button) told(button, confirmed.path, confirmed.body);
  });

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    const {more, claim: number, digit, asks: about} = button.dataset;
    if (more) amounts(button);
    if (number) claims(button);
    if (about && about !== "help") asks(button);
    if (digit !== undefined) field.value = digit ? field.value + digit : field.value.slice(0, -1);
    if ("leaves" in button.dataset) button.closest("dialog").close();
  });

  function letter({key, repeat, ctrlKey, altKey, metaKey, target}) {
    const writes = target.closest("input, select, textarea, dialog");
    return repeat || ctrlKey || altKey || metaKey || writes || !/^[a-z0-9]$/i.test(key) ? "" : key.toLowerCase();
  }

  document.addEventListener("keydown", (event) => {
    const since = event.timeStamp - typed;
    if (event.key.length === 1 || event.key === "Enter") typed = event.timeStamp;
    if (event.key === "Enter" && event.repeat) event.preventDefault(); // held down it would press for the next seat
    const pressed = letter(event);
    if (since < QUIET) {
      clearTimeout(waiting);
      if (["Enter", " "].includes(event.key) && event.target.closest(".keys")) event.preventDefault(); // the end of a badge
      return;
    }
    if (!pressed) return;
    waiting = setTimeout(() => {
      const key = document.querySelector(`.keys button[data-letter="${pressed}"]`);
      if (key && !document.querySelector("dialog[open]")) key.click();
    }, QUIET);
  });
})();
