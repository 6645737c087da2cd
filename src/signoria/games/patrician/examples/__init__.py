"""Examples of the clauses of Patrician: positions that the rules page draws, and that a test checks against the rules."""

from signoria.games.patrician.examples.expansions import EXPANSIONS
from signoria.games.patrician.examples.scoring import SCORING
from signoria.games.patrician.examples.turns import SETTING_UP, TURNS

EXAMPLES = (*SETTING_UP, *TURNS, *SCORING, *EXPANSIONS)
