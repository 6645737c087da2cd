"""The events that a step caused, found by running the stages after it once more."""

from typing import Any

from signoria.games.il_principe.rulebook.components import CITY_IDS, COLOUR_IDS
from signoria.games.il_principe.rulebook.rounds import go_on
from signoria.games.il_principe.rulebook.rules import make
from signoria.games.il_principe.rulebook.state import (
    ACTORS,
    BIDDING,
    BLUE,
    FOUNDED,
    GREEN,
    HAMMER,
    INCOME,
    LOTS,
    MAJOR,
    MAJORS,
    MINORS,
    NOBODY,
    NONE,
    OVER,
    RED,
    REVEAL,
    WHITE,
)
from signoria.games.il_principe.rulebook.steps import (
    Bid,
    Crest,
    Decline,
    Found,
    Offer,
    Pass,
    Play,
    Step,
    Turn,
    number_of,
)
from signoria.games.il_principe.words.events import (
    AuctionOpened,
    BidMade,
    BuildingsPlayed,
    BuildingTurnedUp,
    CardLaid,
    CityFounded,
    CityTurnedUp,
    CrestPlaced,
    Declined,
    Event,
    GameEnded,
    LotsTurnedUp,
    LotUnsold,
    LotWon,
    Passed,
    RoleLeft,
    RolePoints,
    RolesReturned,
    RoleTaken,
    RoundBegan,
)
from signoria.games.il_principe.words.names import ROLE_NAMES
from signoria.kernel.position import Position


def events(before: Position, step: Step) -> tuple[Event, ...]:
    """The events that a step caused, in order."""
    told: list[Event] = [_step_event(before.state, before.box, step)]
    position = before.copy()
    position.call(make, number_of(step))
    was, box = position.in_lists() if position.asked == NOBODY else (None, None)
    while position.asked == NOBODY:
        position.call(go_on)
        now, _ = position.in_lists()
        told.extend(_stage_events(was, now, box))
        was = now
    if position.over:
        told.append(GameEnded(end_clause(position.state, position.box)))
    return tuple(told)


def end_clause(s: Any, box: Any) -> str:
    """Why a game is over: too few cities at the end of phase 1 (I30), or the last round (I31, I32)."""
    return "I30" if s.phase == 1 else last_round_clause(box)


def last_round_clause(box: Any) -> str:
    """The clause of the last round: two players have their own."""
    return "I32" if box.players == 2 else "I31"


def _step_event(s: Any, box: Any, step: Step) -> Event:
    match step:
        case Offer():
            return CardLaid("I11", s.seat)
        case Bid(ducats):
            return BidMade("I13", s.seat, ducats)
        case Pass():
            return Passed("I13" if s.asked == BIDDING else "I16", s.seat)
        case Decline():
            return Declined("I14", s.seat)
        case Play(colour, count):
            return BuildingsPlayed("I16", s.seat, colour, count)
        case Found(city):
            number = CITY_IDS.index(city)
            return CityFounded("I17", s.seat, city, int(box.ducats[number]), int(box.points[number]))
        case Crest(region):
            return CrestPlaced("I17" if s.founding != NONE else "I23", s.seat, region)
        case Turn(colour):
            return BuildingTurnedUp("I23", s.seat, colour)


def _stage_events(was: Any, now: Any, box: Any) -> list[Event]:
    """The events of one stage."""
    told: list[Event] = []
    match was.stage:
        case value if value == INCOME:
            clause = last_round_clause(box) if now.last else "I10"
            told.append(RoundBegan(clause, now.round_number, bool(now.last), box.income, 0 if now.last else box.draws))
        case value if value == REVEAL and now.asked != OVER:
            clause = last_round_clause(box) if now.last else "I12"
            told.append(LotsTurnedUp(clause, {COLOUR_IDS[c]: count for c, count in enumerate(now.lot) if count}))
        case value if value == HAMMER:
            told.extend(_hammer_events(was, now))
        case value if value == FOUNDED:
            gains = [now.points[seat] - was.points[seat] for seat in range(box.players)]
            told.extend(RolePoints("I18", seat, gain) for seat, gain in enumerate(gains) if gain)
            told.extend(CityTurnedUp("I19", CITY_IDS[c]) for c in now.display if c != NONE and c not in was.display)
        case value if value == ACTORS and now.phase == 4:
            held = _held(was)
            told.extend([RolesReturned("I20", held)] if held else [])
        case value if value in (MAJORS, MINORS) and now.asked != BIDDING:
            told.extend(_role_events(was, now))
    if was.stage in (LOTS, MAJORS, MINORS) and now.asked == BIDDING:
        order = [(now.principe + i) % box.players for i in range(box.players)]
        bidders = tuple(seat for seat in order if now.bidding >> seat & 1)
        colour = COLOUR_IDS[now.colour]
        if was.stage == LOTS:
            told.append(AuctionOpened("I12", colour, now.lot[now.colour], "", bidders))
        else:
            told.append(AuctionOpened("I22", colour, 0, ROLE_NAMES[now.role][now.colour], bidders))
    return told


def _held(s: Any) -> dict[str, int]:
    """Seats by the role they hold."""
    return {
        name: seat
        for names, seats in zip(ROLE_NAMES, s.holder, strict=True)
        for name, seat in zip(names, seats, strict=True)
        if seat != NONE
    }


def _hammer_events(was: Any, now: Any) -> list[Event]:
    colour = was.colour
    if was.phase == 4:
        if was.bidder == NONE:
            return [RoleLeft("I22", ROLE_NAMES[was.role][colour])]
        return _role_events(was, now)
    if was.bidder == NONE:
        return [LotUnsold("I15", COLOUR_IDS[colour], was.lot[colour])]
    return [LotWon("I14", was.bidder, COLOUR_IDS[colour], was.lot[colour], was.bid)]


def _role_events(was: Any, now: Any) -> list[Event]:
    """The role that a stage assigned, if any."""
    colour, role = now.colour, now.role
    if colour == NONE or now.holder[role][colour] == NONE:
        return []
    seat = now.holder[role][colour]
    turned = now.down[seat][colour] - was.down[seat][colour] if role == MAJOR else 0
    price = was.bid if was.stage == HAMMER else 0
    return [
        RoleTaken(
            "I22" if price else "I21",
            seat,
            ROLE_NAMES[role][colour],
            COLOUR_IDS[colour],
            price,
            turned,
            **_ability(was, now, seat),
        )
    ]


def _ability(was: Any, now: Any, seat: int) -> dict[str, int]:
    """I23: what an ability gave, if it needs no choice."""
    match now.colour:
        case value if value == WHITE:
            return {"points": now.points[seat] - was.points[seat]}
        case value if value == RED:
            return {"drawn": int(now.drawn > was.drawn)}
        case value if value in (GREEN, BLUE):
            return {}
    return {"income": now.ducats[seat] - was.ducats[seat] + (was.bid if was.stage == HAMMER else 0)}
