"""Self-play that looks only one step ahead: far more games in the same time than with a search.

Every step is tried in a few deals that the seat cannot distinguish from the real one, and a network says what every seat can
expect after it. When the game is over, the value that each state should have had is computed backwards from the end.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from signoria.bots.greedy import most_promising_in_room
from signoria.bots.leaves import RESULTS, REWARD, asking_a_network, judge_of
from signoria.bots.tree import NONE
from signoria.kernel.compiled import rule
from signoria.kernel.features import SETTLED
from signoria.kernel.game import MOST_SEATS, OVER, Game
from signoria.kernel.luck import below, sow

TRUST = 0.06
"""The weight of what the network expects after a step; what follows in the game has the rest. It is 1 - lambda in TD(lambda)."""
LONGEST_COURSE = 4000
"""More decisions than a game ever has."""


@cache
def lookahead_player(game: Game[Any, Any, Any], sizes: tuple[int, int]) -> Callable[..., int]:
    """The rule that plays one game and returns how many states it has written down."""
    heuristic, features = game.heuristic, game.features
    assert features is not None
    deal, apply, legal_steps = game.rules.deal, game.rules.apply, game.rules.legal_steps
    see, redeal, score, narrow = game.rules.see, game.rules.redeal, game.rules.score, heuristic.narrow
    describe, settle, judge = features.describe, features.settle, judge_of(game, heuristic)
    ask, promising = asking_a_network(game, heuristic, sizes), most_promising_in_room(game)
    most_legal, columns = game.most_legal, len(game.columns)

    @rule
    def look(
        states: Any,
        known: Any,
        work: Any,
        box: Any,
        luck: Any,
        mind: Any,
        deals: int,
        steps: Any,
        count: int,
        sheet: Any,
        results: Any,
        sums: Any,
    ) -> int:
        """The best step for the seat in turn; `sums` gets what every seat can expect after each of them."""
        players, seat = int(box.players), int(states[0].seat)
        for i in range(count):
            for other in range(players):
                sums[i, other] = 0.0
        for _ in range(deals):
            known[0] = states[0]
            see(known[0], box, seat)
            redeal(known[0], box, luck)
            for i in range(count):
                work[0] = known[0]
                apply(work[0], box, int(steps[i]))
                ask(work[0], box, luck, mind, sheet, results)
                for other in range(players):
                    sums[i, other] += results[other, REWARD] / deals
        best = 0
        for i in range(1, count):
            if sums[i, seat] > sums[best, seat]:
                best = i
        return best

    @rule
    def play(
        states: Any,
        known: Any,
        work: Any,
        boxes: Any,
        which: int,
        luck: Any,
        seed: int,
        number: int,
        deals: int,
        random_steps: int,
        mind: Any,
        samples: Any,
    ) -> int:
        """Play game `number` of a seed at box `which`. `random_steps` of 1000 are random.

        With no deals, every seat makes the most promising step: there is no network yet.
        """
        s, box = states[0], boxes[which]
        players = int(box.players)
        steps, others = np.empty(most_legal, np.int16), np.empty(most_legal, np.int16)
        sheet = np.zeros((players, columns), np.int16)
        results, sums = np.zeros((players, RESULTS)), np.zeros((most_legal, players))
        expected = np.zeros((LONGEST_COURSE, players), np.float32)
        trusted, written = np.zeros(LONGEST_COURSE, np.float32), np.zeros(LONGEST_COURSE, np.int32)
        sow(luck, seed, number)
        deal(s, box, luck)
        rows, decisions = 0, 0
        while s.asked != OVER:
            count = narrow(s, box, steps, legal_steps(s, box, steps))
            step = int(steps[0])
            if count > 1:
                row = NONE
                if settle(s, box, luck, 0, others) == SETTLED and rows < samples.counts.shape[0]:
                    samples.counts[rows] = describe(s, box, sheet, samples.on[rows], samples.numbers[rows])
                    samples.seat[rows] = s.seat
                    row = rows
                    rows += 1
                at_random, trust = below(luck, 1000) < random_steps, 0.0
                if deals > 0:
                    best = look(states, known, work, box, luck, mind, deals, steps, count, sheet, results, sums)
                    step = int(steps[best])
                    # What follows a random step says nothing about the state before it.
                    trust = 1.0 if at_random else TRUST
                    for seat in range(players):
                        expected[decisions, seat] = sums[best, seat]
                elif not at_random:
                    step = int(promising(s, box, luck, others))
                if at_random:
                    step = int(steps[below(luck, count)])
                trusted[decisions], written[decisions] = trust, row
                decisions += 1
            apply(s, box, step)
        score(s, box, sheet)
        judge(sheet, players, results)
        value = np.zeros(players)
        for seat in range(players):
            value[seat] = results[seat, REWARD]
        for i in range(decisions - 1, -1, -1):
            for seat in range(players):
                value[seat] += trusted[i] * (expected[i, seat] - value[seat])
            row = written[i]
            if row != NONE:
                for place in range(MOST_SEATS):  # a game before may have had more players
                    samples.expected[row, place] = 0.0
                    for kind in range(RESULTS):
                        samples.results[row, place, kind] = 0.0
                for seat in range(players):
                    place = (seat - int(samples.seat[row])) % players
                    samples.expected[row, place] = value[seat]
                    for kind in range(RESULTS):
                        samples.results[row, place, kind] = results[seat, kind]
        return rows

    return play
