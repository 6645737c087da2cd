"""Plays random games step by step and prints a digest of each, with compiled rules or plain Python.

NUMBA_DISABLE_JIT=1 python -m tests.trace patrician 200 '{"players": 3}' '{"players": 4}'
"""

import hashlib
import json
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

from signoria.games import find_game
from signoria.kernel import fair_luck
from signoria.kernel.luck import below, sow
from signoria.kernel.position import Position


def traces(name: str, setting: dict[str, Any], games: int) -> Iterator[str]:
    """A digest per game over all states, legal steps, reasons, views and redeals, and the score sheet.

    Every second game is played cautiously, with the lowest of three random steps, so that money is left after auctions.
    """
    game = find_game(name)
    options = game.options(setting)
    box = game.box(options, game.components(options))
    position, luck = Position(game, box), np.zeros(1, np.uint64)
    for number in range(games):
        digest = hashlib.sha256(fairly_dealt(Position(game, box)) if number == 0 else b"")
        sow(luck, 11, number)
        position.call(game.rules.deal, luck)
        made = 0
        while not position.over:
            legal = position.legal
            if number % 2:
                step = legal[min(below(luck, len(legal)) for _ in range(3))]
            else:
                step = int(position.call(game.rules.any_step, luck))
            some = (step * 31 + made) % game.steps
            digest.update(bytes(position) + np.array(legal, np.int16).tobytes() + bytes([step, position.refusal(some)]))
            if made % 16 == 0:
                seat = step % (options.players + 1) - 1
                known = position.seen_by(seat)
                digest.update(bytes(known) + bytes(known.redealt(luck).without_memory(seat)))
            position.apply(step)
            made += 1
        digest.update(bytes(position) + position.sheet().tobytes())
        yield digest.hexdigest()


def fairly_dealt(position: Position) -> bytes:
    """A state as the fair shuffle deals it in simulations."""
    fair_luck.deal(position, bytes(32), ("",) * position.box.players)
    return bytes(position)


def labelled_traces(name: str, settings: list[dict[str, Any]], games: int) -> Iterator[str]:
    """The traces of games in several settings, each with its setting and its number."""
    for setting in settings:
        for number, digest in enumerate(traces(name, setting, games)):
            yield f"{json.dumps(setting)} game {number}: {digest}"


if __name__ == "__main__":
    for line in labelled_traces(sys.argv[1], [json.loads(setting) for setting in sys.argv[3:]], int(sys.argv[2])):
        print(line)
