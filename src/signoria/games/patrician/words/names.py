"""Names of seats and of the moves that players are asked for."""

from signoria.games.patrician.rulebook.components import printed
from signoria.games.patrician.texts import say
from signoria.kernel.language import to_say

COLOURS: tuple[str, ...] = tuple(printed()["game"]["colours"]["value"])
COLOUR_NAMES = (to_say("Black"), to_say("White"), to_say("Red"), to_say("Yellow"), to_say("Blue"))
"""What sentences call the seats, in the order of `COLOURS`."""
PATRICIAN_NAMES = ("captain", "lady", "elder")


ASKED = ("over", "play", "build", "move", "take", "messenger")
"""The kinds of move a player can be asked for, as views name them."""
ASKS = (
    to_say("do nothing more"),
    to_say("play a card"),
    to_say("build a floor in {city}"),
    to_say("move a floor or skip"),
    to_say("take a card"),
    to_say("place a messenger or skip"),
)
"""The same as the end of a sentence: `You have to ...`."""


def seat_name(seat: int) -> str:
    """The name of a seat in sentences: its colour (P5)."""
    return say(COLOUR_NAMES[seat])


def asks(asked: int, city: str) -> str:
    """What a player is asked for, as the end of a sentence; `city` is where they build."""
    return say(ASKS[asked], city=city)
