// Scenes show recent events in detail; Escape or a click closes them. They never lie on what can be chosen or is being
// decided. When a game ends, its scoring is shown part by part, and again on request.
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

  // A scene stays where its style puts it unless it would cover something there, or is out of sight on a small screen. Then it
  // goes to the free place nearest to that, and if the board has none, below the board. It scrolls with the board.
  const CLEAR = ".stage :is(.can, .swap, [data-clear])", RASTER = 12, GAP = 6; // pixels
  const small = matchMedia("(max-width: 58rem)");
  const box = (left, top, width, height) => ({ left, top, right: left + width, bottom: top + height });
  const meet = (a, b) => a.left < b.right + GAP && b.left < a.right + GAP && a.top < b.bottom + GAP && b.top < a.bottom + GAP;
  const rectOf = (part) => part.getBoundingClientRect();
  function place() {
    const scene = [...document.querySelectorAll(".scene[open]")].findLast((one) => one.checkVisibility({ visibilityProperty: true })), around = scene?.closest(".scenes");
    if (!scene) return;
    around.classList.remove("below");
    scene.style.removeProperty("translate");
    const stage = rectOf(around.parentElement), now = rectOf(scene), [width, height] = [scene.offsetWidth, scene.offsetHeight];
    const home = box((now.left + now.right - width) / 2, (now.top + now.bottom - height) / 2, width, height); // it may be unrolling
    const clear = [...document.querySelectorAll(CLEAR)].filter((one) => one.checkVisibility()).map(rectOf);
    const free = (one) => !clear.some((other) => meet(one, other)), [top, bottom] = betweenBars();
    const hidden = (one) => (small.matches ? Math.max(0, top - one.top) + Math.max(0, one.bottom - bottom) : 0);
    if (free(home) && !hidden(home)) return;
    let best = null, least = Infinity;
    const steps = (from, to, own) => [own, ...Array.from({ length: Math.max(0, Math.floor((to - from) / RASTER)) + 1 }, (_, n) => from + n * RASTER)];
    for (const y of steps(stage.top, stage.bottom - height, home.top))
      for (const x of steps(stage.left, stage.right - width, home.left)) {
        const one = box(x, y, width, height), cost = Math.hypot(x - home.left, y - home.top) + 100 * hidden(one);
        if (cost < least && free(one)) [best, least] = [one, cost];
      }
    if (best) scene.style.translate = `${best.left - home.left}px ${best.top - home.top}px`;
    else around.classList.add("below");
  }
  document.addEventListener("toggle", ({ target }) => target.matches(".scene") && place(), true);
  addEventListener("resize", place);
  document.fonts.ready.then(place);

  // The class is on the body, because elements below may be redrawn.
  const over = () => document.querySelector("#over");
  function tell() {
    document.body.classList.remove("telling");
    over().scrollIntoView(); // this also makes the browser notice that the class was removed
    document.body.classList.add("telling");
  }
  let playing = !over();
  document.addEventListener("htmx:after:swap", () => {
    place();
    document.addEventListener("scrollend", place, { once: true }); // the page may scroll to what can be chosen now
    if (playing && over()) tell();
    playing = !over();
  });
})();
