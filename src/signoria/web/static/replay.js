// A replay: positions follow each other in the same page, so that nothing jumps; autoplay; keys.
"use strict";
(() => {
  const $ = (selector) => document.querySelector(selector), root = document.documentElement;
  const LEAST = 1100, MOST = 6000, LETTER = 28, SCENE = 3500; // milliseconds that a position is shown
  let newest = 0, timer = 0;

  async function show(address) {
    const asked = ++newest, answer = await fetch(address).catch(() => null);
    if (asked !== newest) return false; // another position was asked for in the meantime
    if (!answer?.ok) return location.assign(address), false;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (asked !== newest) return false;
    const main = $("#replay");
    await htmx.swap({ sourceElement: main, target: main, swap: "outerMorph", text: page.querySelector("#replay").outerHTML });
    document.title = page.title;
    history.replaceState(null, "", address);
    const range = $("#range");
    range.value = range.defaultValue;
    follow();
    bring();
    return true;
  }
  // On a small screen what the move was about is brought into view.
  const small = matchMedia("(max-width: 58rem)"), still = matchMedia("(prefers-reduced-motion: reduce)"), EDGE = 8; // pixels
  function bring() {
    const about = small.matches && $(".stage [data-about]");
    if (!about) return;
    const { top, bottom } = about.getBoundingClientRect(), [least, most] = betweenBars(), short = top - least - EDGE, over = bottom - most + EDGE;
    if (short < 0 || over > 0) scrollBy({ top: short < 0 ? short : Math.min(short, over), behavior: still.matches ? "auto" : "smooth" });
  }
  // The current move stays in the middle of the list.
  function follow() {
    const step = $(".log .current"), log = step?.closest(".log");
    if (log) log.scrollTop = step.offsetTop - log.offsetTop - log.clientHeight / 2;
  }

  // Autoplay: long sentences and scenes are shown longer.
  const playing = () => "autoplay" in root.dataset;
  function stop() {
    clearTimeout(timer);
    delete root.dataset.autoplay;
  }
  function time() {
    const letters = $("#asked").textContent.trim().length * LETTER;
    return Math.min(MOST, Math.max(LEAST, letters, $(".scene[open]:not(.passing)") ? SCENE : 0));
  }
  function later() {
    timer = setTimeout(async () => {
      const next = $("[data-go=forward]");
      if (next && (await show(next.getAttribute("href"))) && playing() && $("[data-go=forward]")) later();
      else stop();
    }, time());
  }
  async function play() {
    if (playing()) return stop();
    root.dataset.autoplay = "";
    const first = $("[data-go=first]"); // from the end it starts again
    if (!$("[data-go=forward]") && first && !(await show(first.getAttribute("href")))) return stop();
    later();
  }

  document.addEventListener("click", (event) => {
    if (event.target.closest?.("#autoplay")) return play();
    const link = event.target.closest?.("#replay a[href*='/replay/']:not(#ask-help)");
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    stop();
    show(link.getAttribute("href"));
  });
  document.addEventListener("change", ({ target }) => {
    if (target.id !== "range") return;
    stop();
    show(target.dataset.here + target.value + target.dataset.eyes);
  });
  const keys = { ArrowLeft: "back", ArrowRight: "forward", PageUp: "turn-back", PageDown: "turn-forward", Home: "first", End: "last" };
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches("input, select, textarea")) return;
    if (event.key === " " && !event.target.closest("button, a, summary")) return event.preventDefault(), play();
    if (event.key === "?") document.dispatchEvent(new CustomEvent("help"));
    if (!keys[event.key]) return;
    event.preventDefault();
    $(`[data-go="${keys[event.key]}"]`)?.click();
  });
  follow();
})();
