"""How bots judge Patrician and imagine how it goes on."""

from signoria.games.patrician.bot.features import FEATURES
from signoria.games.patrician.bot.heuristic import narrow, promise
from signoria.games.patrician.bot.playout import play_on
from signoria.kernel.heuristic import Heuristic

__all__ = ["FEATURES", "HEURISTIC"]

HEURISTIC = Heuristic(promise, narrow, play_on, warmth=2.5, explore=1.0, margin=0.3, far=12.0)
