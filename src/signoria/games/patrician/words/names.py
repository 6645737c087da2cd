"""Names of seats and of the moves that players are asked for."""

from signoria.games.patrician.rulebook.components import printed

COLOURS: tuple[str, ...] = tuple(printed()["game"]["colours"]["value"])
SIDES = ("left", "right")
"""Where site 0 and site 1 of a city are on the board."""
PATRICIAN_NAMES = ("captain", "lady", "elder")


ASKED = ("over", "play", "build", "move", "take", "messenger")
"""The kinds of move a player can be asked for, as views name them."""
ASKS = (
    "do nothing more",
    "play a card",
    "build a floor in {city}",
    "move a floor or skip",
    "take a card",
    "place a messenger or skip",
)
"""The same as the end of a sentence: `You have to ...`."""


def seat_name(seat: int) -> str:
    """The name of a seat in sentences: its colour (P5)."""
    return COLOURS[seat].capitalize()
