"""The search itself: information-set Monte Carlo tree search over any game's rulebook, compiled.

Every iteration makes up a deal that the seat cannot distinguish from the real one (`redeal`), follows a tree shared by
all deals, finds out what to expect where the tree ends (`leaves.py`), and adds the result to every node on the way. A
branch is a step of a seat; the deal decides which branches are open. Every seat chooses for itself (max^n): by the results
of a branch so far, by how promising it looks, and by how rarely it was visited (PUCT).
"""

from collections.abc import Callable
from functools import cache
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from signoria.bots.leaves import (
    RESULTS,
    REWARD,
    WINS,
    Leaf,
    Mind,
    asking_a_network,
    mind_of,
    playing_in_style,
    playing_on,
)
from signoria.bots.network import Network
from signoria.kernel.compiled import rule
from signoria.kernel.game import OVER, Game
from signoria.kernel.heuristic import Heuristic
from signoria.kernel.layout import blank, layout
from signoria.kernel.luck import sow
from signoria.kernel.position import Position

ROOT = 0
NONE = -1
MOST_NODES = 1 << 20
"""A full tree stops growing; further iterations use the nodes it has."""
DEEPEST = 120
"""Maximum depth in the tree."""
MOST_HOPE = 20.0
"""Larger values make no difference after the exponential."""


class Node:
    """A step in the tree, after the steps that lead to it."""

    step: Annotated[int, np.int16]
    seat: Annotated[int, np.int16]
    """The seat that makes it."""
    visits: Annotated[int, np.int32]
    first: Annotated[int, np.int32]
    """The first step after it, or NONE."""
    sibling: Annotated[int, np.int32]
    """The next alternative to it, or NONE."""
    prior: Annotated[float, np.float32]
    """How promising it looked compared with its siblings."""
    reward: Annotated[float, np.float32]
    """The sum of the rewards for its seat, over all visits."""


NODE = layout(Node)
MEMORY = MOST_NODES * NODE.itemsize
"""Maximum size of a tree in bytes."""


@cache
def thinker(game: Game[Any, Any, Any], heuristic: Heuristic, leaf: Leaf) -> Callable[..., None]:
    """The rule that adds iterations to a tree of a game."""
    legal_steps, apply, redeal = game.rules.legal_steps, game.rules.apply, game.rules.redeal
    promise, narrow, warmth = heuristic.promise, heuristic.narrow, heuristic.warmth
    columns, most_legal, all_steps = len(game.columns), game.most_legal, game.steps

    @rule
    def grow(nodes: Any, used: Any, parent: int, step: int, seat: int, prior: float) -> None:
        """Add a step after `parent`, if there is room."""
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
        """Make sure that every legal step in this deal has a branch."""
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
    def choose(s: Any, nodes: Any, parent: int, open_: Any, explore: float) -> int:
        """The branch to follow, among those open in this deal; NONE if there is none."""
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
    def think(
        known: Any,
        box: Any,
        work: Any,
        nodes: Any,
        used: Any,
        sums: Any,
        luck: Any,
        iterations: int,
        explore: float,
        mind: Any,
    ) -> None:
        """Add iterations to a tree. `sums` holds the results after each first step: [step, seat, kind of result]."""
        s = work[0]
        players = int(box.players)
        steps = np.empty(most_legal, np.int16)
        open_ = np.zeros(all_steps, np.int8)
        path = np.empty(DEEPEST, np.int32)
        sheet = np.zeros((players, columns), np.int16)
        results = np.zeros((players, RESULTS))
        for _ in range(iterations):
            work[0] = known
            redeal(s, box, luck)
            node, depth, first_step = ROOT, 0, NONE
            while s.asked != OVER and depth < DEEPEST and (node == ROOT or nodes[node].visits > 0):
                count = narrow(s, box, steps, legal_steps(s, box, steps))
                step = int(steps[0])
                if count > 1:
                    for i in range(count):
                        open_[steps[i]] = 1
                    grow_missing(s, box, nodes, used, node, steps, count, open_)
                    child = choose(s, nodes, node, open_, explore)
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
            leaf(s, box, luck, mind, sheet, results)
            nodes[ROOT].visits += 1
            for i in range(depth):
                nodes[path[i]].visits += 1
                nodes[path[i]].reward += results[nodes[path[i]].seat, REWARD]
            if first_step != NONE:
                for seat in range(players):
                    for kind in range(RESULTS):
                        sums[first_step, seat, kind] += results[seat, kind]

    return think


class Judgement(NamedTuple):
    """What a search needs to use a network at its leaves."""

    network: Network
    explore: float
    """How much the search trusts promises over what it has found."""
    mix: float
    """The share of a playout in the results of a leaf."""
    certainty: float = 1.0
    """Makes the chances that are stated to people surer or less sure, and changes no move."""


class Tree:
    """The result so far of one search from what a seat knows."""

    iterations: int = 0
    _mind: Mind | int | None

    def __init__(
        self,
        known: Position,
        seed: int,
        heuristic: Heuristic | None = None,
        judgement: Judgement | None = None,
        style: int | None = None,
    ) -> None:
        """A tree without iterations. With a judgement it asks a network at its leaves, otherwise it plays games to their end.

        With a style it likes some ends of these games more than others, besides winning.
        """
        game = known.game
        heuristic = heuristic or game.heuristic
        if judgement is None:
            leaf = playing_on(game, heuristic) if style is None else playing_in_style(game, heuristic)
            self._think = thinker(game, heuristic, leaf)
            self._explore, self._mind = heuristic.explore, style
        else:
            assert game.features is not None
            leaf = asking_a_network(game, heuristic, judgement.network.sizes)
            self._think, self._explore = thinker(game, heuristic, leaf), judgement.explore
            self._mind = mind_of(judgement.network, game, judgement.mix)
        self._known, self._work = known, blank(1, game.state)
        self._nodes = np.empty(MOST_NODES, NODE).view(np.recarray)
        self._nodes[ROOT] = (NONE, NONE, 0, NONE, NONE, 0.0, 0.0)
        self._used = np.ones(1, np.int64)
        self._sums = np.zeros((game.steps, known.box.players, RESULTS))
        self._luck = np.empty(1, np.uint64)
        sow(self._luck, seed, 0)
        self.think(0)  # compile before any time is measured

    def think(self, iterations: int) -> None:
        """Add iterations; the tree is the same whether they come at once or in parts. Releases the interpreter lock."""
        self._known.call(
            self._think,
            self._work,
            self._nodes,
            self._used,
            self._sums,
            self._luck,
            iterations,
            self._explore,
            self._mind,
        )
        self.iterations += iterations

    @property
    def visits(self) -> NDArray[np.int64]:
        """How often each step was tried first, by its number.

        The shares of the win of one game add up to 1, so their sum counts games.
        """
        return np.asarray(np.rint(self._sums[:, :, WINS].sum(axis=1)), np.int64)

    @property
    def sums(self) -> NDArray[np.float64]:
        """Sums of the results after each first step: [step, seat, kind of result]."""
        return self._sums
