// Scenes show recent events in detail; Escape or a click closes them. When a game ends, its scoring is shown part by
// part, and again on request.
"use strict";
(() => {
  const close = (scene) => scene?.removeAttribute("open");

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.defaultPrevented) close([...document.querySelectorAll(".scene[open]")].at(-1));
  });
  document.addEventListener("click", (event) => {
    const scene = event.target.closest(".scene");
    if (scene && !event.target.closest("a, summary")) close(scene);
    if (event.target.closest("[data-tell-again]")) tell();
  });

  // The class is on the body, because elements below may be redrawn.
  const over = () => document.querySelector("#over");
  function tell() {
    document.body.classList.remove("telling");
    over().scrollIntoView(); // this also makes the browser notice that the class was removed
    document.body.classList.add("telling");
  }
  let playing = !over();
  document.addEventListener("htmx:after:swap", () => {
    if (playing && over()) tell();
    playing = !over();
  });
})();
