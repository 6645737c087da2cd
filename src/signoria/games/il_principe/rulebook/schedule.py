"""The schedule of a round, for GPUs: in which order many games are played on together. It contains no rule."""

from signoria.games.il_principe.rulebook.rounds import go_on
from signoria.games.il_principe.rulebook.rules import make
from signoria.games.il_principe.rulebook.state import (
    ACTING,
    ACTORS,
    BIDDING,
    CRESTING,
    FOUNDED,
    FOUNDING,
    HAMMER,
    INCOME,
    KINDS,
    LOTS,
    MAJORS,
    MINORS,
    OFFERING,
    REVEAL,
    ROUND_END,
    TURNING,
)
from signoria.kernel.game import Schedule

SCHEDULE = Schedule(
    make,
    go_on,
    (
        (OFFERING, KINDS + REVEAL),
        (KINDS + LOTS, BIDDING, KINDS + HAMMER, FOUNDING, CRESTING, KINDS + FOUNDED),
        (ACTING, CRESTING, KINDS + FOUNDED, KINDS + ACTORS),
        (KINDS + MAJORS, KINDS + MINORS, BIDDING, KINDS + HAMMER, TURNING, CRESTING),
        (KINDS + ROUND_END, KINDS + INCOME),
    ),
)
"""Phase 1, the lots of phase 2, the turns of phase 3, the roles of phase 4, and the way to the next round."""
