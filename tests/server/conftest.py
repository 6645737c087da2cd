"""For all tests of the server: passwords that take no time."""

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
