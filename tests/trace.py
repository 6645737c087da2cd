"""Plays random games step by step and prints a digest of each, with compiled rules or plain Python.

NUMBA_DISABLE_JIT=1 python -m tests.trace patrician 200 '{"players": 3}' '{"players": 4}'
"""

import hashlib
import json
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

from signoria.games import AnyGame, find_game
from signoria.kernel.entries import entries, room_for_steps
from signoria.kernel.fair_luck import deal_first
from signoria.kernel.layout import Records, blank
from signoria.kernel.luck import below, sow


def traces(name: str, setting: dict[str, Any], games: int) -> Iterator[str]:
    """A digest per game over all states, legal steps, reasons, views and redeals, and the score sheet.

    Every second game is played cautiously, with the lowest of three random steps, so that money is left after auctions.
    """
    game = find_game(name)
    options = game.options(setting)
    boxes = game.box(options, game.components(options))
    rules = entries(game.rules)
    states, luck = blank(1, game.state), np.zeros(1, np.uint64)
    steps = room_for_steps(game.most_legal)
    for number in range(games):
        digest = hashlib.sha256(fairly_dealt(game, boxes) if number == 0 else b"")
        sow(luck, 11, number)
        rules.deal(states, boxes, luck)
        made = 0
        while states["asked"][0]:
            count = rules.legal_steps(states, boxes, steps)
            if number % 2:
                step = int(steps[min(below(luck, count) for _ in range(3))])
            else:
                step = int(rules.any_step(states, boxes, luck))
            some = (step * 31 + made) % game.steps
            reason = rules.refusal(states, boxes, some)
            digest.update(states.tobytes() + steps[:count].tobytes() + bytes([step, reason]))
            if made % 16 == 0:
                other, seat = states.copy(), step % (options.players + 1) - 1
                rules.see(other, boxes, seat)
                digest.update(other.tobytes())
                rules.redeal(other, boxes, luck)
                rules.forget(other, boxes, seat)
                digest.update(other.tobytes())
            rules.apply(states, boxes, step)
            made += 1
        sheet = np.zeros((options.players, len(game.columns)), np.int16)
        rules.score(states, boxes, sheet)
        digest.update(states.tobytes() + sheet.tobytes())
        yield digest.hexdigest()


def fairly_dealt(game: AnyGame, boxes: Records) -> bytes:
    """A state as the fair shuffle deals it in simulations."""
    states = blank(1, game.state)
    assert game.rules.fair_deal is not None
    deal_first(game.rules.fair_deal, states, boxes, bytes(32), ("",) * int(boxes[0].players), game.shuffle_label)
    return states.tobytes()


def labelled_traces(name: str, settings: list[dict[str, Any]], games: int) -> Iterator[str]:
    """The traces of games in several settings, each with its setting and its number."""
    for setting in settings:
        for number, digest in enumerate(traces(name, setting, games)):
            yield f"{json.dumps(setting)} game {number}: {digest}"


if __name__ == "__main__":
    for line in labelled_traces(sys.argv[1], [json.loads(setting) for setting in sys.argv[3:]], int(sys.argv[2])):
        print(line)
