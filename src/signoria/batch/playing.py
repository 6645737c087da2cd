"""Plays complete games; the same functions for every target."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from signoria.kernel.compiled import rule
from signoria.kernel.game import OVER, Game

Chooser = Callable[[Any, Any, Any], int]
"""A rule that makes a seat's steps: choose(s, box, luck). `Rules.any_step` is one."""
RoomChooser = Callable[[Any, Any, Any, Any], int]
"""The same with room for `most_legal` steps, which a GPU cannot allocate: choose(s, box, luck, steps)."""


@rule
def dealt_already(s: Any, box: Any, luck: Any) -> None:
    """Leave a position as it is."""


@cache
def play_out(
    game: Game[Any, Any, Any], choose: Chooser, deal: Callable[[Any, Any, Any], None] = dealt_already
) -> Callable[[Any, Any, Any], int]:
    """The rule that plays a game to its end, from a position or from a deal, and returns the number of decisions.

    The deal belongs here: a GPU kernel that deals first and then calls this plays nearly a third fewer games a second.
    """
    return in_stages(game, choose, deal) if game.rules.schedule else by_kinds(game, choose, deal)


def by_kinds(
    game: Game[Any, Any, Any], choose: Chooser, deal: Callable[[Any, Any, Any], None]
) -> Callable[[Any, Any, Any], int]:
    """All kinds in the order of a turn, so that neighbouring threads on a GPU do the same thing at the same time.

    The deal and the loop are one rule: as two they are compiled into a program that a GPU runs 4% slower.
    """
    apply, kinds = game.rules.apply, game.kinds

    @rule
    def play(s: Any, box: Any, given: Any) -> int:
        deal(s, box, given)
        decisions = 0
        while s.asked != OVER:
            for kind in range(1, kinds):
                while s.asked == kind:
                    apply(s, box, choose(s, box, given))
                    decisions += 1
        return decisions

    return play


def in_stages(
    game: Game[Any, Any, Any], choose: Chooser, deal: Callable[[Any, Any, Any], None]
) -> Callable[[Any, Any, Any], int]:
    """The same for a game that names its stages: what follows from a step is done by all threads together, too.

    Each rule is called from one place. Were it compiled into several, the program would outgrow the instruction cache of a
    GPU: that costs more than threads that wait for each other.
    """
    schedule = game.rules.schedule
    assert schedule is not None
    make, go_on, kinds = schedule.make, schedule.go_on, game.kinds
    order = np.array([point for part in schedule.parts for point in part], np.int64)
    starts = np.cumsum([0, *(len(part) for part in schedule.parts)])
    points = np.array([sum(1 << point for point in set(part)) for part in schedule.parts], np.int64)
    parts = len(schedule.parts)

    @rule
    def point_of(s: Any) -> int:
        return kinds + int(s.stage) if s.asked == kinds else int(s.asked)

    @rule
    def play(s: Any, box: Any, given: Any) -> int:
        deal(s, box, given)
        decisions = 0
        while s.asked != OVER:
            for part in range(parts):
                while points[part] >> point_of(s) & 1:
                    for place in range(starts[part], starts[part + 1]):
                        point = order[place]
                        if point >= kinds:
                            if point_of(s) == point:
                                go_on(s, box)
                        else:
                            while s.asked == point:
                                make(s, box, choose(s, box, given))
                                decisions += 1
        return decisions

    return play
