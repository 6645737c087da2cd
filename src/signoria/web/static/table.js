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

  // The server's answer to a click is shown next to the clicked element. It closes with a click anywhere, with any update
  // and after a while; only a question ("Press again to confirm") and a text that is being read stay.
  const note = $("#note"), LASTS = 4000, GAP = 8, RASTER = 16; // milliseconds, pixels
  let touched = null, clicked = null, sure = null, timer = 0, finger = false;
  function hush() {
    clearTimeout(timer);
    if (note.matches(":popover-open")) note.hidePopover();
    sure = null;
  }
  // What lies where a finger tapped counts as hovered for as long as nothing else is tapped.
  function expire() {
    timer = setTimeout(() => (note.matches(finger ? ":focus-within" : ":hover, :focus-within") ? expire() : hush()), LASTS);
  }
  function say(notice) {
    hush();
    notice.hidden = true;
    note.className = notice.className;
    note.replaceChildren(...[...notice.childNodes].map((child) => child.cloneNode(true)));
    note.showPopover();
    place();
    if (notice.matches(".unsure")) sure = touched?.value ?? null;
    else expire();
  }
  // The place nearest to the clicked element where the note covers nothing that can be pressed now.
  const area = (a, b) => Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) * Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));
  function place() {
    const { width, height } = note.getBoundingClientRect(), anchor = touched?.isConnected && seen(touched) ? touched : $("#asked");
    const at = anchor.getBoundingClientRect(), [widest, lowest] = [innerWidth - width - GAP, innerHeight - height - GAP];
    const free = [...document.querySelectorAll("#steps :is(button, .pick, summary):not(.cannot), #head button")].filter(seen)
      .map((target) => label(target).getBoundingClientRect()).filter(({ right, left, top, bottom }) => right > left && bottom > 0 && top < innerHeight);
    let best = [Infinity, GAP, GAP];
    const judge = (x, y) => {
      const left = Math.max(GAP, Math.min(widest, x)), top = Math.max(GAP, Math.min(lowest, y)), box = { left, top, right: left + width, bottom: top + height };
      const far = Math.hypot(left + width / 2 - at.left - at.width / 2, top + height / 2 - at.top - at.height / 2);
      const covered = free.reduce((sum, target) => sum + area(box, target), 0);
      const cost = far + 1000 * covered + (area(box, at) ? 250 : 0);
      if (cost < best[0]) best = [cost, left, top];
    };
    const centre = at.left + (at.width - width) / 2;
    for (const y of [at.top - height - GAP, at.bottom + GAP]) judge(centre, y);
    for (let y = GAP; y <= lowest; y += RASTER) for (let x = GAP; x <= widest; x += RASTER) judge(x, y);
    [note.style.left, note.style.top] = [`${best[1]}px`, `${best[2]}px`];
  }
  document.addEventListener("pointerdown", ({ target }) => !note.contains(target) && !(sure && touched.contains(target)) && hush(), true);
  note.addEventListener("click", hush);
  for (const moved of ["scroll", "resize"]) addEventListener(moved, () => note.matches(":popover-open") && place(), { passive: true });

  // A card beyond those that can be selected is put back, and the reason stands beside it.
  document.addEventListener("change", ({ target }) => {
    const group = target.checked && target.closest("[data-most]");
    if (!group || group.querySelectorAll(":checked").length <= group.dataset.most) return;
    target.checked = false;
    touched = label(target);
    say(Object.assign(document.createElement("p"), { className: "notice", textContent: group.dataset.tooMany }));
  });

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
    p: () => press("#steps .nothing.can"),
    "?": () => document.dispatchEvent(new CustomEvent("help")),
  };
  let typing = false;
  document.addEventListener("keydown", (event) => {
    typing = true;
    const undo = (event.ctrlKey || event.metaKey) && event.key === "z" && !event.shiftKey;
    // The browser closes panels and lists that lie on the page.
    if (event.key === "Escape" && !$(":popover-open:not(#note)") && close()) return event.preventDefault();
    const letter = event.target.matches("input[type=number]") && /^[hpu?]$/.test(event.key); // no part of a number
    if ((writing(event.target) && !letter) || event.altKey || ((event.ctrlKey || event.metaKey) && !undo)) return;
    if (event.target.matches("input[type=radio], input[type=range]") && event.key in WAYS) return;
    const act = undo ? keys.u : keys[event.key];
    if (act?.(event.key)) event.preventDefault();
  });
  document.addEventListener("pointerdown", () => (typing = false));
  for (const kind of ["pointerdown", "pointermove"]) document.addEventListener(kind, ({ pointerType }) => (finger = pointerType === "touch"), true);

  // After a step, focus the next item and scroll it into view. While the player is choosing, what others do leaves the focus alone.
  let asked = null; // the step at the last scroll
  let choosing = choosable().length > 0;
  let chosen = false; // the player's own move was sent; a live message may bring its result before the answer
  const OWN = 'form[action$="/steps"], form[action$="/orders"], #undo, #ask-hint';
  document.addEventListener("submit", ({ target }) => (chosen ||= target.matches(OWN)));
  function goOn(own) {
    const targets = choosable(), here = document.activeElement, interrupted = choosing && !own && !chosen;
    [choosing, chosen] = [targets.length > 0, false];
    if (!choosing) return;
    const free = here === document.body || here?.matches(interrupted ? "#table" : "#table, #steps *, #head *");
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
    const source = detail.ctx.sourceElement;
    const own = Boolean(source?.matches?.(OWN));
    const notice = source?.matches?.("form") && $("#table.is-playing > #notice");
    if (notice) say(notice);
    else hush();
    if (!note.matches(":popover-open")) goOn(own);
  });
  prefer();
  hint();

  // A click elsewhere closes the settings.
  document.addEventListener("pointerdown", ({ target }) => {
    const settings = $("#settings[open]");
    if (settings && !settings.contains(target) && !target.closest("[popover]")) settings.open = false;
  });

  // A button that closes the panel it is in.
  document.addEventListener("submit", ({ submitter }) => {
    if (submitter?.dataset.closes) $(submitter.dataset.closes).open = false;
  });

  // A number field with a minus and a plus button. Its output has a sentence for each number from the least on.
  function explain() {
    const output = $("output[data-says]"), field = output && document.getElementById(output.htmlFor.value);
    const says = field && JSON.parse(output.dataset.says)[field.value - field.min];
    if (says && output.textContent !== says) output.textContent = says;
  }
  document.addEventListener("click", ({ target }) => {
    const button = target.closest?.("[data-raise]"), field = button?.parentElement.querySelector("input");
    if (field) field.value = Math.min(field.max, Math.max(field.min, Number(field.value) + Number(button.dataset.raise)));
    if (field) explain();
  });
  document.addEventListener("input", explain);
  document.addEventListener("htmx:after:swap", explain);
})();
