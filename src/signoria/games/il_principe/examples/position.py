"""Prepared positions, for examples of clauses and for tests."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal

from signoria.games.il_principe.game import IL_PRINCIPE
from signoria.games.il_principe.rulebook.components import CITY_IDS, COLOUR_IDS, REGION_IDS
from signoria.games.il_principe.rulebook.rounds import go_on
from signoria.games.il_principe.rulebook.state import ACTING, INCOME, LOTS, MAJORS, NOBODY, NONE, OFFERING, OVER
from signoria.games.il_principe.rulebook.steps import Step
from signoria.games.il_principe.view import View
from signoria.games.il_principe.words.events import Event
from signoria.kernel.table import Table, open_game

PrincipeTable = Table[Step, View, Event]
Cards = Mapping[str, int]
"""How many of each colour: `{"green": 2}`."""
At = Literal["income", "offer", "auction", "act", "roles", "over"]

FOUR = ("siena", "orvieto", "venezia", "verona")
"""Small cities that lie face up unless a test says otherwise."""
_WITHOUT = ("colour", "bidder", "founding", "pile", "display", "city_pile", "founder", "holder")
_PHASES = {"income": 1, "offer": 1, "auction": 2, "act": 3, "roles": 4, "over": 4}
_ASKED = {"offer": OFFERING, "act": ACTING, "over": OVER}
_STAGES = {"income": INCOME, "auction": LOTS, "roles": MAJORS}


def position(
    players: int = 3,
    *,
    at: At = "act",
    hands: Mapping[int, Cards] | None = None,
    up: Mapping[int, Cards] | None = None,
    down: Mapping[int, Cards] | None = None,
    ducats: Sequence[int] = (),
    points: Sequence[int] = (),
    crests: Mapping[int, Cards] | None = None,
    crests_left: Mapping[int, int] | None = None,
    display: Sequence[str] = FOUR,
    city_pile: Sequence[str] = (),
    pile: Sequence[str] = (),
    lots: Cards | None = None,
    roles: Mapping[str, int] | None = None,
    principe: int = 0,
    acted: int = 0,
    round_number: int = 2,
    last: bool = False,
    own: Path | None = None,
    memory_aid: bool = True,
    **options: Any,
) -> PrincipeTable:
    """A table at its first decision; everything that is not given is empty.

    `at` is the moment: the start of the round (`income`), the offers, the auctions of `lots`, phase 3 (`act`) after
    `acted` players have had their turn, phase 4 (`roles`), or the end. `ducats` and `points` have one number per seat.
    `crests` are those on the regions; the rest of the twelve are left unless `crests_left` says otherwise. `pile` and
    `city_pile` list the next card first. `roles` look like `{"major green": 0, "minor white": 2}`. All other cards have
    left the game unsold.
    """
    table = open_game(IL_PRINCIPE, {"players": players, **options}, seed=1, own=own, memory_aid=memory_aid)
    s, box = table.position.state, table.position.box
    for name in table.game.state.names or ():
        setattr(s, name, NONE if name in _WITHOUT else 0)
    s.first = s.principe = principe
    s.seat = (principe + acted) % players
    s.acted, s.last, s.phase = acted, last, _PHASES[at]
    s.round_number = round_number - 1 if at == "income" else round_number
    _lay(s.hand, hands)
    _lay(s.up, up)
    _lay(s.down, down)
    s.cards[:] = s.hand.sum(axis=1)
    s.ducats[: len(ducats)] = ducats
    s.points[: len(points)] = points
    for seat, counts in (crests or {}).items():
        for region, count in counts.items():
            s.region[seat, REGION_IDS.index(region)] = count
    s.crests_left[:players] = box.crests_each - s.region[:players].sum(axis=1)
    for seat, count in (crests_left or {}).items():
        s.crests_left[seat] = count
    s.display[: len(display)] = [CITY_IDS.index(city) for city in display]
    s.turned_up = box.cities - len(city_pile)
    s.city_pile[s.turned_up : box.cities] = [CITY_IDS.index(city) for city in city_pile]
    s.drawn = box.buildings - len(pile)
    s.pile[s.drawn : box.buildings] = [COLOUR_IDS.index(colour) for colour in pile]
    for colour, count in (lots or {}).items():
        s.lot[COLOUR_IDS.index(colour)] = count
    for role, seat in (roles or {}).items():
        rank, colour = role.split()
        s.holder[("major", "minor").index(rank), COLOUR_IDS.index(colour)] = seat
    for c, colour in enumerate(COLOUR_IDS):
        somewhere = s.hand[:, c].sum() + s.up[:, c].sum() + s.down[:, c].sum() + s.lot[c] + list(pile).count(colour)
        s.gone[c] = box.a_colour - somewhere
        assert s.gone[c] >= 0, f"There are only {box.a_colour} {colour} cards."
    s.asked, s.stage = _ASKED.get(at, NOBODY), _STAGES.get(at, INCOME)
    while s.asked == NOBODY:
        table.position.call(go_on)
    return table


def _lay(places: Any, cards: Mapping[int, Cards] | None) -> None:
    for seat, counts in (cards or {}).items():
        for colour, count in counts.items():
            places[seat, COLOUR_IDS.index(colour)] = count


def setup(players: int = 3, **given: Any) -> Callable[[], PrincipeTable]:
    """A position to be made later: `position` with these arguments."""
    return partial(position, players, **given)


def start(players: int = 3, seed: int = 1, **options: Any) -> Callable[[], PrincipeTable]:
    """The start of a game with this shuffle, after the first income."""
    return partial(open_game, IL_PRINCIPE, {"players": players, **options}, seed=seed)
