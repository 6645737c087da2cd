"""Helpers for sentences."""

from abc import abstractmethod
from collections.abc import Callable, Sequence

import msgspec

from signoria.kernel.language import any_of, number, say, to_say

Naming = Callable[[int], str]
"""What a sentence calls a seat, by its number."""
REFERENCE = "\0"
"""Put before and after the number of a seat while a sentence is taken apart; no text contains it."""


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


class ToldEvent(msgspec.Struct, frozen=True, tag_field="event", tag=True):
    """Something that happened in a game, with the clause it follows from. In JSON, `event` is the name of its class.

    Type checkers refuse an event without `told`. Its metaclass is not `ABCMeta`, which would make every `match` slower.
    """

    clause: str

    @abstractmethod
    def told(self, name: Naming) -> str:
        """A sentence that calls seats by these names."""

    def brief(self, name: Naming) -> str | None:
        """The same in a few words, for a caption that is shown only for a moment: empty to say nothing there, None for the
        whole sentence.
        """
        return None

    def __str__(self) -> str:
        return self.told(player_name)


def brief_sentence(event: ToldEvent) -> Sentence | None:
    """An event in a few words; None where there is only its whole sentence."""
    return None if event.brief(_refer) is None else sentence(lambda name: event.brief(name) or "")


def player_name(seat: int) -> str:
    """What a seat is called in a game that has no names of its own for seats."""
    return say("Player {number}", number=seat + 1)


def counted(count: int, what: str) -> str:
    """`1 game`, `2 games`: for English without translations. Marked texts use `say_count`."""
    return f"{number(count)} {what}{'' if count == 1 else 's'}"


ORDINALS = (
    to_say("first"),
    to_say("second"),
    to_say("third"),
    to_say("fourth"),
    to_say("fifth"),
    to_say("sixth"),
    to_say("seventh"),
    to_say("eighth"),
    to_say("ninth"),
    to_say("tenth"),
)
NUMBERS = (
    to_say("no"),
    to_say("one"),
    to_say("two"),
    to_say("three"),
    to_say("four"),
    to_say("five"),
    to_say("six"),
    to_say("seven"),
    to_say("eight"),
    to_say("nine"),
    to_say("ten"),
    to_say("eleven"),
    to_say("twelve"),
)


def spelled(number: int) -> str:
    """A small number as a word: `three`; a larger one in digits."""
    return say(NUMBERS[number]) if number < len(NUMBERS) else str(number)


def ordinal(number: int) -> str:
    """`second`; from 11 on `number 11`."""
    return say(ORDINALS[number - 1]) if number <= len(ORDINALS) else say("number {number}", number=number)


def either(numbers: Sequence[int]) -> str:
    """`12, 16 or 20`."""
    return any_of(numbers)
