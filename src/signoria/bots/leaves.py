"""What a search does where its tree ends: it plays the imagined game to its end, or asks a network what to expect.

A leaf is a rule `leaf(s, box, luck, mind, sheet, results)` that fills `results` for every seat. It may change the state.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from signoria.bots import network as net
from signoria.bots.network import Network, forward
from signoria.kernel.compiled import rule
from signoria.kernel.features import SETTLED
from signoria.kernel.game import MOST_SEATS, OVER, Game
from signoria.kernel.heuristic import Heuristic

WINS, POINTS, REWARD = range(3)
"""What a seat can expect: its share of the win, final points, and the reward that the search looks for."""
RESULTS = 3

TASTE = 0.5
"""The weight of what a style likes in the reward; the rest is as without a style."""

Leaf = Callable[..., None]


class Mind(NamedTuple):
    """What a leaf with a network works with: one for each thread."""

    network: Network
    mix: float
    """The share of a playout in the results: 0 for none, 1 for a playout alone, without the network."""
    on: NDArray[np.int16]
    numbers: net.Floats
    units: net.Floats
    more_units: net.Floats
    out: net.Floats
    played: NDArray[np.float64]
    """Where a playout writes its results."""
    steps: NDArray[np.int16]
    """Where the legal steps of a state are listed."""


def mind_of(network: Network, game: Game[Any, Any, Any], mix: float) -> Mind:
    """A mind for a game, with its own arrays."""
    features, (first, second) = game.features, network.sizes
    assert features is not None
    return Mind(
        network=network,
        mix=float(mix),
        on=np.zeros(features.most, np.int16),
        numbers=np.zeros(features.numbers_size, np.float32),
        units=np.zeros(first, np.float32),
        more_units=np.zeros(second, np.float32),
        out=np.zeros(net.OUTPUTS, np.float32),
        played=np.zeros((MOST_SEATS, RESULTS)),
        steps=np.zeros(game.most_legal, np.int16),
    )


@cache
def judge_of(game: Game[Any, Any, Any], heuristic: Heuristic) -> Callable[[Any, int, Any], None]:
    """The rule that values a finished game for every seat."""
    total, won = game.columns.index("total"), game.columns.index("won")
    margin_weight, far = heuristic.margin, heuristic.far

    @rule
    def judge(sheet: Any, players: int, results: Any) -> None:
        """The share of the win, the points, and the reward: the share with some weight on the margin."""
        winners = 0
        for seat in range(players):
            winners += sheet[seat, won]
        for seat in range(players):
            best = -1000
            for other in range(players):
                if other != seat:
                    best = max(best, sheet[other, total])
            margin = (sheet[seat, total] - best) / far
            share = sheet[seat, won] / winners
            likely = 0.5 + 0.5 * margin / (1.0 + abs(margin))
            results[seat, WINS] = share
            results[seat, POINTS] = sheet[seat, total]
            results[seat, REWARD] = (1.0 - margin_weight) * share + margin_weight * likely

    return judge


@cache
def playing_on(game: Game[Any, Any, Any], heuristic: Heuristic) -> Leaf:
    """The leaf that plays the imagined game to its end. It needs no mind."""
    apply, score, play_on, judge = game.rules.apply, game.rules.score, heuristic.play_on, judge_of(game, heuristic)

    @rule
    def play_out(s: Any, box: Any, luck: Any, mind: Any, sheet: Any, results: Any) -> None:
        ahead = 0
        while s.asked != OVER:
            apply(s, box, play_on(s, box, luck, ahead))
            ahead += 1
        score(s, box, sheet)
        judge(sheet, int(box.players), results)

    return play_out


@cache
def playing_in_style(game: Game[Any, Any, Any], heuristic: Heuristic) -> Leaf:
    """The leaf that plays the imagined game to its end and values it in a style. Its mind is the style."""
    assert game.styles is not None
    play_out, liking, far = playing_on(game, heuristic), game.styles.liking, heuristic.far

    @rule
    def play_out_in_style(s: Any, box: Any, luck: Any, mind: Any, sheet: Any, results: Any) -> None:
        play_out(s, box, luck, mind, sheet, results)
        players = int(box.players)
        for seat in range(players):
            best = -1000.0
            for other in range(players):
                if other != seat:
                    best = max(best, liking(s, box, sheet, other, mind))
            more = (liking(s, box, sheet, seat, mind) - best) / far
            likes = 0.5 + 0.5 * more / (1.0 + abs(more))
            results[seat, REWARD] += TASTE * (likes - results[seat, REWARD])

    return play_out_in_style


@cache
def asking_a_network(game: Game[Any, Any, Any], heuristic: Heuristic, sizes: tuple[int, int]) -> Leaf:
    """The leaf that asks a network with hidden layers of these sizes. Its mind is a `Mind`."""
    assert game.features is not None
    apply, describe, settle = game.rules.apply, game.features.describe, game.features.settle
    play_out, evaluate, read = playing_on(game, heuristic), forward(*sizes), read_outputs

    @rule
    def ask(s: Any, box: Any, luck: Any, mind: Any, sheet: Any, results: Any) -> None:
        ahead, step = 0, SETTLED
        if mind.mix < 1.0 and s.asked != OVER:
            step = settle(s, box, luck, ahead, mind.steps)
            while step != SETTLED:
                apply(s, box, step)
                ahead += 1
                step = settle(s, box, luck, ahead, mind.steps) if s.asked != OVER else SETTLED
        if mind.mix >= 1.0 or s.asked == OVER:
            play_out(s, box, luck, mind, sheet, results)
            return
        count = describe(s, box, sheet, mind.on, mind.numbers)
        players = int(box.players)
        evaluate(mind.network, mind.on, count, mind.numbers, mind.units, mind.more_units, players, mind.out)
        read(mind.out, int(s.seat), players, results)
        if mind.mix > 0.0:
            play_out(s, box, luck, mind, sheet, mind.played)
            for seat in range(players):
                for kind in range(RESULTS):
                    results[seat, kind] += mind.mix * (mind.played[seat, kind] - results[seat, kind])

    return ask


@rule
def read_outputs(out: Any, seat: int, players: int, results: Any) -> None:
    """Turn the outputs of a network, whose first seat is `seat`, into results. The chances to win add up to 1."""
    most = out[net.WINS]
    for place in range(1, players):
        most = max(most, out[net.WINS + place])
    total = 0.0
    for place in range(players):
        who = seat + place if seat + place < players else seat + place - players
        chance = np.exp(float(out[net.WINS + place] - most))
        total += chance
        results[who, WINS] = chance
        results[who, POINTS] = out[net.POINTS + place] * net.POINTS_UNIT
        results[who, REWARD] = 1.0 / (1.0 + np.exp(-float(out[net.REWARDS + place])))
    for who in range(players):
        results[who, WINS] /= total
    if players == 2:  # what one wins, the other loses
        results[1 - seat, REWARD] = 1.0 - results[seat, REWARD]
