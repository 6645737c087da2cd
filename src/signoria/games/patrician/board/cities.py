"""Drawings of cities: arms, towers, tokens and the card next to each."""

from typing import NamedTuple

from markupsafe import Markup

from signoria.games.patrician.board.page import page
from signoria.games.patrician.board.words import Lead, lead, tower_label
from signoria.games.patrician.rulebook.components import Card
from signoria.games.patrician.rulebook.steps import Build, Move, Step, Take
from signoria.games.patrician.texts import say
from signoria.games.patrician.view import CityView, View
from signoria.games.patrician.words.names import COLOURS
from signoria.kernel.language import per_language
from signoria.web.drawn import Target, target
from signoria.web.kit.sprite import use

SITE = use("site", "site")
ROOFS = tuple(use("roof", f"roof w{seat}") for seat in range(len(COLOURS)))


class Site(NamedTuple):
    """A building site as it is drawn."""

    target: Target | None
    kind: str
    label: str
    drawn: Markup


def draw_city(view: View, city: CityView, cards: dict[str, Card], legal: frozenset[Step], may_act: bool) -> Markup:
    """A city and the moves that are possible there."""
    here = city.id == view.city
    building = here and view.asked == "build"
    steps: tuple[Step, Step] = (Build(0), Build(1)) if building else (Move(city.id, 0), Move(city.id, 1))
    left, right, take = (target(step, legal, may_act) for step in (*steps, Take(city.id)))
    mine = view.turn if building and view.turn is not None else -1
    return _draw_city(city, cards[city.card] if city.card else None, here, mine, left, right, take)


@per_language(8192)
def _draw_city(
    city: CityView,
    card: Card | None,
    here: bool,
    builder: int,
    left: Target | None,
    right: Target | None,
    take: Target | None,
) -> Markup:
    kind = f"tower raise w{builder}" if builder >= 0 else "tower lift"
    sites = [
        Site(
            site,
            kind,
            _label(tower_label(city, i), builder >= 0) if site and site.can else tower_label(city, i),
            draw_tower(city.id, i, city.towers[i], lead(city, i), city.scored),
        )
        for i, site in enumerate((left, right))
    ]
    return Markup(page().city(city, card, here, sites, take))


def _label(tower: str, builds: bool) -> str:
    return say("Build on {tower}", tower=tower) if builds else say("Move a floor from {tower}", tower=tower)


@per_language(8192)
def draw_tower(city: str, site: int, tower: tuple[int, ...], leads: Lead | None, finished: bool) -> Markup:
    """A tower from the ground up: the site, its floors, and a roof or the leader's pennant."""
    floors = [use(f"floor-{seat}", "floor", f"floor-{city}-{site}-{n}") for n, seat in enumerate(tower)]
    return Markup("".join((SITE, *floors, _top(leads, finished))))


def _top(leads: Lead | None, finished: bool) -> Markup:
    if leads is None:
        return Markup()
    return ROOFS[leads.seat] if finished else _pennant(leads)


@per_language(64)
def _pennant(leads: Lead) -> Markup:
    return Markup('<span class="pennant w{}" aria-hidden="true" title="{}">{}{}</span>').format(
        leads.seat, str(leads), use("pennant", "cloth"), f"+{leads.floors}" if leads.floors else "="
    )
