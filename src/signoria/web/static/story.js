// Shows steps one after another, so that players can see what happened. The newest table waits until the steps before it
// have been shown; the positions in between come from the server. Players can skip them.
"use strict";
(() => {
  const $ = (selector) => document.querySelector(selector);
  const root = document.documentElement, live = $("#live"), bar = $("#story"), spoken = $("#spoken");
  const [words, place, go, close] = bar.children;
  const RESTS = { calm: 350, brisk: 90, off: 1100 }, SCENES = { calm: 3200, brisk: 2000, off: 2500 };
  const MANY = 8; // with more steps than this, pauses become shorter
  const FEW = 16; // with at most this many steps, new visitors are offered the whole game
  const LONG = 90; // letters that can be read while a caption is shown
  const KEPT = 40; // tables whose last seen step is stored
  root.dataset.motion = matchMedia("(prefers-reduced-motion: reduce)").matches ? "off" : "calm"; // unless a preference is set

  const table = () => $("#table"), shown = () => Number(table().dataset.told);
  const toldIn = (text) => Number(/data-told="(\d+)"/.exec(text)?.[1] ?? 0);
  const versionIn = (text) => /data-version="([^"]*)"/.exec(text)[1];
  // The log has its latest line first.
  const between = (from, to) =>
    [...document.querySelectorAll("#log [data-k]")].filter(({ dataset: { k } }) => k > from && k <= to).toReversed();
  const says = (line) => line.querySelector("span").firstChild.textContent.trim();
  const lines = (from, to) => between(from, to).map(says);
  // In a few words, because a caption is gone in a moment: the step, and if that is not too long, all that came of it.
  function inBrief(from, to) {
    const told = between(from, to).map((line) => line.dataset.brief ?? says(line)).filter(Boolean);
    return (told.join(" ").length > LONG ? [...new Set([told[0], told.at(-1)])] : told).join(" ");
  }

  // The bar.
  function caption(text, counted = "", button = "") {
    if (!text && bar.contains(document.activeElement)) table().focus({ preventScroll: true });
    [bar.hidden, words.textContent, place.textContent, go.textContent] = [!text, text, counted, button];
    [go.hidden, close.hidden] = [!button, true];
    delete bar.dataset.since;
  }

  // Playing. `newest` is the table to end with; null once it is shown.
  let newest = null, playing = false, hurried = false, wanted = false, reading = false, wake = null, moving = 0, ahead = null;
  const watching = () => !hurried && !document.hidden && (wanted || root.dataset.motion !== "off");
  const rest = (ms) => new Promise((resolve) => setTimeout((wake = resolve), ms));
  const part = (text) => ({ sourceElement: live, target: table(), swap: "outerMorph", text });
  const swap = (ctx) => htmx.swap({ ...ctx, staged: true });
  function lead(ctx) {
    newest = ctx && { ...ctx };
    if (ctx) live.dataset.version = versionIn(ctx.text);
    else delete live.dataset.version;
  }
  async function fetched(k) {
    const answer = await fetch(`${live.dataset.moments}/${k}${live.dataset.eyes}`).catch(() => null);
    return answer?.ok ? answer.text() : null; // otherwise the newest table is shown
  }
  function moment(k) {
    if (ahead?.k !== k) ahead = { k, text: fetched(k) };
    return ahead.text;
  }
  const open = () => new Set([...document.querySelectorAll(".scene[open]")].map(({ id }) => id));

  // A scene stays until it has been told, unless the player closes it or moves on: how long a table that lacks it has to wait.
  const begun = new Map(); // when each scene came into sight
  function unread({ text, own }) {
    if (own || hurried || document.hidden) return 0;
    const going = [...begun].filter(([id]) => !text.includes(`id="${id}"`) && $(`#${id}[open]`));
    return Math.max(0, ...going.map(([, since]) => since + SCENES[root.dataset.motion] - performance.now()));
  }
  function notice() {
    const now = new Set([...document.querySelectorAll(".scene[open]")].filter((one) => one.checkVisibility()).map(({ id }) => id));
    for (const id of begun.keys()) if (!now.has(id)) begun.delete(id);
    for (const id of now) if (!begun.has(id)) begun.set(id, performance.now());
  }

  document.addEventListener("toggle", ({ target }) => target.matches(".scene:not([open])") && wake?.(), true); // the player has read it

  async function play(start = shown()) {
    playing = true;
    while (newest) {
      const at = shown(), scenes = open(), wait = unread(newest);
      if (wait) {
        reading = true;
        await rest(wait);
        reading = false;
        continue;
      }
      const text = watching() && toldIn(newest.text) > at + 1 ? await moment(at + 1) : null;
      const past = text && watching(), ctx = past ? part(text) : newest;
      if (!past) lead(null);
      moving = 0;
      await swap(ctx);
      if (!watching()) continue;
      const end = newest ? toldIn(newest.text) : shown();
      if (end > shown() + 1) moment(shown() + 1);
      tell(at, start, end);
      const fresh = [...open()].filter((id) => !scenes.has(id)), passing = fresh.every((id) => $(`#${id}.passing`));
      const scene = fresh.length ? SCENES[root.dataset.motion] * (passing ? 0.4 : 1) : 0;
      await rest(Math.max(moving, scene) + RESTS[root.dataset.motion] * Math.min(1, MANY / (end - shown() || 1)));
    }
    [playing, hurried, wanted, ahead] = [false, false, false, null];
    if (!bar.dataset.since) caption("");
  }
  function tell(at, start, end) {
    const { mover, seat } = table().dataset, now = shown();
    if (now <= at || (mover === seat && !wanted && end === now)) return caption("");
    const counted = end - start > 1 ? inWords("part", { n: now - start, of: end - start }) : "";
    caption(inBrief(at, now), counted, end > now ? inWords("skip") : "");
  }
  function skip() {
    hurried = true;
    wake?.();
  }
  // Whether the live stream was exactly as far as the answer to the player's own step.
  const known = (text) => versionIn(text) === (live.dataset.version ?? table().dataset.version) && !text.includes('id="notice"');
  document.addEventListener("moved", ({ detail }) => (moving = detail.ms));
  document.addEventListener("htmx:before:swap", (event) => {
    const { ctx } = event.detail;
    if (ctx.staged || ctx.target?.id !== "table") return;
    const own = ctx.sourceElement !== live, made = ctx.sourceElement?.matches?.('form[action$="/steps"]');
    const late = playing && made && (event.defaultPrevented || known(ctx.text));
    if (late && newest && toldIn(ctx.text) > shown()) {
      newest.own = true; // players do not wait for their own moves
      if (reading) wake?.();
    }
    if (late) event.preventDefault();
    if (event.defaultPrevented) return;
    if (own && bar.dataset.since) caption(""); // the player has moved on
    const next = Object.assign(ctx, { own });
    if (!playing && (!(watching() || unread(next)) || toldIn(ctx.text) <= shown())) return;
    event.preventDefault();
    if (own && newest) hurried = true;
    lead(next);
    if (!playing) play();
    else if (own) wake?.();
  });

  // Skipping: the button, a click on the table while a past position is shown, or any key except navigation keys.
  const stays = "a, input, select, textarea, summary, label, #chat *, #settings *, .scene *";
  const moves = /^(Tab|Shift|Control|Alt|Meta|Arrow.*|Page.*|Home|End|F\d+)$/;
  const past = () => playing && newest && table().classList.contains("is-past");
  function skips(event) {
    if (!past() || event.ctrlKey || event.altKey || event.metaKey || event.target.closest?.(stays)) return;
    if (event.type === "keydown" ? moves.test(event.key) : !event.target.closest("#table")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    skip();
  }
  for (const kind of ["keydown", "click"]) addEventListener(kind, skips, true);
  document.addEventListener("preferred", ({ detail }) => detail === "motion" && root.dataset.motion === "off" && playing && skip());

  // The last seen step of each table, in this browser.
  const id = live.dataset.moments.split("/")[2];
  function seen() {
    try {
      return JSON.parse(localStorage.getItem("signoria.seen")) ?? {};
    } catch {
      return {};
    }
  }
  function remember() {
    if (document.hidden || table().matches(".is-open, .is-closed")) return;
    const { [id]: _, ...others } = seen();
    try {
      localStorage.setItem("signoria.seen", JSON.stringify({ ...Object.fromEntries(Object.entries(others).slice(1 - KEPT)), [id]: shown() }));
    } catch {
      // storage is not available
    }
  }
  function offer() {
    const fresh = table().dataset.seat !== "" && shown() <= FEW ? 0 : shown(), last = seen()[id] ?? fresh, missed = shown() - last;
    remember();
    if (missed < 1 || playing) return;
    caption(inWords(last ? "missed" : "so_far", { n: missed }), "", inWords("show"));
    bar.dataset.since = last;
    close.hidden = false;
  }
  async function retell(since) {
    caption("");
    [playing, wanted] = [true, true];
    lead(part(table().outerHTML));
    const text = await fetched(since);
    if (text) await htmx.swap({ ...part(text), staged: true, still: true });
    else lead(null);
    play();
  }
  go.addEventListener("click", () => (bar.dataset.since ? retell(Number(bar.dataset.since)) : skip()));
  close.addEventListener("click", () => caption(""));
  document.addEventListener("visibilitychange", () => (document.hidden ? playing && skip() : offer()));

  // Announce each step once to screen readers, and the player's own turn.
  const question = () => $("#asked")?.textContent.trim().replace(/\s+/g, " ");
  let heard = shown(), asked = question();
  document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
    if (ctx.target?.id !== "table") return;
    notice();
    const now = shown(), said = lines(heard, now), before = asked;
    [heard, asked] = [now, question()];
    if (asked !== before && table().matches(".my-turn, .is-over, .is-open")) said.push(asked);
    if (said.length) spoken.textContent = said.join(" ");
    remember();
  });

  notice();
  offer();
})();
