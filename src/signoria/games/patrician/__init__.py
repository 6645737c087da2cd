"""Patrician, by Michael Schacht, with its mini-expansions Messengers and Ambassadors."""

from signoria.games.patrician.game import PATRICIAN, Options
from signoria.games.patrician.rulebook.steps import Build, Keep, Messenger, Move, Play, Stay, Step, Take
from signoria.games.patrician.view import View

__all__ = [
    "PATRICIAN",
    "Build",
    "Keep",
    "Messenger",
    "Move",
    "Options",
    "Play",
    "Stay",
    "Step",
    "Take",
    "View",
]
