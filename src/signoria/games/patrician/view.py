"""What a seat sees, with names: made from a state in which everything hidden has been hidden."""

from collections.abc import Sequence
from itertools import chain
from typing import Any, NamedTuple

import msgspec
import numpy as np

from signoria.games.patrician.rulebook.components import CARD_IDS, CITY_IDS, ROAD_IDS, Components
from signoria.games.patrician.rulebook.outlook import (
    ADDS,
    BARE,
    BUILT,
    CARD_FACTS,
    CITY_FACTS,
    EXTRA,
    FILLS,
    LEAD,
    LEADER,
    LEFT,
    THEN_MOVE,
    THEN_SEND,
    THEN_TAKE,
    outlook,
)
from signoria.games.patrician.rulebook.rules import messengers_left
from signoria.games.patrician.rulebook.scoring import (
    AMBASSADORS,
    CAPTAINS,
    ELDERS,
    FLOORS,
    MESSENGERS,
    PENALTY,
    PORTRAITS,
    TOKENS,
    TOTAL,
)
from signoria.games.patrician.rulebook.state import CITIES, HAND, HIDDEN, HIGH, LOW, NONE, OVER, PLAYING, SITES
from signoria.games.patrician.rulebook.steps import Step
from signoria.games.patrician.words.names import ASKED, COLOURS, PATRICIAN_NAMES
from signoria.games.patrician.words.sheet import ambassador_portraits, ambassadors_of
from signoria.kernel.compiled import in_python
from signoria.kernel.game import SPECTATOR
from signoria.kernel.position import Position
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
    built: int
    """Floors that stand there."""
    floors_left: int
    """Floors that it still needs; with the last one it is scored (P13)."""
    leads_by: tuple[int, int]
    """By how many floors `leads` lead; 0 where the floor nearest the top decides (P21), and without a tower."""
    extra: int
    """Extra points that the winner of each token gets for messengers that came in time (M4, M5)."""
    messenger_adds: int
    """Points that one more messenger would add to each token: nothing once it is scored (M4)."""


class HeldAmbassador(msgspec.Struct, frozen=True):
    """An ambassador that a player would get now (A1, A3)."""

    letter: str
    adds: tuple[str, ...]
    """The portraits that it counts as."""


class RunningScore(msgspec.Struct, frozen=True):
    """A player's points as the score sheet counts them now (P23); final when the game is over."""

    total: int
    tokens: int
    """Points of prestige tokens (P20)."""
    sets: int
    """Complete sets of portraits, including those of ambassadors (P22, A1)."""
    portraits: int
    """Points of these sets."""
    messengers: int
    """Points of the extra tokens for messengers (M5)."""
    penalty: int
    """Points lost for the fewest towers with a messenger (M6)."""
    ambassadors: tuple[HeldAmbassador, ...] | None
    """None without them."""


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
    score: RunningScore | None
    """Points so far; None where this viewer does not see enough: tokens lie face down, or cards are covered."""
    places: tuple[str | None, ...] = ()
    """The viewer's own hand place by place, None where a card was played; empty for others."""


class CardOutlook(msgspec.Struct, frozen=True):
    """What a card of the hand would lead to if it were played now."""

    fills: bool
    """Its floors fill the city, which is scored (P13)."""
    bare_site: int | None
    """The site on which one of its floors must go, because nothing stands there (P12); None where there is none."""
    moves: bool
    """A floor may be moved afterwards (P14)."""
    takes: tuple[str, ...]
    """Cities whose face-up card may be taken afterwards (P15)."""
    messenger: bool
    """A messenger may be placed afterwards (M2, M3)."""


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
    steps: tuple[str, ...]
    """The steps of the turn that is being played, named as in `asked`; before a card is played, those that every card
    has. Empty when the game is over."""
    plays: dict[str, CardOutlook]
    """What each card of the hand would lead to; empty unless this seat is asked to play one."""
    cities: tuple[CityView, ...]
    players: tuple[PlayerView, ...]
    portraits: tuple[dict[str, int] | None, ...]
    """Portraits on the cards that each seat has played (P22); None where this viewer does not see the whole stack."""
    with_messengers: bool
    """Whether the table plays with messengers (M1)."""
    roads: tuple[str, ...]
    """Roads between cities in the game, by their two cities: `roma-siena` (M2)."""
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
    known: Position,
    shown: Position,
    components: Components,
    seat: int,
    legal: Sequence[Step],
    memory_aid: bool,
) -> View:
    """The view of a seat, from what it could remember and what lies open before it now."""
    s, box = shown.in_lists()
    sheet, ahead = shown.sheet().tolist(), _look_ahead(shown)
    known_sheet = known.sheet().tolist() if memory_aid else None
    scores = _running_scores(s, box, sheet, known_sheet)
    over = s.asked == OVER
    return View(
        seat=None if seat == SPECTATOR else seat,
        turn=None if over else s.seat,
        asked=ASKED[s.asked],
        card=_card(s.card),
        city=CITY_IDS[s.city] if s.city != NONE else None,
        crests=s.crests,
        pile=box.cards - s.drawn,
        steps=tuple(name for kind, name in enumerate(ASKED) if ahead.steps >> kind & 1),
        plays=_plays(s, box, ahead.plays, seat) if s.asked == PLAYING and s.seat == seat else {},
        cities=tuple(_city_view(s, box, city, ahead.cities[city]) for city in range(box.cities)),
        players=tuple(
            _player_view(s, box, sheet[player], player, player == seat, scores[player]) for player in range(box.players)
        ),
        portraits=tuple(_portraits(s, box, sheet[player], player) for player in range(box.players)),
        with_messengers=box.messengers > 0,
        roads=ROAD_IDS[: box.roads],
        messengers={ROAD_IDS[r]: s.messenger[r] for r in range(box.roads) if s.messenger[r] != NONE},
        ambassadors=_ambassadors(s, box, sheet),
        legal=tuple(legal),
        components=components,
        remembered=None if known_sheet is None else _remembered(known, known_sheet),
    )


class _Ahead(NamedTuple):
    """What `outlook` found."""

    steps: int
    cities: list[list[int]]
    plays: list[list[int]]


def _look_ahead(shown: Position) -> _Ahead:
    cities, plays = np.empty((CITIES, CITY_FACTS), np.int8), np.empty((HAND, CARD_FACTS), np.int8)
    steps = shown.copy().call(outlook, cities, plays)
    return _Ahead(steps, cities.tolist(), plays.tolist())


def _plays(s: Any, box: Any, facts: list[list[int]], seat: int) -> dict[str, CardOutlook]:
    return {
        CARD_IDS[card]: CardOutlook(
            fills=bool(told[FILLS]),
            bare_site=told[BARE] if told[BARE] != NONE else None,
            moves=bool(told[THEN_MOVE]),
            takes=tuple(CITY_IDS[city] for city in range(box.cities) if told[THEN_TAKE + city]),
            messenger=bool(told[THEN_SEND]),
        )
        for card, told in zip(s.hand[seat], facts, strict=True)
        if card >= 0
    }


def _card(card: int) -> str | None:
    return CARD_IDS[card] if card >= 0 else None


def _seat(seat: int) -> int | None:
    return seat if seat >= 0 else None


def _hand(s: Any, seat: int) -> tuple[str | None, ...]:
    return tuple(_card(card) for card in s.hand[seat] if card != NONE)


def _stack(s: Any, box: Any, seat: int) -> tuple[str | None, ...]:
    own = s.played[(seat - s.first) % box.players : box.cards : box.players]
    return tuple(_card(card) for card in own if card != NONE)


def _portraits(s: Any, box: Any, row: list[int], seat: int) -> dict[str, int] | None:
    if None in _stack(s, box, seat):
        return None
    return dict(zip(PATRICIAN_NAMES, row[CAPTAINS : ELDERS + 1], strict=True))


def _city_view(s: Any, box: Any, city: int, told: list[int]) -> CityView:
    first, second = (tuple(s.floor[city][site][: s.height[city][site]]) for site in range(SITES))
    high, low = s.won[city]
    return CityView(
        id=CITY_IDS[city],
        floors=box.floors[city],
        towers=(first, second),
        leads=(_seat(told[LEADER]), _seat(told[LEADER + 1])),
        card=_card(s.display[city]),
        tokens=(box.token[city][HIGH], box.token[city][LOW]),
        scored=high != NONE,
        won=(_seat(high), _seat(low)),
        messengers=s.beside[city],
        built=told[BUILT],
        floors_left=told[LEFT],
        leads_by=(told[LEAD], told[LEAD + 1]),
        extra=told[EXTRA],
        messenger_adds=told[ADDS],
    )


def _player_view(s: Any, box: Any, row: list[int], seat: int, own: bool, score: RunningScore | None) -> PlayerView:
    return PlayerView(
        seat=seat,
        colour=COLOURS[seat],
        hand=_hand(s, seat),
        stack=_stack(s, box, seat),
        floors_left=box.supply - row[FLOORS],
        messengers_left=in_python(messengers_left)(s, box, seat),
        tokens=s.tokens[seat],
        token_points=None if _face_down(s, seat) else row[TOKENS] + row[MESSENGERS],
        score=score,
        places=tuple(_card(card) for card in s.hand[seat]) if own else (),
    )


def _face_down(s: Any, seat: int) -> bool:
    """P24: whether tokens of a seat lie face down."""
    return bool(sum(winners.count(seat) for winners in s.won) < s.tokens[seat])


def _running_scores(
    s: Any, box: Any, shown: list[list[int]], known: list[list[int]] | None
) -> tuple[RunningScore | None, ...]:
    """Points of each seat, from the sheet of what lies open and, with the memory aid, of all that could be remembered.

    Tokens that lie face down keep their owner's points hidden. Without the aid they also hide who would get an ambassador
    or the penalty, and a covered stack hides its portraits.
    """
    alone = not (box.messengers or box.ambassadors)
    told = known is not None or alone or not any(HIDDEN in winners for winners in s.won)
    scores: list[RunningScore | None] = []
    for seat in range(box.players):
        seen = known is not None or None not in _stack(s, box, seat)
        row = (known or shown)[seat]
        scores.append(_running_score(box, row) if told and seen and not _face_down(s, seat) else None)
    return tuple(scores)


def _running_score(box: Any, row: list[int]) -> RunningScore:
    shown = dict(zip(PATRICIAN_NAMES, row[CAPTAINS : ELDERS + 1], strict=True))
    extra = ambassador_portraits(box, shown, ambassadors_of(row))
    return RunningScore(
        total=row[TOTAL],
        tokens=row[TOKENS],
        sets=row[PORTRAITS] // box.set_points,
        portraits=row[PORTRAITS],
        messengers=row[MESSENGERS],
        penalty=row[PENALTY],
        ambassadors=tuple(HeldAmbassador(*held) for held in extra.items()) if box.ambassadors else None,
    )


def _ambassadors(s: Any, box: Any, sheet: list[list[int]]) -> dict[str, int | None] | None:
    if not box.ambassadors or any(HIDDEN in winners for winners in s.won):
        return None
    return {
        name: next((seat for seat, row in enumerate(sheet) if row[AMBASSADORS] >> ambassador & 1), None)
        for ambassador, name in enumerate("ABCD")
    }


def _remembered(known: Position, sheet: list[list[int]]) -> Remembered:
    s, box = known.in_lists()
    seats = range(box.players)
    seen = {*s.display, *s.played, *chain(*s.hand)}
    return Remembered(
        hands=tuple(_hand(s, seat) for seat in seats),
        stacks=tuple(tuple(card for card in _stack(s, box, seat) if card) for seat in seats),
        portraits=tuple(dict(zip(PATRICIAN_NAMES, sheet[seat][CAPTAINS : ELDERS + 1], strict=True)) for seat in seats),
        won={CITY_IDS[city]: (high, low) for city, (high, low) in enumerate(s.won) if high != NONE},
        unseen=tuple(CARD_IDS[card] for card in range(box.cards) if card not in seen),
    )
