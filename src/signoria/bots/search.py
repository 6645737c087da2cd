"""The bot that looks ahead: `search:10000` plays 10,000 games per decision, `search:0.5s` as many as it can."""

import math
import time
from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Event
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from signoria.bots.bot import FREE, Budget, Considered, Explanation
from signoria.bots.leaves import POINTS, WINS
from signoria.bots.tree import Tree
from signoria.games import find_game
from signoria.kernel.errors import BadOption
from signoria.kernel.language import percent, say, say_count
from signoria.kernel.position import Position

SLICE = 0.005
"""Seconds of search between checks of the clock."""
FEW = 16
"""Iterations before the first check of the clock."""
USUAL = "10000"
LONGEST = 3600.0
MOST = 10_000_000
"""Maximum iterations of a tree, regardless of time: sums stay exact enough, and more would not help."""


class Thought(NamedTuple):
    """The result of a search: visits of each first step, the sums of what followed, iterations and time."""

    visits: NDArray[np.int64]
    sums: NDArray[np.float64]
    iterations: int
    seconds: float


def level_of(level: str) -> Budget:
    """Read `10000` as iterations or `0.5s` as seconds; raises `BadOption`."""
    try:
        if level.endswith("s") and 0 < (seconds := float(level[:-1])) <= LONGEST:
            return Budget(seconds=seconds)
        if 0 < (iterations := int(level)) <= MOST:
            return Budget(iterations=iterations)
    except ValueError:
        pass
    raise BadOption(
        say(
            "bots: search has no level {level!r}; give a number of iterations (10000) or a time (0.5s), at most {most} or {longest:g}s.",
            level=level,
            most=MOST,
            longest=LONGEST,
        )
    )


def with_certainty(chances: NDArray[Any], certainty: float) -> NDArray[Any]:
    """Chances to win, with a power above 1 further from even, with one below 1 closer to it. The last axis adds up to 1."""
    powers: NDArray[Any] = np.clip(chances, 1e-9, 1.0) ** certainty
    powers *= chances.sum(axis=-1, keepdims=True) / powers.sum(axis=-1, keepdims=True)
    return powers


class SearchBot:
    """Information-set Monte Carlo tree search. The same seed, iterations and threads give the same step.

    Every thread has its own tree of at most `tree.MEMORY` bytes; the results are added up.
    """

    def __init__(self, level: str | None = None) -> None:
        self._level = level_of(USUAL if level is None else level)

    def decide(self, view: Any, rng: Random, budget: Budget = FREE) -> Any:
        """The step with the most visits."""
        if view.forced is not None:
            return view.forced
        return find_game(view.game).step_of(int(self.think(view, rng, budget).visits.argmax()))

    def explain(self, view: Any, rng: Random | None = None, budget: Budget = FREE) -> Explanation:
        """All steps that the search tried, and the expected result after the best one."""
        game, thought = find_game(view.game), self.think(view, rng or Random(0), budget)
        tried = thought.visits
        order = sorted(np.flatnonzero(tried), key=lambda number: -tried[number])
        means = thought.sums[order] / tried[order, None, None]
        means[:, :, WINS] = with_certainty(means[:, :, WINS], self.certainty(view))
        considered = tuple(
            Considered(
                step=game.step_of(int(number)),
                weight=round(float(tried[number] / tried.sum()), 4),
                chance=round(float(mean[view.seat, WINS]), 4),
                points=round(float(mean[view.seat, POINTS]), 2),
            )
            for number, mean in zip(order, means, strict=True)
        )
        chances = tuple(round(float(chance), 4) for chance in means[0, :, WINS])
        return Explanation(
            seat=view.seat,
            considered=considered,
            chances=chances,
            scores=tuple(round(float(points), 2) for points in means[0, :, POINTS]),
            iterations=thought.iterations,
            seconds=round(thought.seconds, 3),
            says=self.suggestion(view, considered[0].step, percent(round(100 * chances[view.seat])), int(tried.max())),
        )

    def certainty(self, view: Any) -> float:
        """The power that makes the stated chances to win as sure as the results are; see `with_certainty`."""
        return 1.0

    def suggestion(self, view: Any, step: Any, chance: str, tries: int) -> str:
        """A sentence for players: the best step, and how often the seat won the games that it was tried in."""
        return say_count(
            "I suggest {step}: with it I won {chance} of {n} trial game.",
            "I suggest {step}: with it I won {chance} of {n} trial games.",
            tries,
            step=step,
            chance=chance,
        )

    def tree(self, known: Position, seed: int) -> Tree:
        """A tree without iterations."""
        return Tree(known, seed)

    def think(self, view: Any, rng: Random, budget: Budget = FREE) -> Thought:
        """Search from what the seat of a view knows; raises `BadOption` if it is not this seat's turn."""
        if not view.legal:
            raise BadOption(say("view: it is not this seat's turn, so there is nothing to decide."))
        most = max(1, min(limit for limit in (self._level.iterations, budget.iterations, MOST) if limit is not None))
        limits = [limit for limit in (self._level.seconds, budget.seconds) if limit is not None]
        threads = max(1, min(budget.threads, most))
        trees = [self.tree(view.known, rng.getrandbits(63)) for _ in range(threads)]
        shares = [most * (k + 1) // threads - most * k // threads for k in range(threads)]
        began = time.perf_counter()
        until = began + min(limits, default=math.inf)
        if threads == 1:
            _grow(trees[0], most, until, budget.stop)
        else:
            with ThreadPoolExecutor(threads) as pool:
                list(pool.map(lambda tree, share: _grow(tree, share, until, budget.stop), trees, shares))
        return Thought(
            visits=np.sum([tree.visits for tree in trees], axis=0),
            sums=np.sum([tree.sums for tree in trees], axis=0),
            iterations=sum(tree.iterations for tree in trees),
            seconds=time.perf_counter() - began,
        )


def _grow(tree: Tree, most: int, until: float, stop: Event | None) -> None:
    """Add iterations until a number, a time or a signal, in slices of about SLICE seconds; at least one slice."""
    count = FEW
    while tree.iterations < most:
        began = time.perf_counter()
        if tree.iterations > 0 and (began >= until or (stop is not None and stop.is_set())):
            return
        count = min(count, most - tree.iterations)
        tree.think(count)
        now = time.perf_counter()
        room = min(SLICE, max(until - now, 0.0))
        count = max(1, min(4 * count, int(count * room / max(now - began, 1e-9))))
