"""What Patrician tells the bots."""

from signoria import open_table
from signoria.games.patrician.bot.heuristic import MOST, PORTRAIT


def test_heuristic_tables_are_large_enough_for_every_position() -> None:
    """Compiled code does not check bounds, so every index must exist."""
    box = open_table("patrician", players=5, seed=1).position.box
    assert box.floors.max() == MOST
    assert box.set_size == len(PORTRAIT)
