"""Golden games, and a position late in each."""

from pathlib import Path

from signoria.games import AnyTable, find_game
from signoria.kernel.record import Record, read_record
from signoria.kernel.verify import deal_again, make_step

HERE = Path(__file__).parent
LATE = 0.8
"""How much of a game has been played at its late position."""


def golden(name: str) -> Record:
    """The golden game of a setting."""
    return read_record((HERE / f"{name}.jsonl").read_bytes())


def late_position(name: str) -> AnyTable:
    """The table of a golden game when four fifths of its steps have been made."""
    record = golden(name)
    table = deal_again(find_game(record.game), record)
    for n in range(int(LATE * len(record.actions))):
        make_step(table, record, n)
    return table
