"""Explanations of cards and other items."""

from typing import NamedTuple


class Meaning(NamedTuple):
    """A symbol and its explanation."""

    symbol: str
    """The name of its drawing."""
    says: str
    clause: str
