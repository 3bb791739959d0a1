// Texts of scripts in the language of the page: text("At least {amount}", {amount: "5"}). /texts/CODE.js has the translations.
(() => {
  "use strict";
  window.text = (english, values = {}) =>
    ((window.texts && window.texts[english]) || english).replace(/\{(\w+)\}/g, (place, name) => (name in values ? values[name] : place));
})();
