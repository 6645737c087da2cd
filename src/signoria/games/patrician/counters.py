"""What the laboratory counts in Patrician: what each player held, and which clauses came into play."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from signoria.games.patrician.rulebook.components import CARD_IDS, CITY_IDS, ROADS, Components, city_name
from signoria.games.patrician.rulebook.rules import counts_at, leaves_a_site_empty
from signoria.games.patrician.rulebook.scoring import (
    AMBASSADORS,
    CAPTAINS,
    PENALTY,
    TOTAL,
    WON,
    A,
    D,
    small_tokens,
    tower_lead,
    tower_of,
)
from signoria.games.patrician.rulebook.state import (
    ANY,
    BUILDING,
    CARDS,
    CITIES,
    HIGH,
    LOW,
    MOVE,
    MOVING,
    NONE,
    SENDING,
    TAKING,
    Box,
    State,
)
from signoria.games.patrician.rulebook.steps import KEEP, SENDS, STAY, TAKES
from signoria.games.patrician.words.names import PATRICIAN_NAMES
from signoria.kernel.compiled import rule
from signoria.kernel.counters import Counters, Happening, ReportedResult, Thing, ThingGroup, ties_counter

_SYMBOLS = ("second crest", "?", "move", "star")

GROUPS = (
    ThingGroup(
        "Cards",
        "A player has played the card. In their first turns they play what they were dealt; later cards are taken beside"
        " the city they build in, so a strong player holds good cards more often.",
        tuple(Thing(card, f"{city_name(card.partition('-')[0])} {card.partition('-')[2]}") for card in CARD_IDS),
    ),
    ThingGroup(
        "Prestige tokens",
        "A player has won the token (P20). Its own points are included.",
        tuple(Thing(f"{city}-{rank}", f"{city_name(city)} {rank}") for city in CITY_IDS for rank in ("high", "low")),
    ),
    ThingGroup(
        "Floors by city",
        "One more floor in the city. Cards decide where a player builds, so this is mostly chance and a little choice.",
        tuple(Thing(f"floors-{city}", city_name(city)) for city in CITY_IDS),
    ),
    ThingGroup(
        "Portraits",
        "One more portrait on the cards played (P22), before ambassadors.",
        tuple(Thing(f"portrait-{who}", who) for who in PATRICIAN_NAMES),
    ),
    ThingGroup(
        "Symbols",
        "One more card played with a second crest (P11), ? (P15), move (P14) or the star (P3).",
        tuple(Thing(f"symbol-{symbol}", symbol) for symbol in _SYMBOLS),
    ),
    ThingGroup(
        "Ambassadors",
        "A player has the ambassador at the end (A1, A3). It goes to players who have won many tokens, so most of its"
        " worth is theirs already.",
        tuple(Thing(f"ambassador-{letter}", letter) for letter in "ABCD"),
    ),
    ThingGroup(
        "Messengers by road",
        "A player's messenger is on the road at the end (M2).",
        tuple(Thing(f"road-{a}-{b}", f"{city_name(a)} - {city_name(b)}") for a, b in ROADS),
    ),
)
TOKENS_FROM = CARDS
FLOORS_FROM = TOKENS_FROM + 2 * CITIES
PORTRAITS_FROM = FLOORS_FROM + CITIES
SYMBOLS_FROM = PORTRAITS_FROM + len(PATRICIAN_NAMES)
AMBASSADORS_FROM = SYMBOLS_FROM + len(_SYMBOLS)
ROADS_FROM = AMBASSADORS_FROM + 4

HAPPENINGS = (
    Happening("P12", "The last floor of a city had to go on the empty site."),
    Happening("P13", "A city was scored."),
    Happening("P14", "A player moved a floor."),
    Happening("P14", "A player could move a floor and did not."),
    Happening("P14", "A card with the move symbol was played, but nothing could be moved."),
    Happening("P15", "A player took a card at another city because of ?."),
    Happening("P15", "A player chose any card because none was at the city."),
    Happening("P15", "A turn ended without taking a card because none was face up."),
    Happening("P16", "A place beside a city stayed empty because the pile was used up."),
    Happening("P20", "One player won both tokens of a city."),
    Happening("P21", "A tie in a tower was decided by the floor nearest the top."),
    Happening("P23", "Players were tied for the most points, and the fewest floors decided."),
    Happening("P23", "Players shared the win."),
    Happening("M2", "A player placed a messenger."),
    Happening("M2", "A player could place a messenger and did not."),
    Happening("M4", "A messenger came too late for a city."),
    Happening("M5", "A tower was won with extra tokens."),
    Happening("M6", "A player lost points for the fewest towers."),
    Happening("A1", "An ambassador went to a player."),
    Happening("A2", "A tie for an ambassador was decided by a pictured token."),
)
(
    _EMPTY_SITE,
    _FILLED,
    _MOVED,
    _DID_NOT_MOVE,
    _COULD_NOT_MOVE,
    _TOOK_ELSEWHERE,
    _TOOK_ANY,
    _TOOK_NOTHING,
    _LEFT_EMPTY,
    _BOTH_TOKENS,
    _TOP_FLOOR,
    _FEWEST_FLOORS,
    _SHARED,
    _SENT,
    _KEPT,
    _TOO_LATE,
    _EXTRA,
    _PENALISED,
    _EMBASSY,
    _PICTURED,
) = range(len(HAPPENINGS))
count_ties = ties_counter(TOTAL, WON, _SHARED, _FEWEST_FLOORS)
"""P23: whether points alone decided."""


@rule
def watch(before: State, s: State, box: Box, step: int, held: Any, counts: Any) -> None:
    """Count what a step has brought into play."""
    if before.asked == BUILDING:
        watch_building(before, s, box, counts)
    elif before.asked == MOVING:
        counts[_DID_NOT_MOVE if step == STAY else _MOVED] += 1
    elif before.asked == TAKING:
        watch_taking(before, s, box, step - TAKES, counts)
    elif before.asked == SENDING:
        watch_sending(before, box, step, counts)
    if (before.asked == BUILDING or before.asked == MOVING) and not (
        s.asked == BUILDING or s.asked == MOVING or s.asked == TAKING
    ):
        counts[_TOOK_NOTHING] += 1


@rule
def watch_building(before: State, s: State, box: Box, counts: Any) -> None:
    """P11 to P14: what a floor changed."""
    city = before.city
    if leaves_a_site_empty(before, box, city, 0) or leaves_a_site_empty(before, box, city, 1):
        counts[_EMPTY_SITE] += 1
    if before.won[city, HIGH] == NONE and s.won[city, HIGH] != NONE:
        counts[_FILLED] += 1
        if s.won[city, HIGH] == s.won[city, LOW]:
            counts[_BOTH_TOKENS] += 1
        for token in range(2):
            if tower_lead(s, box, city, tower_of(s, city, token)) == 0:
                counts[_TOP_FLOOR] += 1
            if s.escorts[city] > 0:
                counts[_EXTRA] += 1
    if s.asked != BUILDING and s.asked != MOVING and box.symbol[before.card] == MOVE:
        counts[_COULD_NOT_MOVE] += 1


@rule
def watch_taking(before: State, s: State, box: Box, city: int, counts: Any) -> None:
    """P15, P16: which card was taken, and whether another one came."""
    if city != before.city:
        if before.display[before.city] == NONE:
            counts[_TOOK_ANY] += 1
        elif box.symbol[before.card] == ANY:
            counts[_TOOK_ELSEWHERE] += 1
    if s.display[city] == NONE:
        counts[_LEFT_EMPTY] += 1


@rule
def watch_sending(before: State, box: Box, step: int, counts: Any) -> None:
    """M2, M4: whether a messenger was placed, and whether it came in time."""
    if step == KEEP:
        counts[_KEPT] += 1
        return
    counts[_SENT] += 1
    for end in range(2):
        if not counts_at(before, box, box.road[step - SENDS, end]):
            counts[_TOO_LATE] += 1


@rule
def finish(s: State, box: Box, sheet: Any, held: Any, counts: Any) -> None:
    """Count what every player held, and how ties were decided."""
    seat = int(s.first)
    for turn in range(box.cards):
        hold_card(box, int(s.played[turn]), seat, held)
        seat = seat + 1 if seat + 1 < box.players else 0
    for city in range(box.cities):
        for token in range(2):
            held[s.won[city, token], TOKENS_FROM + 2 * city + token] += 1
        for owner in range(box.players):
            held[owner, FLOORS_FROM + city] += s.floors[owner, city]
    for road in range(box.roads):
        if s.messenger[road] != NONE:
            held[s.messenger[road], ROADS_FROM + road] += 1
    for owner in range(box.players):
        for who in range(3):
            held[owner, PORTRAITS_FROM + who] += sheet[owner, CAPTAINS + who]
        for ambassador in range(A, D + 1):
            if int(sheet[owner, AMBASSADORS]) >> ambassador & 1:
                held[owner, AMBASSADORS_FROM + ambassador] += 1
                counts[_EMBASSY] += 1
                if ambassador < D and tied_for(s, box, ambassador, owner):
                    counts[_PICTURED] += 1
        if sheet[owner, PENALTY] != 0:
            counts[_PENALISED] += 1
    count_ties(sheet, box.players, counts)


@rule
def hold_card(box: Box, card: int, seat: int, held: Any) -> None:
    """Count a card that a seat has played, and its symbols."""
    held[seat, card] += 1
    if box.crests[card] == 2:
        held[seat, SYMBOLS_FROM] += 1
    if box.symbol[card] == ANY:
        held[seat, SYMBOLS_FROM + 1] += 1
    if box.symbol[card] == MOVE:
        held[seat, SYMBOLS_FROM + 2] += 1
    if box.start[card] == 1:
        held[seat, SYMBOLS_FROM + 3] += 1


@rule
def tied_for(s: State, box: Box, ambassador: int, holder: int) -> bool:
    """A2: whether another seat has as many of the tokens that an ambassador counts as its holder."""
    points, tied = int(box.ambassador_token[ambassador]), False
    most = small_tokens(s, box, holder, points)
    for seat in range(box.players):
        tied = tied or (seat != holder and small_tokens(s, box, seat, points) == most)
    return tied


def details(components: Components) -> Mapping[str, str]:
    """What is printed on cards and tokens."""
    cards = {card.id: card.shows for card in components.cards}
    tokens = {
        f"{city.id}-{rank}": f"{points} points"
        for city in components.cities
        for rank, points in (("high", city.high), ("low", city.low))
    }
    return cards | tokens


COUNTERS = Counters(
    groups=GROUPS,
    happenings=HAPPENINGS,
    watch=watch,
    finish=finish,
    parts=MappingProxyType({"penalty": "penalty for messengers"}),
    details=details,
    reported=(ReportedResult(3, "total", (62, 48, 31)), ReportedResult(2, "portraits", (24, 18))),
)
