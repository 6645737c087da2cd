"""The bot that thinks ahead: `search:10000` imagines so many games for a decision, `search:0.5s` as many as it can."""

import time
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from signoria.bots.bot import FREE, Budget, Considered, Explanation
from signoria.bots.tree import POINTS, WINS, Tree
from signoria.games import find_game
from signoria.kernel.errors import BadOption

SLICE = 0.005
"""Seconds of thought between two looks at the clock."""
FEW = 16
"""Iterations before the first look at the clock."""
USUAL = "10000"
LONGEST = 3600.0


class Thought(NamedTuple):
    """What a search found: visits of each first step by number, what followed them, and what it took."""

    visits: NDArray[np.int64]
    sums: NDArray[np.float64]
    iterations: int
    seconds: float


def level_of(level: str) -> Budget:
    """`10000` as iterations, `0.5s` as seconds; raises `BadOption`."""
    try:
        if level.endswith("s") and 0 < (seconds := float(level[:-1])) <= LONGEST:
            return Budget(seconds=seconds)
        if (iterations := int(level)) > 0:
            return Budget(iterations=iterations)
    except ValueError:
        pass
    raise BadOption(f"bots: search knows no level {level!r}; it is a number of iterations, 10000, or a time, 0.5s.")


class SearchBot:
    """Information-set Monte Carlo tree search. The same seed, iterations and threads give the same step.

    Every thread has a tree of its own, of at most `tree.MEMORY` bytes; what they found is put together.
    """

    def __init__(self, level: str | None = None) -> None:
        self._level = level_of(USUAL if level is None else level)

    def decide(self, view: Any, rng: Random, budget: Budget = FREE) -> Any:
        """The step that was looked at most."""
        if len(view.legal) == 1:
            return view.legal[0]
        return find_game(view.game).step_of(int(self.think(view, rng, budget).visits.argmax()))

    def explain(self, view: Any, rng: Random | None = None, budget: Budget = FREE) -> Explanation:
        """Every step that was looked at, and how games went on after the best of them."""
        game, thought = find_game(view.game), self.think(view, rng or Random(0), budget)
        tried = thought.sums[:, :, WINS].sum(axis=1)  # the shares of a game's win make one
        order = sorted(np.flatnonzero(tried), key=lambda number: -tried[number])
        means = thought.sums[order] / tried[order, None, None]
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
            says=f"I would {considered[0].step}: it wins {chances[view.seat]:.0%} of {thought.iterations:,} imagined games.",
        )

    def think(self, view: Any, rng: Random, budget: Budget = FREE) -> Thought:
        """Search from what the seat of a view knows; raises `BadOption` when it is not asked."""
        if not view.legal:
            raise BadOption("view: its seat is not asked now, so there is nothing to decide.")
        most, seconds = _less(self._level.iterations, budget.iterations), _less(self._level.seconds, budget.seconds)
        seeds = [rng.getrandbits(63) for _ in range(max(1, budget.threads))]
        trees = [Tree(find_game(view.game), view.known, seed) for seed in seeds]
        shares = [
            None if most is None else most * (k + 1) // len(trees) - most * k // len(trees) for k in range(len(trees))
        ]
        began = time.perf_counter()
        until = None if seconds is None else began + seconds
        if len(trees) == 1:
            _grow(trees[0], shares[0], until, budget)
        else:
            with ThreadPoolExecutor(len(trees)) as pool:
                list(pool.map(lambda tree, share: _grow(tree, share, until, budget), trees, shares))
        return Thought(
            visits=np.sum([tree.visits for tree in trees], axis=0),
            sums=np.sum([tree.sums for tree in trees], axis=0),
            iterations=sum(tree.iterations for tree in trees),
            seconds=time.perf_counter() - began,
        )


def _less(a: Any, b: Any) -> Any:
    return min((limit for limit in (a, b) if limit is not None), default=None)


def _grow(tree: Tree, most: int | None, until: float | None, budget: Budget) -> None:
    """Add iterations up to a number, a time or a sign, in slices of about SLICE seconds; at least one slice."""
    if until is None and budget.stop is None:
        tree.think(most or 1)
        return
    step = FEW
    while most is None or tree.iterations < most:
        began = time.perf_counter()
        if tree.iterations > 0 and (
            (until is not None and began >= until) or (budget.stop is not None and budget.stop.is_set())
        ):
            return
        tree.think(step if most is None else min(step, most - tree.iterations))
        pace = (time.perf_counter() - began) / step
        slice_ = SLICE if until is None else min(SLICE, max(until - time.perf_counter(), 0.0))
        step = max(1, min(4 * step, int(slice_ / max(pace, 1e-9))))
