"""Identity of a request: cookies, tokens, accounts."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from argon2 import PasswordHasher
from sqlalchemy import select
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from signoria.server.errors import BadField, Conflict, NotAllowed, NotFound, SignInFirst, TooMany
from signoria.server.guard.authentication import AuthenticationMiddleware
from signoria.server.guard.limits import RateLimiter
from signoria.server.people.accounts import Accounts
from signoria.server.people.cookies import hashed
from signoria.server.people.passwords import Passwords
from signoria.server.people.sessions import ANONYMOUS, DAY, REMEMBERED, SESSION, Identity, Sessions, identity_of
from signoria.server.settings import Rates, rate
from signoria.store import people as store
from signoria.store.database import Database, database_url
from signoria.store.people import NameTaken, User
from signoria.store.schema import sessions, tokens, users
from tests.server.guard.asgi import HERE, small_app

PASSWORD = "correct horse"


class Door:
    """Sessions and accounts with a test clock, and a count of database queries."""

    def __init__(self, database: Database, *, secure: bool, rates: Rates) -> None:
        self.time = 1_700_000_000_000
        self.database = database
        self.limits = RateLimiter(rates, lambda: self.time / 1000)
        self.people = Sessions(database, secure=secure, now=lambda: self.time)
        passwords = Passwords(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        self.accounts = Accounts(
            database, self.people, self.limits, secure=secure, most_tokens=2, passwords=passwords, now=lambda: self.time
        )

    async def who(self, cookie: str | None = None, token: str | None = None) -> Identity:
        headers = {"cookie": cookie.partition(";")[0]} if cookie else {}
        if token:
            headers["authorization"] = f"Bearer {token}"
        return (await self.people.authenticate(Headers(headers))).identity


def at_the_door(
    folder: Path, do: Callable[[Door], Awaitable[None]], *, secure: bool = False, rates: Rates | None = None
) -> None:
    @asynccontextmanager
    async def opened() -> AsyncIterator[Door]:
        database = Database(database_url(str(folder / "house.db")))
        await database.start()
        try:
            yield Door(database, secure=secure, rates=rates or Rates())
        finally:
            await database.stop()

    async def run() -> None:
        async with opened() as door:
            await do(door)

    asyncio.run(run())


def test_guest_is_recognised_by_the_cookie(tmp_path: Path) -> None:
    async def do(door: Door) -> None:
        arrived = await door.accounts.create_guest("1.2.3.4", " Ann ")
        who = await door.who(arrived.cookie)
        assert who.user is not None
        assert who.user.name == "Ann"
        assert who.user.guest
        assert not who.token
        assert who == arrived.identity
        assert await door.who() == ANONYMOUS
        assert await door.who("signoria=guess") == ANONYMOUS

    at_the_door(tmp_path, do)


def test_only_the_hash_of_a_cookie_is_stored(tmp_path: Path) -> None:
    async def do(door: Door) -> None:
        arrived = await door.accounts.create_guest("1.2.3.4")
        secret = arrived.cookie.partition("=")[2].partition(";")[0]
        assert len(secret) == 43
        async with door.database.read() as db:
            rows = (await db.execute(select(sessions))).all()
        assert [row.hash for row in rows] == [hashed(secret)]
        assert secret not in str(rows)
        assert arrived.cookie.endswith("; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax")

    at_the_door(tmp_path, do)


def test_https_cookie_is_secure(tmp_path: Path) -> None:
    async def do(door: Door) -> None:
        arrived = await door.accounts.create_guest("1.2.3.4")
        assert arrived.cookie.startswith("__Host-signoria=")
        assert arrived.cookie.endswith("; HttpOnly; SameSite=Lax; Secure")
        assert (await door.who(arrived.cookie)).user is not None
        assert await door.who(arrived.cookie.removeprefix("__Host-")) == ANONYMOUS

    at_the_door(tmp_path, do, secure=True)


def test_guests_without_a_name_get_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def do(door: Door) -> None:
        names = iter(["Ann", "Ann", "Ben"])
        monkeypatch.setattr("signoria.server.people.accounts.made_up_name", lambda: next(names))
        found = [
            (await door.accounts.create_guest("1.2.3.4", name)).identity.require_user().name for name in (None, "  ")
        ]
        assert found == ["Ann", "Ben"]
        with pytest.raises(NameTaken):
            await door.accounts.create_guest("1.2.3.4", "ANN")
        monkeypatch.setattr("signoria.server.people.accounts.made_up_name", lambda: "Ann")
        with pytest.raises(Conflict):
            await door.accounts.create_guest("1.2.3.4")

    at_the_door(tmp_path, do)


def test_password_protects_a_name(tmp_path: Path) -> None:
    async def do(door: Door) -> None:
        ann = await door.accounts.create_guest("1.2.3.4", "Ann")
        kept = await door.accounts.set_password("1.2.3.4", ann.identity, PASSWORD)
        who = await door.who(kept.cookie)
        assert who == kept.identity
        assert not who.require_user().guest
        ben = await door.accounts.create_guest("1.2.3.4", "Ben")
        back = await door.accounts.sign_in("5.6.7.8", "ann", PASSWORD, before=ben.identity)
        assert back.identity.require_user().id == ann.identity.require_user().id
        assert (await door.who(back.cookie)).require_user().name == "Ann"
        assert await door.who(ben.cookie) == ANONYMOUS

    at_the_door(tmp_path, do)


def test_sign_in_fails_if_the_password_changes_meanwhile(tmp_path: Path) -> None:
    async def do(door: Door) -> None:
        ann = await door.accounts.create_guest("1.2.3.4", "Ann")
        kept = await door.accounts.set_password("1.2.3.4", ann.identity, PASSWORD)
        ben = await door.accounts.create_guest("1.2.3.4", "Ben")

        async def change(_guest: User, _user: User) -> None:
            await door.accounts.set_password("1.2.3.4", kept.identity, "battery staple", PASSWORD)

        with pytest.raises(BadField):
            await door.accounts.sign_in("5.6.7.8", "Ann", PASSWORD, ben.identity, change)
        assert (await door.who(ben.cookie)).require_user().name == "Ben"

    at_the_door(tmp_path, do)


def test_failed_sign_in_does_not_reveal_whether_the_name_exists(tmp_path: Path) -> None:
    async def do(door: Door) -> None:
        ann = await door.accounts.create_guest("1.2.3.4", "Ann")
        await door.accounts.set_password("1.2.3.4", ann.identity, PASSWORD)
        await door.accounts.create_guest("1.2.3.4", "Guido")
        said = set()
        for name, password in (("Ann", "wrong horse"), ("Nina", PASSWORD), ("Guido", PASSWORD), ("", "")):
            with pytest.raises(BadField) as refused:
                await door.accounts.sign_in("1.2.3.4", name, password)
            said.add(str(refused.value))
        assert len(said) == 1

    at_the_door(tmp_path, do)


def test_password_guessing_is_limited(tmp_path: Path) -> None:
    async def do(door: Door) -> None:
        for _ in range(2):
            with pytest.raises(BadField):
                await door.accounts.sign_in("1.2.3.4", "Ann", "wrong horse")
        with pytest.raises(TooMany, match="for that name"):
            await door.accounts.sign_in("1.2.3.4", "ANN", "wrong horse")
        with pytest.raises(BadField):
            await door.accounts.sign_in("5.6.7.8", "Ann", "wrong horse")
        with pytest.raises(TooMany, match="from your address"):
            await door.accounts.sign_in("1.2.3.4", "Ben", "wrong horse")
        await door.accounts.create_guest("1.2.3.4")
        with pytest.raises(TooMany, match="new guests"):
            await door.accounts.create_guest("1.2.3.4")

    at_the_door(tmp_path, do, rates=Rates(sign_in=rate("2/h"), passwords=rate("3/h"), guests=rate("1/h")))


def test_new_password_requires_the_old_one_and_ends_all_earlier_sessions(tmp_path: Path) -> None:
    async def do(door: Door) -> None:
        guest = await door.accounts.create_guest("1.2.3.4", "Ann")
        ann = await door.accounts.set_password("1.2.3.4", guest.identity, PASSWORD)
        assert await door.who(guest.cookie) == ANONYMOUS
        other = await door.accounts.sign_in("1.2.3.4", "Ann", PASSWORD)
        assert (await door.who(other.cookie)).user is not None
        with pytest.raises(BadField, match="current password") as refused:
            await door.accounts.set_password("1.2.3.4", ann.identity, "battery staple")
        assert refused.value.field == "current"
        again = await door.accounts.set_password("1.2.3.4", ann.identity, "battery staple", PASSWORD)
        assert await door.who(other.cookie) == await door.who(ann.cookie) == ANONYMOUS
        assert (await door.who(again.cookie)).user == ann.identity.user
        await door.accounts.sign_in("1.2.3.4", "Ann", "battery staple")

    at_the_door(tmp_path, do)


def test_signing_out_takes_effect_at_once(tmp_path: Path) -> None:
    async def do(door: Door) -> None:
        ann = await door.accounts.create_guest("1.2.3.4", "Ann")
        who = await door.who(ann.cookie)
        assert await door.accounts.sign_out(who) == "signoria=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax"
        assert await door.who(ann.cookie) == ANONYMOUS
        assert await door.accounts.sign_out(ANONYMOUS)

    at_the_door(tmp_path, do)


def test_new_name_takes_effect_at_once(tmp_path: Path) -> None:
    async def do(door: Door) -> None:
        ann = await door.accounts.create_guest("1.2.3.4", "Ann")
        who = await door.who(ann.cookie)
        assert await door.accounts.rename(who, " Anna ") == "Anna"
        assert (await door.who(ann.cookie)).require_user().name == "Anna"
        await door.accounts.create_guest("1.2.3.4", "Ben")
        with pytest.raises(NameTaken):
            await door.accounts.rename(who, "ben")

    at_the_door(tmp_path, do)


def test_tokens_authenticate_programs(tmp_path: Path) -> None:
    async def do(door: Door) -> None:
        ann = (await door.accounts.create_guest("1.2.3.4", "Ann")).identity
        row, secret = await door.accounts.make_token(ann, " my  bot ")
        assert row.name == "my bot"
        async with door.database.read() as db:
            assert secret not in str((await db.execute(select(tokens))).all())
        who = await door.who(token=secret)
        assert who.token
        assert who.require_user() == ann.user
        with pytest.raises(NotAllowed, match="account page"):
            await door.accounts.make_token(who, "another")
        assert await door.who(cookie=f"signoria={secret}") == ANONYMOUS
        await door.accounts.make_token(ann, "second")
        with pytest.raises(Conflict, match="2 tokens"):
            await door.accounts.make_token(ann, "third")
        with pytest.raises(BadField):
            await door.accounts.make_token(ann, " ")
        await door.accounts.delete_token(ann, row.id)
        with pytest.raises(SignInFirst, match="unknown"):
            await door.who(token=secret)
        with pytest.raises(NotFound):
            await door.accounts.delete_token(ann, row.id)
        with pytest.raises(SignInFirst):
            await door.accounts.make_token(ANONYMOUS, "x")

    at_the_door(tmp_path, do)


def test_new_password_ends_all_sessions_and_revokes_all_tokens(tmp_path: Path) -> None:
    async def do(door: Door) -> None:
        first = await door.accounts.create_guest("1.2.3.4", "Ann")
        ann = await door.accounts.set_password("1.2.3.4", first.identity, PASSWORD)
        elsewhere = await door.accounts.sign_in("1.2.3.4", "Ann", PASSWORD)
        secrets = [(await door.accounts.make_token(ann.identity, name))[1] for name in ("one", "two")]
        assert [(await door.who(token=secret)).token for secret in secrets] == [True, True]  # and remembered
        kept = await door.accounts.set_password("1.2.3.4", ann.identity, "battery staple", PASSWORD)
        for secret in secrets:
            with pytest.raises(SignInFirst, match="unknown"):
                await door.who(token=secret)
        assert [await door.who(cookie) for cookie in (ann.cookie, elsewhere.cookie)] == [ANONYMOUS, ANONYMOUS]
        assert (await door.who(kept.cookie)).user is not None

    at_the_door(tmp_path, do)


def test_revoking_all_tokens_affects_only_the_owner(tmp_path: Path) -> None:
    async def do(door: Door) -> None:
        ann, ben = [(await door.accounts.create_guest("1.2.3.4", name)).identity for name in ("Ann", "Ben")]
        secrets = [(await door.accounts.make_token(who, name))[1] for who, name in ((ann, "a"), (ann, "b"), (ben, "c"))]
        by_token = await door.who(token=secrets[0])
        with pytest.raises(NotAllowed, match="account page"):
            await door.accounts.delete_tokens(by_token)
        assert await door.accounts.delete_tokens(ann) == 2
        for secret in secrets[:2]:
            with pytest.raises(SignInFirst):
                await door.who(token=secret)
        assert (await door.who(token=secrets[2])).token

    at_the_door(tmp_path, do)


def test_last_use_of_a_token_is_recorded_to_half_a_minute(tmp_path: Path) -> None:
    async def do(door: Door) -> None:
        ann = (await door.accounts.create_guest("1.2.3.4", "Ann")).identity
        _, secret = await door.accounts.make_token(ann, "bot")
        for _ in range(20):
            await door.who(token=secret)
            async with door.database.read() as db:
                [token] = await store.tokens_of(db, ann.require_user().id)
            assert token.used_at is not None and door.time - token.used_at < REMEMBERED
            door.time += 7_000

    at_the_door(tmp_path, do)


@pytest.mark.parametrize("name", ["\u3164", "bot\u200b", "\u2800", "x\u202ey", "x" * 41])
def test_token_needs_a_readable_name(name: str, tmp_path: Path) -> None:
    async def do(door: Door) -> None:
        ann = (await door.accounts.create_guest("1.2.3.4", "Ann")).identity
        with pytest.raises(BadField, match="visible characters"):
            await door.accounts.make_token(ann, name)

    at_the_door(tmp_path, do)


def test_tokens_of_others_are_not_found(tmp_path: Path) -> None:
    async def do(door: Door) -> None:
        ann = (await door.accounts.create_guest("1.2.3.4", "Ann")).identity
        ben = (await door.accounts.create_guest("1.2.3.4", "Ben")).identity
        row, secret = await door.accounts.make_token(ann, "mine")
        with pytest.raises(NotFound):
            await door.accounts.delete_token(ben, row.id)
        assert (await door.who(token=secret)).user == ann.user

    at_the_door(tmp_path, do)


def test_identity_is_cached_between_requests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def do(door: Door) -> None:
        ann = await door.accounts.create_guest("1.2.3.4", "Ann")
        read, reads = door.database.read, 0

        def counted() -> object:
            nonlocal reads
            reads += 1
            return read()

        monkeypatch.setattr(door.database, "read", counted)
        for _ in range(10):
            assert (await door.who(ann.cookie)).user is not None
        assert reads == 1
        door.time += REMEMBERED
        await door.who(ann.cookie)
        assert reads == 2

    at_the_door(tmp_path, do)


def test_session_ends_a_year_after_its_last_use(tmp_path: Path) -> None:
    async def do(door: Door) -> None:
        ann = await door.accounts.create_guest("1.2.3.4", "Ann")
        began = door.time
        headers = Headers({"cookie": ann.cookie.partition(";")[0]})
        assert (await door.people.authenticate(headers)).cookie is None
        door.time += 8 * DAY
        who, cookie = await door.people.authenticate(headers)
        assert cookie == ann.cookie
        assert (await door.people.authenticate(headers)).cookie is None
        async with door.database.read() as db:
            assert (await db.execute(select(users.c.seen_at))).scalar_one() == door.time
        door.time = began + SESSION + 7 * DAY
        assert (await door.who(ann.cookie)).user is not None
        door.time += SESSION + 1
        assert await door.who(ann.cookie) == ANONYMOUS
        assert who.user is not None

    at_the_door(tmp_path, do)


def test_session_is_not_extended_without_its_cookie(tmp_path: Path) -> None:
    async def do(door: Door) -> None:
        ann = await door.accounts.create_guest("1.2.3.4", "Ann")
        headers = Headers({"cookie": ann.cookie.partition(";")[0]})
        async with door.database.read() as db:
            expires_at = (await db.execute(select(sessions.c.expires_at))).scalar_one()
        door.time += 8 * DAY
        who, cookie = await door.people.authenticate(headers, renew=False)
        assert who.user is not None and cookie is None
        async with door.database.read() as db:
            assert (await db.execute(select(sessions.c.expires_at))).scalar_one() == expires_at
        door.time += REMEMBERED
        assert (await door.people.authenticate(headers)).cookie == ann.cookie

    at_the_door(tmp_path, do)


def test_every_route_knows_the_identity(tmp_path: Path) -> None:
    async def page(request: Request) -> Response:
        who = identity_of(request)
        answer = PlainTextResponse(who.require_user().name)
        if request.query_params:
            answer.headers["Set-Cookie"] = "other=1"
        return answer

    async def do(door: Door) -> None:
        ann = await door.accounts.create_guest("1.2.3.4", "Ann")
        cookie = {"Cookie": ann.cookie.partition(";")[0]}
        service = small_app(
            Middleware(AuthenticationMiddleware, sessions=door.people),
            routes=[Route("/", page), Route("/healthz", page), Route("/api/v1", page)],
        )
        transport = httpx.ASGITransport(app=service)
        async with httpx.AsyncClient(transport=transport, base_url=HERE) as http:
            assert (await http.get("/", headers=cookie)).text == "Ann"
            assert (await http.get("/")).status_code == 401
            assert (await http.get("/healthz", headers=cookie)).status_code == 401
            refused = await http.get("/api/v1", headers={"Authorization": "Bearer x"})
            assert refused.status_code == 401
            assert "unknown" in refused.json()["detail"]
            assert "Ann" in (await http.get("/nowhere", headers=cookie)).text
            door.time += 8 * DAY
            assert (await http.get("/", headers=cookie)).headers["set-cookie"] == ann.cookie
            door.time += 8 * DAY
            assert (await http.get("/?x=1", headers=cookie)).headers["set-cookie"] == "other=1"

    at_the_door(tmp_path, do)
