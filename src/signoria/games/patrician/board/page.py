"""The macros that everything of Patrician is drawn with."""

from typing import Any

from markupsafe import Markup

from signoria.games.patrician.board.cards import BACK, face, small
from signoria.games.patrician.board.words import NAMES, PORTRAITS, brief, portrait_name
from signoria.games.patrician.rulebook.components import FIGURES
from signoria.games.patrician.texts import say, say_as
from signoria.games.patrician.words.names import seat_name
from signoria.kernel.language import all_of, per_language, to_say
from signoria.web.drawn import begin, end, mark
from signoria.web.environment import macros
from signoria.web.kit.numerals import roman
from signoria.web.kit.sprite import use

MARKS = (to_say("Bk"), to_say("Wh"), to_say("Re"), to_say("Ye"), to_say("Bl"))
"""Two letters for each colour."""
PRIZES = dict(zip("ABC", FIGURES.ambassadors.counts, strict=True))
"""The token that an ambassador counts (A1)."""
STATES = tuple(reversed(FIGURES.ambassadors.d_cities))
"""Whose tokens the fourth counts (A3)."""


@per_language()
def seat_marks() -> tuple[Markup, ...]:
    """The mark of each seat."""
    return tuple(mark(say(letters), seat, seat_name(seat)) for seat, letters in enumerate(MARKS))


@per_language()
def page() -> Any:
    """The macros of the board."""
    return macros(
        f"{__package__}:board.html",
        names=NAMES,
        seats=seat_marks(),
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
        portrait_name=portrait_name,
        track_step=track_step,
        all_of=all_of,
    )


def track_step(step: str) -> str:
    """A part of a turn, as the line of its parts names it."""
    return {
        "play": say_as("part of a turn", "play"),
        "build": say_as("part of a turn", "build"),
        "move": say_as("part of a turn", "move"),
        "take": say_as("part of a turn", "take"),
        "messenger": say_as("part of a turn", "messenger"),
    }.get(step, step)
