// What is worth a closer look: a scored city goes away with Escape or a click; a game that ends before one's eyes is told
// part by part, and once more when asked for.
"use strict";
(() => {
  const close = (scene) => scene?.removeAttribute("open");

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close([...document.querySelectorAll(".scene[open]")].at(-1));
  });
  document.addEventListener("click", (event) => {
    const scene = event.target.closest(".scene");
    if (scene && !event.target.closest("a, summary")) close(scene);
    if (event.target.closest("[data-tell-again]")) tell();
  });

  const over = () => document.querySelector("#over");
  function tell() {
    const end = over();
    end.classList.remove("telling");
    end.scrollIntoView(); // this also lets the browser see that the class was gone
    end.classList.add("telling");
  }
  let playing = !over();
  document.addEventListener("htmx:after:swap", () => {
    if (playing && over()) tell();
    playing = !over();
  });
})();
