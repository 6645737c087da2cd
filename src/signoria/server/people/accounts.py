"""Accounts: guests, passwords, signing in and out, API tokens."""

from collections.abc import Awaitable, Callable
from typing import NamedTuple

import msgspec
from sqlalchemy.ext.asyncio import AsyncConnection

from signoria.kernel.language import say
from signoria.server.errors import BadField, Conflict, NotAllowed, NotFound, SignInFirst
from signoria.server.guard.limits import RateLimiter
from signoria.server.people.cookies import ended_cookie, hashed, new_secret, session_cookie
from signoria.server.people.names import TRIES, clean_name, made_up_name
from signoria.server.people.passwords import Passwords, clean_password
from signoria.server.people.sessions import SESSION, Identity, Now, Sessions, now_ms
from signoria.store import emails, moderation
from signoria.store import people as store
from signoria.store.database import Database, Write
from signoria.store.notifications import PushSubscription, add_subscription, subscription_in
from signoria.store.people import NameTaken, TokenRow, User
from signoria.store.unicode import is_invisible

MOST_TOKENS = 20
LONGEST_TOKEN_NAME = 40

HandOverGuest = Callable[[User, User], Awaitable[None]]
"""Gives a user the games they had as a guest; may be repeated if it failed."""


class NewSession(NamedTuple):
    """A new session."""

    identity: Identity
    cookie: str
    """Its Set-Cookie."""


class Accounts:
    """Creates and ends accounts, sessions and tokens. Every change is saved when its method returns."""

    def __init__(
        self,
        database: Database,
        sessions: Sessions,
        limits: RateLimiter,
        *,
        secure: bool,
        most_tokens: int = MOST_TOKENS,
        passwords: Passwords | None = None,
        now: Now = now_ms,
    ) -> None:
        self._database = database
        self._sessions = sessions
        self._limits = limits
        self._secure = secure
        self._most_tokens = most_tokens
        self._passwords = passwords or Passwords()
        self._now = now

    async def create_guest(self, address: str, name: str | None = None) -> NewSession:
        """Create a guest with this name, or a random one; raises `BadField`, or `NameTaken` for a given name."""
        self._limits.check("guests", address, "new guests from your address")
        typed = clean_name(name) if name and name.strip() else None
        for _ in range(TRIES):
            try:
                async with self._database.write() as w:
                    user = await store.add_user(w.db, typed or made_up_name(), self._now())
                    return await self._begin(w, user)
            except NameTaken:
                if typed:
                    raise
        raise Conflict(say("The server found no free guest name. Enter a name."), field="name")

    async def sign_in(
        self,
        address: str,
        name: str,
        password: str,
        before: Identity | None = None,
        hand_over: HandOverGuest | None = None,
    ) -> NewSession:
        """Sign a person in and end the previous session. Raises `BadField`, which does not say what was wrong.

        A guest's games are handed over first. If that fails, the guest stays signed in, so that signing in again
        completes it.
        """
        self._limits.check("passwords", address, "sign-in attempts from your address")
        self._limits.check(
            "sign_in", f"{address} {store.name_key(name[: store.MOST_READ])}", "sign-in attempts for that name"
        )
        async with self._database.read() as db:
            found = await store.user_named(db, name)
        user, kept = found or (None, None)
        checked = await self._passwords.check(kept, password, address)
        if user is None or not checked.right:
            raise _wrong_password()
        guest = before.user if before is not None and before.session else None
        if hand_over is not None and guest is not None and guest.guest:
            async with self._database.read() as db:
                await _check_not_banned(db, user)
            await hand_over(guest, user)
        async with self._database.write() as w:
            await store.hold_user(w.db, user.id)
            again = await store.user_named(w.db, name)
            if again is None or (again[0].id, again[1]) != (user.id, kept):
                raise _wrong_password()  # it was changed in the meantime
            if checked.rehashed:
                await store.set_password(w.db, user.id, checked.rehashed)
            browser = await subscription_in(w.db, before.session if before else None)
            if before is not None and before.session:
                await store.end_session(w.db, before.session)
                self._changed(w, before.user)
            return await self._begin(w, user, browser)

    async def sign_out(self, identity: Identity) -> str:
        """End this session; returns the Set-Cookie that removes the cookie."""
        if identity.session:
            async with self._database.write() as w:
                await store.end_session(w.db, identity.session)
                self._changed(w, identity.user)
        return ended_cookie(secure=self._secure)

    async def rename(self, identity: Identity, name: str) -> str:
        """Change the name; raises `BadField` or `NameTaken`."""
        user, name = identity.require_browser(), clean_name(name)
        async with self._database.write() as w:
            await self._hold(w, identity)
            await store.rename(w.db, user.id, name)
            self._changed(w, user)
        return name

    async def set_password(self, address: str, identity: Identity, password: str, current: str = "") -> NewSession:
        """Set a new password. All sessions end, all tokens are revoked, and a new session begins here.

        So an old password, or a stolen cookie or token, no longer works. People who have a password must give it; raises
        `BadField`.
        """
        new = clean_password(password)
        user = await self.confirm(address, identity, current, "current")
        to_keep = await self._passwords.hashed(new, address)
        async with self._database.write() as w:
            await self._hold(w, identity)
            browser = await subscription_in(w.db, identity.session)
            await replace_password(w.db, user.id, to_keep)
            self._changed(w, user)
            return await self._begin(w, msgspec.structs.replace(user, guest=False), browser)

    async def recover(self, address: str, token: str, password: str) -> NewSession:
        """Set a new password with a token that was sent by e-mail, which then no longer works.

        As with any new password, all sessions end and all tokens are revoked. Raises `BadField` or `NotFound`.
        """
        new = clean_password(password)
        self._limits.check("passwords", address, "sign-in attempts from your address")
        to_keep = await self._passwords.hashed(new, address)
        async with self._database.write() as w:
            found = await emails.use_email_token(w.db, token, emails.RECOVER, self._now())
            user = await store.find_user(w.db, found.user_id) if found else None
            if user is None:
                raise NotFound(say("This link has been used or has expired. Ask for a new one."))
            await store.hold_user(w.db, user.id)
            await replace_password(w.db, user.id, to_keep)
            self._changed(w, user)
            return await self._begin(w, msgspec.structs.replace(user, guest=False))

    async def confirm(self, address: str, identity: Identity, password: str, field: str = "password") -> User:
        """The caller, after checking the password of people who have one. Raises `BadField`."""
        user = identity.require_browser()
        self._limits.check("passwords", address, "sign-in attempts from your address")
        async with self._database.read() as db:
            found = await store.user_named(db, user.name)
        if found is None or found[0].id != user.id:
            raise Conflict(say("Your name has just changed. Reload the page."))
        kept = found[1]
        if kept is not None and not (await self._passwords.check(kept, password, address)).right:
            raise BadField(field, say("Wrong current password. Nothing was changed."))
        return user

    async def make_token(self, identity: Identity, name: str) -> tuple[TokenRow, str]:
        """A new API token and its text, which is not stored; raises `BadField` or `Conflict`."""
        user = identity.require_browser()
        name = " ".join(name.split())
        if not 1 <= len(name) <= LONGEST_TOKEN_NAME or any(is_invisible(letter) for letter in name):
            raise BadField(
                "name",
                say(
                    "A token needs a name of 1 to {longest_token_name} visible characters.",
                    longest_token_name=LONGEST_TOKEN_NAME,
                ),
            )
        secret = new_secret()
        async with self._database.write() as w:
            await self._hold(w, identity)
            if len(await store.tokens_of(w.db, user.id)) >= self._most_tokens:
                raise Conflict(
                    say("You can have at most {most_tokens} tokens. Revoke one first.", most_tokens=self._most_tokens)
                )
            return await store.add_token(w.db, user.id, name, hashed(secret), self._now()), secret

    async def delete_token(self, identity: Identity, token_id: str) -> None:
        """Revoke a token; raises `NotFound`."""
        user = identity.require_browser()
        async with self._database.write() as w:
            if not await store.delete_token(w.db, user.id, token_id):
                raise NotFound(say("You have no such token. It may already be revoked."))
            self._changed(w, user)

    async def delete_tokens(self, identity: Identity) -> int:
        """Revoke all tokens of a person; returns how many there were."""
        user = identity.require_browser()
        async with self._database.write() as w:
            deleted = await store.delete_tokens(w.db, user.id)
            self._changed(w, user)
        return deleted

    async def _hold(self, write: Write, identity: Identity) -> None:
        """Lock this person's account against other changes; raises `SignInFirst` if the session has ended."""
        await store.hold_user(write.db, identity.require_user().id)
        if identity.session and await store.session_user(write.db, identity.session, self._now()) is None:
            raise SignInFirst(say("Your session has ended. Sign in again."))

    async def _begin(self, write: Write, user: User, browser: PushSubscription | None = None) -> NewSession:
        """Begin a session. A browser that got push messages in the session before gets them in this one."""
        await _check_not_banned(write.db, user)
        secret, now = new_secret(), self._now()
        await store.add_session(write.db, user.id, hashed(secret), now, now + SESSION)
        if browser is not None:
            moved = msgspec.structs.replace(browser, user_id=user.id, session=hashed(secret))
            await add_subscription(write.db, moved)
        identity = Identity(user, session=hashed(secret))
        return NewSession(identity, session_cookie(secret, secure=self._secure))

    def _changed(self, write: Write, user: User | None) -> None:
        if user is not None:
            self._sessions.changed(write, user.id)


async def replace_password(db: AsyncConnection, user_id: str, hashed: str) -> None:
    """Set a password hash, end all sessions, revoke all tokens, and void the links that were sent by e-mail."""
    await store.set_password(db, user_id, hashed)
    await store.end_sessions(db, user_id)
    await store.delete_tokens(db, user_id)
    await emails.drop_email_tokens(db, user_id)


async def _check_not_banned(db: AsyncConnection, user: User) -> None:
    """Raises `NotAllowed` for an account that moderators have banned."""
    if (await moderation.standing_of(db, user.id)).banned_at is not None:
        raise NotAllowed(
            say("This account is banned. Ask the host of this server if you think that this is a mistake.")
        )


def _wrong_password() -> BadField:
    return BadField("password", say("Wrong name or password. Guests cannot sign in."))
