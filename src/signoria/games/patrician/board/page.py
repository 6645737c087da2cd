"""The macros that everything of Patrician is drawn with."""

from functools import cache
from typing import Any

from signoria.patrician.names import COLOURS, seat_name
from signoria.web.drawn import begin, end, mark
from signoria.web.environment import macros
from signoria.web.kit.numerals import roman
from signoria.web.kit.sprite import use
from signoria.web.patrician.cards import BACK, face, small
from signoria.web.patrician.words import NAMES, PORTRAITS, brief

SEATS = tuple(mark("patrician", seat, seat_name(seat)) for seat in range(len(COLOURS)))
PRIZES = {"A": 6, "B": 4, "C": 2}
"""The token that an ambassador counts (A1)."""
STATES = ("milano", "parma", "verona")
"""Whose tokens the fourth counts (A3)."""


@cache
def page() -> Any:
    """The macros of patrician.html."""
    return macros(
        "patrician.html",
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
    )
