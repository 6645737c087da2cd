"""Helpers for sentences."""

from collections.abc import Sequence


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
