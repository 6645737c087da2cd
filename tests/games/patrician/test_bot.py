"""What Patrician tells the bots."""

from signoria import open_table
from signoria.games.patrician.bot.heuristic import MOST, PORTRAIT


def test_the_tables_of_the_heuristic_hold_whatever_lies_on_a_table() -> None:
    """Compiled code checks no bounds: what is looked up must be there."""
    box = open_table("patrician", players=5, seed=1).position.box
    assert box.floors.max() == MOST
    assert box.set_size == len(PORTRAIT)
