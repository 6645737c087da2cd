// Movement: whatever lies elsewhere than before flies there, and what is new comes from where it was. Pieces are known by
// their ids. Nothing waits for it, and a flight that is overtaken goes on from where it is.
//
// Which pieces there are, and how they come and go, the script of a game says: `signoria.moves({ pieces, copied, sounds,
// stays, comes, goes })`. `pieces` selects them; `copied` those that may be gone afterwards, or are seen twice for a while;
// `sounds` names a sound (sounds.js) for what ids begin with. Of a piece, the functions are told its id, how it lies
// (`{ piece, at, home, within, picture, kind, copy }`), how it lay, and the turn (`{ was, now, gone, added, mover, seat,
// here }`). `stays`: a piece at the same home, null for one that only slides. `comes`: a new piece, or one that lay
// elsewhere. Both say how long it takes, null for no time. `goes`: where the copy of a piece flies to that is gone.
"use strict";
(() => {
  const $ = (selector) => document.querySelector(selector), root = document.documentElement;
  const LONG = { calm: 650, brisk: 330, off: 0 };
  const SMOOTH = "cubic-bezier(.35, .05, .2, 1)";
  let game = { pieces: ":not(*)", copied: ":not(*)" };
  const long = () => LONG[root.dataset.motion] ?? 0;

  function box(element) {
    const { left, top, width, height } = element.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2, width, height, left, top };
  }

  // Where all pieces are; `copied` are those that may be gone afterwards, or are seen twice for a while.
  function survey(copied = ":not(*)") {
    const pieces = new Map();
    for (const piece of document.querySelectorAll(game.pieces)) {
      const at = box(piece), home = piece.parentElement.closest("[id], .fan, .stack");
      if (!at.width) continue;
      const lies = { piece, at, home: home.id || home.className + home.closest("[id]").id, within: box(home) };
      pieces.set(piece.id, { ...lies, picture: piece.innerHTML, kind: piece.getAttribute("class") ?? "", copy: piece.matches(copied) && piece.cloneNode(true) });
    }
    return pieces;
  }

  // Flights. Each says how long it takes.
  const flights = new Map();
  function start(piece, frames, duration, delay = 0) {
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
    const near = Math.hypot(from.x - to.x, from.y - to.y) < 60;
    const unit = piece.ownerSVGElement?.getScreenCTM().a ?? 1; // within a drawing everything is told in its own units
    const at = ({ x, y, width }, more) => ({ translate: `${(x - to.x) / unit}px ${(y - to.y) / unit}px`, scale: width / to.width, easing: SMOOTH, ...more });
    const frames = [at(from, { opacity: fade ? 0 : 1 }), at(from, { opacity: 1, offset: fade ? 0.1 : 0 }), at(to, { opacity: 1 })];
    if (by) frames.splice(2, 0, at(by, { offset: 0.4 }), at(by, { offset: 0.68 }));
    return start(piece, frames, long() * (by ? 2 : near ? 0.6 : 1), delay);
  }
  // A copy of what is no longer there flies away.
  function send(copy, home, from, to) {
    if (!long()) return 0;
    copy.removeAttribute("id");
    copy.classList.remove("can");
    copy.classList.add("leaving");
    copy.inert = true;
    [copy.style.width, copy.style.height] = [`${from.width}px`, `${from.height}px`];
    home.append(copy);
    const here = box(copy), at = ({ x, y, width }, more) => ({ translate: `${x - here.x}px ${y - here.y}px`, scale: width / here.width, easing: SMOOTH, ...more });
    const frames = [at(from, { opacity: 1 }), at(to, { offset: 0.9, opacity: 1 }), at({ ...to, width: 1 }, { opacity: 0 })];
    return start(copy, frames, long() * 1.2);
  }

  // Where something of a seat is seen.
  function before(seat, ...parts) {
    const panel = document.getElementById(`player-${seat}`);
    const part = panel && [...parts.map((one) => panel.querySelector(one)), panel].find((one) => one?.getBoundingClientRect().width);
    return part && { ...box(part), width: Math.min(box(part).width, 34) };
  }

  const spot = (selector, width) => $(selector) && { ...box($(selector)), ...(width && { width }) };

  // One table has followed another.
  function move(was, now) {
    const { mover, seat } = $("#table").dataset, here = $("#board .here");
    const gone = [...was].filter(([id]) => !now.has(id)).map(([id, lay]) => ({ id, ...lay })), added = [...now.keys()].filter((id) => !was.has(id));
    const turn = { was, now, gone, added, mover, seat, here };
    const moved = { ms: 0, sounds: new Set() };
    let where = null;
    function note(id, ms) {
      moved.ms = Math.max(moved.ms, ms);
      moved.sounds.add(game.sounds?.[id.split("-")[0]]);
      where ??= now.get(id)?.piece.closest("#board") && document.getElementById(now.get(id).home);
    }

    for (const [id, lies] of now) {
      const { piece, at, home, within } = lies, lay = was.get(id);
      if (lay?.home === home) {
        const [dx, dy] = [lay.at.x - lay.within.left - at.x + within.left, lay.at.y - lay.within.top - at.y + within.top];
        const ms = game.stays?.(id, lies, lay, turn) ?? null;
        if (ms !== null) note(id, ms);
        else if (Math.abs(dx) + Math.abs(dy) > 3) fly(piece, { ...at, x: at.x + dx, y: at.y + dy }, at);
        continue;
      }
      const ms = game.comes?.(id, lies, lay, turn) ?? null;
      if (ms !== null) note(id, ms);
    }
    for (const left of gone) {
      const to = left.copy && game.goes?.(left.id, left, turn), stage = document.getElementById(left.home);
      if (to && stage) note("card-", send(left.copy, stage, left.at, to));
    }
    if (mover !== seat && moved.ms) bring(where ?? here);
    return moved;
  }

  // On a small screen what others do is brought into view.
  const small = matchMedia("(max-width: 58rem)");
  function bring(place) {
    if (!place || !small.matches) return;
    const { top, bottom } = place.getBoundingClientRect(), [head, tray] = [$("#head"), $(".mine")].map((one) => one?.getBoundingClientRect());
    if (top < head.bottom || bottom > (tray?.top ?? innerHeight)) place.scrollIntoView({ block: "center", behavior: "smooth" });
  }

  window.signoria = { moves: (how) => (game = how), $, box, long, start, fly, send, before, spot };

  let was = null;
  document.addEventListener("htmx:before:swap", ({ defaultPrevented, detail: { ctx } }) => {
    was = defaultPrevented || ctx.target?.id !== "table" || ctx.still || document.hidden ? null : survey(game.copied);
  });
  document.addEventListener("htmx:after:swap", () => {
    if (!was) return;
    for (const flight of flights.values()) flight.cancel();
    const detail = was.size ? move(was, survey()) : { ms: 0, sounds: new Set() };
    was = null;
    document.dispatchEvent(new CustomEvent("moved", { detail }));
  });
})();
