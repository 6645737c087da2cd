"""The same game from a seat's point of view, but with a different hidden deal and different hidden steps.

A list of words (`FairStream`) determines a deal. Words and hidden steps are changed one by one. A change is kept if the
seat knows the same at every moment of the game, according to the game's own `see`.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from random import Random
from typing import NamedTuple
from unittest.mock import patch

import msgspec

import signoria.kernel.table
from signoria.games import AnyTable, find_game
from signoria.kernel.errors import SignoriaError
from signoria.kernel.position import Position
from signoria.kernel.shuffle import WORD, FairStream
from signoria.server.play.room import UNDO, deal, encode_step
from signoria.store.tables import TableRow

WORDS = 300
"""More words than any deal uses."""
TRIES = 300


class Luck(NamedTuple):
    """The random words and steps that determine a game."""

    words: tuple[int, ...]
    steps: tuple[tuple[int, str], ...]
    """The steps with their seats, as stored."""


def true_luck(row: TableRow, steps: tuple[tuple[int, str], ...]) -> Luck:
    """The words and steps of a real game."""
    stream = FairStream(bytes.fromhex(row.seed), [seat.salt for seat in row.seats], find_game(row.game).shuffle_label)
    return Luck(tuple(islice(stream._words, WORDS)), steps)


@contextmanager
def dealt_with(words: tuple[int, ...]) -> Iterator[None]:
    """Deal every table with these words."""
    with dealt_from(lambda: iter(words)):
        yield


@contextmanager
def dealt_from(words: Callable[[], Iterator[int]]) -> Iterator[None]:
    class Given(FairStream):
        def __init__(self, *_: object) -> None:
            self._words = words()  # type: ignore[assignment]

    with patch.object(signoria.kernel.table, "FairStream", Given):
        yield


def words_taken(row: TableRow, luck: Luck) -> int:
    """Number of words that the deal uses."""
    words = iter(luck.words)
    with dealt_from(lambda: words):
        deal(row)
    return WORDS - len(list(words))


def moments(row: TableRow, luck: Luck) -> Iterator[AnyTable]:
    """The table after every step, the deal first; always the same table."""
    with dealt_with(luck.words):
        table = deal(row)
    yield table
    for seat, step in luck.steps:
        if step == UNDO:
            table.undo(seat)
        else:
            table.make(msgspec.json.decode(step, type=table.game.step_type), seat)
        yield table


def known(table: AnyTable, seat: int) -> Position:
    """Everything a seat knows and can remember."""
    return table.position.seen_by(seat)


def alternative_luck(row: TableRow, luck: Luck, seat: int, rng: Random) -> Luck:
    """A different deal that this seat cannot distinguish from the real one."""
    knows = [known(table, seat) for table in moments(row, luck)]
    taken = words_taken(row, luck)
    for _ in range(TRIES):
        other = _changed(row, luck, taken, rng)
        try:
            if all(known(table, seat) == before for table, before in zip(moments(row, other), knows, strict=True)):
                luck = other
        except SignoriaError:  # a step that would not have been legal
            pass
    return luck


def _changed(row: TableRow, luck: Luck, taken: int, rng: Random) -> Luck:
    """Change one word of the deal or one step."""
    if rng.random() < 0.7 or not luck.steps:
        place = rng.randrange(taken)
        return luck._replace(words=(*luck.words[:place], rng.randrange(WORD), *luck.words[place + 1 :]))
    place = rng.randrange(len(luck.steps))
    who, step = luck.steps[place]
    if step != UNDO:
        table = next(islice(moments(row, luck), place, None))
        step = encode_step(rng.choice(table.legal))
    return luck._replace(steps=(*luck.steps[:place], (who, step), *luck.steps[place + 1 :]))


def hidden_differs(row: TableRow, one: Luck, other: Luck, n: int) -> bool:
    """Whether anything differs after `n` steps."""
    first, second = (next(islice(moments(row, luck), n, None)).position for luck in (one, other))
    return first != second
