// How long ago it was, beside each time that has data-since.
(() => {
  "use strict";
  const SPANS = [[86400, "d"], [3600, "h"], [60, "min"]];

  function ages() {
    for (const one of document.querySelectorAll("[data-since]")) {
      const seconds = Date.now() / 1000 - Number(one.dataset.since);
      const [span, unit] = SPANS.find(([least]) => seconds >= least) || [0, ""];
      one.dataset.age = unit ? text("{duration} ago", {duration: `${Math.floor(seconds / span)} ${unit}`}) : text("just now");
    }
  }

  document.addEventListener("htmx:sseMessage", ages);
  document.addEventListener("tiles", ages);
  setInterval(ages, 10000);
  ages();
})();
