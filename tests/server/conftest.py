"""For all tests of the server: fixed deals, fast password hashing, and a patient database."""

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
    """Every run deals the same games, so a test that depends on the deal fails always or never."""
    rng = Random(request.node.nodeid)
    monkeypatch.setattr("signoria.kernel.table.secrets", SimpleNamespace(token_bytes=rng.randbytes))
    salts = SimpleNamespace(**{**vars(secrets), "token_hex": lambda size: rng.randbytes(size).hex()})
    for module in ("opening", "seating"):
        monkeypatch.setattr(f"signoria.server.lobby.{module}.secrets", salts)


@pytest.fixture(scope="session", autouse=True)
def quick_passwords() -> Iterator[None]:
    """Every server in this process hashes a password when it starts, which normally takes a tenth of a second."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("signoria.server.people.passwords.PasswordHasher", QUICK)
        yield


@pytest.fixture(scope="session", autouse=True)
def patient_stop() -> Iterator[None]:
    """A stopping server waits half a second for its claims to be released, which is too short on a busy machine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("signoria.server.play.scheduler.RELEASE", 60.0)
        yield
