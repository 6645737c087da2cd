"""Recent events shown in detail: cities founded, lots and roles won, the last round."""

from collections.abc import Sequence
from functools import partial
from operator import itemgetter
from typing import Any, NamedTuple

from markupsafe import Markup

from signoria.games.il_principe.board.page import page
from signoria.games.il_principe.board.words import CITIES, REGIONS, ROLES
from signoria.games.il_principe.rulebook.components import City
from signoria.games.il_principe.texts import say, say_count
from signoria.games.il_principe.view import View
from signoria.games.il_principe.words import amounts
from signoria.games.il_principe.words.events import (
    BuildingsPlayed,
    CityFounded,
    CrestPlaced,
    LotsTurnedUp,
    LotUnsold,
    LotWon,
    RoleLeft,
    RolePoints,
    RolesReturned,
    RoleTaken,
    RoundBegan,
)
from signoria.kernel.language import labelled, per_language
from signoria.web.drawn import Same

Names = tuple[str, ...]
COLOURS = {role: colour for colour, roles in ROLES.items() for role in roles}
"""The colour of every role."""


class Founding(NamedTuple):
    """A city that was founded, and its effects."""

    event: CityFounded
    crests: tuple[str, ...]
    """The regions with the new crests."""
    others: tuple[RolePoints, ...]
    """What other players scored for their roles."""


class Office(NamedTuple):
    """A role that changed hands."""

    role: str
    colour: str
    before: int | None
    after: int | None
    ducats: int


class Roles(NamedTuple):
    """All roles that were assigned or became free."""

    offices: tuple[Office, ...]


class LastRound(NamedTuple):
    """The last round, and how many cards are auctioned in it."""

    event: RoundBegan
    cards: int


class Doings(NamedTuple):
    """What a family did in a round."""

    seat: int
    bought: tuple[LotWon, ...]
    founded: tuple[CityFounded, ...]
    played: tuple[BuildingsPlayed, ...]
    roles: tuple[RoleTaken, ...]
    """The roles it holds since."""


class Recap(NamedTuple):
    """A round that is over."""

    round: int
    doings: tuple[Doings, ...]
    unsold: tuple[LotUnsold, ...]


Scene = Founding | LotWon | LotUnsold | Roles | LastRound


def this_round(lately: Sequence[Any]) -> Sequence[Any]:
    """The events of a round that began lately, with its beginning; those before it are in the recap."""
    began = [place for place, event in enumerate(lately) if isinstance(event, RoundBegan)]
    return lately[began[-1] :] if began else lately


def recap(events: Sequence[Any], number: int, players: int) -> Recap:
    """What every family did in a round."""

    def of(kind: type[Any], seat: int) -> tuple[Any, ...]:
        return tuple(event for event in events if isinstance(event, kind) and event.seat == seat)

    kinds = (LotWon, CityFounded, BuildingsPlayed, RoleTaken)
    doings = tuple(Doings(seat, *(of(kind, seat) for kind in kinds)) for seat in range(players))
    return Recap(number, doings, tuple(event for event in events if isinstance(event, LotUnsold)))


def draw_recap(events: Sequence[Any], view: View, names: Names) -> Markup:
    """The round that ended lately."""
    return _draw_recap(recap(events, view.round - 1, len(view.players)), names)


@per_language(512)
def _draw_recap(one: Recap, names: Names) -> Markup:
    return Markup(page().recap_scene(one, names))


def tell_recap(events: Sequence[Any], view: View, names: Names) -> str:
    """The same in sentences."""
    one = recap(events, view.round - 1, len(view.players))
    told = [say("Round {round} is over.", round=one.round)]
    for doings in one.doings:
        did = [
            say_count(
                "bought {cards} for {n} ducat",
                "bought {cards} for {n} ducats",
                lot.ducats,
                cards=amounts.colour_cards(lot.colour, lot.count),
            )
            for lot in doings.bought
        ]
        did += [say("founded {city}", city=CITIES[city.city]) for city in doings.founded]
        did += [
            say("played {buildings}", buildings=amounts.colour_buildings(play.colour, play.count))
            for play in doings.played
        ]
        did += [say("is {role}", role=role.role) for role in doings.roles]
        told += [f"{labelled(names[doings.seat], ', '.join(did))}."] if did else []
    return " ".join(told)


def scenes(lately: Sequence[Any]) -> list[Scene]:
    """Events that belong together, in order."""
    found: list[tuple[int, Scene]] = []
    given = 0
    for place, event in enumerate(lately):
        rest = lately[place + 1 :]
        match event:
            case CityFounded():
                found.append((place, _founding(event, rest)))
            case LotWon() | LotUnsold():
                found.append((place, event))
            case RoundBegan(last=True):
                cards = sum(sum(lots.lots.values()) for lots in rest if isinstance(lots, LotsTurnedUp))
                found.append((place, LastRound(event, cards)))
            case RolesReturned() | RoleTaken() | RoleLeft():
                given = place
            case _:
                pass
    if offices := _offices(lately):
        found.append((given, Roles(offices)))
    return [scene for _, scene in sorted(found, key=itemgetter(0))]


def _founding(event: CityFounded, rest: Sequence[Any]) -> Founding:
    """What followed a founding, up to the next one."""
    end = next((place for place, other in enumerate(rest) if isinstance(other, CityFounded)), len(rest))
    crests = [other.region for other in rest[:end] if isinstance(other, CrestPlaced) and other.clause == event.clause]
    return Founding(event, tuple(crests), tuple(other for other in rest[:end] if isinstance(other, RolePoints)))


def _offices(lately: Sequence[Any]) -> tuple[Office, ...]:
    """Roles that changed hands, and those that were auctioned."""
    held = {role: seat for event in lately if isinstance(event, RolesReturned) for role, seat in event.held.items()}
    taken = {event.role: event for event in lately if isinstance(event, RoleTaken)}
    left = {event.role for event in lately if isinstance(event, RoleLeft)}
    given = any(isinstance(event, RoundBegan) for event in lately)
    offices = []
    for role, colour in COLOURS.items():
        took, before = taken.get(role), held.get(role)
        if took and (took.seat != before or took.ducats):
            offices.append(Office(role, colour, before, took.seat, took.ducats))
        elif not took and (role in left or (given and before is not None)):
            offices.append(Office(role, colour, before, None, 0))
    return tuple(offices)


def draw_scenes(lately: Sequence[Any], view: View, names: Names) -> Markup:
    """All scenes, the last on top; a city is shown once its crests are placed."""
    cities = {city.id: city for city in view.components.cities}
    shown = [_draw(one, _city(one, cities), names) for one in scenes(this_round(lately)) if not _waits(one, view)]
    return Markup("".join(shown))


def _waits(one: Scene, view: View) -> bool:
    return isinstance(one, Founding) and one.event.city == view.founding


def _city(one: Scene, cities: dict[str, City]) -> Same | None:
    return Same(cities[one.event.city]) if isinstance(one, Founding) else None


@per_language(512)
def _draw(one: Scene, city: Same | None, names: Names) -> str:
    says, draw = _tell(one, names), page()
    match one:
        case Founding(event):
            assert city
            return str(draw.founded_scene(one, city.part, names[event.seat], says))
        case LotWon():
            return str(draw.lot_scene(one, one.seat, one.ducats, says))
        case LotUnsold():
            return str(draw.lot_scene(one, None, 0, says))
        case Roles():
            return str(draw.roles_scene(one))
        case LastRound():
            return str(draw.last_scene(one, says))


def tell_scenes(lately: Sequence[Any], names: Names) -> str:
    """The same in sentences, for screen readers."""
    return " ".join(_tell(one, names) for one in scenes(this_round(lately)))


def _tell(one: Scene, names: Names) -> str:
    """A scene in sentences."""
    match one:
        case Founding():
            return _tell_founding(one, names)
        case LotWon():
            return one.told(names.__getitem__)
        case LotUnsold():
            lot = amounts.colour_cards(one.colour, one.count)
            return say("Nobody bid for {lot}. Removed from the game.", lot=lot)
        case Roles(offices):
            return " ".join(map(partial(_tell_office, names), offices))
        case LastRound(event, cards):
            told = [say("Everyone takes {ducats} but draws no cards.", ducats=amounts.ducats_as_object(event.ducats))]
            if cards:
                told.append(
                    say_count("{n} card from the pile is auctioned.", "{n} cards from the pile are auctioned.", cards)
                )
            return " ".join([*told, say("The game ends after this round.")])


def _tell_founding(one: Founding, names: Names) -> str:
    event = one.event
    told = [
        say(
            "{player} founds {city} and scores {points}.",
            player=names[event.seat],
            city=CITIES[event.city],
            points=amounts.points(event.points),
        )
    ]
    if one.crests:
        told.append(say("Crests: {regions}.", regions=", ".join(REGIONS[region] for region in one.crests)))
    if one.others:
        gains = ", ".join(f"{names[other.seat]} {other.points}" for other in one.others)
        told.append(say("Role points: {gains}.", gains=gains))
    return " ".join(told)


def _tell_office(names: Names, office: Office) -> str:
    if office.after is None:
        return say("Nobody holds the role {role}.", role=office.role)
    return say("{player} is now {role}.", player=names[office.after], role=office.role)
