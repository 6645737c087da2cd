"""Hints for players who make a kind of decision for the first time."""

from signoria.kernel.language import to_say
from signoria.web.help import FirstTimeHint

HINTS = {
    "play": FirstTimeHint(
        "play",
        to_say("A card shows the city where you build, and after building you take the card that lies next to it."),
        "P10",
    ),
    "build": FirstTimeHint(
        "build", to_say("Choose one of the two highlighted sites: your floor goes on top of its tower."), "P11"
    ),
    "move": FirstTimeHint(
        "move",
        to_say("You may move the top floor of a highlighted tower to the other site of its city, or skip it."),
        "P14",
    ),
    "take": FirstTimeHint(
        "take", to_say("Take a highlighted card into your hand; a card from the pile replaces it."), "P15"
    ),
    "messenger": FirstTimeHint(
        "messenger",
        to_say(
            "A messenger on a road raises the tokens of both cities at its ends. Choose a highlighted road, or keep it."
        ),
        "M2",
    ),
}
"""By `asked` of the view."""
