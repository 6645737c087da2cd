"""What a seat sees, with names: made from a state in which everything hidden has been hidden."""

from collections.abc import Sequence
from itertools import chain
from typing import Any

import msgspec
import numpy as np

from signoria.games.patrician.rulebook import RULES
from signoria.games.patrician.rulebook.components import CARD_IDS, CITY_IDS, ROADS, Components
from signoria.games.patrician.rulebook.rules import messengers_left
from signoria.games.patrician.rulebook.scoring import (
    AMBASSADORS,
    CAPTAINS,
    COLUMNS,
    ELDERS,
    FLOORS,
    MESSENGERS,
    TOKENS,
    tower_winners,
)
from signoria.games.patrician.rulebook.state import HIDDEN, HIGH, LOW, NONE, OVER, SITES
from signoria.games.patrician.rulebook.steps import Step
from signoria.games.patrician.words.names import ASKED, COLOURS, PATRICIAN_NAMES
from signoria.kernel.compiled import in_python
from signoria.kernel.entries import entries
from signoria.kernel.game import SPECTATOR
from signoria.kernel.layout import Records, fixed_in_lists, in_lists
from signoria.kernel.view import SeatView


class CityView(msgspec.Struct, frozen=True):
    """A city as it stands."""

    id: str
    floors: int
    """Floors it holds when finished."""
    towers: tuple[tuple[int, ...], tuple[int, ...]]
    """Whose floors stand on site 0 and on site 1, from the ground up."""
    leads: tuple[int | None, int | None]
    """Who would win these towers if the city were full now; None without a tower."""
    card: str | None
    """The face-up card beside it."""
    tokens: tuple[int, int]
    """Points of the high and the low token."""
    scored: bool
    won: tuple[int | None, int | None]
    """Who won the high and the low token; None until scored, or where it lies face down."""
    messengers: int
    """Messengers beside it."""


class PlayerView(msgspec.Struct, frozen=True):
    """A player as this viewer sees them."""

    seat: int
    colour: str
    hand: tuple[str | None, ...]
    """Cards in hand; None for a card back."""
    stack: tuple[str | None, ...]
    """Cards played, the top one last; None for a covered card."""
    floors_left: int
    messengers_left: int
    tokens: int
    """Prestige tokens won, face up or down."""
    token_points: int | None
    """Their points; None where some lie face down for this viewer."""
    places: tuple[str | None, ...] = ()
    """The viewer's own hand place by place, None where a card was played; empty for others."""


class Remembered(msgspec.Struct, frozen=True):
    """What an attentive player knows beyond what lies open: nobody needs paper."""

    hands: tuple[tuple[str | None, ...], ...]
    """Cards in each hand, those that were taken from the display by name."""
    stacks: tuple[tuple[str, ...], ...]
    """Every card that each seat has played."""
    portraits: tuple[dict[str, int], ...]
    """Portraits on those cards."""
    won: dict[str, tuple[int, int]]
    """Who won the high and the low token of every scored city."""
    unseen: tuple[str, ...]
    """Cards that lie in the pile or in a hand and were never seen."""


class View(SeatView, frozen=True, kw_only=True):
    """All that one seat, or a spectator, sees of a table."""

    game: str = "patrician"
    seat: int | None
    """Whose view it is; None for a spectator."""
    turn: int | None
    """The seat that is asked; None when the game is over."""
    asked: str
    """`play`, `build`, `move`, `take`, `messenger` or `over`."""
    card: str | None
    """The card played this turn."""
    city: str | None
    """The city built in this turn."""
    crests: int
    """Floors still to be built this turn."""
    pile: int
    """Cards left in the pile."""
    cities: tuple[CityView, ...]
    players: tuple[PlayerView, ...]
    messengers: dict[str, int]
    """Whose messenger is on a road, by its two cities: `roma-siena`."""
    ambassadors: dict[str, int | None] | None
    """Who would get A, B, C and D now; None without them, or where tokens lie face down."""
    legal: tuple[Step, ...]
    """Steps that this seat may make now."""
    components: Components
    """What is printed on the cities and cards in play."""
    remembered: Remembered | None
    """None where the table plays without this aid."""


def view(
    known: Records,
    shown: Records,
    boxes: Records,
    components: Components,
    seat: int,
    legal: Sequence[Step],
    memory_aid: bool,
) -> View:
    """The view of a seat, from the state after `see` and after `forget`."""
    s, box, sheet = in_lists(shown), fixed_in_lists(boxes), _sheet(shown, boxes)
    leads = np.empty((box.cities, SITES), np.int8)
    tower_winners(shown, leads)
    over = s.asked == OVER
    return View(
        seat=None if seat == SPECTATOR else seat,
        turn=None if over else s.seat,
        asked=ASKED[s.asked],
        card=_card(s.card),
        city=CITY_IDS[s.city] if s.city != NONE else None,
        crests=s.crests,
        pile=box.cards - s.drawn,
        cities=tuple(_city_view(s, box, city, *won) for city, won in enumerate(leads.tolist())),
        players=tuple(_player_view(s, box, sheet[player], player, player == seat) for player in range(box.players)),
        messengers={"-".join(ROADS[r]): s.messenger[r] for r in range(box.roads) if s.messenger[r] != NONE},
        ambassadors=_ambassadors(s, box, sheet),
        legal=tuple(legal),
        components=components,
        remembered=_remembered(in_lists(known), box, _sheet(known, boxes)) if memory_aid else None,
    )


def _card(card: int) -> str | None:
    return CARD_IDS[card] if card >= 0 else None


def _seat(seat: int) -> int | None:
    return seat if seat >= 0 else None


def _hand(s: Any, seat: int) -> tuple[str | None, ...]:
    return tuple(_card(card) for card in s.hand[seat] if card != NONE)


def _stack(s: Any, box: Any, seat: int) -> tuple[str | None, ...]:
    own = s.played[(seat - s.first) % box.players : box.cards : box.players]
    return tuple(_card(card) for card in own if card != NONE)


def _city_view(s: Any, box: Any, city: int, left: int, right: int) -> CityView:
    first, second = (tuple(s.floor[city][site][: s.height[city][site]]) for site in range(SITES))
    high, low = s.won[city]
    return CityView(
        id=CITY_IDS[city],
        floors=box.floors[city],
        towers=(first, second),
        leads=(_seat(left), _seat(right)),
        card=_card(s.display[city]),
        tokens=(box.token[city][HIGH], box.token[city][LOW]),
        scored=high != NONE,
        won=(_seat(high), _seat(low)),
        messengers=s.beside[city],
    )


def _player_view(s: Any, box: Any, row: list[int], seat: int, own: bool) -> PlayerView:
    face_down = sum(winners.count(seat) for winners in s.won) < s.tokens[seat]
    return PlayerView(
        seat=seat,
        colour=COLOURS[seat],
        hand=_hand(s, seat),
        stack=_stack(s, box, seat),
        floors_left=box.supply - row[FLOORS],
        messengers_left=in_python(messengers_left)(s, box, seat),
        tokens=s.tokens[seat],
        token_points=None if face_down else row[TOKENS] + row[MESSENGERS],
        places=tuple(_card(card) for card in s.hand[seat]) if own else (),
    )


def _ambassadors(s: Any, box: Any, sheet: list[list[int]]) -> dict[str, int | None] | None:
    if not box.ambassadors or any(HIDDEN in winners for winners in s.won):
        return None
    return {
        name: next((seat for seat, row in enumerate(sheet) if row[AMBASSADORS] >> ambassador & 1), None)
        for ambassador, name in enumerate("ABCD")
    }


def _remembered(s: Any, box: Any, sheet: list[list[int]]) -> Remembered:
    seats = range(box.players)
    seen = {*s.display, *s.played, *chain(*s.hand)}
    return Remembered(
        hands=tuple(_hand(s, seat) for seat in seats),
        stacks=tuple(tuple(card for card in _stack(s, box, seat) if card) for seat in seats),
        portraits=tuple(dict(zip(PATRICIAN_NAMES, sheet[seat][CAPTAINS : ELDERS + 1], strict=True)) for seat in seats),
        won={CITY_IDS[city]: (high, low) for city, (high, low) in enumerate(s.won) if high != NONE},
        unseen=tuple(CARD_IDS[card] for card in range(box.cards) if card not in seen),
    )


def _sheet(states: Records, boxes: Records) -> list[list[int]]:
    sheet = np.zeros((int(boxes["players"][0]), len(COLUMNS)), np.int16)
    entries(RULES).score(states, boxes, sheet)
    return sheet.tolist()
