"""The random bot, the baseline for all others."""

from functools import cache
from random import Random
from typing import Any

from signoria.batch.playing import Chooser, RoomChooser
from signoria.bots.bot import FREE, Budget
from signoria.kernel.compiled import rule
from signoria.kernel.game import Game


class RandomBot:
    """Makes a random legal step, each with the same probability."""

    def decide(self, view: Any, rng: Random, budget: Budget = FREE) -> Any:
        """One of `view.legal`."""
        return rng.choice(view.legal)

    def chooser(self, game: Game[Any, Any, Any]) -> Chooser:
        """The rule that makes a random step."""
        return game.rules.any_step

    def room_chooser(self, game: Game[Any, Any, Any]) -> RoomChooser:
        """The same rule, which needs no room."""
        return any_step_in_room(game)


@cache
def any_step_in_room(game: Game[Any, Any, Any]) -> RoomChooser:
    """The rule that makes a random step; it needs no room."""
    any_step = game.rules.any_step

    @rule
    def choose(s: Any, box: Any, luck: Any, steps: Any) -> int:
        return any_step(s, box, luck)

    return choose
