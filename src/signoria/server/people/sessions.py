"""Sessions: identify the sender of a request by its cookie or token.

The result is cached for half a minute, so that not every request needs a query. Changes are sent to every process at
once.
"""

import logging
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

import msgspec
from sqlalchemy.ext.asyncio import AsyncConnection
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection

from signoria.kernel.language import say
from signoria.server.errors import NotAllowed, SignInFirst
from signoria.server.people.cookies import YEAR, bearer, carried_secret, hashed, session_cookie
from signoria.store import blocks, ties
from signoria.store import people as store
from signoria.store.database import Database, Write
from signoria.store.people import User
from signoria.store.ties import FOLLOW, MUTE
from signoria.store.trouble import is_trouble
from signoria.web.models import Viewer


class Identity(msgspec.Struct, frozen=True):
    """The sender of a request."""

    user: User | None = None
    """None for a new visitor."""
    token: bool = False
    """Whether it is a program with a token, and not a browser with a cookie."""
    session: str | None = None
    """The SHA-256 of the cookie; the cookie itself is not stored."""

    def require_user(self) -> User:
        """The user; raises `SignInFirst` if there is none."""
        if self.user is None:
            raise SignInFirst(say("Sign in, join a table as a guest, or send a token (Authorization: Bearer ...)."))
        return self.user

    def require_browser(self) -> User:
        """The user, in a browser; raises `NotAllowed` for a program, because a token cannot change accounts."""
        user = self.require_user()
        if self.token:
            raise NotAllowed(say("A program cannot do this with a token. Use the account page."))
        return user


ANONYMOUS = Identity()


def viewer_model(user: User | None) -> Viewer | None:
    """A person as pages show them."""
    return None if user is None else Viewer(id=user.id, name=user.name, guest=user.guest, unasked=user.unasked)


def identity_of(request: HTTPConnection) -> Identity:
    """The sender of this request, as identified by the authentication middleware."""
    identity: Identity = request.scope.get("state", {}).get("identity", ANONYMOUS)
    return identity


SECOND = 1000
DAY = 24 * 3600 * SECOND
SESSION = YEAR * SECOND
"""How long a session lasts, in milliseconds."""
RENEWED_AFTER = 7 * DAY
"""A session in use is extended: once a week its year starts again."""
SEEN_EVERY = 3600 * SECOND
REMEMBERED = 30 * SECOND
TIES_READ = 1000
"""The most people that are read of those whom a person follows or mutes: more than anyone can have."""
MOST_REMEMBERED = 20_000
USER_TOPIC = "user:"

Now = Callable[[], int]

logger = logging.getLogger(__name__)


def now_ms() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class Authentication(NamedTuple):
    """The sender of a request, and the Set-Cookie that renews their session if it is time."""

    identity: Identity
    cookie: str | None = None


class Sessions:
    """Identifies senders by cookie or token."""

    def __init__(self, database: Database, *, secure: bool, now: Now = now_ms) -> None:
        self._database = database
        self._secure = secure
        self._now = now
        self._remembered: OrderedDict[str, tuple[int, Identity]] = OrderedDict()  # by hash: until when, and who
        self._changes = 0
        database.listen(self._on_notification)

    async def authenticate(self, headers: Headers, *, renew: bool = True) -> Authentication:
        """The sender of a request with these headers; raises `SignInFirst` for an unknown token.

        Without `renew` the session is not extended, for callers that cannot send its Set-Cookie.
        """
        if token := bearer(headers):
            identity = self._recall(hashed(token)) or await self._by_token(hashed(token))
            if not identity.token:
                raise SignInFirst(say("This token is unknown or was revoked. Create a new one on the account page."))
            return Authentication(identity)
        secret = carried_secret(headers, secure=self._secure)
        if secret is None:
            return Authentication(ANONYMOUS)
        known = self._recall(hashed(secret))
        if known is not None:
            return Authentication(ANONYMOUS if known.token else known)  # a token is not a cookie
        identity, renewed = await self._by_session(hashed(secret), renew=renew)
        return Authentication(identity, session_cookie(secret, secure=self._secure) if renewed else None)

    def forget(self, user_id: str) -> None:
        """Ask the database again who this is, at the next request."""
        self._changes += 1
        for key, (_, identity) in list(self._remembered.items()):
            if identity.user is not None and identity.user.id == user_id:
                del self._remembered[key]

    def changed(self, write: Write, user_id: str) -> None:
        """Let every process forget this person once the transaction is committed."""
        write.tell(USER_TOPIC + user_id)

    def _on_notification(self, topic: str) -> None:
        if topic == "*":
            self._changes += 1
            self._remembered.clear()
        elif topic.startswith(USER_TOPIC):
            self.forget(topic.removeprefix(USER_TOPIC))

    def _recall(self, key: str) -> Identity | None:
        until, identity = self._remembered.get(key, (0, ANONYMOUS))
        return identity if until > self._now() else None

    def _remember(self, key: str, identity: Identity, changes: int) -> Identity:
        if changes != self._changes:
            return identity  # a person changed while we asked; perhaps this one
        self._remembered[key] = (self._now() + REMEMBERED, identity)
        self._remembered.move_to_end(key)
        if len(self._remembered) > MOST_REMEMBERED:
            self._remembered.popitem(last=False)
        return identity

    async def _by_session(self, key: str, *, renew: bool) -> tuple[Identity, bool]:
        now, changes = self._now(), self._changes
        async with self._database.read() as db:
            found = await store.session_user(db, key, now)
            user = await _with_ties(db, found[0]) if found else None
        if found is None or user is None:
            return ANONYMOUS, False
        expires_at = found[1]
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
        return self._remember(key, Identity(user, session=key), changes), renewed

    async def _by_token(self, key: str) -> Identity:
        now, changes = self._now(), self._changes
        async with self._database.read() as db:
            found = await store.token_user(db, key, now)
            user = await _with_ties(db, found[0]) if found else None
        if found is None or user is None:
            return ANONYMOUS
        to_be_noted = found[1]
        if to_be_noted:
            try:
                async with self._database.write() as w:
                    await store.used_token(w.db, key, now)
                    await store.saw(w.db, user.id, now)
            except Exception as error:
                _at_another_time(error)
        return self._remember(key, Identity(user, token=True), changes)


async def _with_ties(db: AsyncConnection, user: User) -> User:
    """A user with the people whom they have blocked, muted and follow."""
    known = await ties.ties_of(db, user.id, TIES_READ)
    return msgspec.structs.replace(
        user,
        blocked=await blocks.blocked_by(db, user.id),
        muted=frozenset(tie.other_id for tie in known if tie.kind == MUTE),
        followed=tuple((tie.other_id, tie.name) for tie in known if tie.kind == FOLLOW),
    )


def _at_another_time(error: Exception) -> None:
    """People can look at pages even if nothing can be written, for example if the disk is full."""
    if not is_trouble(error):
        raise error
    logger.warning("Could not save when people were last seen: %s", type(error).__name__)
