"""Prepared positions, for examples of clauses and for tests."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from signoria.games.patrician.game import PATRICIAN
from signoria.games.patrician.rulebook.components import CARD_IDS, CITY_IDS, ROADS
from signoria.games.patrician.rulebook.state import NONE, OVER, PLAYING
from signoria.games.patrician.rulebook.steps import Step
from signoria.games.patrician.view import View
from signoria.games.patrician.words.events import Event
from signoria.kernel.table import Table, open_game

PatricianTable = Table[Step, View, Event]


def position(
    players: int = 3,
    *,
    towers: Mapping[str, tuple[str, str]] | None = None,
    hands: Mapping[int, Sequence[str]] | None = None,
    display: Mapping[str, str] | None = None,
    pile: Sequence[str] = (),
    won: Mapping[str, tuple[int, int]] | None = None,
    played: Mapping[int, Sequence[str]] | None = None,
    messengers: Mapping[tuple[str, str], int] | None = None,
    escorts: Mapping[str, int] | None = None,
    turn: int = 0,
    over: bool = False,
    **options: Any,
) -> PatricianTable:
    """A table at the start of seat 0's turn (seat 0 began), or at the end of the game; what is not given is empty.

    `towers` are the owners of the floors on site 0 and site 1, from the ground up: `{"roma": ("0012", "1")}`. `played`
    are the cards on the seats' stacks. `turn` is the number of finished turns. `escorts` are the messengers that were
    placed in time.
    """
    if messengers is not None:
        options["messengers"] = True
    table = open_game(PATRICIAN, {"players": players, **options}, seed=1)
    s, box = table.position.state, table.position.box
    for name in table.game.state.names or ():
        setattr(s, name, 0 if name in ("height", "floors", "taken", "tokens", "beside", "escorts") else NONE)
    s.first = s.seat = s.crests = 0
    s.asked, s.turn, s.drawn = OVER if over else PLAYING, turn, box.cards - len(pile)
    for city, sites in (towers or {}).items():
        c = CITY_IDS.index(city)
        for site, floors in enumerate(sites):
            s.height[c, site] = len(floors)
            for level, seat in enumerate(map(int, floors)):
                s.floor[c, site, level] = seat
                s.floors[seat, c] += 1
    for seat, cards in (hands or {}).items():
        s.hand[seat, : len(cards)] = [CARD_IDS.index(card) for card in cards]
    for city, card in (display or {}).items():
        s.display[CITY_IDS.index(city)] = CARD_IDS.index(card)
    s.pile[s.drawn : box.cards] = [CARD_IDS.index(card) for card in pile]
    for city, winners in (won or {}).items():
        s.won[CITY_IDS.index(city)] = winners
        for seat in winners:
            s.tokens[seat] += 1
    for seat, cards in (played or {}).items():
        for i, card in enumerate(cards):
            s.played[seat + i * players] = CARD_IDS.index(card)
    for road, seat in (messengers or {}).items():
        s.messenger[ROADS.index(road)] = seat
        for city in road:
            s.beside[CITY_IDS.index(city)] += 1
    for city, count in (escorts or {}).items():
        s.escorts[CITY_IDS.index(city)] = count
    return table


def setup(players: int = 3, **given: Any) -> Callable[[], PatricianTable]:
    """A position to be made later: `position` with these arguments."""
    return partial(position, players, **given)


def nearly_over(players: int, seed: int) -> Callable[[], PatricianTable]:
    """A game with this shuffle in which everybody makes the first legal step, before its last step."""
    return partial(_play_to_last_step, players, seed)


def _play_to_last_step(players: int, seed: int) -> PatricianTable:
    table = open_game(PATRICIAN, {"players": players}, seed=seed)
    before = table
    while not table.over:
        before = table.copy()
        table.make(table.legal[0])
    return before
