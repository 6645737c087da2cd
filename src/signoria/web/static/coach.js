// The coach of a guided game: scroll the elements of a new lesson into view.
"use strict";
(() => {
  let said = "";
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  function look() {
    const lesson = document.querySelector("#coach[open] .lesson p")?.textContent, shown = document.querySelector("[data-taught]");
    if (!lesson || lesson === said) return;
    said = lesson;
    if (!shown) return;
    const { top, bottom } = shown.getBoundingClientRect(), tray = document.querySelector(".mine")?.getBoundingClientRect().top ?? innerHeight;
    const least = document.querySelector("#head").getBoundingClientRect().bottom;
    if (top < least || (bottom > Math.min(tray, innerHeight) && !shown.closest(".mine"))) shown.scrollIntoView({ block: "nearest", behavior: still.matches ? "auto" : "smooth" });
  }
  document.addEventListener("htmx:after:swap", look);
  look();
})();
