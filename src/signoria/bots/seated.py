"""A bot in its seat: if it fails, it forfeits with a reason, and the game continues."""

from random import Random
from typing import Any

from signoria.bots.bot import FREE, Bot, Budget
from signoria.kernel.language import say

LONGEST = 300
"""Maximum length of a bot's error message that is passed on."""


class Seated:
    """A bot that plays one seat of one game.

    The first time it raises an error or returns an illegal step, it forfeits: from then on any legal step is made in
    its place, so that the others can finish.
    """

    forfeit: str | None = None
    """Why the bot forfeited, in a sentence for all players; None if it did not."""
    detail: str = ""
    """The exact error. It may reveal the bot's hand, so the others must not see it before the game is over."""

    def __init__(self, name: str, bot: Bot, rng: Random, budget: Budget = FREE) -> None:
        self.name = name
        self._bot, self._rng, self._budget = bot, rng, budget

    def decide(self, view: Any) -> Any:
        """One of `view.legal`, even if the bot fails."""
        if self.forfeit is None:
            try:
                step = self._bot.decide(view, self._rng, self._budget)
                if step in view.legal:
                    return view.legal[view.legal.index(step)]
                self._lose(say("{bot} forfeits: it returned an illegal step.", bot=self.name), repr(step))
            except (Exception, SystemExit) as error:
                name = type(error).__name__
                self._lose(say("{bot} forfeits: it failed with {error}.", bot=self.name, error=name), _told(error))
        return self._rng.choice(view.legal)

    def _lose(self, forfeit: str, detail: str) -> None:
        self.forfeit = forfeit
        self.detail = " ".join(detail.split())[:LONGEST]


def _told(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:
        return say("its error has no readable message")
