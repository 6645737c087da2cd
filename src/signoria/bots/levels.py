"""The named opponents, from easiest to hardest."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from signoria.bots.bot import Bot
from signoria.bots.greedy import GreedyBot, HesitantBot
from signoria.bots.net import NetBot
from signoria.bots.search import SearchBot
from signoria.kernel.language import to_say


class Level(NamedTuple):
    """A named opponent."""

    id: str
    title: str
    says: str
    """A description for players, in a sentence or two."""
    bot: Callable[[], Bot]


LEVELS = (
    Level(
        "garzone",
        "Garzone",
        to_say("Knows the rules and little more. A good first opponent."),
        partial(HesitantBot, 1.4),
    ),
    Level("muratore", "Muratore", to_say("Plays sensible moves but does not look ahead."), GreedyBot),
    Level(
        "capomastro",
        "Capomastro",
        to_say("Looks ahead a little. A serious opponent."),
        partial(SearchBot, "200"),
    ),
    Level(
        "architetto",
        "Architetto",
        to_say("Thinks for 0.9 seconds about every move. The strongest opponent."),
        partial(NetBot, "0.9s"),
    ),
)

OLDER_NAMES = {"apprendista": "garzone"}
"""What opponents were called before, and their ids now. Saved games, programs and commands may use the older names."""


def current_id(name: str) -> str:
    """The id of a level that may be given by its older name; other names stay as they are."""
    return OLDER_NAMES.get(name, name)
