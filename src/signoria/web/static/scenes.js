// What is shown for a while: a scored city goes away with Escape or a click.
"use strict";
(() => {
  const close = (scene) => scene?.removeAttribute("open");

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close([...document.querySelectorAll(".scene[open]")].at(-1));
  });
  document.addEventListener("click", (event) => {
    const scene = event.target.closest(".scene");
    if (scene && !event.target.closest("a, summary")) close(scene);
  });
})();
