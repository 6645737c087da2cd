"""Face-up city cards, and the roles: who holds them and who would take them now."""

from typing import NamedTuple

from markupsafe import Markup

from signoria.games.il_principe.board.page import page
from signoria.games.il_principe.board.words import REGIONS, ROLES, WORTH, city_label, lack_in_words, shortfall
from signoria.games.il_principe.rulebook.components import COLOUR_IDS
from signoria.games.il_principe.rulebook.steps import Found, Step
from signoria.games.il_principe.view import Lack, View
from signoria.games.il_principe.words.names import FAMILIES
from signoria.kernel.language import per_language
from signoria.web.drawn import Same, Target, target

NOTHING = Lack({}, 0)


class Slot(NamedTuple):
    """A building card in the price of a city; `have` if the viewer holds it."""

    colour: str
    have: bool


def draw_cities(view: View, legal: frozenset[Step], may_act: bool) -> list[Markup]:
    """The face-up cities: price, reward and what the viewer still needs."""
    cities = {city.id: city for city in view.components.cities}
    return [
        _draw_city(
            Same((cities[city], view.lacks.get(city, NOTHING))),
            view.gains[city],
            view.may_found,
            city in view.payable,
            target(Found(city), legal, may_act),
        )
        for city in view.cities
    ]


@per_language(2048)
def _draw_city(known: Same, gains: tuple[int, ...], may_found: bool, ready: bool, target: Target | None) -> Markup:
    city, lack = known.part
    slots = [
        Slot(colour, place < count - lack.cards.get(colour, 0))
        for colour, count in city.cards.items()
        for place in range(count)
    ]
    where = ", ".join([REGIONS[region] for region in city.regions])
    scored = [(seat, gain) for seat, gain in enumerate(gains) if gain]
    others = ", ".join([f"{FAMILIES[seat]} {gain}" for seat, gain in scored])
    says = city_label(city), where, slots, lack, lack_in_words(lack), shortfall(lack)
    return Markup(page().city(city, *says, scored, others, may_found, ready, target))


class Tile(NamedTuple):
    """A role's tile: its holder, and who would take it now."""

    name: str
    colour: str
    major: bool
    points: int
    """Points when another player founds a city with its colour, and at the end."""
    holder: int | None
    claims: tuple[int, ...]


def draw_roles(view: View) -> Markup:
    """The roles of this game, in two rows."""
    holders = {role: player.seat for player in view.players for role in player.roles}
    return _draw_roles(
        tuple(
            Tile(role, colour, row == 0, WORTH[row], holders.get(role), view.claims[role])
            for row in range(2)
            for colour in COLOUR_IDS
            if (role := ROLES[colour][row]) in view.claims
        )
    )


@per_language(1024)
def _draw_roles(tiles: tuple[Tile, ...]) -> Markup:
    return Markup(page().tiles(tiles))
