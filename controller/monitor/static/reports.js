// The button prints; what stands at the head of each sheet of paper is the time at which it does.
(() => {
  "use strict";
  const stamp = document.querySelector(".running time");

  window.addEventListener("beforeprint", () => {
    if (!stamp) return;
    const form = {dateStyle: "short", timeStyle: "short", timeZone: stamp.dataset.zone};
    stamp.textContent = new Intl.DateTimeFormat("sv-SE", form).format(new Date());
  });
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-print]")) window.print();
  });
})();
