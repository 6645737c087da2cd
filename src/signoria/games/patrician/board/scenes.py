"""The scoring of a city: both towers floor by floor, who won them and why, and who takes the tokens."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from markupsafe import Markup

from signoria.games.patrician.board.cities import ROOFS, SITE
from signoria.games.patrician.board.page import page
from signoria.games.patrician.board.words import NAMES
from signoria.games.patrician.texts import say, say_count
from signoria.games.patrician.view import CityView, View
from signoria.games.patrician.words.events import CityScored, TowerWon
from signoria.kernel.language import all_of, per_language
from signoria.web.kit.sprite import use

Names = tuple[str, ...]


class WonTower(NamedTuple):
    """A tower as the scene shows it."""

    rank: str
    left: bool
    drawn: Markup
    won: TowerWon
    counts: tuple[tuple[int, int], ...]
    """Seats that built here and their floors, most first."""
    why: str
    covered: bool
    """Whether the token lies face down now."""


def draw_scenes(lately: Sequence[Any], view: View, names: Names) -> Markup:
    """Every city that was scored lately, the last on top."""
    cities = {city.id: city for city in view.cities}
    scored = [event for event in lately if isinstance(event, CityScored)]
    return Markup("".join(_draw_scene(event, cities[event.city], names) for event in scored))


def tell_scenes(lately: Sequence[Any], names: Names) -> str:
    """The same in sentences, for screen readers."""
    return " ".join(
        f"{say('{city} is scored.', city=NAMES[event.city])} {_why(event.high, names)} {_why(event.low, names)}"
        for event in lately
        if isinstance(event, CityScored)
    )


@per_language(512)
def _draw_scene(event: CityScored, city: CityView, names: Names) -> Markup:
    towers = sorted(
        (_tower("high", event.high, city, names), _tower("low", event.low, city, names)),
        key=lambda tower: tower.won.site,
    )
    return Markup(page().scored_scene(city, towers))


def _tower(rank: str, won: TowerWon, city: CityView, names: Names) -> WonTower:
    counts = sorted(enumerate(won.floors), key=lambda one: (-one[1], one[0] != won.seat))
    return WonTower(
        rank=rank,
        left=won.site == 0,
        drawn=_drawn(city.towers[won.site], won),
        won=won,
        counts=tuple((seat, floors) for seat, floors in counts if floors),
        why=_why(won, names),
        covered=city.won[rank == "low"] is None,
    )


def _drawn(tower: tuple[int, ...], won: TowerWon) -> Markup:
    """A tower from the ground up; the floor that broke a tie is highlighted (P21)."""
    broke = max(level for level, seat in enumerate(tower) if seat == won.seat) if won.tied else None
    floors = [use(f"floor-{seat}", "floor broke" if level == broke else "floor") for level, seat in enumerate(tower)]
    return Markup().join((SITE, *floors, ROOFS[won.seat]))


def _why(won: TowerWon, names: Names) -> str:
    """Who won a tower and why, in a sentence."""
    who, prize, most = names[won.seat], _prize(won), won.floors[won.seat]
    others = [count for seat, count in enumerate(won.floors) if seat != won.seat and count]
    if won.tied:
        return say_count(
            "{players} have {n} floor each. {player} is nearest the top and wins {prize}.",
            "{players} have {n} floors each. {player} is nearest the top and wins {prize}.",
            most,
            players=all_of([who, *(names[seat] for seat in won.tied if seat != won.seat)]),
            player=who,
            prize=prize,
        )
    if not others:
        return say("{player} has all the floors and wins {prize}.", player=who, prize=prize)
    return say_count(
        "{player} has {n} floor, the next player {second}. {player} wins {prize}.",
        "{player} has {n} floors, the next player {second}. {player} wins {prize}.",
        most,
        player=who,
        second=max(others),
        prize=prize,
    )


def _prize(won: TowerWon) -> str:
    if won.extra:
        return say_count(
            "{n} point plus {extra} for messengers",
            "{n} points plus {extra} for messengers",
            won.points,
            extra=won.extra,
        )
    return say_count("{n} point", "{n} points", won.points)
