"""How many games, deals and crashes the tests use.

`make test` repeats enough to find what is plainly wrong. `SIGNORIA_TEST_VOLUME=10` repeats ten times as much and finds
what is wrong once in a thousand games.
"""

import os

VOLUME = int(os.environ.get("SIGNORIA_TEST_VOLUME", "1"))


def repeated(times: int) -> int:
    """This number, multiplied by `SIGNORIA_TEST_VOLUME`."""
    return times * VOLUME
