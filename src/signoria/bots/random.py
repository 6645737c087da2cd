"""The bot that everything is measured against."""

from random import Random
from typing import Any


class RandomBot:
    """Makes any of the legal steps, each as likely."""

    def decide(self, view: Any, rng: Random) -> Any:
        """One of `view.legal`."""
        return rng.choice(view.legal)
