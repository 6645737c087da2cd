"""Prints what a network with random weights expects of positions of all games; the same in every process.

NUMBA_DISABLE_JIT=1 python -m tests.bots.judgements
"""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np

from signoria.bots import weights
from signoria.bots.leaves import RESULTS, asking_a_network, mind_of
from signoria.bots.network import Network, empty_network
from signoria.games import find_game
from signoria.kernel.game import Game
from signoria.kernel.layout import blank
from signoria.kernel.luck import sow
from signoria.kernel.position import Position
from tests.settings import Setting

SIZES = (8, 4)
EVERY = 17
MOST = 6
SETTINGS: list[tuple[str, Setting]] = [
    ("patrician", {"players": 2}),
    ("patrician", {"players": 4, "messengers": True, "ambassadors": True}),
    ("il-principe", {"players": 2}),
    ("il-principe", {"players": 4, "variant": True}),
]


def forget_networks() -> None:
    """Look for networks again, because the folder with them is another one."""
    weights.cards_of.cache_clear()
    weights._judgement.cache_clear()


def random_network(game: Game[Any, Any, Any], sizes: tuple[int, int] = SIZES) -> Network:
    """Weights that are the same in every process."""
    assert game.features is not None
    rng = np.random.default_rng(1)
    return Network(
        *(rng.normal(0.0, 0.2, one.shape).astype(np.float32) for one in empty_network(game.features, *sizes))
    )


def positions(game: Game[Any, Any, Any], setting: Setting, every: int = EVERY) -> Iterator[Position]:
    """Some positions of a random game."""
    options, luck, rng = game.options(setting), np.zeros(1, np.uint64), Random(2)
    position = Position(game, game.box(options, game.components(options)), blank(1, game.state))
    sow(luck, 3, 0)
    position.call(game.rules.deal, luck)
    number = 0
    while not position.over:
        if number % every == every - 1:
            yield position
        position.apply(rng.choice(position.legal[:6]))
        number += 1


def judgements() -> dict[str, list[list[float]]]:
    """What every seat can expect, in some positions of each setting, without and with a playout."""
    told = {}
    for name, setting in SETTINGS:
        game = find_game(name)
        assert game.features is not None
        ask = asking_a_network(game, game.heuristic, SIZES)
        rows = []
        for number, position in enumerate(positions(game, setting)):
            if number == MOST:
                break
            results = np.zeros((setting["players"], RESULTS))
            sheet, luck = np.zeros((setting["players"], len(game.columns)), np.int16), np.zeros(1, np.uint64)
            sow(luck, 7, number)
            mind = mind_of(random_network(game), game, 0.0 if number else 0.4)
            position.copy().call(ask, luck, mind, sheet, results)
            rows.append(results.flatten().tolist())
        told[f"{name} {setting}"] = rows
    return told


if __name__ == "__main__":
    print(json.dumps(judgements()))
