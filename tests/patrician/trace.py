"""Plays random games step by step through the rulebook and prints a digest of each, whoever runs the rules.

NUMBA_DISABLE_JIT=1 python -m tests.patrician.trace '{"players": 3}' 200
"""

import hashlib
import json
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

from signoria.kernel.entries import entries, room_for_steps
from signoria.kernel.layout import blank
from signoria.kernel.luck import sow
from signoria.patrician import PATRICIAN


def traces(setting: dict[str, Any], games: int) -> Iterator[str]:
    """A digest a game: every state, every list of legal steps, reasons, views and redeals on the way, and the sheet."""
    options = PATRICIAN.options(setting)
    boxes = PATRICIAN.box(options, PATRICIAN.components(options))
    rules = entries(PATRICIAN.rules)
    states, luck = blank(1, PATRICIAN.state), np.zeros(1, np.uint64)
    steps = room_for_steps(PATRICIAN.most_legal)
    for game in range(games):
        digest = hashlib.sha256()
        sow(luck, 11, game)
        rules.deal(states, boxes, luck)
        while states["asked"][0]:
            count = rules.legal_steps(states, boxes, steps)
            step = rules.any_step(states, boxes, luck)
            some = (step * 31 + game) % PATRICIAN.steps
            reason = rules.refusal(states, boxes, some)
            digest.update(states.tobytes() + steps[:count].tobytes() + bytes([step, reason]))
            if step % 7 == 0:
                other, seat = states.copy(), step % (options.players + 1) - 1
                rules.see(other, boxes, seat)
                digest.update(other.tobytes())
                rules.redeal(other, boxes, luck)
                rules.forget(other, boxes, seat)
                digest.update(other.tobytes())
            rules.apply(states, boxes, step)
        sheet = np.zeros((options.players, len(PATRICIAN.columns)), np.int16)
        rules.score(states, boxes, sheet)
        digest.update(states.tobytes() + sheet.tobytes())
        yield digest.hexdigest()


if __name__ == "__main__":
    for line in traces(json.loads(sys.argv[1]), int(sys.argv[2])):
        print(line)
