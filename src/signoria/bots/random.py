"""The bot that everything is measured against."""

from random import Random
from typing import Any

from signoria.bots.bot import Budget


class RandomBot:
    """Makes any of the legal steps, each as likely."""

    def decide(self, view: Any, rng: Random, budget: Budget) -> Any:
        """One of `view.legal`."""
        return rng.choice(view.legal)
