"""Bots, found by name and level with `find_bot`."""

from signoria.bots.bot import FREE, Adviser, Bot, Budget, Considered, Explanation, Quick
from signoria.bots.finding import BOTS, find_bot, find_bots, names_of, split_names
from signoria.bots.seated import Seated

__all__ = [
    "BOTS",
    "FREE",
    "Adviser",
    "Bot",
    "Budget",
    "Considered",
    "Explanation",
    "Quick",
    "Seated",
    "find_bot",
    "find_bots",
    "names_of",
    "split_names",
]
