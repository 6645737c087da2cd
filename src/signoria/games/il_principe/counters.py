"""What the laboratory counts in Il Principe: what each player held, and which clauses came into play."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from signoria.games.il_principe.rulebook.components import (
    CITY_IDS,
    COLOUR_IDS,
    REGION_IDS,
    Components,
    city_name,
    region_name,
)
from signoria.games.il_principe.rulebook.rounds import role_points
from signoria.games.il_principe.rulebook.scoring import DUCATS, HAND, SETS, TOTAL, WON, region_leaders
from signoria.games.il_principe.rulebook.state import (
    ACTING,
    BIDDING,
    CITIES,
    COLOURS,
    CRESTING,
    FOUNDING,
    MAJOR,
    MINOR,
    NONE,
    OVER,
    REGIONS,
    TURNING,
    Box,
    State,
)
from signoria.games.il_principe.rulebook.steps import BIDS, DECLINE, FOUNDS, PASS
from signoria.games.il_principe.words.names import ROLE_NAMES
from signoria.kernel.bits import how_many
from signoria.kernel.compiled import rule
from signoria.kernel.counters import Counters, Happening, ReportedResult, Thing, ThingGroup, ties_counter
from signoria.kernel.words import counted

GROUPS = (
    ThingGroup(
        "Cities",
        "A player has founded the city (I17). Its own points are included. A player who is ahead founds more cities.",
        tuple(Thing(f"city-{city}", city_name(city)) for city in CITY_IDS),
    ),
    ThingGroup(
        "Roles",
        "A player held the role for one more round (I21). Roles go to players with many buildings of the colour.",
        tuple(
            Thing(f"{kind}-{colour}", f"{ROLE_NAMES[role][c]} ({colour})")
            for role, kind in ((MAJOR, "major"), (MINOR, "minor"))
            for c, colour in enumerate(COLOUR_IDS)
        ),
    ),
    ThingGroup(
        "Crests by region",
        "One more crest in the region at the end (I40). A crest comes with a city or with a blue role.",
        tuple(Thing(f"region-{region}", region_name(region)) for region in REGION_IDS),
    ),
    ThingGroup(
        "Buildings by colour",
        "One more building in play at the end, face up or face down.",
        tuple(Thing(f"building-{colour}", colour) for colour in COLOUR_IDS),
    ),
    ThingGroup(
        "Cards bought by colour",
        "One more card bought in an auction (I14), against what it cost.",
        tuple(Thing(f"bought-{colour}", colour) for colour in COLOUR_IDS),
    ),
    ThingGroup(
        "At the end",
        "A player scored for it: the most ducats or cards in hand (I43), or one more set of five colours (I42).",
        (Thing("most-ducats", "most ducats"), Thing("most-cards", "most cards"), Thing("set", "set of five colours")),
    ),
)
ROLES_FROM = CITIES
REGIONS_FROM = ROLES_FROM + 2 * COLOURS
BUILDINGS_FROM = REGIONS_FROM + REGIONS
BOUGHT_FROM = BUILDINGS_FROM + COLOURS
END_FROM = BOUGHT_FROM + COLOURS

HAPPENINGS = (
    Happening("I10", "A round began."),
    Happening("I13", "A player bid."),
    Happening("I13", "An auction was won with a bid above 1 ducat."),
    Happening("I14", "The winner of a lot founded a city at once."),
    Happening("I14", "The winner of a lot could found a city at once and did not."),
    Happening("I15", "A lot was not sold, and its cards left the game."),
    Happening("I16", "A player founded a city in phase 3."),
    Happening("I16", "A player played buildings."),
    Happening("I16", "A player passed in phase 3."),
    Happening("I17", "A founder had fewer crests left than the city shows."),
    Happening("I18", "A player scored for roles when another founded a city."),
    Happening("I22", "A major role was auctioned."),
    Happening("I22", "A minor role was auctioned."),
    Happening("I22", "Nobody bid for a role."),
    Happening("I23", "A green role turned a building face up."),
    Happening("I23", "A blue role placed a crest."),
    Happening("I30", "The game ended because fewer than four cities were face up."),
    Happening("I31", "A last round was played because the pile was too small."),
    Happening("I31", "The game ended because the pile was too small even for a last round."),
    Happening("I40", "Players were tied for the most crests in a region."),
    Happening("I44", "Players were tied for the most points, and a tiebreak decided."),
    Happening("I44", "Players shared the win."),
)
(
    _ROUND,
    _BID,
    _HIGHER,
    _AT_ONCE,
    _NOT_AT_ONCE,
    _UNSOLD,
    _IN_PHASE_3,
    _PLAYED,
    _PASSED,
    _FEW_CRESTS,
    _ROLE_SCORED,
    _MAJOR_AUCTION,
    _MINOR_AUCTION,
    _NO_BID,
    _TURNED_UP,
    _ROLE_CREST,
    _FEW_CITIES,
    _LAST_ROUND,
    _NO_LAST_ROUND,
    _REGION_TIE,
    _TIEBREAK,
    _SHARED,
) = range(len(HAPPENINGS))
count_ties = ties_counter(TOTAL, WON, _SHARED, _TIEBREAK)
"""I44: whether points alone decided."""


@rule
def watch(before: State, s: State, box: Box, step: int, held: Any, counts: Any) -> None:
    """Count what a step has brought into play."""
    if before.asked == BIDDING:
        watch_auction(before, s, step, counts)
    elif before.asked == FOUNDING or before.asked == ACTING:
        watch_founding(before, box, step, counts)
    elif before.asked == CRESTING:
        if before.founding == NONE:
            counts[_ROLE_CREST] += 1
        elif before.crests == 1:
            watch_roles(before, box, before.founding, counts)
    elif before.asked == TURNING:
        counts[_TURNED_UP] += 1
    opened = s.asked == BIDDING and s.phase == 4 and s.bid == 0 and not same_auction(before, s)
    if opened:
        counts[_MAJOR_AUCTION if s.role == MAJOR else _MINOR_AUCTION] += 1
    if round_is_over(before, s):
        end_round(s, box, held, counts)


@rule
def same_auction(before: State, s: State) -> bool:
    """Whether two positions belong to the auction of the same role."""
    same = before.round_number == s.round_number and before.phase == s.phase and before.asked == BIDDING
    return same and before.colour == s.colour and before.role == s.role


@rule
def watch_auction(before: State, s: State, step: int, counts: Any) -> None:
    """I13 to I15, I22: bids, and auctions that ended."""
    if BIDS <= step < PASS:
        counts[_BID] += 1
    lot = before.phase == 2
    if lot and s.gone[before.colour] > before.gone[before.colour]:
        counts[_UNSOLD] += 1
    over = s.asked != BIDDING or s.phase != before.phase or s.colour != before.colour or s.role != before.role
    bid = step - BIDS + 1 if step < PASS else int(before.bid)
    if over and bid > 1:
        counts[_HIGHER] += 1
    if over and bid == 0 and not lot:
        counts[_NO_BID] += 1


@rule
def watch_founding(before: State, box: Box, step: int, counts: Any) -> None:
    """I14, I16, I17: what was done with the chance to found a city."""
    if FOUNDS <= step < DECLINE:
        counts[_AT_ONCE if before.asked == FOUNDING else _IN_PHASE_3] += 1
        city = step - FOUNDS
        if before.crests_left[before.seat] < box.crests[city]:
            counts[_FEW_CRESTS] += 1
        if before.crests_left[before.seat] == 0 or box.crests[city] == 0:
            watch_roles(before, box, city, counts)
    elif step == DECLINE:
        counts[_NOT_AT_ONCE] += 1
    elif step == PASS:
        counts[_PASSED] += 1
    else:
        counts[_PLAYED] += 1


@rule
def watch_roles(before: State, box: Box, city: int, counts: Any) -> None:
    """I18: players who score for roles when another founds a city."""
    scored = 0
    for role in range(2):
        for colour in range(COLOURS):
            if role_points(before, box, before.seat, city, role, colour) > 0:
                scored |= 1 << int(before.holder[role, colour])
    counts[_ROLE_SCORED] += how_many(scored)


@rule
def round_is_over(before: State, s: State) -> bool:
    """Whether phase 4 of a round has ended with this step."""
    in_phase_4 = before.phase == 4 or before.asked == ACTING or (before.asked == CRESTING and before.phase == 3)
    return in_phase_4 and (s.round_number > before.round_number or s.asked == OVER)


@rule
def end_round(s: State, box: Box, held: Any, counts: Any) -> None:
    """I21: who holds which role after a round."""
    for colour in range(COLOURS):
        if s.holder[MAJOR, colour] != NONE:
            held[s.holder[MAJOR, colour], ROLES_FROM + colour] += 1
        if s.holder[MINOR, colour] != NONE:
            held[s.holder[MINOR, colour], ROLES_FROM + COLOURS + colour] += 1


@rule
def finish(s: State, box: Box, sheet: Any, held: Any, counts: Any) -> None:
    """Count what every player held, and how the game ended."""
    counts[_ROUND] += s.round_number
    if s.phase == 1:
        counts[_FEW_CITIES] += 1
    elif s.phase == 2:
        counts[_NO_LAST_ROUND] += 1
    else:
        counts[_LAST_ROUND] += 1
    for city in range(CITIES):
        if s.founder[city] != NONE:
            held[s.founder[city], city] += 1
    for seat in range(box.players):
        for region in range(REGIONS):
            held[seat, REGIONS_FROM + region] += s.region[seat, region]
        for colour in range(COLOURS):
            held[seat, BUILDINGS_FROM + colour] += s.up[seat, colour] + s.down[seat, colour]
            held[seat, BOUGHT_FROM + colour] += s.bought[seat, colour]
        if sheet[seat, DUCATS] > 0:
            held[seat, END_FROM] += 1
        if sheet[seat, HAND] > 0:
            held[seat, END_FROM + 1] += 1
        if box.set_points != 0:
            held[seat, END_FROM + 2] += sheet[seat, SETS] // box.set_points
    finish_regions(s, box, counts)
    count_ties(sheet, box.players, counts)


@rule
def finish_regions(s: State, box: Box, counts: Any) -> None:
    """I40: regions in which several players have the most crests."""
    for region in range(REGIONS):
        _, leaders = region_leaders(s, box, region)
        if leaders > 1:
            counts[_REGION_TIE] += 1


def details(components: Components) -> Mapping[str, str]:
    """What is printed on cities."""
    return {f"city-{city.id}": counted(city.points, "point") for city in components.cities}


COUNTERS = Counters(
    groups=GROUPS,
    happenings=HAPPENINGS,
    watch=watch,
    finish=finish,
    parts=MappingProxyType(
        {
            "game": "cities and roles during the game",
            "roles": "roles at the end",
            "ducats": "most ducats",
            "hand": "most cards",
        }
    ),
    details=details,
    reported=(ReportedResult(4, "total", (61, 52, 51, 41)), ReportedResult(5, "total", (53, 53, 49, 45, 41))),
)
