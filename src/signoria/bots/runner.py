"""Games at a table, from the deal or from any position to the end: bots, people at a terminal, or both."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from random import Random
from typing import Any, Protocol

from signoria.bots.bot import Budget
from signoria.bots.finding import find_bot
from signoria.bots.seated import Seated
from signoria.games import AnyTable
from signoria.kernel.table import Taken


class Seat(Protocol):
    """Who plays one seat of a game. `Seated` is one: a bot that forfeits when something is wrong with it."""

    def decide(self, view: Any) -> Any:
        """One of `view.legal`; or None if it took steps back instead, and whoever's turn it is now is to be asked."""


def play(table: AnyTable, seats: Mapping[int, Seat]) -> Iterator[Taken[Any]]:
    """Play a game to its end; each step is given after it was made, and `table.events` tells what it did.

    Forced steps are made without asking. A seat that raises an error ends the game early.
    """
    while (turn := table.turn) is not None:
        step = table.forced
        if step is None:
            step = seats[turn].decide(table.view(turn))
        if step is not None:
            yield table.make(step, turn)


def play_out(table: AnyTable, seats: Mapping[int, Seat]) -> None:
    """Play a game to its end without watching."""
    for _ in play(table, seats):
        pass


def seat_bots(names: Mapping[int, str], luck: str, call: Callable[[int, str], str]) -> dict[int, Seated]:
    """A fresh bot for each of these seats; raises `BadOption`.

    `luck` and the seat fix what a bot draws by lot. `call` says what the others call it.
    """
    return {seat: Seated(call(seat, name), find_bot(name), Random(f"{luck}/{seat}")) for seat, name in names.items()}


def warm_up(table: AnyTable, names: Iterable[str]) -> None:
    """Have the rules and these bots compiled or loaded, so that nobody waits for it later; a step is made."""
    view = table.view(table.turn)
    for name in set(names):
        Seated(name, find_bot(name), Random(0), Budget(iterations=1)).decide(view)
    table.apply(view.legal[0])
    _ = table.scores
