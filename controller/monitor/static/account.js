// A new password or PIN of one's own: typed twice, and nothing of it stays on the page.
(() => {
  "use strict";
  const form = document.getElementById("renew");
  if (!form) return;
  const said = form.querySelector(".said");
  const changed = document.querySelector("#changed p");

  function anew() {
    form.reset();
    form.elements.old.focus();
  }

  form.addEventListener("submit", (event) => {
    tableside.say("", said);
    if (form.elements.again.value === form.elements.new.value) return;
    event.preventDefault();
    event.stopPropagation();
    tableside.say(form.dataset.differ, said);
    anew();
  });
  form.addEventListener("refused", anew);
  form.addEventListener("sent", () => {
    form.reset();
    form.hidden = true;
    changed.hidden = false;
    changed.querySelector("a").focus();
  });
})();
