// Enlarged cards with explanations: after hovering, focusing, or pressing and holding a card.
"use strict";
(() => {
  const large = document.getElementById("large"), game = large.dataset.game;
  const REST = 450, FOCUSED = 1000, HOLD = 450, STRAY = 10; // milliseconds; how far a finger may move, in pixels
  const told = new Map(); // explanations by card, from the server
  let looked = null, timer = 0, rested = false; // the current card, and whether it was held long enough
  let shown = null, held = false, from = null, typed = false;

  const cardOf = (element) => element?.closest?.("[data-card]") ?? element?.closest?.(".card")?.querySelector("[data-card]");
  async function show(card) {
    const name = card.dataset.card;
    if (!told.has(name)) {
      const answer = await fetch(`/cards/${game}/${name}`).catch(() => null);
      if (!answer?.ok) return;
      told.set(name, await answer.text());
      if (looked !== card) return;
    }
    hide();
    shown = card;
    card.style.setProperty("anchor-name", "--looked-at");
    large.innerHTML = told.get(name);
    large.showPopover();
  }
  function hide() {
    shown?.style.removeProperty("anchor-name");
    if (shown) large.hidePopover();
    shown = null;
  }
  function leave() {
    clearTimeout(timer);
    looked = null;
    rested = false;
  }
  function rest(card, wait) {
    leave();
    looked = card;
    timer = setTimeout(() => {
      rested = true;
      show(card);
    }, wait);
  }

  document.addEventListener("pointerover", ({ target, pointerType }) => {
    if (pointerType === "touch" || large.contains(target)) return;
    const card = cardOf(target);
    if (card === shown) return;
    leave();
    hide();
    if (card) rest(card, REST);
  });
  document.addEventListener("pointerdown", (event) => {
    held = typed = false;
    leave();
    if (large.contains(event.target)) return;
    hide();
    const card = event.pointerType === "touch" && cardOf(event.target);
    if (!card) return;
    from = [event.clientX, event.clientY, event.timeStamp];
    rest(card, HOLD);
  });
  document.addEventListener("pointermove", ({ pointerType, clientX, clientY }) => {
    if (pointerType === "touch" && from && Math.hypot(clientX - from[0], clientY - from[1]) > STRAY) leave();
  });
  for (const end of ["pointerup", "pointercancel"])
    document.addEventListener(end, ({ pointerType, timeStamp }) => {
      if (pointerType !== "touch") return;
      const short = !rested || (end === "pointerup" && timeStamp - from?.[2] < HOLD); // a busy page may get a short touch late
      held = end === "pointerup" && !short;
      if (short) {
        leave();
        hide();
      }
      from = null;
    });
  // A card that was held to enlarge it is not played.
  document.addEventListener("click", (event) => {
    if (!held) return;
    held = false;
    event.preventDefault();
    event.stopPropagation();
  }, true);
  document.addEventListener("contextmenu", (event) => from && cardOf(event.target) && event.preventDefault());

  document.addEventListener("keydown", ({ key }) => {
    typed = key === "Tab" || key.startsWith("Arrow");
    leave();
    hide();
  });
  document.addEventListener("focusin", ({ target }) => {
    const card = typed && target.querySelector?.(":scope > [data-card]");
    if (card) rest(card, FOCUSED);
  });
  document.addEventListener("htmx:after:swap", () => shown && !(shown.isConnected && shown.style.getPropertyValue("anchor-name")) && hide());
})();
