"""Hints for players who make a kind of decision for the first time."""

from signoria.kernel.language import to_say
from signoria.web.help import FirstTimeHint

HINTS = {
    "offer": FirstTimeHint(
        "offer",
        to_say(
            "Lay cards that you need least: they are auctioned, and you may buy them back. Keep those for your cities."
        ),
        "I11",
    ),
    "bid": FirstTimeHint(
        "bid", to_say("Bid for these cards or pass. You pay only if you win; ducats are also needed for cities."), "I13"
    ),
    "role": FirstTimeHint(
        "role",
        to_say("Bid for this role or pass. You pay only if you win; a role gives points and an ability."),
        "I22",
    ),
    "found": FirstTimeHint(
        "found",
        to_say("You won the lot, so you may found a city at once, before your turn in phase 3. You need not."),
        "I14",
    ),
    "crest": FirstTimeHint(
        "crest", to_say("Choose a highlighted region. Majorities of crests score at the end of the game."), "I40"
    ),
    "act": FirstTimeHint(
        "act",
        to_say(
            "Found a city with cards from your hand, or play buildings of one colour: the player with the most face up wins the role."
        ),
        "I16",
    ),
    "turn": FirstTimeHint(
        "turn",
        to_say("Your role turns one of your buildings face up again, so that it counts for a role once more."),
        "I23",
    ),
}
"""By `asked` of the view, and `role` for auctions of roles."""
