// Help at a table or a replay: what something is and what it does now, after hovering, focusing, or pressing and holding it.
// `?` opens the list of everything that can be explained, at the current element. Elements with data-help, or whose id begins
// with one of data-explained, are explained by the table; cards (data-card) also by the rules alone. A card may say what it
// leads to (data-leads-to): the elements it names are marked meanwhile.
"use strict";
(() => {
  const large = document.getElementById("large"), { game, explained } = large.dataset;
  const REST = 450, LINGER = 900, FOCUSED = 1000, HOLD = 450, STRAY = 10; // milliseconds; how far a finger may move, in pixels
  const starts = explained ? explained.split(" ").flatMap((start) => [`[id="${start}"]`, `[id^="${start}-"]`]) : [];
  const THINGS = ["[data-help]", "[data-card]", ".card:has([data-card])", ...starts].join(", ");
  const told = new Map(); // explanations, from the server
  let looked = null, timer = 0, rested = false; // the current element, and whether it was held long enough
  let shown = null, held = false, from = null, typed = false, pointed = null;

  function thingOf(element) {
    const part = element?.labels?.[0] ?? element; // the visible part of a checkbox
    return part?.closest?.("#table, #replay") ? part.closest(".card:has([data-card])") ?? part.closest(THINGS) : null;
  }
  const keyOf = (thing) => thing.closest("[data-help]")?.dataset.help ?? thing.closest(starts.join(", ") || "[data-help]")?.id;
  const cardOf = (thing) => thing.dataset.card ?? (thing.matches(".card") ? thing.querySelector("[data-card]").dataset.card : null);
  const leadsTo = (thing) => thing?.closest(".card")?.querySelector("[data-leads-to]");
  const table = () => document.querySelector("#table, #replay");
  // The address of help at this position, with more to ask.
  function help(more) {
    const address = document.getElementById("ask-help")?.getAttribute("href");
    return address && `${address}${address.includes("?") ? "&" : "?"}${more}`;
  }
  function mark(thing) {
    for (const marked of document.querySelectorAll(".led-to")) marked.classList.remove("led-to");
    for (const id of leadsTo(thing)?.dataset.leadsTo.split(" ") ?? []) document.getElementById(id)?.classList.add("led-to");
  }
  async function ask(address, kept = address) {
    if (!told.has(kept)) {
      const answer = await fetch(address, { headers: { "HX-Request": "true" } }).catch(() => null);
      told.set(kept, answer?.status === 200 ? await answer.text() : "");
    }
    return told.get(kept);
  }
  async function explain(thing) {
    const key = explained && keyOf(thing), card = cardOf(thing), about = key && help(`about=${key}`);
    const now = about ? await ask(about, `${about} ${table().dataset.n}`) : "";
    if (now || !card) return now;
    const then = leadsTo(thing), always = await ask(`/cards/${game}/${card}`);
    return always && then ? `${always}<p class="then">${then.innerHTML}</p>` : always;
  }
  async function show(thing) {
    const text = await explain(thing);
    if (!text || looked !== thing || !thing.isConnected) return;
    hide();
    shown = thing;
    thing.style.setProperty("anchor-name", "--looked-at");
    large.innerHTML = text;
    mark(thing);
    large.showPopover();
  }
  function hide() {
    shown?.style.removeProperty("anchor-name");
    if (shown) large.hidePopover();
    shown = null;
    mark(null);
  }
  function leave() {
    clearTimeout(timer);
    looked = null;
    rested = false;
  }
  function rest(thing, wait) {
    leave();
    looked = thing;
    timer = setTimeout(() => {
      rested = true;
      show(thing);
    }, wait);
  }

  document.addEventListener("pointerover", ({ target, pointerType }) => {
    if (pointerType === "touch" || large.contains(target)) return;
    const thing = (pointed = thingOf(target));
    if (thing && thing === shown) return;
    leave();
    hide();
    if (thing) rest(thing, thing.matches(".card, [data-card]") ? REST : LINGER);
    mark(thing);
  });
  document.addEventListener("pointerdown", (event) => {
    held = typed = false;
    leave();
    if (large.contains(event.target)) return;
    hide();
    const thing = event.pointerType === "touch" && thingOf(event.target);
    if (!thing) return;
    from = [event.clientX, event.clientY, event.timeStamp];
    rest(thing, HOLD);
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
  // What was held to explain it is not played.
  document.addEventListener("click", (event) => {
    if (!held) return;
    held = false;
    event.preventDefault();
    event.stopPropagation();
  }, true);
  document.addEventListener("contextmenu", (event) => from && thingOf(event.target) && event.preventDefault());

  document.addEventListener("keydown", ({ key }) => {
    typed = key === "Tab" || key.startsWith("Arrow");
    if (key === "?") return;
    leave();
    hide();
  });
  document.addEventListener("focusin", ({ target }) => {
    const thing = typed && thingOf(target);
    if (thing) rest(thing, FOCUSED);
    if (thing) mark(thing);
  });
  document.addEventListener("htmx:after:swap", () => shown && !(shown.isConnected && shown.style.getPropertyValue("anchor-name")) && hide());

  // The list of everything that can be explained; it opens at what has the focus or what the pointer is at.
  const panel = document.getElementById("help-beside"), list = panel.querySelector(".topics");
  async function open() {
    if (panel.matches(":popover-open")) return panel.hidePopover();
    const thing = shown ?? thingOf(document.activeElement) ?? pointed, key = thing?.isConnected ? keyOf(thing) : null;
    leave();
    hide();
    panel.showPopover();
    panel.querySelector("h2").focus();
    const address = help(`at=${key ?? ""}`);
    if (!address) return; // the game has not begun
    const answer = await fetch(address, { headers: { "HX-Request": "true" } }).catch(() => null);
    if (!answer?.ok) return (list.textContent = inWords("no_rules"));
    list.innerHTML = await answer.text();
    const found = list.querySelector("details[open] summary");
    found?.scrollIntoView({ block: "start" });
    found?.focus({ preventScroll: true });
  }
  document.addEventListener("help", open);
  document.addEventListener("click", (event) => {
    if (event.button || event.ctrlKey || event.metaKey || event.shiftKey || !event.target.closest?.("#ask-help")) return;
    event.preventDefault();
    open();
  });

  // A sentence for the first time that its reader has to decide something: until the decision is made or it is put away.
  const kept = "signoria.hinted";
  const seen = () => {
    try {
      return (localStorage.getItem(kept) ?? "").split(" ");
    } catch {
      return []; // storage is not available
    }
  };
  let hinted = null;
  function past(name) {
    try {
      if (!seen().includes(name)) localStorage.setItem(kept, [...seen(), name].join(" "));
    } catch {
      // it is shown again with the next page
    }
  }
  function hint() {
    const line = document.getElementById("first-time"), name = line?.dataset.hint ?? null;
    if (hinted && hinted !== name && document.querySelector("#table.is-playing")) past(hinted);
    hinted = null;
    if (!line) return;
    line.hidden = document.documentElement.dataset.hints === "off" || seen().includes(name);
    if (!line.hidden) hinted = name;
  }
  document.addEventListener("click", ({ target }) => {
    const line = target.closest?.("[data-understood]")?.closest("#first-time");
    if (!line) return;
    past(line.dataset.hint);
    hint();
    table().focus({ preventScroll: true });
  });
  for (const changed of ["htmx:after:swap", "preferred"]) document.addEventListener(changed, hint);
  hint();
})();
