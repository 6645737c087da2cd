"""Names of seats, roles and of the moves that players are asked for."""

from signoria.games.il_principe.rulebook.components import printed
from signoria.games.il_principe.texts import say
from signoria.kernel.language import to_say

FAMILIES: tuple[str, ...] = tuple(printed()["families"]["names"]["value"])
ROLE_NAMES: tuple[tuple[str, ...], ...] = (
    tuple(printed()["roles"]["major"]["value"]),
    tuple(printed()["roles"]["minor"]["value"]),
)
"""Major roles and minor roles, by colour."""


ASKED = ("over", "offer", "bid", "found", "crest", "act", "turn")
"""The kinds of move a player can be asked for, as views name them."""
ASKS = (
    to_say("do nothing more"),
    to_say("lay a card face down"),
    to_say("bid for {what} or pass"),
    to_say("found a city or skip"),
    to_say("place a crest"),
    to_say("found a city, play buildings or pass"),
    to_say("turn a building face up"),
)
"""The same as the end of a sentence: `You have to ...`."""
ASKS_WITHOUT_CITIES = to_say("play buildings of one colour or pass")
"""The same in phase 3 of the first round, when cities cannot be founded yet (I16, I5)."""


def seat_name(seat: int) -> str:
    """The name of a seat in sentences: its family (I1)."""
    return FAMILIES[seat]


def asks(asked: int, what: str) -> str:
    """What a player is asked for, as the end of a sentence; `what` is auctioned."""
    return say(ASKS[asked], what=what)
