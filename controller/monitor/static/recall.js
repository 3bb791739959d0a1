// Forms that look for something: what is filled in becomes the address, so that it can be kept and sent.
(() => {
  "use strict";
  document.addEventListener("submit", (event) => {
    const where = event.target.dataset.find;
    if (!where) return;
    event.preventDefault();
    const asked = new URLSearchParams();
    for (const [name, value] of new FormData(event.target)) if (value.trim()) asked.append(name, value.trim());
    location.assign(asked.size ? `${where}?${asked}` : where);
  });
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-print]")) window.print();
  });
})();
