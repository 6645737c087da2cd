"""What seats and questions are called."""

from signoria.games.il_principe.rulebook.components import printed

FAMILIES: tuple[str, ...] = tuple(printed()["families"]["names"]["value"])
ROLE_NAMES: tuple[tuple[str, ...], ...] = (
    tuple(printed()["roles"]["major"]["value"]),
    tuple(printed()["roles"]["minor"]["value"]),
)
"""Major roles and minor roles, by colour."""


ASKED = ("over", "offer", "bid", "found", "crest", "act", "turn")
"""What is asked, as views name it."""
ASKS = (
    "do nothing more",
    "lay a card face down",
    "bid for {what}, or pass",
    "found a city, or none",
    "place a crest",
    "found a city, play buildings, or pass",
    "turn up a building",
)
"""The same as the end of a sentence."""
ASKS_WITHOUT_CITIES = "play buildings of one colour, or pass"
"""And in phase 3 of a first round, when no city is founded yet (I16, I5)."""


def seat_name(seat: int) -> str:
    """A seat as sentences name it: its family (I1)."""
    return FAMILIES[seat]
