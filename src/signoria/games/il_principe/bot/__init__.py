"""How bots judge Il Principe and imagine how it goes on."""

from signoria.games.il_principe.bot.features import FEATURES
from signoria.games.il_principe.bot.heuristic import narrow, promise
from signoria.games.il_principe.bot.playout import play_on
from signoria.games.il_principe.bot.styles import liking, own_gain
from signoria.kernel.heuristic import Heuristic, Styles

__all__ = ["FEATURES", "HEURISTIC", "STYLES"]

HEURISTIC = Heuristic(promise, narrow, play_on, warmth=1.5, explore=1.0, margin=0.2, far=12.0)
STYLES = Styles(own_gain, liking)
