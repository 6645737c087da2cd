"""The named opponents, from easiest to hardest."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from signoria.bots.bot import Bot
from signoria.bots.greedy import GreedyBot, HesitantBot
from signoria.bots.search import SearchBot


class Level(NamedTuple):
    """A named opponent."""

    id: str
    title: str
    says: str
    """A description for players, in a sentence or two."""
    bot: Callable[[], Bot]


LEVELS = (
    Level(
        "apprendista",
        "Apprendista",
        "Knows the rules and little more. A good first opponent.",
        partial(HesitantBot, 1.4),
    ),
    Level("muratore", "Muratore", "Plays sensible moves but does not look ahead.", GreedyBot),
    Level(
        "capomastro",
        "Capomastro",
        "Looks ahead a little. A serious opponent.",
        partial(SearchBot, "200"),
    ),
    Level(
        "architetto",
        "Architetto",
        "Thinks for 0.9 seconds about every move. The strongest opponent.",
        partial(SearchBot, "0.9s"),
    ),
)
