"""How a game is judged and imagined: what the bots know of each game, in one hand."""

from collections.abc import Callable
from typing import Any, NamedTuple

from signoria.bots.heuristics import il_principe, patrician
from signoria.bots.playouts import il_principe as imagined_il_principe
from signoria.bots.playouts import patrician as imagined_patrician
from signoria.kernel.game import Game


class Heuristic(NamedTuple):
    """A game judged without looking ahead: rules that read what all may know and the hand of the seat in turn.

    Changing anything else must not change what they answer: that is a test.
    """

    promise: Callable[[Any, Any, int], float]
    """promise(s, box, step): what a legal step promises the seat in turn, in points."""
    narrow: Callable[[Any, Any, Any, int], int]
    """narrow(s, box, steps, count): keep the legal steps worth a thought at the front of `steps`; how many."""
    play_on: Callable[[Any, Any, Any, int], int]
    """play_on(s, box, luck, ahead): a quick step for the rest of an imagined game, so many steps beyond the tree."""
    warmth: float
    """How many points a step may promise less and still be looked at about a third as much."""
    explore: float
    """How much a search trusts promises over what it has found."""
    margin: float
    """The weight of the margin in what an end is worth; the rest is the share of the win."""
    far: float
    """A margin, in points, that is half as good as any could be."""


HEURISTICS = {
    "patrician": Heuristic(
        patrician.promise, patrician.narrow, imagined_patrician.play_on, warmth=2.5, explore=1.0, margin=0.3, far=12.0
    ),
    "il-principe": Heuristic(
        il_principe.promise,
        il_principe.narrow,
        imagined_il_principe.play_on,
        warmth=1.5,
        explore=1.0,
        margin=0.2,
        far=12.0,
    ),
}


def heuristic_of(game: Game[Any, Any, Any]) -> Heuristic:
    """How a game is judged."""
    return HEURISTICS[game.name]
