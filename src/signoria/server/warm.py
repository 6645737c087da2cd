"""Everything compiled is called once before the doors open, so that nobody waits for it."""

from random import Random

from signoria.bots import Budget, Seated
from signoria.bots.levels import LEVELS
from signoria.games import GAMES
from signoria.kernel.table import open_game

FEWEST = 2


def warm_up() -> None:
    """Deal, look, make a step, take it back and let every bot think for a moment, in every game."""
    for game in GAMES.values():
        table = open_game(game, {"players": FEWEST})
        table.apply(table.legal[0])
        table.undo()
        for level in LEVELS:
            Seated(level.title, level.bot(), Random(0), Budget(iterations=1)).decide(table.view(table.turn))
