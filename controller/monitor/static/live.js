// Says "connection lost" when the stream's beat, due every second, stays away.
(() => {
  "use strict";
  const PATIENCE = 2500;
  const notice = document.getElementById("lost");
  let timer = setTimeout(lost, PATIENCE);

  function lost() {
    clearTimeout(timer);
    notice.hidden = false;
    document.body.classList.add("stale");
  }

  function alive() {
    clearTimeout(timer);
    timer = setTimeout(lost, PATIENCE);
    notice.hidden = true;
    document.body.classList.remove("stale");
  }

  document.addEventListener("htmx:sseOpen", (opened) => opened.detail.source.addEventListener("beat", alive));
  document.addEventListener("htmx:sseOpen", (opened) => opened.detail.source.addEventListener("halted", () => location.reload()));
  document.addEventListener("htmx:sseError", lost);
})();
