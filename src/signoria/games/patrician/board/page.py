"""The macros that everything of Patrician is drawn with."""

from functools import cache
from typing import Any

from signoria.games.patrician.board.cards import BACK, face, small
from signoria.games.patrician.board.words import NAMES, PORTRAITS, brief
from signoria.games.patrician.rulebook.components import FIGURES
from signoria.games.patrician.words.names import seat_name
from signoria.kernel.words import counted
from signoria.web.drawn import begin, end, mark
from signoria.web.environment import macros
from signoria.web.kit.numerals import roman
from signoria.web.kit.sprite import use

MARKS = ("Bk", "Wh", "Re", "Ye", "Bl")
SEATS = tuple(mark(letters, seat, seat_name(seat)) for seat, letters in enumerate(MARKS))
PRIZES = dict(zip("ABC", FIGURES.ambassadors.counts, strict=True))
"""The token that an ambassador counts (A1)."""
STATES = tuple(reversed(FIGURES.ambassadors.d_cities))
"""Whose tokens the fourth counts (A3)."""


@cache
def page() -> Any:
    """The macros of the board."""
    return macros(
        f"{__package__}:board.html",
        names=NAMES,
        seats=SEATS,
        patricians=tuple(PORTRAITS),
        prizes=PRIZES,
        states=STATES,
        roman=roman,
        use=use,
        face=face,
        small=small,
        back=BACK,
        brief=brief,
        begin=begin,
        end=end,
        counted=counted,
    )
