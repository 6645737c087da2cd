// Movement: whatever lies elsewhere than before flies there, and what is new comes from where it was. Pieces are known by
// their ids. Nothing waits for it, and a flight that is overtaken goes on from where it is.
"use strict";
(() => {
  const $ = (selector) => document.querySelector(selector), root = document.documentElement;
  const LONG = { calm: 650, brisk: 330, off: 0 };
  const KINDS = ["card", "laid", "floor", "rider", "token", "hand", "score", "crest", "coin", "office", "built"];
  const PIECES = [...KINDS.map((kind) => `#table [id^="${kind}-"]`), "#prince", ".city-card[id]", ".cards-of-lot[id]", ".next-lot[id]"].join();
  const SMOOTH = "cubic-bezier(.35, .05, .2, 1)";
  const FALL = [[0, -5, "cubic-bezier(.5, 0, .9, .6)"], [0.6, 0, "ease-out"], [0.78, -0.45, "ease-in"], [1, 0, "linear"]];
  const TROT = [[0, -4, 0], [0.25, -2.8, -0.12], [0.5, -1.6, 0], [0.75, -0.6, -0.12], [1, 0, 0]];
  const long = () => LONG[root.dataset.motion] ?? 0;

  function box(element) {
    const { left, top, width, height } = element.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2, width, height, left, top };
  }

  // Where all pieces are; `copied` are those that may be gone afterwards, or are seen twice for a while.
  function survey(copied = ":not(*)") {
    const pieces = new Map();
    for (const piece of document.querySelectorAll(PIECES)) {
      const at = box(piece), home = piece.parentElement.closest("[id], .fan, .stack");
      if (!at.width) continue;
      const lies = { piece, at, home: home.id || home.className + home.closest("[id]").id, within: box(home) };
      pieces.set(piece.id, { ...lies, picture: piece.innerHTML, won: piece.matches(".won"), copy: piece.matches(copied) && piece.cloneNode(true) });
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
  function drop(piece, { height }) {
    const frames = FALL.map(([offset, by, easing]) => ({ offset, translate: `0 ${by * height}px`, opacity: offset ? 1 : 0.2, easing }));
    return start(piece, frames, long());
  }
  function ride(piece, { width }) {
    const frames = TROT.map(([offset, x, y]) => ({ offset, translate: `${x * width}px ${y * width}px`, opacity: offset ? 1 : 0 }));
    return start(piece, frames, long() * 1.3);
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

  // Il Principe: where something new comes from, and where something goes that is gone.
  const spot = (selector, width) => $(selector) && { ...box($(selector)), ...(width && { width }) };
  function origin(id, was, now) {
    const [kind, one, two] = id.split("-");
    if (kind === "crest") return before(one, ".arms-of");
    if (kind === "office") return before(two, ".arms-of");
    if (kind === "coin") return before(one, ".ducat");
    if (kind === "city") return spot("#city-pile .backs");
    if (kind === "lot") return spot($("#last-round") ? "#pile .backs" : ".voices", 30);
    if (kind !== "hand" || !$(".il-principe")) return null;
    return now.has(`lot-${one}`) ? spot("#pile .backs") : (was.get(`lot-${one}`)?.at ?? spot("#pile .backs"));
  }
  function goal(id, fresh) {
    const [kind, one] = id.split("-"), { seat } = $("#table").dataset;
    if (kind === "city") return spot(`#town-${one}`, 24);
    if (kind === "hand") return spot(fresh.some((other) => other.startsWith("laid-")) ? `#voice-${seat}` : `#built-${seat}-${one}`, 20);
    const winner = kind === "lot" && $(`#won-${one} [data-won]`)?.dataset.won;
    return winner ? (winner === seat ? spot("#hand .cards", 40) : before(winner, ".facts .card")) : null;
  }
  const pulse = (piece) => start(piece, [{ scale: 1 }, { scale: 1.4 }, { scale: 1 }], long());

  // One table has followed another.
  function move(was, now) {
    const { mover, seat } = $("#table").dataset, pile = $("#pile .backs, #pile"), here = $("#board .here");
    const gone = [...was].filter(([id]) => !now.has(id)).map(([id, lay]) => ({ id, ...lay })), added = [...now.keys()].filter((id) => !was.has(id));
    const fresh = [...now].filter(([id, { piece }]) => !was.has(id) && piece.matches(".beside")).map(([id]) => id);
    const moved = { ms: 0, kinds: new Set() };
    let where = null;
    function note(id, ms) {
      moved.ms = Math.max(moved.ms, ms);
      moved.kinds.add(id.split("-")[0]);
      where ??= now.get(id)?.piece.closest("#board") && document.getElementById(now.get(id).home);
    }

    for (const [id, { piece, at, home, within, picture, won }] of now) {
      const lay = was.get(id), name = id.slice(id.indexOf("-") + 1), [card, laid] = [was.get(`card-${name}`), was.get(`laid-${name}`)];
      if (lay?.home === home) {
        const [dx, dy] = [lay.at.x - lay.within.left - at.x + within.left, lay.at.y - lay.within.top - at.y + within.top];
        const winner = won && !lay.won && /seat-(\d)/.exec(piece.querySelector(".mark")?.className)?.[1];
        if (id.startsWith("built-") && lay.picture !== picture) note(id, pulse(piece));
        else if (winner && lay.copy) note(id, send(lay.copy, piece.parentElement, lay.at, before(winner, ".seal")));
        else if (Math.abs(dx) + Math.abs(dy) > 3) fly(piece, { ...at, x: at.x + dx, y: at.y + dy }, at);
        continue;
      }
      const shown = piece.matches(".stack *") && mover !== seat && here ? { ...box(here), width: 80 } : null;
      if (id.startsWith("laid-") && card) note(id, fly(piece, card.at, at));
      else if (lay && now.has(`laid-${name}`)) continue; // it is seen where it is laid
      else if (laid && id.startsWith("card-")) note(id, fly(piece, laid.at, at));
      else if (lay) note(id, fly(piece, lay.at, at, { by: id === "prince" ? { x: at.x, y: (lay.at.y + at.y) / 2, width: 3 * at.width } : shown }));
      else if (id.startsWith("floor-")) {
        const lifted = gone.find((other) => other.picture === picture);
        note(id, lifted ? fly(piece, lifted.at, at) : drop(piece, at));
      } else if (id.startsWith("rider-")) note(id, ride(piece, at));
      else if (fresh.includes(id)) {
        const delay = fresh.length > 1 ? 70 * fresh.indexOf(id) : long() * 0.7;
        if (pile) note(id, fly(piece, box(pile), at, { delay, fade: true }));
      } else if (!id.startsWith("built-")) {
        const from = origin(id, was, now) ?? (/^(card|laid|hand)-/.test(id) && before(mover, ".fan", ".facts .card"));
        if (from) note(id, fly(piece, from, at, { by: shown, fade: true }));
      }
    }
    for (const { id, copy, at, home, piece } of gone) {
      const to = copy && (piece.matches(".beside") ? before(mover, ".fan", ".stack") : goal(id, added)), stage = document.getElementById(home);
      if (to && stage) note("card-", send(copy, stage, at, to));
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

  let was = null;
  document.addEventListener("htmx:before:swap", ({ defaultPrevented, detail: { ctx } }) => {
    was = defaultPrevented || ctx.target?.id !== "table" || ctx.still || document.hidden ? null : survey(".beside, .token, .city-card, .cards-of-lot, .il-principe .hand .card");
  });
  document.addEventListener("htmx:after:swap", () => {
    if (!was) return;
    for (const flight of flights.values()) flight.cancel();
    const detail = was.size ? move(was, survey()) : { ms: 0, kinds: new Set() };
    was = null;
    document.dispatchEvent(new CustomEvent("moved", { detail }));
  });
})();
