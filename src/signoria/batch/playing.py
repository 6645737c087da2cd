"""Plays complete games; the same functions for every target."""

from collections.abc import Callable
from functools import cache
from typing import Any

from signoria.kernel.compiled import rule
from signoria.kernel.game import OVER, Game
from signoria.kernel.luck import sow

Chooser = Callable[[Any, Any, Any], int]
"""A rule that chooses the steps of all seats: choose(s, box, luck). `Rules.any_step` is one."""


def random_game(game: Game[Any, Any, Any]) -> Callable[[Any, Any, int, int, Any], int]:
    """The rule that deals a game of a series, plays it at random and returns the number of decisions."""
    return whole_game(game, game.rules.any_step)


@cache
def whole_game(game: Game[Any, Any, Any], choose: Chooser) -> Callable[[Any, Any, int, int, Any], int]:
    """The rule that deals a game of a series, plays it to the end and returns the number of decisions."""
    deal, apply, kinds = game.rules.deal, game.rules.apply, game.kinds

    @rule
    def play_whole(s: Any, box: Any, seed: int, number: int, luck: Any) -> int:
        sow(luck, seed, number)
        deal(s, box, luck)
        decisions = 0
        # All kinds in the order of a turn, so that neighbouring threads on a GPU do the same thing at the same time.
        while s.asked != OVER:
            for kind in range(1, kinds):
                while s.asked == kind:
                    apply(s, box, choose(s, box, luck))
                    decisions += 1
        return decisions

    return play_whole
