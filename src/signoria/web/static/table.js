// Controls of a table: preferences, keyboard shortcuts, focus, and messages next to the element they are about.
"use strict";
(() => {
  const $ = (selector) => document.querySelector(selector), root = document.documentElement;
  const seen = (element) => element.checkVisibility();
  const writing = (element) => element.matches?.("input:not([type=checkbox], [type=radio], [type=range]), select, textarea");

  // Preferences of this browser. A control with data-preference="NAME" is stored under `signoria.NAME` and set on <html>
  // as data-NAME, for styles and other scripts. A change sends the event `preferred`.
  const valueOf = (control) => (control.type === "checkbox" ? (control.checked ? "on" : "off") : control.value);
  function kept(name) {
    try {
      return localStorage.getItem(`signoria.${name}`);
    } catch {
      return null; // storage is not available
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
      // the preference lasts until the page is closed
    }
    document.dispatchEvent(new CustomEvent("preferred", { detail: name }));
  });

  // The server's answer to a click is shown next to the clicked element, until the next click.
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

  // A step that ends the turn must be confirmed if the player wants that: the server knows which steps do. A double click
  // counts as one click, because something else may be there by the second one.
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

  // Keyboard shortcuts. Highlighted items are chosen with arrows and Enter, or with a digit.
  const marked = () => [...document.querySelectorAll("#steps .can[name=step]")].filter(seen);
  const idle = (target) => target.matches(".nothing"); // pass or skip comes last
  const onTable = () => marked().filter((target) => !target.closest("#choices")).toSorted((a, b) => idle(a) - idle(b));
  const choosable = () => (onTable().length ? onTable() : marked());
  const label = (element) => element.labels?.[0] ?? element; // the visible part of a checkbox
  const middle = (element) => {
    const { x, y, width, height } = label(element).getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  };
  const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  // The nearest item in a direction; sideways distance counts double.
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
    if (field && seen(field)) return field.focus(), field.select(), false; // the digit is typed into the field
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

  // After a step, focus the next item and scroll it into view.
  let asked = null; // the step at the last scroll
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
    if (target.closest(".mine")) return true; // its bar stays at the bottom of the page
    const shown = label(target), { x, y, width, height } = shown.getBoundingClientRect();
    const there = document.elementFromPoint(x + width / 2, y + height / 2);
    return Boolean(there) && (shown === there || shown.contains(there));
  }

  // Mark the moves that a hint suggests on the board.
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

  // A button that closes the panel it is in.
  document.addEventListener("submit", ({ submitter }) => {
    if (submitter?.dataset.closes) $(submitter.dataset.closes).open = false;
  });

  // A number field with a minus and a plus button.
  document.addEventListener("click", ({ target }) => {
    const button = target.closest?.("[data-raise]"), field = button?.parentElement.querySelector("input");
    if (field) field.value = Math.min(field.max, Math.max(field.min, Number(field.value) + Number(button.dataset.raise)));
  });
})();
