"""How often tests repeat what they look at: games, deals, crashes.

`make test` repeats enough to find what is plainly wrong. `SIGNORIA_TEST_VOLUME=10` repeats ten times as much and finds
what is wrong once in a thousand games.
"""

import os

VOLUME = int(os.environ.get("SIGNORIA_TEST_VOLUME", "1"))


def repeated(times: int) -> int:
    """So often here, or as many times more as was asked for."""
    return times * VOLUME
