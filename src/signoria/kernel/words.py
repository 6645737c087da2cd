"""Helpers for sentences."""

from abc import ABCMeta, abstractmethod
from collections.abc import Callable, Sequence

import msgspec

Naming = Callable[[int], str]
"""What a sentence calls a seat, by its number."""
REFERENCE = "\0"
"""Stands before and after the number of a seat while a sentence is taken apart; no text has it."""


class Sentence(msgspec.Struct, frozen=True):
    """A sentence that refers to seats, so that a page or a terminal can show the players' names."""

    parts: tuple[str | int, ...] = ()
    """Text, and the numbers of seats where they are called by name."""

    def named(self, name: Naming) -> str:
        """The sentence as text."""
        return "".join([part if isinstance(part, str) else name(part) for part in self.parts])


def sentence(tell: Callable[[Naming], str]) -> Sentence:
    """What `tell` says, with references instead of the names that it asks for."""
    text, *rest = tell(_refer).split(REFERENCE)
    parts: list[str | int] = [text]
    for seat, then in zip(rest[::2], rest[1::2], strict=True):
        parts += (int(seat), then)
    return Sentence(tuple(part for part in parts if part != ""))


def _refer(seat: int) -> str:
    return f"{REFERENCE}{seat}{REFERENCE}"


class _AbstractStruct(msgspec.StructMeta, ABCMeta):
    """The type of structs with abstract methods."""


class ToldEvent(msgspec.Struct, frozen=True, tag_field="event", tag=True, metaclass=_AbstractStruct):
    """Something that happened in a game, with the clause it follows from. In JSON, `event` is the name of its class."""

    clause: str

    @abstractmethod
    def told(self, name: Naming) -> str:
        """A sentence that calls seats by these names."""

    def __str__(self) -> str:
        return self.told(player_name)


def player_name(seat: int) -> str:
    """What a seat is called in a game that has no names of its own for seats."""
    return f"Player {seat + 1}"


def counted(number: int, what: str) -> str:
    """`1 game`, `2 games`."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def spelled(number: int) -> str:
    """A small number as a word: `three`; a larger one in digits."""
    return NUMBERS[number] if number < len(NUMBERS) else str(number)


def ordinal(number: int) -> str:
    """`second`; from 11 on `number 11`."""
    return ORDINALS[number - 1] if number <= len(ORDINALS) else f"number {number}"


def either(numbers: Sequence[int]) -> str:
    """`12, 16 or 20`."""
    *some, last = map(str, numbers)
    return f"{', '.join(some)} or {last}" if some else last
