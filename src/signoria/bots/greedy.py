"""Bots that make the most promising step without looking ahead."""

import math
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from signoria.batch.playing import Chooser, RoomChooser
from signoria.bots.bot import FREE, Budget, Considered, Explanation
from signoria.bots.search import SearchBot
from signoria.games import find_game
from signoria.kernel.compiled import rule
from signoria.kernel.errors import BadOption
from signoria.kernel.game import Game
from signoria.kernel.language import say

SHORT = "500"
"""Level of the search used for the expected result."""
Promise = Callable[[Any, Any, int], float]
"""promise(s, box, step): what a legal step promises the seat in turn, in points."""
GRAIN = 4096.0
"""Promises are compared in parts of a point. Without this, what a computer loses in the last decimal place would decide
between steps that promise the same, and CPython, a CPU and a GPU would not make the same ones.
"""


class Promises(NamedTuple):
    """Steps worth considering, and how many points each promises."""

    steps: tuple[Any, ...]
    points: NDArray[np.float32]


def promises(view: Any, promise: Promise | None = None) -> Promises:
    """How much each legal step of a view promises; raises `BadOption` if there is none."""
    if not view.legal:
        raise BadOption(say("view: it is not this seat's turn, so there is nothing to decide."))
    known = view.known.copy()  # the heuristic changes the state temporarily
    game = known.game
    steps, points = np.empty(game.most_legal, np.int16), np.empty(game.most_legal, np.float32)
    count = known.call(steps_and_promises(game, promise), steps, points)
    return Promises(tuple(game.step_of(int(step)) for step in steps[:count]), points[:count])


@rule
def grained(points: float) -> float:
    """A promise, rounded to the parts that are compared."""
    return math.floor(points * GRAIN + 0.5) / GRAIN


@cache
def steps_and_promises(
    game: Game[Any, Any, Any], promise: Promise | None = None
) -> Callable[[Any, Any, Any, Any], int]:
    """The rule that lists the steps worth considering with what each promises, and returns their number.

    Promises are those of the game's heuristic, unless others are given.
    """
    legal_steps, narrow, promise = game.rules.legal_steps, game.heuristic.narrow, promise or game.heuristic.promise

    @rule
    def look(s: Any, box: Any, steps: Any, points: Any) -> int:
        count = narrow(s, box, steps, legal_steps(s, box, steps))
        for i in range(count):
            points[i] = grained(promise(s, box, steps[i]))
        return count

    return look


@cache
def most_promising(game: Game[Any, Any, Any], promise: Promise | None = None) -> Chooser:
    """The rule that makes the most promising step; the first one if several are equal."""
    choose_in_room, most_legal = most_promising_in_room(game, promise), game.most_legal

    @rule
    def choose(s: Any, box: Any, luck: Any) -> int:
        return choose_in_room(s, box, luck, np.empty(most_legal, np.int16))

    return choose


@cache
def most_promising_in_room(game: Game[Any, Any, Any], promise: Promise | None = None) -> RoomChooser:
    """The same with room for the legal steps."""
    legal_steps, narrow, promise = game.rules.legal_steps, game.heuristic.narrow, promise or game.heuristic.promise

    @rule
    def choose(s: Any, box: Any, luck: Any, steps: Any) -> int:
        count = narrow(s, box, steps, legal_steps(s, box, steps))
        best, most = int(steps[0]), np.float32(-1e9)
        for i in range(count if count > 1 else 0):
            points = np.float32(grained(promise(s, box, steps[i])))
            if points > most:
                best, most = int(steps[i]), points
        return best

    return choose


class GreedyBot:
    """Makes the most promising step; the first one if several are equal."""

    def promise_of(self, game: Game[Any, Any, Any]) -> Promise:
        """What this bot thinks that a step promises."""
        return game.heuristic.promise

    def decide(self, view: Any, rng: Random, budget: Budget = FREE) -> Any:
        """One of `view.legal`."""
        if view.forced is not None:
            return view.forced
        steps, points = promises(view, self.promise_of(find_game(view.game)))
        return steps[int(points.argmax())]

    def explain(self, view: Any, rng: Random | None = None, budget: Budget = FREE) -> Explanation:
        """How much each step promises; a short search estimates the result of the game."""
        steps, points = promises(view, self.promise_of(find_game(view.game)))
        best = int(points.argmax())
        considered = [
            Considered(step, float(number == best), points=round(float(gain), 2))
            for number, (step, gain) in enumerate(zip(steps, points, strict=True))
        ]
        considered.sort(key=lambda one: (-one.weight, -(one.points or 0.0)))
        expected = SearchBot(SHORT).explain(view, rng, budget)
        return msgspec.structs.replace(
            expected, considered=tuple(considered), says=f"Without looking ahead I would {considered[0].step}."
        )

    def chooser(self, game: Game[Any, Any, Any]) -> Chooser:
        """The rule that makes the most promising step."""
        return most_promising(game, self.promise_of(game))

    def room_chooser(self, game: Game[Any, Any, Any]) -> RoomChooser:
        """The same rule with room for the legal steps."""
        return most_promising_in_room(game, self.promise_of(game))


class OwnGainBot(GreedyBot):
    """Makes the step that brings it most at once, whatever the others do; like greedy in a game without such a judgement."""

    def promise_of(self, game: Game[Any, Any, Any]) -> Promise:
        """What a step brings at once."""
        return game.heuristic.promise if game.styles is None else game.styles.own_gain
