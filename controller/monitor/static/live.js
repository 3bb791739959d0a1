// Says "connection lost" when the stream's beat, due every second, stays away, loads the page of a new release, and
// follows the house when it changes its name, its logo or its felt. A stream begins with all panels, also after a lost
// connection; one that the page shows already is not drawn again, because a touch of a key in it would be lost.
(() => {
  "use strict";
  if (!document.querySelector("[sse-connect]")) return; // what is past does not change
  const PATIENCE = 2500;
  const WRITING = "dialog[open], input:focus, textarea:focus";
  const notice = document.getElementById("lost");
  let timer = setTimeout(lost, PATIENCE);
  let release = "";

  function lost() {
    clearTimeout(timer);
    notice.hidden = false;
    document.body.classList.add("stale");
    if (document.body.classList.contains("framed")) stillHere();
  }

  // A session that is over ends the stream: whoever had it signs in again.
  async function stillHere() {
    const answer = await fetch("/api/v1/session").catch(() => null);
    if (answer && answer.status === 401) location.assign(`/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`);
  }

  function alive({data}) {
    clearTimeout(timer);
    timer = setTimeout(lost, PATIENCE);
    notice.hidden = true;
    document.body.classList.remove("stale");
    release ||= data;
    if (data !== release && !document.querySelector(WRITING)) location.reload();
  }

  function skipIfSame(event) {
    const panel = document.createElement("template");
    panel.innerHTML = event.detail.data;
    if (panel.innerHTML === event.target.innerHTML) event.preventDefault();
  }

  function housed({data}) {
    document.querySelector("link[href^='/house/style.css']").href = data;
  }

  document.addEventListener("htmx:sseOpen", (opened) => opened.detail.source.addEventListener("beat", alive));
  document.addEventListener("htmx:sseOpen", (opened) => opened.detail.source.addEventListener("house", housed));
  document.addEventListener("htmx:sseOpen", (opened) => opened.detail.source.addEventListener("halted", () => location.reload()));
  document.addEventListener("htmx:sseBeforeMessage", skipIfSame);
  document.addEventListener("htmx:sseError", lost);
})();
