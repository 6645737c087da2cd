"""Whoever plays without hands: `find_bot` gives one by its name."""

from signoria.bots.bot import Bot
from signoria.bots.random import RandomBot
from signoria.kernel.errors import BadOption

__all__ = ["BOTS", "Bot", "find_bot", "find_bots"]

BOTS: dict[str, Bot] = {"random": RandomBot()}


def find_bot(name: str) -> Bot:
    """A bot by its name; raises `BadOption` with those there are."""
    if name not in BOTS:
        raise BadOption(f"bots: there is no {name!r}; there is {', '.join(BOTS)}.")
    return BOTS[name]


def find_bots(names: str, players: int) -> tuple[Bot, ...]:
    """`greedy` for every seat, or `greedy,random,random`, one a seat; raises `BadOption`."""
    found = [find_bot(name.strip()) for name in names.split(",")]
    if len(found) == 1:
        found *= players
    if len(found) != players:
        raise BadOption(f"bots: {len(found)} named; name one for all seats, or one for each of the {players} seats.")
    return tuple(found)
