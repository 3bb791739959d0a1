// A form that was sent is empty again, and says so: data-done is what.
(() => {
  "use strict";
  document.addEventListener("sent", ({target}) => {
    if (!(target instanceof HTMLFormElement)) return;
    target.reset();
    const told = target.querySelector("[role=status]");
    if (told) told.textContent = target.dataset.done;
  });
  document.addEventListener("input", ({target}) => {
    const told = target.form && target.form.querySelector("[role=status]");
    if (told) told.textContent = "";
  });
})();
