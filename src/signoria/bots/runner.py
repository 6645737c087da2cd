"""Plays games at a table, from the deal or any other position to the end, between bots and people at a terminal."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from random import Random
from typing import Any, Protocol

from signoria.bots.bot import Budget
from signoria.bots.finding import find_bot
from signoria.bots.seated import Seated
from signoria.games import AnyTable
from signoria.kernel.table import Taken


class Seat(Protocol):
    """Decides for one seat of a game. `Seated` is such a class: a bot that forfeits if it fails."""

    def decide(self, view: Any) -> Any:
        """Return one of `view.legal`, or None after an undo; then the seat whose turn it is now is asked."""


def play(table: AnyTable, seats: Mapping[int, Seat]) -> Iterator[Taken[Any]]:
    """Play a game to its end. Yields each step after it was made; `table.events` then has its events.

    Forced steps are made without asking. A seat that raises an error ends the game early.
    """
    while (turn := table.turn) is not None:
        step = table.forced
        if step is None:
            step = seats[turn].decide(table.view(turn))
        if step is not None:
            yield table.make(step, turn)


def play_out(table: AnyTable, seats: Mapping[int, Seat]) -> None:
    """Play a game to its end without looking at the steps."""
    for _ in play(table, seats):
        pass


def seat_bots(names: Mapping[int, str], luck: str, call: Callable[[int, str], str]) -> dict[int, Seated]:
    """A new bot for each of these seats; raises `BadOption`.

    `luck` and the seat are the seed of a bot's random generator. `call` gives the name that the others see.
    """
    return {seat: Seated(call(seat, name), find_bot(name), Random(f"{luck}/{seat}")) for seat, name in names.items()}


def warm_up(table: AnyTable, names: Iterable[str]) -> None:
    """Compile or load the rules and these bots, so that no player waits for it later. Makes a step at the table."""
    view = table.view(table.turn)
    for name in set(names):
        Seated(name, find_bot(name), Random(0), Budget(iterations=1)).decide(view)
    table.apply(view.legal[0])
    _ = table.scores
