// What is worth a closer look: a scene goes away with Escape or a click; a game that ends before one's eyes is told
// part by part, and once more when asked for.
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

  // The class stands on the body: what is below may be drawn anew meanwhile.
  const over = () => document.querySelector("#over");
  function tell() {
    document.body.classList.remove("telling");
    over().scrollIntoView(); // this also lets the browser see that the class was gone
    document.body.classList.add("telling");
  }
  let playing = !over();
  document.addEventListener("htmx:after:swap", () => {
    if (playing && over()) tell();
    playing = !over();
  });
})();
