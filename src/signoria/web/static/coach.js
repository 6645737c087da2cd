// The coach of a guided game: scroll the elements of a new lesson into view.
"use strict";
(() => {
  let said = "";
  const still = matchMedia("(prefers-reduced-motion: reduce)"), EDGE = 8; // pixels
  function look() {
    const lesson = document.querySelector("#coach[open] .lesson p")?.textContent, shown = document.querySelector("[data-taught]");
    if (!lesson || lesson === said) return;
    said = lesson;
    if (!shown || shown.closest(".mine")) return;
    const [least, most] = betweenBars();
    // The whole subject of the decision, such as an auction, if there is room for it.
    const whole = shown.closest("[data-clear]")?.getBoundingClientRect(), room = most - least - 2 * EDGE;
    const { top, bottom } = whole && whole.height <= room ? whole : shown.getBoundingClientRect();
    const short = top - least - EDGE, over = bottom - most + EDGE;
    if (short < 0 || over > 0) scrollBy({ top: short < 0 ? short : Math.min(short, over), behavior: still.matches ? "auto" : "smooth" });
  }
  document.addEventListener("htmx:after:swap", look);
  look();
})();
