// Digits by finger: they go into the field of their form that was last in use.
(() => {
  "use strict";
  const FIELD = "input[type=password]";
  let last = null;

  document.addEventListener("focusin", ({target}) => {
    if (target.matches(FIELD)) last = target;
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest(".pad [data-digit], .pad [data-back]");
    if (!button) return;
    const field = last && last.form === button.form ? last : button.form.querySelector(FIELD);
    field.value = "digit" in button.dataset ? field.value + button.dataset.digit : field.value.slice(0, -1);
    field.focus(); // so that Enter is not this key once more
  });
})();
