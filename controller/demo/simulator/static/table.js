// What the simulated table shows, as its server sends it, and acts of hands as it takes them.
(() => {
  "use strict";
  const {send, say} = window.tableside;
  const PATIENCE = 2500;
  const notice = document.getElementById("lost");
  const listeners = [];
  let picture = null, timer = setTimeout(lost, PATIENCE);

  function lost() {
    notice.textContent = text("Connection lost: the demonstration has ended, or its computer is busy");
    notice.hidden = false;
    document.body.classList.add("stale");
  }

  function alive() {
    clearTimeout(timer);
    timer = setTimeout(lost, PATIENCE);
    notice.hidden = true;
    document.body.classList.remove("stale");
  }

  // Whether it was done; a refusal is shown beside what was tapped.
  async function act(what, body = {}, place = undefined) {
    say("", place);
    try {
      await send("POST", "/simulator/acts", {do: what, ...body});
      return true;
    } catch (error) {
      say(error.message, place);
      return false;
    }
  }

  // A picture may have come before the script that draws it.
  function follow(listener) {
    listeners.push(listener);
    if (picture) listener(picture);
  }

  const source = new EventSource("/simulator/events");
  source.addEventListener("picture", ({data}) => {
    picture = JSON.parse(data);
    for (const listener of listeners) listener(picture);
  });
  source.addEventListener("beat", alive);
  source.addEventListener("error", lost);

  window.simulator = {act, follow, picture: () => picture};
})();
