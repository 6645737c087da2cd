"""The bot with a style: a search that likes some ends of a game besides winning, such as many cities or much money."""

from signoria.bots.search import SearchBot
from signoria.bots.tree import Tree
from signoria.kernel.position import Position

USUAL = "200"
"""Iterations of a styled search."""


class StyledBot(SearchBot):
    """A short search in a style. In a game without styles it only wants to win."""

    def __init__(self, style: int, level: str = USUAL) -> None:
        super().__init__(level)
        self._style = style

    def tree(self, known: Position, seed: int) -> Tree:
        """A tree that values the ends of games in the style."""
        return Tree(known, seed, style=None if known.game.styles is None else self._style)
