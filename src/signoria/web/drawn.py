"""What the drawing of a game consists of, whichever game it is."""

from typing import NamedTuple

from markupsafe import Markup


class Drawn(NamedTuple):
    """A view as HTML. What can be pressed stands in `hand` and `board`, which belong into the form of steps."""

    hand: Markup
    """What the viewer holds; empty for whoever holds nothing."""
    board: Markup
    players: tuple[Markup, ...]
    """What lies before each seat."""
    remembered: Markup
    """What an attentive player knows besides; empty where the table plays without this aid."""


MARKS = {"patrician": ("Bk", "Wh", "Re", "Ye", "Bl"), "il-principe": ("Me", "Ca", "Vi", "Go", "Es")}
"""Seats in two letters, so that no colour has to be told apart. A seat's number is its place."""
