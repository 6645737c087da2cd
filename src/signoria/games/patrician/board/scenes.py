"""The scoring of a city: both towers floor by floor, who won them and why, and who takes the tokens."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from markupsafe import Markup

from signoria.games.patrician.board.cities import ROOFS, SITE
from signoria.games.patrician.board.page import page
from signoria.games.patrician.board.words import NAMES
from signoria.games.patrician.view import CityView, View
from signoria.games.patrician.words.events import CityScored, TowerWon
from signoria.games.patrician.words.names import SIDES
from signoria.kernel.words import counted
from signoria.web.kit.sprite import use

Names = tuple[str, ...]


class WonTower(NamedTuple):
    """A tower as the scene shows it."""

    rank: str
    side: str
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
        f"{NAMES[event.city]} is scored. {_why(event.high, names)} {_why(event.low, names)}"
        for event in lately
        if isinstance(event, CityScored)
    )


@lru_cache(512)
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
        side=SIDES[won.site],
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
    floors, who = counted(won.floors[won.seat], "floor"), names[won.seat]
    others = [count for seat, count in enumerate(won.floors) if seat != won.seat and count]
    if won.tied:
        level = " and ".join(names[seat] for seat in won.tied if seat != won.seat)
        return f"{who} and {level} have {floors} each. {who} is nearest the top and wins {_prize(won)}."
    if not others:
        return f"{who} has all the floors and wins {_prize(won)}."
    return f"{who} has {floors}, the next player {max(others)}. {who} wins {_prize(won)}."


def _prize(won: TowerWon) -> str:
    points = counted(won.points, "point")
    return f"{points} plus {won.extra} for messengers" if won.extra else points
