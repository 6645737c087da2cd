"""The search itself: information-set Monte Carlo tree search over any game's rulebook, compiled.

Every iteration imagines another deal that the seat cannot tell from the true one (`redeal`), goes down one tree that
all these deals share, plays on to the end, and tells everyone on the way how it ended. A branch is a step of a seat;
which branches are open depends on the deal. Everyone chooses for themselves (max^n), by what a branch has brought them
so far, how promising it looked and how little is known of it (PUCT).
"""

from collections.abc import Callable
from functools import cache
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from signoria.kernel.compiled import rule
from signoria.kernel.game import OVER, Game
from signoria.kernel.heuristic import Heuristic
from signoria.kernel.layout import blank, layout
from signoria.kernel.luck import sow
from signoria.kernel.view import Known

ROOT = 0
NONE = -1
MOST_NODES = 1 << 20
"""A full tree grows no further; iterations go on in what there is."""
DEEPEST = 120
"""The most branches on the way down; what lies deeper is played out."""
MOST_HOPE = 20.0
"""The exponential of more is not worth telling apart."""

WINS, POINTS = 0, 1
"""What is summed for everyone: shares of the win, and final points."""


class Node:
    """A step that was imagined, after those on the way to it."""

    step: Annotated[int, np.int16]
    seat: Annotated[int, np.int16]
    """Who makes it."""
    visits: Annotated[int, np.int32]
    first: Annotated[int, np.int32]
    """The first of the steps after it, or NONE."""
    sibling: Annotated[int, np.int32]
    """The next of the steps instead of it, or NONE."""
    prior: Annotated[float, np.float32]
    """How promising it looked, beside its siblings."""
    reward: Annotated[float, np.float32]
    """What it brought the seat that makes it, summed over the visits."""


NODE = layout(Node)
MEMORY = MOST_NODES * NODE.itemsize
"""Bytes that a tree takes at most."""


@cache
def thinker(game: Game[Any, Any, Any], heuristic: Heuristic) -> Callable[..., None]:
    """The rule that adds iterations to a tree of a game."""
    legal_steps, apply, redeal, score = game.rules.legal_steps, game.rules.apply, game.rules.redeal, game.rules.score
    promise, narrow, play_on, warmth, explore, margin_weight, far = heuristic
    total, won, columns = game.columns.index("total"), game.columns.index("won"), len(game.columns)
    most_legal, all_steps = game.most_legal, game.steps

    @rule
    def grow(nodes: Any, used: Any, parent: int, step: int, seat: int, prior: float) -> None:
        """A new step after `parent`, if there is room."""
        at = used[0]
        if at < nodes.shape[0]:
            used[0] = at + 1
            node = nodes[at]
            node.step, node.seat, node.visits, node.first = step, seat, 0, NONE
            node.prior, node.reward = prior, 0.0
            node.sibling = nodes[parent].first
            nodes[parent].first = at

    @rule
    def grow_missing(s: Any, box: Any, nodes: Any, used: Any, parent: int, steps: Any, count: int, open_: Any) -> None:
        """See to it that every step that is legal in this deal has its branch."""
        child = nodes[parent].first
        while child != NONE:
            node = nodes[child]
            if open_[node.step] == 1 and node.seat == s.seat:
                open_[node.step] = 2
            child = node.sibling
        for i in range(count):
            if open_[steps[i]] == 1:
                hope = promise(s, box, steps[i]) / warmth
                prior = np.exp(min(max(hope, -MOST_HOPE), MOST_HOPE))
                grow(nodes, used, parent, steps[i], s.seat, prior)

    @rule
    def choose(s: Any, nodes: Any, parent: int, open_: Any) -> int:
        """The branch to follow, of those that are open in this deal; NONE if there is none."""
        visits, reward, priors = 0, 0.0, 0.0
        child = nodes[parent].first
        while child != NONE:
            node = nodes[child]
            if open_[node.step] > 0 and node.seat == s.seat:
                visits += node.visits
                reward += node.reward
                priors += node.prior
            child = node.sibling
        usual = reward / visits if visits > 0 else 0.5
        curiosity = explore * np.sqrt(visits + 1.0) / priors if priors > 0.0 else 0.0
        best, most = NONE, -1.0
        child = nodes[parent].first
        while child != NONE:
            node = nodes[child]
            if open_[node.step] > 0 and node.seat == s.seat:
                brought = node.reward / node.visits if node.visits > 0 else usual
                value = brought + curiosity * node.prior / (1 + node.visits)
                if value > most:
                    best, most = child, value
            child = node.sibling
        return best

    @rule
    def judge(sheet: Any, players: int, shares: Any, rewards: Any) -> None:
        """How good an end is for everyone: the share of the win, with a little weight on the margin."""
        winners = 0
        for seat in range(players):
            winners += sheet[seat, won]
        for seat in range(players):
            best = -1000
            for other in range(players):
                if other != seat:
                    best = max(best, sheet[other, total])
            margin = (sheet[seat, total] - best) / far
            shares[seat] = sheet[seat, won] / winners
            likely = 0.5 + 0.5 * margin / (1.0 + abs(margin))
            rewards[seat] = (1.0 - margin_weight) * shares[seat] + margin_weight * likely

    @rule
    def think(known: Any, boxes: Any, work: Any, nodes: Any, used: Any, sums: Any, luck: Any, iterations: int) -> None:
        """Add iterations to a tree. `sums` is what followed each first step: [step, seat, WINS or POINTS]."""
        s, box = work[0], boxes[0]
        players = int(box.players)
        steps = np.empty(most_legal, np.int16)
        open_ = np.zeros(all_steps, np.int8)
        path = np.empty(DEEPEST, np.int32)
        sheet = np.zeros((players, columns), np.int16)
        shares, rewards = np.zeros(players), np.zeros(players)
        for _ in range(iterations):
            work[0] = known[0]
            redeal(s, box, luck)
            node, depth, first_step = ROOT, 0, NONE
            while s.asked != OVER and depth < DEEPEST and (node == ROOT or nodes[node].visits > 0):
                count = narrow(s, box, steps, legal_steps(s, box, steps))
                step = int(steps[0])
                if count > 1:
                    for i in range(count):
                        open_[steps[i]] = 1
                    grow_missing(s, box, nodes, used, node, steps, count, open_)
                    child = choose(s, nodes, node, open_)
                    for i in range(count):
                        open_[steps[i]] = 0
                    if child == NONE:
                        break
                    node, step = child, int(nodes[child].step)
                    path[depth] = child
                    depth += 1
                if first_step == NONE:
                    first_step = step
                apply(s, box, step)
            ahead = 0
            while s.asked != OVER:
                apply(s, box, play_on(s, box, luck, ahead))
                ahead += 1
            score(s, box, sheet)
            judge(sheet, players, shares, rewards)
            nodes[ROOT].visits += 1
            for i in range(depth):
                nodes[path[i]].visits += 1
                nodes[path[i]].reward += rewards[nodes[path[i]].seat]
            if first_step != NONE:
                for seat in range(players):
                    sums[first_step, seat, WINS] += shares[seat]
                    sums[first_step, seat, POINTS] += sheet[seat, total]

    return think


class Tree:
    """What one search has found so far from what a seat knows."""

    iterations: int = 0

    def __init__(self, game: Game[Any, Any, Any], known: Known, seed: int, heuristic: Heuristic | None = None) -> None:
        self._think = thinker(game, heuristic or game.heuristic)
        self._known, self._work = known, blank(1, game.state)
        self._nodes = np.empty(MOST_NODES, NODE).view(np.recarray)
        self._nodes[ROOT] = (NONE, NONE, 0, NONE, NONE, 0.0, 0.0)
        self._used = np.ones(1, np.int64)
        self._sums = np.zeros((game.steps, int(known.boxes[0].players), 2))
        self._luck = np.empty(1, np.uint64)
        sow(self._luck, seed, 0)
        self.think(0)  # compiled before anybody looks at a clock

    def think(self, iterations: int) -> None:
        """Add iterations; so many at once or one after the other, the tree is the same. Releases the interpreter."""
        known, boxes = self._known
        self._think(known, boxes, self._work, self._nodes, self._used, self._sums, self._luck, iterations)
        self.iterations += iterations

    @property
    def visits(self) -> NDArray[np.int64]:
        """How often each step was tried first, by its number: the shares of a game's win make one."""
        return np.asarray(np.rint(self._sums[:, :, WINS].sum(axis=1)), np.int64)

    @property
    def sums(self) -> NDArray[np.float64]:
        """What followed each first step, summed: [step, seat, WINS or POINTS]."""
        return self._sums
