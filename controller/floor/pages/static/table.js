// The page of one table: back to the tables as they were chosen.
(() => {
  "use strict";
  const back = document.getElementById("back");
  back.href = sessionStorage.getItem("floor") || "/floor";
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !document.querySelector("dialog[open]")) location.assign(back.href);
  });
})();
