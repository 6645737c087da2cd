// The search in the rules while you type: clauses without the words are hidden. Without scripts the form asks the server.
"use strict";
(() => {
  const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").replaceAll("’", "'").toLowerCase();

  function filter(input) {
    const root = document.getElementById(input.dataset.filters), words = fold(input.value).split(/\s+/).filter(Boolean);
    let found = 0;
    for (const clause of root.querySelectorAll("[data-clause]")) {
      clause.folded ??= fold(clause.textContent);
      clause.hidden = !words.every((word) => clause.folded.includes(word));
      found += !clause.hidden;
    }
    for (const list of root.querySelectorAll("dl")) {
      const empty = !list.querySelector("[data-clause]:not([hidden])"), part = list.closest("section[aria-labelledby]");
      list.hidden = empty;
      if (part && root.contains(part)) part.hidden = empty;
      else if (list.previousElementSibling?.matches("h3")) list.previousElementSibling.hidden = empty;
    }
    const nothing = document.getElementById("nothing-found");
    if (nothing && root.contains(nothing)) nothing.hidden = found > 0;
  }
  document.addEventListener("input", (event) => {
    if (event.target.matches?.("[data-filters]")) filter(event.target);
  });
  document.addEventListener("submit", (event) => {
    const input = event.target.querySelector?.("[data-filters]");
    if (input && !navigator.onLine) event.preventDefault();
  });
  // A link to a clause that the search has hidden shows everything again.
  addEventListener("hashchange", () => {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    if (!target?.closest("[hidden]")) return;
    for (const input of document.querySelectorAll("[data-filters]")) {
      input.value = "";
      filter(input);
    }
    target.scrollIntoView();
  });
})();
