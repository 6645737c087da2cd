"""Explanations of cards and other items."""

from typing import NamedTuple


class Meaning(NamedTuple):
    """A symbol and its explanation."""

    symbol: str
    """The name of its drawing; empty if it has none."""
    says: str
    clause: str
    """The clause that says it; empty if none does."""
