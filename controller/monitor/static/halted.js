// Loads the page again once the server says something else: the table plays, or is halted for another reason. A page that
// reloads itself every few seconds loses the place of somebody who reads it with a screen reader.
(() => {
  "use strict";
  const EVERY = 5000;
  let said = null;

  async function look() {
    try {
      const answer = await fetch(location.href, {cache: "no-store"});
      const text = await answer.text();
      if (answer.ok || (said !== null && text !== said)) location.reload();
      said = text;
    } catch { /* the server restarts: look again later */ }
    setTimeout(look, EVERY);
  }
  look();
})();
