"""A bot in its seat: whatever is wrong with it is said and forfeits its game, and the table goes on."""

from random import Random
from typing import Any

from signoria.bots.bot import FREE, Bot, Budget

LONGEST = 300
"""Letters of what a bot's own error says that are passed on."""


class Seated:
    """A bot that plays one seat of one game.

    The first time it raises an error or names a step that is not legal it has forfeited: from then on any legal step
    is made in its place, so that the others can finish.
    """

    forfeit: str | None = None
    """That it has forfeited, in a sentence for everybody at the table; None while it has not."""
    detail: str = ""
    """What exactly went wrong. It may tell what the bot holds: not for the others before the game is over."""

    def __init__(self, name: str, bot: Bot, rng: Random, budget: Budget = FREE) -> None:
        self.name = name
        self._bot, self._rng, self._budget = bot, rng, budget

    def decide(self, view: Any) -> Any:
        """One of `view.legal`, whatever happens."""
        if self.forfeit is None:
            try:
                step = self._bot.decide(view, self._rng, self._budget)
                if step in view.legal:
                    return view.legal[view.legal.index(step)]
                self._lose("it named a step that it may not make", repr(step))
            except (Exception, SystemExit) as error:
                self._lose(f"it failed with {type(error).__name__}", _told(error))
        return self._rng.choice(view.legal)

    def _lose(self, what: str, detail: str) -> None:
        self.forfeit = f"{self.name} forfeits: {what}."
        self.detail = " ".join(detail.split())[:LONGEST]


def _told(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:
        return "its error cannot be told"
