"""Il Principe drawn: cities, the auction, regions, roles, what lies before each player."""

from typing import Any, NamedTuple

from markupsafe import Markup

from signoria.il_principe.components import City, city_name, printed, region_name
from signoria.il_principe.names import CITY_IDS, COLOUR_IDS, FAMILIES, REGION_IDS, ROLE_NAMES, seat_name
from signoria.il_principe.steps import Bid, Crest, Decline, Found, Offer, Pass, Play, Step, Turn
from signoria.il_principe.view import Counts, PlayerView, View
from signoria.web.drawn import MARKS, Drawn
from signoria.web.environment import macros

CITIES = {city: city_name(city) for city in CITY_IDS}
REGIONS = {region: region_name(region) for region in REGION_IDS}
BUILDINGS = dict(zip(COLOUR_IDS, printed()["buildings"]["value"], strict=True))
LETTERS = {colour: colour[0].upper() for colour in COLOUR_IDS}
"""Building colours in a letter, so that none has to be told apart by its colour."""
SEATS = tuple((MARKS["il-principe"][seat], seat_name(seat)) for seat in range(len(FAMILIES)))
PHASES = ("income", "offers and auctions", "cities and buildings", "roles")
QUICK = 4
"""So many of the next bids have a button of their own."""


class Target(NamedTuple):
    """Something that can be pressed, whether or not it is possible now."""

    step: Step
    can: bool


class CityCard(NamedTuple):
    """A face-up city, and whether the viewer may found it."""

    city: City
    target: Target | None


class Row(NamedTuple):
    """The viewer's cards of a colour."""

    colour: str
    held: int
    targets: tuple[tuple[str, Target], ...]
    """What can be done with them, in words."""


class Bids(NamedTuple):
    """What the viewer may bid."""

    least: int
    most: int
    quick: tuple[int, ...]
    """Bids with a button of their own, the last one all there is."""
    can: bool


def draw(view: View, may_act: bool) -> Drawn:
    """The table as this viewer sees it; `may_act` where it stands in a form of steps."""
    page, legal = _page(), frozenset(view.legal) if may_act else frozenset()
    mine = None if view.seat is None else view.players[view.seat]
    hand = Markup() if mine is None else Markup(page.hand(view, mine, _rows(view, mine, legal, may_act)))
    board = page.board(
        view,
        _city_cards(view, legal, may_act),
        [(region, _target(Crest(region), legal, may_act)) for region in REGION_IDS],
        _bids(view, mine, legal) if mine and may_act and view.auction else None,
        [step for step in (Pass(), Decline()) if step in legal],
        _holders(view),
    )
    players = tuple(page.player(view, player) for player in view.players)
    return Drawn(hand, board, players, page.remembered(view) if view.remembered else Markup())


def _target(step: Step, legal: frozenset[Step], may_act: bool) -> Target | None:
    return Target(step, step in legal) if may_act else None


def _city_cards(view: View, legal: frozenset[Step], may_act: bool) -> list[CityCard]:
    cities = {city.id: city for city in view.components.cities}
    return [CityCard(cities[city], _target(Found(city), legal, may_act)) for city in view.cities]


def _rows(view: View, mine: PlayerView, legal: frozenset[Step], may_act: bool) -> list[Row]:
    """A row a colour: cards to offer, to play, or face-down buildings to turn up, as it is asked."""
    hand = mine.hand or {}
    return [
        Row(colour, hand.get(colour, 0), _deeds(view.asked, colour, hand, mine.down, legal) if may_act else ())
        for colour in COLOUR_IDS
    ]


def _deeds(
    asked: str, colour: str, hand: Counts, down: Counts, legal: frozenset[Step]
) -> tuple[tuple[str, Target], ...]:
    steps: list[tuple[str, Step]]
    match asked:
        case "offer":
            steps = [("offer one", Offer(colour))]
        case "turn":
            steps = [(f"turn one up of {down.get(colour, 0)}", Turn(colour))]
        case _:
            count = hand.get(colour, 0)
            steps = [(f"play {n}" if n < count else f"play all {n}", Play(colour, n)) for n in range(1, count + 1)]
    return tuple((says, Target(step, step in legal)) for says, step in steps)


def _bids(view: View, mine: PlayerView, legal: frozenset[Step]) -> Bids:
    possible = sorted(step.ducats for step in legal if isinstance(step, Bid))
    if possible:
        quick = tuple(possible[:QUICK])
        return Bids(possible[0], possible[-1], quick if possible[-1] in quick else (*quick, possible[-1]), True)
    assert view.auction
    least = view.auction.bid + 1
    return Bids(least, max(least, mine.ducats or 0), (), False)


def _holders(view: View) -> dict[str, int]:
    return {role: player.seat for player in view.players for role in player.roles}


def _page() -> Any:
    return macros(
        "il_principe.html",
        cities=CITIES,
        regions=REGIONS,
        buildings=BUILDINGS,
        letters=LETTERS,
        colours=COLOUR_IDS,
        roles=dict(zip(COLOUR_IDS, zip(*ROLE_NAMES, strict=True), strict=True)),
        phases=PHASES,
        seats=SEATS,
        bid=Bid,
    )
