// How the pieces of Patrician move: cards fly, floors fall, messengers ride, tokens go to whoever won them.
"use strict";
(() => {
  const { moves, $, box, long, start, fly, send, before } = signoria;
  const FALL = [[0, -5, "cubic-bezier(.5, 0, .9, .6)"], [0.6, 0, "ease-out"], [0.78, -0.45, "ease-in"], [1, 0, "linear"]];
  const TROT = [[0, -4, 0], [0.25, -2.8, -0.12], [0.5, -1.6, 0], [0.75, -0.6, -0.12], [1, 0, 0]];
  const won = ({ kind }) => /\bwon\b/.test(kind);

  function drop(piece, { height }) {
    const frames = FALL.map(([offset, by, easing]) => ({ offset, translate: `0 ${by * height}px`, opacity: offset ? 1 : 0.2, easing }));
    return start(piece, frames, long());
  }
  function ride(piece, { width }) {
    const frames = TROT.map(([offset, x, y]) => ({ offset, translate: `${x * width}px ${y * width}px`, opacity: offset ? 1 : 0 }));
    return start(piece, frames, long() * 1.3);
  }

  function stays(id, lies, lay) {
    const winner = won(lies) && !won(lay) && /seat-(\d)/.exec(lies.piece.querySelector(".mark")?.className)?.[1];
    return winner && lay.copy ? send(lay.copy, lies.piece.parentElement, lay.at, before(winner, ".seal")) : null;
  }
  function comes(id, { piece, at, picture }, lay, { was, now, gone, added, mover, seat, here }) {
    const name = id.slice(id.indexOf("-") + 1), [card, laid] = [was.get(`card-${name}`), was.get(`laid-${name}`)];
    const shown = piece.matches(".stack *") && mover !== seat && here ? { ...box(here), width: 80 } : null;
    if (id.startsWith("laid-") && card) return fly(piece, card.at, at);
    if (lay && now.has(`laid-${name}`)) return null; // it is seen where it is laid
    if (laid && id.startsWith("card-")) return fly(piece, laid.at, at);
    if (lay) return fly(piece, lay.at, at, { by: shown });
    if (id.startsWith("floor-")) {
      const lifted = gone.find((other) => other.picture === picture);
      return lifted ? fly(piece, lifted.at, at) : drop(piece, at);
    }
    if (id.startsWith("rider-")) return ride(piece, at);
    if (piece.matches(".beside")) {
      const pile = $("#pile .backs, #pile"), fresh = added.filter((other) => now.get(other).piece.matches(".beside"));
      const delay = fresh.length > 1 ? 70 * fresh.indexOf(id) : long() * 0.7;
      return pile ? fly(piece, box(pile), at, { delay, fade: true }) : null;
    }
    const from = /^(card|laid)-/.test(id) && before(mover, ".fan", ".facts .card");
    return from ? fly(piece, from, at, { by: shown, fade: true }) : null;
  }
  const goes = (id, { piece }, { mover }) => (piece.matches(".beside") ? before(mover, ".fan", ".stack") : null);

  moves({
    pieces: ["card", "laid", "floor", "rider", "token"].map((kind) => `#table [id^="${kind}-"]`).join(),
    copied: ".beside, .token",
    sounds: { card: "card", laid: "card", floor: "stone", rider: "hooves", token: "coin" },
    stays,
    comes,
    goes,
  });
})();
