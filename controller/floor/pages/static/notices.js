// A notice that was entered appears in the list.
(() => {
  "use strict";
  const dialog = document.getElementById("word");
  if (dialog) dialog.addEventListener("sent", () => window.location.reload());
})();
