"""Il Principe drawn: cities, the auction, regions, roles, what lies before each player."""

from functools import cache, lru_cache
from typing import Any, NamedTuple

from markupsafe import Markup

from signoria.il_principe.components import city_name, printed, region_name
from signoria.il_principe.names import CITY_IDS, COLOUR_IDS, FAMILIES, REGION_IDS, ROLE_NAMES, seat_name
from signoria.il_principe.steps import Bid, Crest, Decline, Found, Offer, Pass, Play, Step, Turn
from signoria.il_principe.view import Counts, PlayerView, View
from signoria.web.drawn import Drawn, Same, Target, begin, end, mark, target
from signoria.web.environment import macros

CITIES = {city: city_name(city) for city in CITY_IDS}
REGIONS = {region: region_name(region) for region in REGION_IDS}
BUILDINGS = dict(zip(COLOUR_IDS, printed()["buildings"]["value"], strict=True))
LETTERS = {colour: colour[0].upper() for colour in COLOUR_IDS}
"""Building colours in a letter, so that none has to be told apart by its colour."""
SEATS = tuple(mark("il-principe", seat, seat_name(seat)) for seat in range(len(FAMILIES)))
PHASES = ("income and offers", "auctions", "cities and buildings", "roles")
QUICK = 4
"""So many of the next bids have a button of their own."""


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
        [_draw_city(city, target) for city, target in _city_cards(view, legal, may_act)],
        _draw_regions(Same([player.crests for player in view.players]), _region_targets(legal, may_act)),
        _draw_roles(Same([(player.up, player.roles) for player in view.players])),
        _bids(view, mine, legal) if mine and may_act and view.auction else None,
        [step for step in (Pass(), Decline()) if step in legal],
    )
    players = tuple(_draw_player(Same(player), player.seat == view.seat) for player in view.players)
    return Drawn(hand, board, players, page.remembered(view) if view.remembered else Markup())


def _city_cards(view: View, legal: frozenset[Step], may_act: bool) -> list[tuple[Same, Target | None]]:
    cities = {city.id: city for city in view.components.cities}
    return [(Same(cities[city]), target(Found(city), legal, may_act)) for city in view.cities]


@lru_cache(512)
def _draw_city(city: Same, target: Target | None) -> Markup:
    return Markup(_page().city(city.part, target))


def _region_targets(legal: frozenset[Step], may_act: bool) -> tuple[Target | None, ...]:
    return tuple([target(Crest(region), legal, may_act) for region in REGION_IDS])


@lru_cache(1024)
def _draw_regions(crests: Same, targets: tuple[Target | None, ...]) -> Markup:
    rows = [
        (region, target, [(SEATS[seat], there[region]) for seat, there in enumerate(crests.part) if region in there])
        for region, target in zip(REGION_IDS, targets, strict=True)
    ]
    return Markup(_page().places(rows))


@lru_cache(1024)
def _draw_roles(players: Same) -> Markup:
    holders = {role: SEATS[seat] for seat, (_, roles) in enumerate(players.part) for role in roles}
    face_up = {
        colour: [(SEATS[seat], up[colour]) for seat, (up, _) in enumerate(players.part) if colour in up]
        for colour in COLOUR_IDS
    }
    return Markup(_page().roles(holders, face_up, len(players.part) > 2))


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
            shown = range(1, count + 1) if asked == "act" else range(1, min(count, 1) + 1)
            steps = [(f"play {n}" if n < count or n == 1 else f"play all {n}", Play(colour, n)) for n in shown]
    return tuple((says, Target(step, step in legal)) for says, step in steps)


def _bids(view: View, mine: PlayerView, legal: frozenset[Step]) -> Bids:
    possible = sorted(step.ducats for step in legal if isinstance(step, Bid))
    if possible:
        quick = tuple(possible[:QUICK])
        return Bids(possible[0], possible[-1], quick if possible[-1] in quick else (*quick, possible[-1]), True)
    assert view.auction
    least = view.auction.bid + 1
    return Bids(least, max(least, mine.ducats or 0), (), False)


@lru_cache(2048)
def _draw_player(player: Same, own: bool) -> Markup:
    return Markup(_page().player(player.part, own))


@lru_cache(2048)
def _chip(colour: str, count: int) -> Markup:
    return Markup('<b class="chip c-{}" title="{} {} ({})">{}{}</b>').format(
        colour, count, colour, BUILDINGS[colour], count, LETTERS[colour]
    )


def chips(counts: Counts) -> Markup:
    """Cards by colour, each a number and a letter."""
    return Markup("").join([_chip(colour, counts[colour]) for colour in COLOUR_IDS if colour in counts])


@cache
def _page() -> Any:
    return macros(
        "il_principe.html",
        cities=CITIES,
        regions=REGIONS,
        buildings=BUILDINGS,
        letters=LETTERS,
        colours=COLOUR_IDS,
        role_names=dict(zip(COLOUR_IDS, zip(*ROLE_NAMES, strict=True), strict=True)),
        phases=PHASES,
        seats=SEATS,
        families=FAMILIES,
        bid=Bid,
        chip=_chip,
        chips=chips,
        begin=begin,
        end=end,
    )
