"""Patrician, by Michael Schacht, with its mini-expansions Messengers and Ambassadors."""

from signoria.patrician.game import PATRICIAN, Options
from signoria.patrician.steps import Build, Keep, Messenger, Move, Play, Stay, Step, Take
from signoria.patrician.view import View

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
