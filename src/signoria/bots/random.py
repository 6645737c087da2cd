"""The bot that everything is measured against."""

from random import Random
from typing import Any

from signoria.batch.playing import Chooser
from signoria.bots.bot import FREE, Budget
from signoria.kernel.game import Game


class RandomBot:
    """Makes any of the legal steps, each as likely."""

    def decide(self, view: Any, rng: Random, budget: Budget = FREE) -> Any:
        """One of `view.legal`."""
        return rng.choice(view.legal)

    def chooser(self, game: Game[Any, Any, Any]) -> Chooser:
        """The rule that makes any step."""
        return game.rules.any_step
