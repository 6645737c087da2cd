"""What a step brought about, told while the stages that follow it are run once more. Every event is public."""

from types import SimpleNamespace
from typing import Any

import msgspec

from signoria.il_principe.components import city_name, region_name
from signoria.il_principe.names import CITY_IDS, COLOUR_IDS, ROLE_NAMES, seat_name
from signoria.il_principe.rounds import go_on
from signoria.il_principe.rules import make
from signoria.il_principe.state import (
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
from signoria.il_principe.steps import Bid, Crest, Decline, Found, Offer, Pass, Play, Step, Turn, number_of
from signoria.kernel.compiled import rule
from signoria.kernel.layout import Records, copied, first, fixed_in_lists, in_lists


class _Event(msgspec.Struct, frozen=True, tag_field="event", tag=True):
    """Something that happened; `str` tells it in a sentence."""

    clause: str


class CardLaid(_Event, frozen=True):
    """A card was laid face down; which one is not told."""

    seat: int

    def __str__(self) -> str:
        return f"{seat_name(self.seat)} lays a card face down."


class BidMade(_Event, frozen=True):
    """Somebody bid."""

    seat: int
    ducats: int

    def __str__(self) -> str:
        return f"{seat_name(self.seat)} bids {self.ducats}."


class Passed(_Event, frozen=True):
    """Somebody passed, in an auction or in phase 3."""

    seat: int

    def __str__(self) -> str:
        return f"{seat_name(self.seat)} passes."


class Declined(_Event, frozen=True):
    """Somebody who won a lot founds no city."""

    seat: int

    def __str__(self) -> str:
        return f"{seat_name(self.seat)} founds no city now."


class BuildingsPlayed(_Event, frozen=True):
    """Cards of a colour were played face up."""

    seat: int
    colour: str
    count: int

    def __str__(self) -> str:
        return f"{seat_name(self.seat)} plays {self.count} {self.colour}."


class CityFounded(_Event, frozen=True):
    """A city was founded and its points taken."""

    seat: int
    city: str
    ducats: int
    points: int

    def __str__(self) -> str:
        return (
            f"{seat_name(self.seat)} founds {city_name(self.city)} for {self.ducats} ducats and {self.points} points."
        )


class CrestPlaced(_Event, frozen=True):
    """A crest was put on a region."""

    seat: int
    region: str

    def __str__(self) -> str:
        return f"{seat_name(self.seat)} puts a crest on {region_name(self.region)}."


class BuildingTurnedUp(_Event, frozen=True):
    """A face-down building was turned up for a green role."""

    seat: int
    colour: str

    def __str__(self) -> str:
        return f"{seat_name(self.seat)} turns up a {self.colour} building."


class RoundBegan(_Event, frozen=True):
    """Everyone had their income."""

    round: int
    last: bool
    ducats: int
    cards: int
    """Cards that everyone drew."""

    def __str__(self) -> str:
        cards = f" and draws {self.cards} cards" if self.cards else ""
        return f"Round {self.round}{', the last,' if self.last else ''} begins: everyone takes {self.ducats} ducats{cards}."


class LotsTurnedUp(_Event, frozen=True):
    """The cards to be auctioned lie open."""

    lots: dict[str, int]

    def __str__(self) -> str:
        return f"To be auctioned: {', '.join(f'{count} {colour}' for colour, count in self.lots.items()) or 'nothing'}."


class AuctionOpened(_Event, frozen=True):
    """A lot or a role is auctioned."""

    what: str
    bidders: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.what} is auctioned among {', '.join(map(seat_name, self.bidders))}."


class LotWon(_Event, frozen=True):
    """The highest bidder took a lot and is Il Principe."""

    seat: int
    colour: str
    count: int
    ducats: int

    def __str__(self) -> str:
        return f"{seat_name(self.seat)} takes {self.count} {self.colour} for {self.ducats} and is Il Principe."


class LotUnsold(_Event, frozen=True):
    """Nobody bid; the cards left the game."""

    colour: str
    count: int

    def __str__(self) -> str:
        leaves = "it leaves" if self.count == 1 else "they leave"
        return f"Nobody wants {self.count} {self.colour}: {leaves} the game."


class RolesReturned(_Event, frozen=True):
    """All roles were handed back, to be given out anew."""

    held: dict[str, int]
    """Who held which."""

    def __str__(self) -> str:
        return "All roles are handed back."


class RoleTaken(_Event, frozen=True):
    """A role was taken, and its ability done unless somebody has to choose."""

    seat: int
    role: str
    colour: str
    ducats: int
    """What it cost in an auction; 0 without one."""
    turned_down: int
    """Buildings that a major role turned face down."""
    ability: str

    def __str__(self) -> str:
        price = f" for {self.ducats} and Il Principe" if self.ducats else ""
        turned = f", turns {self.turned_down} down" if self.turned_down else ""
        ability = f" and {self.ability}" if self.ability else ""
        return f"{seat_name(self.seat)} is {self.role} (the {self.colour} role){price}{turned}{ability}."


class RoleLeft(_Event, frozen=True):
    """A role that was auctioned stays out: all passed."""

    role: str

    def __str__(self) -> str:
        return f"Nobody bids: the {self.role} stays out."


class RolePoints(_Event, frozen=True):
    """Points for roles in the colours of a founded city."""

    seat: int
    points: int

    def __str__(self) -> str:
        return f"{seat_name(self.seat)} scores {self.points} for roles."


class CityTurnedUp(_Event, frozen=True):
    """The next city card was turned up."""

    city: str

    def __str__(self) -> str:
        return f"{city_name(self.city)} is turned up."


class GameEnded(_Event, frozen=True):
    """The game is over: for want of cities (I30), or after a last round or for want of cards in it (I31, I32)."""

    def __str__(self) -> str:
        return f"The game is over: {'fewer than four cities lie face up' if self.clause == 'I30' else 'the pile is used up'}."


Event = (
    CardLaid
    | BidMade
    | Passed
    | Declined
    | BuildingsPlayed
    | CityFounded
    | CrestPlaced
    | BuildingTurnedUp
    | RoundBegan
    | LotsTurnedUp
    | AuctionOpened
    | LotWon
    | LotUnsold
    | RolesReturned
    | RoleTaken
    | RoleLeft
    | RolePoints
    | CityTurnedUp
    | GameEnded
)


@rule
def make_first(states: Any, boxes: Any, step: int) -> None:
    """`make` on an array of one state."""
    make(states[0], boxes[0], step)


@rule
def go_on_first(states: Any, boxes: Any) -> None:
    """`go_on` on an array of one state."""
    go_on(states[0], boxes[0])


def events(before: Records, boxes: Records, step: Step) -> tuple[Event, ...]:
    """What a step brought about, in order."""
    states = copied(before)
    box = fixed_in_lists(boxes)
    told: list[Event] = [_step_event(first(before), box, step)]
    make_first(states, boxes, number_of(step))
    s = first(states)
    if s.asked == NOBODY:
        s = in_lists(states)
    while s.asked == NOBODY:
        go_on_first(states, boxes)
        now = in_lists(states)
        told.extend(_stage_events(s, now, box))
        s = now
    if s.asked == OVER:
        told.append(GameEnded(end_clause(s, box)))
    return tuple(told)


def end_clause(s: SimpleNamespace, box: SimpleNamespace) -> str:
    """Why a game is over: too few cities at the end of phase 1 (I30), or the last round (I31, I32)."""
    return "I30" if s.phase == 1 else last_round_clause(box)


def last_round_clause(box: SimpleNamespace) -> str:
    """The clause of the last round: two players have their own."""
    return "I32" if box.players == 2 else "I31"


def _step_event(s: SimpleNamespace, box: SimpleNamespace, step: Step) -> Event:
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
            return CityFounded("I17", s.seat, city, box.ducats[number], box.points[number])
        case Crest(region):
            return CrestPlaced("I17" if s.founding != NONE else "I23", s.seat, region)
        case Turn(colour):
            return BuildingTurnedUp("I23", s.seat, colour)


def _stage_events(was: SimpleNamespace, now: SimpleNamespace, box: SimpleNamespace) -> list[Event]:
    """What one stage brought about."""
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
        lot = was.stage == LOTS
        what = f"The lot of {now.lot[now.colour]} {colour}" if lot else f"The {ROLE_NAMES[now.role][now.colour]}"
        told.append(AuctionOpened("I12" if lot else "I22", what, bidders))
    return told


def _held(s: SimpleNamespace) -> dict[str, int]:
    """Who holds which role."""
    return {
        name: seat
        for names, seats in zip(ROLE_NAMES, s.holder, strict=True)
        for name, seat in zip(names, seats, strict=True)
        if seat != NONE
    }


def _hammer_events(was: SimpleNamespace, now: SimpleNamespace) -> list[Event]:
    colour = was.colour
    if was.phase == 4:
        if was.bidder == NONE:
            return [RoleLeft("I22", ROLE_NAMES[was.role][colour])]
        return _role_events(was, now)
    if was.bidder == NONE:
        return [LotUnsold("I15", COLOUR_IDS[colour], was.lot[colour])]
    return [LotWon("I14", was.bidder, COLOUR_IDS[colour], was.lot[colour], was.bid)]


def _role_events(was: SimpleNamespace, now: SimpleNamespace) -> list[Event]:
    """The role that a stage gave out, if any."""
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
            _ability(was, now, seat),
        )
    ]


def _ability(was: SimpleNamespace, now: SimpleNamespace, seat: int) -> str:
    """I23 in words, as far as it is done without a choice."""
    match now.colour:
        case value if value == GREEN:
            return ""
        case value if value == WHITE:
            return "takes a point"
        case value if value == RED:
            return "draws a card" if now.drawn > was.drawn else ""
        case value if value == BLUE:
            return ""
    return f"takes {now.ducats[seat] - was.ducats[seat] + (was.bid if was.stage == HAMMER else 0)} ducats"
