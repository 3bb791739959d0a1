// A form that was sent is empty again, and says so: data-done is what. A device that was opened stays open when
// its figures change.
(() => {
  "use strict";
  const opened = new Set();
  document.addEventListener("toggle", ({target}) => {
    if (!target.isConnected || !target.dataset.device) return;
    if (target.open) opened.add(target.dataset.device);
    else opened.delete(target.dataset.device);
  }, true);
  document.addEventListener("htmx:afterSwap", ({target}) => {
    for (const device of target.querySelectorAll("details[data-device]")) device.open = opened.has(device.dataset.device);
  });
  document.addEventListener("sent", ({target}) => {
    if (!(target instanceof HTMLFormElement)) return;
    target.reset();
    const told = target.querySelector("[role=status]");
    if (told) told.textContent = target.dataset.done;
  });
  document.addEventListener("click", ({target}) => {
    const reason = target.closest("[data-because]");
    if (reason) reason.form.elements.why.value = reason.dataset.because;
  });
  document.addEventListener("input", ({target}) => {
    const told = target.form && target.form.querySelector("[role=status]");
    if (told) told.textContent = "";
  });
})();
