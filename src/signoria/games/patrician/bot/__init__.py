"""How bots judge Patrician and imagine how it goes on."""

from signoria.games.patrician.bot.features import FEATURES
from signoria.games.patrician.bot.heuristic import narrow, promise
from signoria.games.patrician.bot.playout import play_on
from signoria.games.patrician.bot.styles import liking, own_gain
from signoria.kernel.heuristic import Heuristic, Styles

__all__ = ["FEATURES", "HEURISTIC", "STYLES"]

HEURISTIC = Heuristic(promise, narrow, play_on, warmth=2.5, explore=1.0, margin=0.3, far=12.0)
STYLES = Styles(own_gain, liking)
