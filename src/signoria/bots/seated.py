"""A bot in its seat: whatever is wrong with it is said and forfeits its game, and the table goes on."""

from random import Random
from typing import Any

from signoria.bots.bot import FREE, Bot, Budget


class Seated:
    """A bot that plays one seat of one game.

    The first time it raises an error or names a step that is not legal it has forfeited: from then on any legal step
    is made in its place, so that the others can finish.
    """

    forfeit: str | None = None
    """What went wrong, in a sentence; None while nothing did."""

    def __init__(self, name: str, bot: Bot, rng: Random, budget: Budget = FREE) -> None:
        self.name = name
        self._bot, self._rng, self._budget = bot, rng, budget

    def decide(self, view: Any) -> Any:
        """One of `view.legal`, whatever happens."""
        if self.forfeit is None:
            try:
                step = self._bot.decide(view, self._rng, self._budget)
            except Exception as error:
                self.forfeit = f"{self.name} failed and forfeits: {type(error).__name__}: {error}"
            else:
                if step in view.legal:
                    return step
                self.forfeit = f"{self.name} forfeits: {step!r} is not one of the {len(view.legal)} steps it may make."
        return self._rng.choice(view.legal)
