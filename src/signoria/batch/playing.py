"""Random whole games, the same functions on every target."""

from collections.abc import Callable
from functools import cache
from typing import Any

from signoria.kernel.compiled import rule
from signoria.kernel.game import OVER, Game
from signoria.kernel.luck import sow


@cache
def random_game(game: Game[Any, Any, Any]) -> Callable[[Any, Any, int, int, Any], int]:
    """The rule that deals a game of a series and plays it out at random; how many decisions it took."""
    deal, any_step, apply, kinds = game.rules.deal, game.rules.any_step, game.rules.apply, game.kinds

    @rule
    def play_random(s: Any, box: Any, seed: int, number: int, luck: Any) -> int:
        sow(luck, seed, number)
        deal(s, box, luck)
        decisions = 0
        # All kinds in the order of a turn: neighbours on a GPU then do the same thing at the same time.
        while s.asked != OVER:
            for kind in range(1, kinds):
                while s.asked == kind:
                    apply(s, box, any_step(s, box, luck))
                    decisions += 1
        return decisions

    return play_random
