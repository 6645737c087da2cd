"""The games that a campaign plays: all that are installed."""

from signoria.games import GAMES

NAMES = tuple(GAMES)
FIRST, LAST = NAMES[0], NAMES[-1]
