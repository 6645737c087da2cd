"""People: unique names, sessions and tokens that expire, guests who are deleted."""

import pytest
from sqlalchemy.exc import IntegrityError

from signoria.store import people
from signoria.store.errors import NameTaken
from signoria.store.names import name_key
from signoria.store.tables import SeatRow
from tests.databases import in_loop, opened
from tests.store.rows import NOW, a_table, a_user


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anna", "ANNA"),
        ("Anna", "  anna "),
        ("Anna  Maria", "Anna Maria"),
        ("Anna", "Аnnа"),  # Cyrillic
        ("Anna", "An\u200bna"),
        ("Anna", "Ａｎｎａ"),  # full width
        ("Ilya", "llya"),
        ("Leo10", "LeoIO"),
        ("José", "Jose\u0301"),
        ("Weiß", "WEISS"),
        ("ΡΟΔΑ", "ρoδα"),
        ("Anna", "Anna\u3164"),
        ("Anna", "An\u2800na"),
        ("Anna", "An\u115f\u1160na"),
        ("NINA", "\u039d\u0399\u039d\u0391"),  # Greek
        ("Emma", "Ernrna"),
        ("Søren", "Soren"),
        ("O'Neil", "O’Neil"),
    ],
)
def test_names_that_look_alike_have_the_same_key(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Anna", "Ana"), ("Anna Maria", "Annamaria"), ("Лев", "Lev"), ("光", "光子"), ("कि", "क"), ("Nina", "Viva")],
)
def test_names_that_differ_have_different_keys(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


@in_loop
async def test_guest_is_found_by_id_and_by_name_in_any_spelling(database_url: str) -> None:
    async with opened(database_url) as database:
        async with database.write() as w:
            user = await people.add_user(w.db, "Anna", NOW)
        async with database.read() as db:
            assert await people.find_user(db, user.id) == user
            assert await people.user_named(db, " ANNA") == (user, None)
            assert await people.find_user(db, "nobody") is None
            assert await people.user_named(db, "Berta") is None
        assert user == people.User(user.id, "Anna", guest=True, created_at=NOW, seen_at=NOW)


@in_loop
async def test_each_name_can_be_taken_only_once(database_url: str) -> None:
    async with opened(database_url) as database:
        async with database.write() as w:
            anna = await a_user(w.db, "Anna")
            berta = await a_user(w.db, "Berta")
        with pytest.raises(NameTaken, match=r"The name 'ANNA', or one that looks like it, is taken\. Choose another\."):
            async with database.write() as w:
                await people.add_user(w.db, "ANNA", NOW)
        with pytest.raises(NameTaken, match="'anna'"):
            async with database.write() as w:
                await people.rename(w.db, berta.id, "anna")
        async with database.write() as w:
            await people.rename(w.db, anna.id, "ANNA")  # their own name in another spelling
            await people.rename(w.db, berta.id, "Clara")
        async with database.read() as db:
            assert [(await people.find_user(db, user.id)).name for user in (anna, berta)] == ["ANNA", "Clara"]  # type: ignore[union-attr]


@in_loop
async def test_guest_with_a_password_becomes_a_user(database_url: str) -> None:
    async with opened(database_url) as database:
        async with database.write() as w:
            user = await a_user(w.db)
            await people.set_password(w.db, user.id, "$argon2id$...")
        async with database.read() as db:
            named = await people.user_named(db, "Anna")
        assert named is not None
        assert (named[0].guest, named[1]) == (False, "$argon2id$...")


@in_loop
async def test_sessions_expire_and_end(database_url: str) -> None:
    async with opened(database_url) as database, database.write() as w:
        user = await a_user(w.db)
        for hashed in ("a", "b", "c"):
            await people.add_session(w.db, user.id, hashed, NOW, NOW + 10)
        assert await people.session_user(w.db, "a", NOW) == (user, NOW + 10)
        assert await people.session_user(w.db, "a", NOW + 10) is None
        assert await people.session_user(w.db, "other", NOW) is None
        await people.prolong_session(w.db, "a", NOW + 20)
        assert await people.session_user(w.db, "a", NOW + 10) == (user, NOW + 20)
        await people.end_session(w.db, "a")
        assert await people.session_user(w.db, "a", NOW) is None
        await people.end_session(w.db, "b")
        assert await people.session_user(w.db, "b", NOW) is None
        assert await people.session_user(w.db, "c", NOW) == (user, NOW + 10)
        assert await people.delete_expired_sessions(w.db, NOW + 9) == 0
        assert await people.delete_expired_sessions(w.db, NOW + 10) == 1
        await people.add_session(w.db, user.id, "d", NOW, NOW + 10)
        await people.end_sessions(w.db, user.id)
        assert await people.session_user(w.db, "d", NOW) is None


@in_loop
async def test_session_needs_an_existing_user(database_url: str) -> None:
    async with opened(database_url) as database:
        with pytest.raises(IntegrityError):
            async with database.write() as w:
                await people.add_session(w.db, "nobody", "a", NOW, NOW + 10)


@in_loop
async def test_last_activity_is_noted_and_never_goes_back(database_url: str) -> None:
    async with opened(database_url) as database, database.write() as w:
        user = await a_user(w.db)
        await people.saw(w.db, user.id, NOW + 5)
        await people.saw(w.db, user.id, NOW + 1)
        seen = await people.find_user(w.db, user.id)
        assert seen is not None
        assert seen.seen_at == NOW + 5


@in_loop
async def test_token_belongs_to_its_user_and_its_use_is_noted_twice_a_minute(database_url: str) -> None:
    async with opened(database_url) as database, database.write() as w:
        anna, berta = await a_user(w.db, "Anna"), await a_user(w.db, "Berta")
        token = await people.add_token(w.db, anna.id, "my bot", "hash", NOW)
        second = await people.add_token(w.db, anna.id, "another", "hash 2", NOW + 1)
        assert await people.tokens_of(w.db, anna.id) == [token, second]
        assert await people.token_user(w.db, "hash", NOW) == (anna, True)
        await people.used_token(w.db, "hash", NOW)
        assert await people.token_user(w.db, "hash", NOW + 29_999) == (anna, False)
        assert await people.token_user(w.db, "hash", NOW + 30_000) == (anna, True)
        assert (await people.tokens_of(w.db, anna.id))[0].used_at == NOW
        assert await people.token_user(w.db, "other", NOW) is None
        assert not await people.delete_token(w.db, berta.id, token.id)
        assert await people.delete_token(w.db, anna.id, token.id)
        assert await people.tokens_of(w.db, anna.id) == [second]


@in_loop
async def test_inactive_guests_without_a_table_are_deleted(database_url: str) -> None:
    async with opened(database_url) as database, database.write() as w:
        gone, here, kept, seated, host = [
            await a_user(w.db, name, now)
            for name, now in [("gone", 1), ("here", 9), ("kept", 1), ("seated", 1), ("host", 1)]
        ]
        await people.set_password(w.db, kept.id, "hash")
        await a_table(w.db, host_id=host.id, seats=(SeatRow("t1", 0, user_id=seated.id, name="seated"),))
        assert await people.delete_stale_guests(w.db, before=9) == (1, None)
        assert await people.find_user(w.db, gone.id) is None
        assert all([await people.find_user(w.db, user.id) for user in (here, kept, seated, host)])
