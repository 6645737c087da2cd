"""Self-play: the search plays whole games against itself, and notes what it expected in every state that a network can judge."""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from signoria.bots.leaves import RESULTS, REWARD, WINS, asking_a_network, judge_of
from signoria.bots.tree import NODE, NONE, ROOT, thinker
from signoria.kernel.compiled import rule
from signoria.kernel.features import SETTLED, Features
from signoria.kernel.game import MOST_SEATS, OVER, Game
from signoria.kernel.luck import below, sow

LIGHT = 3
"""In states from which the network does not learn, the search makes this many times fewer iterations."""
LONGEST = 600
"""The most states of a game that are written down."""


class Samples(NamedTuple):
    """States of one game, as rows. Seats are counted from the seat in turn."""

    on: NDArray[np.int16]
    """The features that are on; the first `counts` of them."""
    counts: NDArray[np.int16]
    numbers: NDArray[np.float32]
    expected: NDArray[np.float32]
    """The reward of every seat that the search expected of the step it chose."""
    results: NDArray[np.float32]
    """How the game ended for every seat: [row, seat, kind of result]."""
    seat: NDArray[np.int8]
    """The seat in turn."""


def empty_samples(features: Features) -> Samples:
    """Arrays for one game."""
    return Samples(
        on=np.zeros((LONGEST, features.most), np.int16),
        counts=np.zeros(LONGEST, np.int16),
        numbers=np.zeros((LONGEST, features.numbers_size), np.float32),
        expected=np.zeros((LONGEST, MOST_SEATS), np.float32),
        results=np.zeros((LONGEST, MOST_SEATS, RESULTS), np.float32),
        seat=np.zeros(LONGEST, np.int8),
    )


def empty_nodes(count: int) -> Any:
    """An array for the nodes of a small tree."""
    return np.empty(count, NODE).view(np.recarray)


@cache
def self_player(
    game: Game[Any, Any, Any], sizes: tuple[int, int], rival_sizes: tuple[int, int] | None = None
) -> Callable[..., int]:
    """The rule that plays one game and returns how many states it has written down.

    `sizes` are the layers of the network that learns, `rival_sizes` those of its opponent, if it has another one.
    """
    heuristic, features = game.heuristic, game.features
    assert features is not None
    deal, apply, legal_steps = game.rules.deal, game.rules.apply, game.rules.legal_steps
    see, score, narrow = game.rules.see, game.rules.score, heuristic.narrow
    describe, settle, judge = features.describe, features.settle, judge_of(game, heuristic)
    think = thinker(game, heuristic, asking_a_network(game, heuristic, sizes))
    rival_think = thinker(game, heuristic, asking_a_network(game, heuristic, rival_sizes or sizes))
    most_legal, all_steps, columns = game.most_legal, game.steps, len(game.columns)

    @rule
    def most_visited(steps: Any, count: int, players: int, sums: Any) -> int:
        """The step that a search tried most often. The shares of the win of one game add up to 1, so their sum counts games."""
        best, most = int(steps[0]), -1.0
        for i in range(count):
            visits = 0.0
            for seat in range(players):
                visits += sums[steps[i], seat, WINS]
            if visits > most:
                best, most = int(steps[i]), visits
        return best

    @rule
    def write(s: Any, box: Any, sheet: Any, sums: Any, step: int, samples: Any, row: int) -> None:
        """Write down a state, and what the search expects of a step."""
        samples.counts[row] = describe(s, box, sheet, samples.on[row], samples.numbers[row])
        samples.seat[row] = s.seat
        for place in range(MOST_SEATS):  # a game before may have had more players
            samples.expected[row, place] = 0.0
            for kind in range(RESULTS):
                samples.results[row, place, kind] = 0.0
        visits = 0.0
        for seat in range(box.players):
            visits += sums[step, seat, WINS]
        for seat in range(box.players):
            samples.expected[row, (seat - s.seat) % box.players] = sums[step, seat, REWARD] / visits

    @rule
    def play(
        states: Any,
        known: Any,
        work: Any,
        boxes: Any,
        which: int,
        nodes: Any,
        used: Any,
        sums: Any,
        luck: Any,
        seed: int,
        number: int,
        iterations: int,
        random_steps: int,
        explore: float,
        mind: Any,
        learner: int,
        rival_explore: float,
        rival_mind: Any,
        samples: Any,
    ) -> int:
        """Play game `number` of a seed at box `which`. `random_steps` of 1000 are random.

        With a `learner`, all other seats are played by its rival. What the rival expects is not written down: where it is
        in turn, the result of the game takes its place. Without one (NONE), the network that learns plays all seats.
        """
        s, box = states[0], boxes[which]
        players = int(box.players)
        steps = np.empty(most_legal, np.int16)
        sheet = np.zeros((players, columns), np.int16)
        results = np.zeros((players, RESULTS))
        sow(luck, seed, number)
        deal(s, box, luck)
        rows = 0
        while s.asked != OVER:
            count = narrow(s, box, steps, legal_steps(s, box, steps))
            step = int(steps[0])
            if count > 1:
                if below(luck, 1000) < random_steps:
                    step = int(steps[below(luck, count)])
                else:
                    settled = settle(s, box, luck, 0, mind.steps) == SETTLED
                    known[0] = states[0]
                    see(known[0], box, int(s.seat))
                    used[0] = 1
                    root = nodes[ROOT]
                    root.step, root.seat, root.visits, root.first, root.sibling = NONE, NONE, 0, NONE, NONE
                    for i in range(all_steps):
                        for seat in range(players):
                            for kind in range(RESULTS):
                                sums[i, seat, kind] = 0.0
                    tries = iterations if settled else max(1, iterations // LIGHT)
                    if learner == NONE or s.seat == learner:
                        think(known[0], box, work, nodes, used, sums, luck, tries, explore, mind)
                    else:
                        rival_think(known[0], box, work, nodes, used, sums, luck, tries, rival_explore, rival_mind)
                    step = most_visited(steps, count, players, sums)
                    if settled and rows < samples.counts.shape[0]:
                        write(s, box, sheet, sums, step, samples, rows)
                        rows += 1
            apply(s, box, step)
        score(s, box, sheet)
        judge(sheet, players, results)
        for row in range(rows):
            for seat in range(players):
                for kind in range(RESULTS):
                    samples.results[row, (seat - samples.seat[row]) % players, kind] = results[seat, kind]
                if learner != NONE and samples.seat[row] != learner:
                    samples.expected[row, (seat - samples.seat[row]) % players] = results[seat, REWARD]
        return rows

    return play
