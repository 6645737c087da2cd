// How a table is handled: what one prefers here, keys, where the keyboard goes next, and a word in the place it is about.
"use strict";
(() => {
  const $ = (selector) => document.querySelector(selector), root = document.documentElement;
  const seen = (element) => element.checkVisibility();
  const writing = (element) => element.matches?.("input:not([type=checkbox], [type=radio], [type=range]), select, textarea");

  // Preferences of this browser. A control with data-preference="NAME" keeps its value under `signoria.NAME`, and what is
  // preferred stands on <html> as data-NAME, for styles and other scripts; a change is told by the event `preferred`.
  const valueOf = (control) => (control.type === "checkbox" ? (control.checked ? "on" : "off") : control.value);
  function kept(name) {
    try {
      return localStorage.getItem(`signoria.${name}`);
    } catch {
      return null; // a browser that keeps nothing
    }
  }
  function prefer() {
    for (const control of document.querySelectorAll("[data-preference]")) {
      const name = control.dataset.preference, value = kept(name) ?? root.dataset[name] ?? valueOf(control);
      if (control.type === "checkbox") control.checked = value === "on";
      else control.value = value;
      root.dataset[name] = value;
    }
  }
  document.addEventListener("change", ({ target }) => {
    const name = target.dataset?.preference;
    if (!name) return;
    root.dataset[name] = valueOf(target);
    try {
      localStorage.setItem(`signoria.${name}`, root.dataset[name]);
    } catch {
      // it holds as long as the page is open
    }
    document.dispatchEvent(new CustomEvent("preferred", { detail: name }));
  });

  // A word in its place: what the house answers to a touch is said where it was touched, until the next touch.
  const note = $("#note");
  let touched = null, clicked = null, sure = null;
  function hush() {
    touched?.style.removeProperty("anchor-name");
    if (note.matches(":popover-open")) note.hidePopover();
    sure = null;
  }
  function say() {
    const notice = $("#table > #notice");
    if (!notice || !touched?.isConnected || !seen(touched)) return;
    notice.hidden = true;
    touched.style.setProperty("anchor-name", "--touched");
    note.className = notice.className;
    note.replaceChildren(...[...notice.childNodes].map((child) => child.cloneNode(true)));
    note.showPopover();
    sure = notice.matches(".unsure") ? touched.value : null;
  }
  document.addEventListener("pointerdown", ({ target }) => !note.contains(target) && !(sure && touched.contains(target)) && hush(), true);

  // A step that ends the turn is asked for twice, by whoever wants that: the house knows which one does. A double click
  // is one click: by its second half something else may lie there.
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("#steps button, #undo button, #ask-hint button, [form=steps]");
    if (!button) return;
    const same = button.value === clicked && button.matches(".can[name=step]");
    if (event.detail > 1 && event.pointerType !== "touch" && !same && button.matches("[name=step], [data-once]")) {
      event.preventDefault();
      return event.stopImmediatePropagation();
    }
    clicked = button.value;
    const unsure = button.form?.elements.unsure, again = sure !== null && sure === button.value;
    hush();
    touched = button;
    if (unsure) unsure.value = root.dataset.confirm === "on" && !again ? "on" : "";
  }, true);

  // Keys. What is marked is chosen with arrows or a digit and done with Enter.
  const marked = () => [...document.querySelectorAll("#steps .can[name=step]")].filter(seen);
  const idle = (target) => target.matches(".nothing"); // to do nothing comes last
  const onTable = () => marked().filter((target) => !target.closest("#choices")).toSorted((a, b) => idle(a) - idle(b));
  const choosable = () => (onTable().length ? onTable() : marked());
  const label = (element) => element.labels?.[0] ?? element; // what is seen of a tick
  const middle = (element) => {
    const { x, y, width, height } = label(element).getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  };
  const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  // The nearest in a direction: what lies aside counts double.
  function towards([dx, dy], from, targets) {
    const [x, y] = middle(from);
    const far = targets.map((target) => {
      const [tx, ty] = middle(target), ahead = (tx - x) * dx + (ty - y) * dy, aside = Math.abs((tx - x) * dy + (ty - y) * dx);
      return ahead > 1 ? ahead + 2 * aside : Infinity;
    });
    const least = Math.min(...far);
    return least < Infinity ? targets[far.indexOf(least)] : null;
  }
  function go(key) {
    const targets = choosable(), here = document.activeElement;
    if (!targets.length) return false;
    const next = targets.includes(here) ? towards(WAYS[key], here, targets) : targets[0];
    next?.focus();
    return true;
  }
  function digit(key) {
    const field = $("input[data-digits]");
    if (field && seen(field)) return field.focus(), field.select(), false; // the digit is typed there
    const target = key > 0 ? choosable()[key - 1] : null;
    target?.focus();
    target?.click();
    return Boolean(target);
  }
  function press(selector) {
    const button = $(selector);
    button?.click();
    return Boolean(button);
  }
  function close() {
    const open = [...document.querySelectorAll(".mine details[open], #settings[open], #hint[open]")].findLast(seen);
    if (note.matches(":popover-open")) hush();
    else if (open && !(open.id === "choices" && !onTable().length)) open.open = false;
    else return false;
    return true;
  }
  const keys = {
    ...Object.fromEntries(Object.keys(WAYS).map((key) => [key, go])),
    ...Object.fromEntries([..."0123456789"].map((key) => [key, digit])),
    u: () => press("#undo button"),
    Backspace: () => press("#undo button"),
    h: () => press("#ask-hint button"),
    "?": () => ($("#keys").togglePopover(), true),
  };
  let typing = false;
  document.addEventListener("keydown", (event) => {
    typing = true;
    const undo = (event.ctrlKey || event.metaKey) && event.key === "z" && !event.shiftKey;
    if (event.key === "Escape" && close()) return event.preventDefault();
    if (writing(event.target) || event.altKey || ((event.ctrlKey || event.metaKey) && !undo)) return;
    if (event.target.matches("input[type=radio], input[type=range]") && event.key in WAYS) return;
    const act = undo ? keys.u : keys[event.key];
    if (act?.(event.key)) event.preventDefault();
  });
  document.addEventListener("pointerdown", () => (typing = false));

  // After a step the keyboard goes on where the next one is asked, and what is asked is where it can be seen.
  let asked = null; // the step that was asked for when the page last went there
  function goOn(own) {
    const targets = choosable(), here = document.activeElement;
    if (!targets.length) return;
    const free = here === document.body || here?.matches("#table, #steps *, #head *");
    if (typing && free && !targets.includes(here)) return targets[0].focus();
    const lying = targets.filter((target) => target.closest("#board")), deeds = lying.length ? lying : targets;
    if (!(looking() || own) || deeds.filter(inSight).length >= deeds.length / 2) return;
    deeds[deeds.length >> 1].scrollIntoView({ block: "center", behavior: root.dataset.motion === "off" ? "auto" : "smooth" });
  }
  function looking() {
    const { top, bottom } = $("#board").getBoundingClientRect(), n = $("#table").dataset.n, before = asked;
    asked = n;
    return n !== before && top < innerHeight / 2 && bottom > innerHeight / 2;
  }
  function inSight(target) {
    if (target.closest(".mine")) return true; // its bar stays at the foot of the page
    const shown = label(target), { x, y, width, height } = shown.getBoundingClientRect();
    const there = document.elementFromPoint(x + width / 2, y + height / 2);
    return Boolean(there) && (shown === there || shown.contains(there));
  }

  // What a bot would consider is marked where it would be done.
  function hint() {
    for (const line of document.querySelectorAll("#hint button"))
      for (const target of onTable()) if (target.value === line.value) target.dataset.hinted = line.querySelector(".rank").textContent;
  }

  document.addEventListener("htmx:after:swap", ({ detail }) => {
    prefer();
    hint();
    const own = Boolean(detail.ctx.sourceElement?.matches?.('form[action$="/steps"], #undo, #ask-hint'));
    if (own) say();
    if (!note.matches(":popover-open")) goOn(own);
  });
  prefer();
  hint();

  // A button that is done with what it lies in: it closes it.
  document.addEventListener("submit", ({ submitter }) => {
    if (submitter?.dataset.closes) $(submitter.dataset.closes).open = false;
  });

  // A number with a button for less and one for more.
  document.addEventListener("click", ({ target }) => {
    const button = target.closest?.("[data-raise]"), field = button?.parentElement.querySelector("input");
    if (field) field.value = Math.min(field.max, Math.max(field.min, Number(field.value) + Number(button.dataset.raise)));
  });
})();
