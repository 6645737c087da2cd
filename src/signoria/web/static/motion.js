// Movement. Which pieces moved, from where, and how, the server says in #moves (web/moves.py): a list of steps, each with
// its moves `{ piece, was, from, to, how, via, sound, later }`, all of them ids. This script measures the places that are
// named there, before the page changes and after, and animates the pieces in between. Nothing waits for it, and a flight
// that is overtaken goes on from where it is.
"use strict";
(() => {
  const $ = (selector) => document.querySelector(selector), root = document.documentElement;
  const LONG = { calm: 650, brisk: 330, off: 0 };
  const SMOOTH = "cubic-bezier(.35, .05, .2, 1)";
  const LEAST = 3; // pixels that a piece has to be away from its place to be seen to move
  const NEAR = 60; // pixels that take less time
  const SMALL = 34; // how wide a piece seems at a place that is no piece itself
  const SHOWN = 80; // how wide it is where it is shown on the way
  const FALL = [[0, -5, "cubic-bezier(.5, 0, .9, .6)"], [0.6, 0, "ease-out"], [0.78, -0.45, "ease-in"], [1, 0, "linear"]];
  const TROT = [[0, -4, 0], [0.25, -2.8, -0.12], [0.5, -1.6, 0], [0.75, -0.6, -0.12], [1, 0, 0]];
  const long = () => LONG[root.dataset.motion] ?? 0;

  // Measuring. What is not on the page, or hidden, is nowhere: null.
  function box(element) {
    const { left, top, width, height } = element.getBoundingClientRect();
    return width ? { x: left + width / 2, y: top + height / 2, width, height, left, top } : null;
  }
  function lies(id) {
    const piece = document.getElementById(id), at = piece && box(piece), home = at && piece.parentElement.closest("[id]");
    return at && { piece, at, home: home.id, within: box(home) };
  }
  function above(piece) {
    const homes = [];
    for (let home = piece.parentElement.closest("[id]"); home; home = home.parentElement?.closest("[id]")) homes.push(home.id);
    return homes;
  }
  function spot(ids) {
    const place = ids.map((id) => document.getElementById(id)).find((one) => one && box(one)), at = place && box(place);
    return at && (place.matches(".backs") ? at : { ...at, width: Math.min(at.width, SMALL), height: Infinity });
  }
  // Where a piece started, as the page is now: what has moved with its surroundings has not moved itself.
  function start({ piece, at, home, within }, now) {
    if (home !== now.home || !within || !now.within) return at;
    const size = piece.id === now.piece.id ? now.at : at; // cards that are covered more are narrower, not smaller
    return { ...size, x: at.x - within.left + now.within.left, y: at.y - within.top + now.within.top };
  }
  const size = (from, to) => Math.min(from.width / to.width, from.height / to.height);

  // Flights. Each says how long it takes.
  const flights = new Map();
  function animate(piece, frames, duration, delay = 0) {
    if (!duration) return 0;
    const flight = piece.animate(frames, { duration, delay, fill: "backwards" });
    flights.set(piece, flight);
    piece.classList.add("moving");
    const land = () => {
      if (flights.get(piece) !== flight) return;
      flights.delete(piece);
      piece.classList.remove("moving");
      if (piece.inert) piece.remove();
    };
    flight.finished.then(land, land);
    return duration + delay;
  }
  function fly(piece, from, to, { delay = 0, by = null, fade = false } = {}) {
    const near = Math.hypot(from.x - to.x, from.y - to.y) < NEAR;
    const unit = piece.ownerSVGElement?.getScreenCTM().a ?? 1; // within a drawing everything is told in its own units
    const at = (place, more) => ({ translate: `${(place.x - to.x) / unit}px ${(place.y - to.y) / unit}px`, scale: size(place, to), easing: SMOOTH, ...more });
    const frames = [at(from, { opacity: fade ? 0 : 1 }), at(from, { opacity: 1, offset: fade ? 0.1 : 0 }), at(to, { opacity: 1 })];
    if (by) frames.splice(2, 0, at(by, { offset: 0.4 }), at(by, { offset: 0.68 }));
    return animate(piece, frames, long() * (by ? 2 : near ? 0.6 : 1), delay);
  }
  // A copy of what is no longer there flies away.
  function send({ copy, at: from, homes }, to) {
    const stage = homes.map((id) => document.getElementById(id)).find(Boolean);
    if (!long() || !stage) return 0;
    for (const named of [copy, ...copy.querySelectorAll("[id]")]) named.removeAttribute("id");
    copy.classList.remove("can");
    copy.classList.add("leaving");
    copy.inert = true;
    [copy.style.width, copy.style.height] = [`${from.width}px`, `${from.height}px`];
    stage.append(copy);
    const here = box(copy);
    if (!here) return copy.remove(), 0;
    const at = (place, more) => ({ translate: `${place.x - here.x}px ${place.y - here.y}px`, scale: size(place, here), easing: SMOOTH, ...more });
    const frames = [at(from, { opacity: 1 }), at(to, { offset: 0.9, opacity: 1 }), at({ ...to, width: 1 }, { opacity: 0 })];
    return animate(copy, frames, long() * 1.2);
  }
  const inPlace = {
    drop: (piece, { height }) => animate(piece, FALL.map(([offset, by, easing]) => ({ offset, translate: `0 ${by * height}px`, opacity: offset ? 1 : 0.2, easing })), long()),
    ride: (piece, { width }) => animate(piece, TROT.map(([offset, x, y]) => ({ offset, translate: `${x * width}px ${y * width}px`, opacity: offset ? 1 : 0 })), long() * 1.3),
    pulse: (piece) => animate(piece, [{ scale: 1 }, { scale: 1.4 }, { scale: 1 }], long()),
  };

  // One move. It says how long it takes, or null where nothing is to be seen of it.
  function move({ piece: id, from = [], to = [], how = "fly", via = "", later = false, lay, came }) {
    const now = lies(id);
    if (how === "leave" || !now) {
      const place = lay?.copy && spot(to);
      return place ? send(lay, place) : null;
    }
    const { piece, at } = now;
    if (inPlace[how]) return inPlace[how](piece, at);
    const origin = lay ? start(lay, now) : (came ?? spot(from));
    if (!origin || Math.abs(origin.x - at.x) + Math.abs(origin.y - at.y) <= LEAST) return null;
    const crowned = how === "crown" && { x: at.x, y: (origin.y + at.y) / 2, width: 3 * at.width, height: 3 * at.height };
    const shown = via && spot([via]), by = crowned || (shown && { ...shown, width: SHOWN, height: Infinity });
    return fly(piece, origin, at, { by, fade: !lay, delay: later ? long() * 0.7 : 0 });
  }

  // The moves that lead from the table that is shown to the next; an undone move goes back the way it came.
  const movesIn = (text) => JSON.parse(/<script[^>]* id="moves">(.*?)<\/script>/s.exec(text)?.[1] ?? "[]");
  const back = ({ piece, was = piece, from, to, how }) => ({ piece: was, was: piece, from: to, to: from, how: how === "slide" ? how : "fly" });
  function between(text) {
    const shown = Number($("#table").dataset.told), then = Number(/data-told="(\d+)"/.exec(text)?.[1]);
    const after = (steps, k) => steps.filter((step) => step.k > k).flatMap(({ moves }) => moves);
    if (then >= shown) return after(movesIn(text), shown);
    return after(JSON.parse($("#moves").textContent), then).toReversed().map(back);
  }

  // Where the pieces are that will move, and those that are still on their way.
  function measure(named) {
    const { piece, was = piece, from = [], to } = named, lay = lies(was);
    return { ...named, lay: lay && { ...lay, copy: to && lay.piece.cloneNode(true), homes: to && above(lay.piece) }, came: spot(from) };
  }
  function ahead() {
    const ids = [...flights.keys()].filter((piece) => piece.id).map((piece) => piece.id);
    return ids.map((id) => [id, lies(id)]).filter(([, lay]) => lay);
  }

  // One table has followed another.
  function follow({ moves, flying }) {
    const { mover, seat } = $("#table").dataset, moved = { ms: 0, sounds: new Set() }, done = new Set();
    let where = null;
    for (const each of moves) {
      if (done.has(each.piece)) continue;
      const ms = move(each);
      if (ms === null) continue;
      done.add(each.piece);
      if (each.how === "slide") continue;
      moved.ms = Math.max(moved.ms, ms);
      moved.sounds.add(each.sound);
      const piece = document.getElementById(each.piece);
      where ??= piece?.closest("#board") && piece.parentElement.closest("[id]");
    }
    for (const [id, lay] of flying) {
      const now = done.has(id) ? null : lies(id);
      if (now) fly(now.piece, start(lay, now), now.at);
    }
    if (mover !== seat && moved.ms) bring(where ?? $("#board .here"));
    return moved;
  }

  // On a small screen what others do is brought into view, by no more than is needed.
  const small = matchMedia("(max-width: 58rem)"), EDGE = 8; // pixels
  function bring(place) {
    if (!place || !small.matches) return;
    const { top, bottom } = place.getBoundingClientRect(), [least, most] = betweenBars(), short = top - least - EDGE, over = bottom - most + EDGE;
    if (short < 0 || over > 0) scrollBy({ top: short < 0 ? short : Math.min(short, over), behavior: "smooth" });
  }

  // Tables may come faster than they are shown: each has what was measured for it.
  const measured = new WeakMap();
  document.addEventListener("htmx:before:swap", ({ defaultPrevented, detail: { ctx } }) => {
    if (defaultPrevented || ctx.target?.id !== "table" || ctx.still || document.hidden) return;
    measured.set(ctx, { moves: between(ctx.text).map(measure), flying: ahead() });
  });
  document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
    const next = measured.get(ctx);
    if (!next) return;
    for (const flight of flights.values()) flight.cancel();
    document.dispatchEvent(new CustomEvent("moved", { detail: follow(next) }));
  });
})();
