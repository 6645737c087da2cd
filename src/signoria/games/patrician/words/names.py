"""What seats and questions are called."""

from signoria.games.patrician.rulebook.components import printed

COLOURS: tuple[str, ...] = tuple(printed()["game"]["colours"]["value"])
SIDES = ("left", "right")
"""Where site 0 and site 1 of a city are, to whoever looks at it."""
PATRICIAN_NAMES = ("captain", "lady", "elder")


ASKED = ("over", "play", "build", "move", "take", "messenger")
"""What is asked, as views name it."""
ASKS = (
    "do nothing more",
    "play a card",
    "build a floor in {city}",
    "move a floor, or none",
    "take a card",
    "place a messenger, or none",
)
"""The same as the end of a sentence."""


def seat_name(seat: int) -> str:
    """A seat as sentences name it, by the colour it builds in (P5)."""
    return COLOURS[seat].capitalize()
