"""Draws any game from its view alone: public information, each player's area, and the viewer's hand.

It knows only the fields of the view (`kernel/outline.py`). Single values become figures with labels, lists become rows
of cards, and hidden cards become card backs. A card that exactly one legal step names can be pressed.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec
from markupsafe import Markup

from signoria.kernel.language import per_language
from signoria.kernel.outline import OutlineLine, outline
from signoria.web.drawn import Drawn, Target, begin, end
from signoria.web.environment import macros
from signoria.web.kit.sprite import use
from signoria.web.plain_help import HAND, thing_key

MANY = 24
"""The most cards in a row; any more are only counted."""
NUMBERED = re.compile(r"(.*\D)[-_ ](\d+)")
"""The name of a card with a number: `red-4`."""
TINTS = frozenset(
    {"black", "blue", "brown", "gold", "green", "grey", "orange", "pink", "purple", "red", "white", "yellow"}
)
"""Words that give a card its colour."""

Targets = dict[str, tuple[Any, str]]
"""Steps that can be made by pressing a card, and their sentences, by the name of the card."""


class CardFace(NamedTuple):
    """A card: its number and the rest of its name; both are empty for a face-down card."""

    caption: str
    number: str
    tint: str
    face_down: bool = False
    begin: Markup = Markup('<span class="tile">')
    end: Markup = Markup("</span>")


class ViewRow(NamedTuple):
    """A line of the outline, with its cards."""

    name: str
    words: str | None
    cards: tuple[CardFace, ...] | None
    more: int
    """How many more cards there are."""
    rows: "tuple[ViewRow, ...]"
    key: str
    """The key of its topic."""


def draw(view: Any, seats: int, seat_name: Callable[[int], str], tell: Callable[[Any, Any], str] | None) -> Drawn:
    """Draw a view of any game with up to `seats` players; `tell` puts steps into words if the viewer may act."""
    page, told, me = _macros(), outline(view, seat_name), getattr(view, "seat", None)
    targets = _targets(view, tell) if tell else {}
    players = [_rows(lines, thing_key("seat", seat)) for seat, lines in enumerate(told.players)]
    hand = Markup()
    if me is not None and me < len(players):
        rows = _rows(told.players[me], thing_key("seat", me), targets)
        own = [row for row in rows if row.cards is not None and not _is_single(row)]
        mine = [row for row in own if row.name.lower() == HAND]
        hand = Markup(page.hand(mine or own, [row for row in own if mine and row not in mine]))
        players[me] = tuple(row for row in players[me] if row.name not in {one.name for one in own})
    return Drawn(
        hand=hand,
        board=Markup(page.board(_rows(told.shared, "field", targets))),
        players=(*(Markup(page.player(player)) for player in players), *(Markup(),) * (seats - len(players))),
        remembered=Markup(page.remembered(_rows(told.remembered, ""))) if told.remembered is not None else Markup(),
    )


def _rows(lines: Sequence[OutlineLine], under: str, targets: Targets | None = None) -> tuple[ViewRow, ...]:
    """Lines with their cards; `under` is how the keys of their topics begin, empty if they have none."""
    return tuple(_row(line, under and thing_key(under, line.name), targets or {}) for line in lines)


def _row(line: OutlineLine, key: str, targets: Targets) -> ViewRow:
    things = line.things
    if things is None and line.words is not None and NUMBERED.fullmatch(line.words):
        things = (line.words,)
    if things is None:
        return ViewRow(line.name, line.words, None, 0, _rows(line.lines, key, targets), key)
    cards = tuple(_card(thing, targets, explained=bool(key) and line.things is not None) for thing in things[:MANY])
    return ViewRow(line.name, line.words, cards, len(things[MANY:]), (), key)


def _is_single(row: ViewRow) -> bool:
    return row.words is not None


def _card(name: str | None, targets: Targets, explained: bool) -> CardFace:
    if name is None:
        return CardFace("", "", "", face_down=True)
    found = NUMBERED.fullmatch(name)
    caption, number = (found[1], found[2]) if found else ("", name) if name.isdigit() else (name, "")
    tint = next((word for word in re.split(r"\W", caption.lower()) if word in TINTS), "")
    kind, key = f"tile tint-{tint}" if tint else "tile", thing_key("card", name) if explained else ""
    if name not in targets:
        about = Markup(' data-help="{}"').format(key) if key else ""
        return CardFace(caption, number, tint, begin=Markup('<span class="{}"{}>').format(kind, about))
    step, says = targets[name]
    target = Target(step, can=True)
    return CardFace(caption, number, tint, begin=begin(target, kind, says, about=key), end=end(target))


def _targets(view: Any, tell: Callable[[Any, Any], str]) -> Targets:
    """The legal steps that name a card which no other legal step names."""
    named: dict[str, list[Any]] = {}
    for step in view.legal:
        for value in msgspec.structs.asdict(step).values():
            if isinstance(value, str):
                named.setdefault(value, []).append(step)
    return {name: (steps[0], tell(view, steps[0])) for name, steps in named.items() if len(steps) == 1}


@per_language()
def _macros() -> Any:
    return macros("plain.html", back=use("back", "face"))
