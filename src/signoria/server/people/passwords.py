"""Passwords: hashed with argon2 outside the event loop, one at a time, and just as slowly for unknown names.

Each hash takes 64 MB and one core for a moment; the other cores are left for players.
"""

import secrets
import unicodedata
from collections.abc import Callable
from functools import partial
from typing import NamedTuple, TypeVar

from anyio import to_thread
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from signoria.kernel.language import say
from signoria.server.errors import BadField, Unavailable
from signoria.server.play.fair_turns import FairTurns, TooManyWait

SHORTEST, LONGEST = 8, 200
MOST_READ = 4 * LONGEST
"""Characters that are read: normalising text takes time that grows with the square of its length."""
MOST_WAITING = 50
"""Passwords that may wait; further ones are refused instead of waiting longer and longer."""


Result = TypeVar("Result")


class PasswordCheck(NamedTuple):
    """Whether a password was right."""

    right: bool
    rehashed: str | None
    """A new hash to store, if the stored one is weaker than today's."""


class Passwords:
    """Hashes and checks passwords. Addresses share the time fairly."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher(parallelism=1)
        self._nobodys = self._hasher.hash(secrets.token_hex())
        self._turns = FairTurns(MOST_WAITING)

    async def hashed(self, password: str, address: str = "") -> str:
        """The hash of a password that passed `clean_password`."""
        return await self._run(address, partial(self._hasher.hash, password))

    async def check(self, kept: str | None, typed: str, address: str = "") -> PasswordCheck:
        """Whether this password matches the hash; takes as long if there is no hash."""
        return await self._run(address, partial(self._check, kept, _as_compared(typed)[:LONGEST]))

    async def _run(self, address: str, work: Callable[[], Result]) -> Result:
        try:
            async with self._turns.turn(address):
                return await to_thread.run_sync(work)
        except TooManyWait:
            raise Unavailable(say("Too many people are signing in right now. Try again in a few seconds."), 5) from None

    def _check(self, kept: str | None, typed: str) -> PasswordCheck:
        try:
            self._hasher.verify(kept or self._nobodys, typed)
        except (VerificationError, InvalidHashError):
            return PasswordCheck(right=False, rehashed=None)
        if kept is None:
            return PasswordCheck(right=False, rehashed=None)
        return PasswordCheck(
            right=True, rehashed=self._hasher.hash(typed) if self._hasher.check_needs_rehash(kept) else None
        )


def clean_password(typed: str) -> str:
    """A new password as it is hashed; raises `BadField`."""
    password = _as_compared(typed)
    if len(typed) > MOST_READ or not SHORTEST <= len(password) <= LONGEST:
        length = len(typed) if len(typed) > MOST_READ else len(password)
        raise BadField(
            "password",
            say(
                "A password must have {shortest} to {longest} characters; this one has {length}.",
                shortest=SHORTEST,
                longest=LONGEST,
                length=length,
            ),
        )
    return password


def _as_compared(typed: str) -> str:
    """Normalises accented letters, so that every keyboard gives the same password."""
    return unicodedata.normalize("NFKC", typed[:MOST_READ])
