"""The named opponents: the ladder from easiest to hardest, and opponents with a style."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from signoria.bots.bot import Bot
from signoria.bots.greedy import GreedyBot, OwnGainBot
from signoria.bots.net import NetBot
from signoria.bots.styled import StyledBot
from signoria.kernel.game import Game
from signoria.kernel.heuristic import BUILDER, MISER, SPECULATOR
from signoria.kernel.language import to_say


class Level(NamedTuple):
    """A named opponent."""

    id: str
    title: str
    says: str
    """A description for players, in a sentence or two."""
    bot: Callable[[], Bot]


LADDER = (
    Level(
        "garzone",
        "Garzone",
        to_say("Takes what it gains at once and ignores what others do. A good first opponent."),
        OwnGainBot,
    ),
    Level("muratore", "Muratore", to_say("Plays sensible moves but does not look ahead."), GreedyBot),
    Level("scalpellino", "Scalpellino", to_say("Looks ahead a little."), partial(NetBot, "30")),
    Level("capomastro", "Capomastro", to_say("Looks ahead. A serious opponent."), partial(NetBot, "200")),
    Level("provveditore", "Provveditore", to_say("Looks far ahead. A strong opponent."), partial(NetBot, "1500")),
    Level(
        "architetto",
        "Architetto",
        to_say("Thinks for 0.9 seconds about every move. The strongest opponent."),
        partial(NetBot, "0.9s"),
    ),
)
"""From easiest to hardest."""

STYLED = (
    Level(
        "costruttore",
        "Costruttore",
        to_say("The builder: likes founding and building more than anything else."),
        partial(StyledBot, BUILDER),
    ),
    Level(
        "speculatore",
        "Speculatore",
        to_say("The speculator: buys and collects what may pay off later."),
        partial(StyledBot, SPECULATOR),
    ),
    Level("avaro", "Avaro", to_say("The miser: spends as little as possible."), partial(StyledBot, MISER)),
)
"""Opponents with a style, each about as strong as the middle of the ladder. They play games that have styles."""

LEVELS = (*LADDER, *STYLED)
"""All named opponents."""

OLDER_NAMES = {"apprendista": "garzone"}
"""What opponents were called before, and their ids now. Saved games, programs and commands may use the older names."""


def levels_of(game: Game[Any, Any, Any]) -> tuple[Level, ...]:
    """The opponents that play a game."""
    return LADDER if game.styles is None else LEVELS


def current_id(name: str) -> str:
    """The id of a level that may be given by its older name; other names stay as they are."""
    return OLDER_NAMES.get(name, name)
