"""For all tests of the server: the same deals every time, passwords that take no time, a store that may take its time."""

import secrets
from collections.abc import Iterator
from functools import partial
from random import Random
from types import SimpleNamespace

import pytest
from argon2 import PasswordHasher

QUICK = partial(PasswordHasher, time_cost=1, memory_cost=8, parallelism=1)


@pytest.fixture(autouse=True)
def same_deals(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A test is dealt the same games in every run, so that one that depends on the deal fails always or never."""
    rng = Random(request.node.nodeid)
    monkeypatch.setattr("signoria.kernel.table.secrets", SimpleNamespace(token_bytes=rng.randbytes))
    salts = SimpleNamespace(**{**vars(secrets), "token_hex": lambda size: rng.randbytes(size).hex()})
    monkeypatch.setattr("signoria.server.lobby.seating.secrets", salts)


@pytest.fixture(scope="session", autouse=True)
def quick_passwords() -> Iterator[None]:
    """Every server in this process hashes a password when it starts; in earnest that takes a tenth of a second."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("signoria.server.people.passwords.PasswordHasher", QUICK)
        yield


@pytest.fixture(scope="session", autouse=True)
def patient_stop() -> Iterator[None]:
    """A server that stops gives the store half a second to take its claims back; on a busy machine that is not enough."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("signoria.server.play.scheduler.RELEASE", 60.0)
        yield
