"""Passwords: hashed with argon2 outside the event loop, a few at a time, and just as slowly for unknown names."""

import secrets
import unicodedata
from typing import NamedTuple

from anyio import CapacityLimiter, to_thread
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from signoria.kernel.language import say
from signoria.server.errors import BadField, Unavailable

SHORTEST, LONGEST = 8, 200
MOST_READ = 4 * LONGEST
"""Characters that are read: normalising text takes time that grows with the square of its length."""
AT_ONCE = 1
"""Each hash takes 64 MB and one core for a moment; the other cores are left for players."""
MOST_WAITING = 50
"""Passwords that may wait; further ones are refused instead of waiting longer and longer."""


class PasswordCheck(NamedTuple):
    """Whether a password was right."""

    right: bool
    rehashed: str | None
    """A new hash to store, if the stored one is weaker than today's."""


class Passwords:
    """Hashes and checks passwords."""

    def __init__(self, hasher: PasswordHasher | None = None, at_once: int = AT_ONCE) -> None:
        self._hasher = hasher or PasswordHasher(parallelism=1)
        self._nobodys = self._hasher.hash(secrets.token_hex())
        self._at_once = CapacityLimiter(at_once)

    async def hashed(self, password: str) -> str:
        """The hash of a password that passed `clean_password`."""
        self._check_queue()
        return await to_thread.run_sync(self._hasher.hash, password, limiter=self._at_once)

    async def check(self, kept: str | None, typed: str) -> PasswordCheck:
        """Whether this password matches the hash; takes as long if there is no hash."""
        self._check_queue()
        return await to_thread.run_sync(self._check, kept, _as_compared(typed)[:LONGEST], limiter=self._at_once)

    def _check_queue(self) -> None:
        if self._at_once.statistics().tasks_waiting >= MOST_WAITING:
            raise Unavailable(say("Too many people are signing in right now. Try again in a few seconds."), 5)

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
