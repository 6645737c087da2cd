"""Helpers for sentences."""


def counted(number: int, what: str) -> str:
    """`1 game`, `2 games`."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"
