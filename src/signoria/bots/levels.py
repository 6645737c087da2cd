"""The opponents that people choose by name, from gentle to merciless."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from signoria.bots.bot import Bot
from signoria.bots.greedy import GreedyBot, HesitantBot
from signoria.bots.search import SearchBot


class Level(NamedTuple):
    """An opponent with a name."""

    id: str
    title: str
    says: str
    """What it is like to play against, in a sentence."""
    bot: Callable[[], Bot]


LEVELS = (
    Level(
        "apprendista",
        "Apprendista",
        "Knows the rules and little more: a gentle first opponent.",
        partial(HesitantBot, 1.4),
    ),
    Level("muratore", "Muratore", "Sees what lies before it, and does not look ahead.", GreedyBot),
    Level(
        "capomastro",
        "Capomastro",
        "Thinks a moment about every step, and sees more than most.",
        partial(SearchBot, "200"),
    ),
    Level(
        "architetto",
        "Architetto",
        "Thinks ahead as far as it can in 0.9 s, and forgives nothing.",
        partial(SearchBot, "0.9s"),
    ),
)
