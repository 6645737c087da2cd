"""How many games, deals and crashes the tests use.

`make test` uses enough to find common errors. `SIGNORIA_TEST_VOLUME=10` uses ten times as many and finds errors that
occur once in a thousand games.
"""

import os

VOLUME = int(os.environ.get("SIGNORIA_TEST_VOLUME", "1"))


def repeated(times: int) -> int:
    """This number, multiplied by `SIGNORIA_TEST_VOLUME`."""
    return times * VOLUME
