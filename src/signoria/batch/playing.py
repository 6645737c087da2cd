"""Plays complete games; the same functions for every target."""

from collections.abc import Callable
from functools import cache
from typing import Any

from signoria.kernel.compiled import rule
from signoria.kernel.game import OVER, Game

Chooser = Callable[[Any, Any, Any], int]
"""A rule that makes a seat's steps: choose(s, box, luck). `Rules.any_step` is one."""


@cache
def play_out(game: Game[Any, Any, Any], choose: Chooser) -> Callable[[Any, Any, Any], int]:
    """The rule that plays a game from any position to its end and returns the number of decisions."""
    apply, kinds = game.rules.apply, game.kinds

    @rule
    def play_on(s: Any, box: Any, luck: Any) -> int:
        decisions = 0
        # All kinds in the order of a turn, so that neighbouring threads on a GPU do the same thing at the same time.
        while s.asked != OVER:
            for kind in range(1, kinds):
                while s.asked == kind:
                    apply(s, box, choose(s, box, luck))
                    decisions += 1
        return decisions

    return play_on
