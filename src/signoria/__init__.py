"""Signoria: board games whose rules are written once and run as plain Python, compiled on the CPU, or on a GPU.

>>> from signoria import GAMES, open_table
>>> for game in GAMES:
...     table = open_table(game, players=3, seed=7)
...     assert table.turn in range(3)
"""

from signoria.games import GAMES, from_record, open_table
from signoria.kernel.errors import (
    BadDeck,
    BadOption,
    BadRecord,
    IllegalStep,
    NotOver,
    NotYourTurn,
    NoUndo,
    SignoriaError,
)
from signoria.kernel.record import Record
from signoria.kernel.table import Table

__all__ = [
    "GAMES",
    "BadDeck",
    "BadOption",
    "BadRecord",
    "IllegalStep",
    "NoUndo",
    "NotOver",
    "NotYourTurn",
    "Record",
    "SignoriaError",
    "Table",
    "from_record",
    "open_table",
]
