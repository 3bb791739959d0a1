// Signing in: a dealer's name and PIN by finger, keyboard or badge reader; name and password for others.
(() => {
  "use strict";
  const entrance = document.querySelector(".entrance");
  const dealer = document.getElementById("dealer");
  const others = document.getElementById("others");
  if (!others) return; // the page has no form to sign in
  const pin = document.getElementById("pin");

  function choose(way) {
    dealer.hidden = way !== "dealer";
    others.hidden = way !== "others";
    for (const button of document.querySelectorAll("[data-way]")) button.setAttribute("aria-pressed", button.dataset.way === way);
    tableside.say("");
    if (way === "others") document.getElementById("name").focus();
  }

  async function enter(told, after) {
    try {
      const me = await tableside.send("POST", "/api/v1/session", told);
      remember(me);
      location.assign(entrance.dataset.wanted || me.home);
    } catch (error) {
      tableside.say(`${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.`);
      after();
    }
  }

  // The next pages show it beside the name.
  function remember(me) {
    const one = me.role === "dealer" ? text("1 wrong PIN since you were here") : text("1 wrong password since you were here");
    const several = me.role === "dealer" ? text("{count} wrong PINs since you were here", {count: me.failures}) : text("{count} wrong passwords since you were here", {count: me.failures});
    const wrong = me.failures === 1 ? one : several;
    if (me.failures) sessionStorage.setItem("failures", wrong);
    else sessionStorage.removeItem("failures");
  }

  function named() {
    const field = dealer.elements.name;
    return field ? field.value.trim() : "";
  }

  others.addEventListener("submit", (event) => {
    event.preventDefault();
    const password = others.elements.password;
    enter({kind: "password", name: others.elements.name.value, secret: password.value}, () => {
      password.value = "";
      password.focus();
    });
  });
  if (!dealer) { // only staff sign in here
    document.getElementById("name").focus();
    return;
  }
  dealer.addEventListener("submit", (event) => {
    event.preventDefault();
    const secret = pin.value;
    pin.value = "";
    if (!secret) return pin.focus();
    const digits = /^[0-9]{4,8}$/.test(secret);
    if (digits && !named()) return tableside.say(text("Choose your name first."));
    enter(digits ? {kind: "pin", name: named(), secret} : {kind: "badge", secret}, () => pin.focus());
  });
  dealer.addEventListener("change", (event) => {
    if (event.target.type === "radio") tableside.say("");
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-way]");
    if (button) choose(button.dataset.way);
  });
  document.addEventListener("keydown", (event) => {
    if (dealer.hidden || event.target.matches("input:not([type=radio])") || event.ctrlKey || event.metaKey || event.key.length !== 1) return;
    pin.focus(); // what a badge reader types goes into the field
  });
})();
