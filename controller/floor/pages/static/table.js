// The page of one table: an alert is acknowledged with a reason; back to the tables as they were chosen.
(() => {
  "use strict";
  const back = document.getElementById("back");
  const dialog = document.getElementById("acknowledge");
  const form = dialog.querySelector("form");

  function ask(button) {
    form.reset();
    tableside.say("", form.querySelector(".said"));
    document.getElementById("acknowledge-text").textContent = button.dataset.text;
    form.dataset.send = `POST /api/v1/floor/tables/${form.dataset.table}/alerts/${button.dataset.alert}/acknowledgement`;
    dialog.showModal();
  }

  document.addEventListener("click", ({target}) => {
    const button = target.closest("[data-alert]");
    if (button) ask(button);
    if (target.closest("[data-cancel]")) dialog.close();
  });
  form.addEventListener("sent", () => dialog.close());
  back.href = sessionStorage.getItem("floor") || "/floor";
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !document.querySelector("dialog[open]")) location.assign(back.href);
  });
})();
