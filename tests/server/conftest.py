"""For all tests of the server: passwords that take no time, and a store that may take its time."""

from collections.abc import Iterator
from functools import partial

import pytest
from argon2 import PasswordHasher

QUICK = partial(PasswordHasher, time_cost=1, memory_cost=8, parallelism=1)


@pytest.fixture(scope="session", autouse=True)
def quick_passwords() -> Iterator[None]:
    """Every server in this process hashes a password when it starts; in earnest that takes a tenth of a second."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("signoria.server.gate.passwords.PasswordHasher", QUICK)
        yield


@pytest.fixture(scope="session", autouse=True)
def patient_stop() -> Iterator[None]:
    """A server that stops gives the store half a second to take its claims back; on a busy machine that is not enough."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("signoria.server.duties.RELEASE", 60.0)
        yield
