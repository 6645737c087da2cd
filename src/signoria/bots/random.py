"""The random bot, the baseline for all others."""

from random import Random
from typing import Any

from signoria.batch.playing import Chooser
from signoria.bots.bot import FREE, Budget
from signoria.kernel.game import Game


class RandomBot:
    """Makes a random legal step, each with the same probability."""

    def decide(self, view: Any, rng: Random, budget: Budget = FREE) -> Any:
        """One of `view.legal`."""
        return rng.choice(view.legal)

    def chooser(self, game: Game[Any, Any, Any]) -> Chooser:
        """The rule that makes a random step."""
        return game.rules.any_step
