"""Il Principe, by Emanuele Ornella, with its two-player rules and its money variant."""

from signoria.games.il_principe.game import IL_PRINCIPE, Options
from signoria.games.il_principe.rulebook.steps import Bid, Crest, Decline, Found, Offer, Pass, Play, Step, Turn
from signoria.games.il_principe.view import View

__all__ = [
    "IL_PRINCIPE",
    "Bid",
    "Crest",
    "Decline",
    "Found",
    "Offer",
    "Options",
    "Pass",
    "Play",
    "Step",
    "Turn",
    "View",
]
