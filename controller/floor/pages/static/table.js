// The page of one table: back to the tables as they were chosen; what became of a command is read out.
(() => {
  "use strict";
  const back = document.getElementById("back");
  const news = document.getElementById("news");
  const OUTCOMES = {done: text("Done"), unknown: text("No answer: it may or may not have been done")};

  document.addEventListener("sent", ({detail}) => {
    if (detail && OUTCOMES[detail.state]) news.textContent = OUTCOMES[detail.state];
  });
  back.href = sessionStorage.getItem("floor") || "/floor";
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !document.querySelector("dialog[open]")) location.assign(back.href);
  });
})();
