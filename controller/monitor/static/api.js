// Forms and buttons speak to the API: data-send="METHOD /path", a form's fields are the JSON body.
// data-then="/path" is where to go afterwards; without it the page stays, and its panels follow by themselves.
// data-body is JSON: the body of a button, the part of a form's that nobody fills in, the fields a chosen radio is for.
(() => {
  "use strict";
  const notice = document.getElementById("said");
  const KINDS = {text: String, number: Number, cents};
  const COOKIE = (location.protocol === "https:" ? "__Host-" : "") + "tableside_csrf=";

  function say(sentence, place = notice) {
    place.textContent = sentence;
    place.hidden = !sentence;
  }

  // A dialog lies over the page, its notice too; a form may have one of its own.
  function near(element) {
    const around = element.closest("dialog") || element.closest("form");
    return (around && around.querySelector(".said")) || notice;
  }

  function token() {
    const found = document.cookie.split("; ").find((one) => one.startsWith(COOKIE));
    return found ? found.split("=")[1] : "";
  }

  // The answer, or an error with a sentence.
  async function ask(method, path, body) {
    const headers = {"X-CSRF-Token": token()};
    if (body !== undefined) headers["Content-Type"] = "application/json";
    const answer = await fetch(path, {method, headers, body: body === undefined ? undefined : JSON.stringify(body)}).catch(unanswered);
    if (answer.status === 401 && location.pathname !== "/sign-in") location.assign("/sign-in?next=" + encodeURIComponent(location.pathname + location.search));
    if (!answer.ok) throw refusal(await answer.json().catch(() => null), answer.status);
    return answer;
  }

  // `confirm`: the kind of secret that the person must type again.
  function refusal(told, status) {
    return Object.assign(new Error(reason(told, status)), {confirm: told && told.confirm});
  }

  function unanswered() {
    throw new Error(text("No answer from the table: check whether it was done"));
  }

  async function send(method, path, body) {
    const answer = await ask(method, path, body);
    return answer.status === 204 ? null : answer.json().catch(() => null);
  }

  function reason(told, status) {
    const detail = told && told.detail;
    if (typeof detail === "string") return detail;
    if (Array.isArray(detail)) return detail.map((one) => [...one.loc.slice(1), one.msg].join(": ")).join("; ");
    return text("Not done ({status})", {status});
  }

  // Minor units of an amount as people type it, "$1,250.50"; the field says how many digits the currency has after the
  // decimal point, and which marks may stand beside them. Its pattern refuses anything else.
  function cents(typed, {dataset: {digits, marks = ""}}) {
    let plain = typed.trim();
    for (const mark of marks.split(" ").filter(Boolean)) {
      if (plain.startsWith(mark)) plain = plain.slice(mark.length).trim();
      if (plain.endsWith(mark)) plain = plain.slice(0, -mark.length).trim();
    }
    const [whole, rest = ""] = plain.replaceAll(",", "").split(".");
    return Number(whole) * 10 ** digits + Number(rest.padEnd(digits, "0"));
  }

  function fixed(element) {
    return element.dataset.body ? JSON.parse(element.dataset.body) : undefined;
  }

  function fields(form) {
    const body = {...fixed(form)};
    for (const input of form.elements) {
      if (!input.name || input.disabled || (input.type === "radio" && !input.checked)) continue;
      if (input.dataset.secret) body.confirm = {kind: input.dataset.secret, secret: input.value};
      else if (input.dataset.body) Object.assign(body, fixed(input));
      else if (input.type === "checkbox") body[input.name] = input.checked;
      else if (input.value === "") continue;
      else body[input.name] = KINDS[input.dataset.kind || "text"](input.value, input);
    }
    return body;
  }

  // What takes two persons asks each of them for their password at that moment. `kind`: the secret to ask for, null for none; `why`: the refusal
  // of the last one, beside the field. Returns the field, or null if the form has none.
  function askSecret(form, kind, why = "") {
    const input = form.querySelector("[data-secret]");
    if (!input) return null;
    const around = input.closest(".confirm");
    Object.assign(input, {disabled: !kind, required: Boolean(kind), value: ""});
    if (kind) input.dataset.secret = kind;
    input.setAttribute("aria-invalid", String(Boolean(why)));
    around.hidden = !kind;
    say(why, around.querySelector(".said"));
    return input;
  }

  async function act(element, body) {
    const [method, path] = element.dataset.send.split(" ");
    const place = near(element);
    say("", place);
    try {
      const told = await send(method, path, body);
      if (element.dataset.then) location.assign(element.dataset.then);
      element.dispatchEvent(new CustomEvent("sent", {bubbles: true, detail: told}));
    } catch (error) {
      const field = error.confirm && askSecret(element, error.confirm, error.message);
      if (field) return field.focus();
      say(error.message, place);
      element.dispatchEvent(new CustomEvent("refused", {bubbles: true}));
    }
  }

  document.addEventListener("submit", (event) => {
    if (!event.target.dataset.send) return;
    event.preventDefault();
    act(event.target, fields(event.target));
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-send]");
    if (button) act(button, fixed(button));
  });
  // What signing in has told, until the person looks at their account.
  const failures = document.getElementById("failures");
  if (failures) say(sessionStorage.getItem("failures") || "", failures);
  if (location.pathname === "/account") sessionStorage.removeItem("failures");

  window.tableside = {ask, askSecret, send, say, fields, cents};
})();
