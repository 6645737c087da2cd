// How the pieces of Il Principe move: crests, cards, ducats and roles come from whoever gives them and go to whoever gets them.
"use strict";
(() => {
  const { moves, $, long, start, fly, before, spot } = signoria;
  const pulse = (piece) => start(piece, [{ scale: 1 }, { scale: 1.4 }, { scale: 1 }], long());

  // Where something new comes from, and where something goes that is gone.
  function origin(id, was, now) {
    const [kind, one, two] = id.split("-");
    if (kind === "crest") return before(one, ".arms-of");
    if (kind === "office") return before(two, ".arms-of");
    if (kind === "coin") return before(one, ".ducat");
    if (kind === "city") return spot("#city-pile .backs");
    if (kind === "lot") return spot($("#last-round") ? "#pile .backs" : ".voices", 30);
    if (kind !== "hand") return null;
    return now.has(`lot-${one}`) ? spot("#pile .backs") : (was.get(`lot-${one}`)?.at ?? spot("#pile .backs"));
  }
  function goes(id, lay, { added, seat }) {
    const [kind, one] = id.split("-");
    if (kind === "city") return spot(`#town-${one}`, 24);
    if (kind === "hand") return spot(added.some((other) => other.startsWith("laid-")) ? `#voice-${seat}` : `#built-${seat}-${one}`, 20);
    const winner = kind === "lot" && $(`#won-${one} [data-won]`)?.dataset.won;
    return winner ? (winner === seat ? spot("#hand .cards", 40) : before(winner, ".facts .card")) : null;
  }

  const stays = (id, { piece, picture }, lay) => (id.startsWith("built-") && lay.picture !== picture ? pulse(piece) : null);
  function comes(id, { piece, at }, lay, { was, now, mover }) {
    const crowned = id === "prince" && lay && { x: at.x, y: (lay.at.y + at.y) / 2, width: 3 * at.width };
    if (lay) return fly(piece, lay.at, at, { by: crowned || null });
    if (id.startsWith("built-")) return null;
    const from = origin(id, was, now) ?? (/^(laid|hand)-/.test(id) && before(mover, ".fan", ".facts .card"));
    return from ? fly(piece, from, at, { fade: true }) : null;
  }

  const kinds = ["laid", "hand", "score", "crest", "coin", "office", "built"].map((kind) => `#table [id^="${kind}-"]`);
  const [card, coin, stone] = ["card", "coin", "stone"];
  moves({
    pieces: [...kinds, "#prince", ".city-card[id]", ".cards-of-lot[id]", ".next-lot[id]"].join(),
    copied: ".city-card, .cards-of-lot, .hand .card",
    sounds: { card, laid: card, hand: card, lot: card, city: card, built: card, coin, prince: coin, crest: stone, office: stone },
    stays,
    comes,
    goes,
  });
})();
