// Forms are opened over the page and never swapped away: drawn by the server, told first what follows, then sent.
(() => {
  "use strict";
  const dialog = document.getElementById("word");
  if (!dialog) return; // who only watches has none
  const {ask, askSecret, send, say, fields} = window.tableside;
  const asked = dialog.querySelector(".asked");
  const said = dialog.querySelector(".said");
  let opener = "";

  async function open(path, why = "") {
    say("");
    try {
      show(await (await ask("GET", `${dialog.dataset.forms || "/supervisor/forms"}/${path}`)).text(), why);
    } catch (error) {
      say(error.message, dialog.open ? said : undefined);
    }
  }

  function show(html, why) {
    say("", said);
    asked.innerHTML = html;
    if (!dialog.open) dialog.showModal();
    const form = asked.querySelector("form");
    form.elements.why.value = why;
    if ("atOnce" in form.dataset) foresee(form, false);
  }

  async function foresee(form, pressed) {
    const [method, path] = form.dataset.preview.split(" ");
    const submit = form.querySelector("[type=submit]");
    say("", said);
    submit.disabled = true; // nobody decides before they could see what follows
    try {
      const {confirm, ...asked} = fields(form); // a preview needs no secret
      const told = await send(method, path, method === "GET" ? undefined : asked);
      form.dataset.body = JSON.stringify({...JSON.parse(form.dataset.body), ...(told.token && {token: told.token})});
      form.querySelector(".preview").replaceChildren(...drawn(told));
      ready(form, true, method === "POST" && told.by_two);
      askSecret(form, told.confirm);
      form.querySelector(".preview").scrollIntoView({block: "nearest"});
    } catch (error) {
      say(error.message, said);
    } finally {
      submit.disabled = false;
      if (pressed || !document.activeElement.value) goOn(form); // nobody is interrupted while they type
    }
  }

  // To what is still to be typed, or to the button.
  function goOn(form) {
    const empty = [form.elements.why, form.elements.confirm].find((one) => !one.disabled && !one.value && (one.required || one.name === "confirm"));
    (empty || form.querySelector("[type=submit]")).focus();
    if (empty && empty.name === "confirm") empty.closest(".confirm").scrollIntoView({block: "nearest"});
  }

  // `asks`: it takes another person, so that it only asks for it.
  function ready(form, seen, asks = false) {
    form.dataset.seen = seen ? "yes" : "";
    form.querySelector("[type=submit]").textContent = asks ? text("Ask another supervisor") : seen ? form.dataset.do : text("Preview");
    if (seen) return;
    form.querySelector(".preview").replaceChildren();
    askSecret(form, null);
  }

  // What was seen no longer holds: the person looks at a fresh preview, and sends its token.
  function forget(form) {
    if (!form.dataset.preview || !form.dataset.seen) return;
    const {token, ...body} = JSON.parse(form.dataset.body);
    form.dataset.body = JSON.stringify(body);
    ready(form, false);
  }

  function drawn(told) {
    const sentences = told.by_two ? [...told.sentences, text("Another supervisor must grant it too")] : told.sentences;
    const list = made("ul", sentences.map((one) => made("li", one)));
    const rows = told.changes.map((one) => made("tr", [made("th", one.about), made("td", one.before), made("td", one.after)]));
    if (!rows.length) return [made("h3", text("Preview")), list];
    const head = made("thead", [made("tr", [text("Item"), text("Now"), text("After")].map((one) => made("th", one)))]);
    return [made("h3", text("Preview")), list, made("table", [head, made("tbody", rows)])];
  }

  function made(tag, content) {
    const element = document.createElement(tag);
    element.append(...(Array.isArray(content) ? content : [content]));
    return element;
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.dataset.form) { opener = button.id; open(button.dataset.form); }
    if (button.dataset.because) { button.form.elements.why.value = button.dataset.because; goOn(button.form); }
    if ("leaves" in button.dataset) dialog.close();
  });
  dialog.addEventListener("change", (event) => {
    const form = event.target.form;
    if (event.target.dataset.reopens) open(`${event.target.dataset.reopens}?of=${event.target.value}`, form.elements.why.value);
    else if (!["why", "confirm"].includes(event.target.name)) forget(form);
  });
  dialog.addEventListener("submit", (event) => {
    if (!event.target.dataset.preview || event.target.dataset.seen) return;
    event.preventDefault();
    event.stopPropagation();
    foresee(event.target, true);
  }, true);
  dialog.addEventListener("sent", (event) => {
    dialog.close();
    if (event.detail && event.detail.state === "open") document.getElementById("news").textContent = text("Request {number} waits for another supervisor", {number: event.detail.number});
  });
  dialog.addEventListener("refused", (event) => forget(event.target));
  dialog.addEventListener("close", () => {
    asked.replaceChildren();
    const button = document.getElementById(opener);
    if (button) button.focus();
  });
})();
