"""Whom a cookie or a token stands for.

The answer is remembered for half a minute, so that not every request costs a query; whatever changes it is told to
every process at once.
"""

import logging
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

import msgspec
from starlette.datastructures import Headers

from signoria.server.errors import SignInFirst
from signoria.server.gate.cookies import YEAR, bearer, carried_secret, hashed, session_cookie
from signoria.server.gate.who import NOBODY, Who
from signoria.store import blocks
from signoria.store import people as store
from signoria.store.database import Database, Write
from signoria.store.trouble import is_trouble

SECOND = 1000
DAY = 24 * 3600 * SECOND
SESSION = YEAR * SECOND
"""How long a session lasts, in milliseconds."""
RENEWED_AFTER = 7 * DAY
"""A session that is used lives on: once a week its year begins anew."""
SEEN_EVERY = 3600 * SECOND
REMEMBERED = 30 * SECOND
MOST_REMEMBERED = 20_000
TOPIC = "user:"

Now = Callable[[], int]

logger = logging.getLogger(__name__)


def now_ms() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class Asked(NamedTuple):
    """Who sent a request, and the Set-Cookie that prolongs their session when it is time."""

    who: Who
    cookie: str | None = None


class People:
    """Finds out who is asking."""

    def __init__(self, database: Database, *, secure: bool, now: Now = now_ms) -> None:
        self._database = database
        self._secure = secure
        self._now = now
        self._remembered: OrderedDict[str, tuple[int, Who]] = OrderedDict()  # by hash: until when, and who
        self._changes = 0
        database.listen(self._told)

    async def ask(self, headers: Headers, *, renew: bool = True) -> Asked:
        """Who sent a request with these headers; raises `SignInFirst` for a token that is not known.

        Without `renew` a session is not prolonged: for those who cannot send the Set-Cookie that belongs to it.
        """
        if token := bearer(headers):
            who = self._recall(hashed(token)) or await self._by_token(hashed(token))
            if not who.token:
                raise SignInFirst("This token is not known here, or was deleted; the account page makes a new one.")
            return Asked(who)
        secret = carried_secret(headers, secure=self._secure)
        if secret is None:
            return Asked(NOBODY)
        known = self._recall(hashed(secret))
        if known is not None:
            return Asked(NOBODY if known.token else known)  # a token is no cookie
        who, renewed = await self._by_session(hashed(secret), renew=renew)
        return Asked(who, session_cookie(secret, secure=self._secure) if renewed else None)

    def forget(self, user_id: str) -> None:
        """Ask the store again who this is, at the next request."""
        self._changes += 1
        for key, (_, who) in list(self._remembered.items()):
            if who.user is not None and who.user.id == user_id:
                del self._remembered[key]

    def changed(self, write: Write, user_id: str) -> None:
        """Let every process forget this person once the transaction is committed."""
        write.tell(TOPIC + user_id)

    def _told(self, topic: str) -> None:
        if topic == "*":
            self._changes += 1
            self._remembered.clear()
        elif topic.startswith(TOPIC):
            self.forget(topic.removeprefix(TOPIC))

    def _recall(self, key: str) -> Who | None:
        until, who = self._remembered.get(key, (0, NOBODY))
        return who if until > self._now() else None

    def _remember(self, key: str, who: Who, changes: int) -> Who:
        if changes != self._changes:
            return who  # somebody changed while we asked; perhaps this one
        self._remembered[key] = (self._now() + REMEMBERED, who)
        self._remembered.move_to_end(key)
        if len(self._remembered) > MOST_REMEMBERED:
            self._remembered.popitem(last=False)
        return who

    async def _by_session(self, key: str, *, renew: bool) -> tuple[Who, bool]:
        now, changes = self._now(), self._changes
        async with self._database.read() as db:
            found = await store.session_user(db, key, now)
            blocked = await blocks.blocked_by(db, found[0].id) if found else frozenset()
        if found is None:
            return NOBODY, False
        user, expires_at = msgspec.structs.replace(found[0], blocked=blocked), found[1]
        renewed = renew and expires_at < now + SESSION - RENEWED_AFTER
        if renewed or user.seen_at < now - SEEN_EVERY:
            try:
                async with self._database.write() as w:
                    await store.saw(w.db, user.id, now)
                    if renewed:
                        await store.prolong_session(w.db, key, now + SESSION)
            except Exception as error:
                _at_another_time(error)
                renewed = False
        return self._remember(key, Who(user, session=key), changes), renewed

    async def _by_token(self, key: str) -> Who:
        now, changes = self._now(), self._changes
        async with self._database.read() as db:
            found = await store.token_user(db, key, now)
            blocked = await blocks.blocked_by(db, found[0].id) if found else frozenset()
        if found is None:
            return NOBODY
        user, to_be_noted = msgspec.structs.replace(found[0], blocked=blocked), found[1]
        if to_be_noted:
            try:
                async with self._database.write() as w:
                    await store.used_token(w.db, key, now)
                    await store.saw(w.db, user.id, now)
            except Exception as error:
                _at_another_time(error)
        return self._remember(key, Who(user, token=True), changes)


def _at_another_time(error: Exception) -> None:
    """Whoever only looks can do so while nothing can be written, a full disk or not."""
    if not is_trouble(error):
        raise error
    logger.warning("Who was here could not be noted: %s", type(error).__name__)
