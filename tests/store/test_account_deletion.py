"""Deleting users removes all personal data and keeps the games."""

import msgspec
from sqlalchemy import Text, select

from signoria.store import people
from signoria.store.messages import add_message, messages_of
from signoria.store.orders import OrdersRow, put_orders
from signoria.store.ratings import RatingRow, set_rating
from signoria.store.schema import metadata
from signoria.store.steps import StepRow, add_steps, steps_of
from signoria.store.tables import SeatRow, find_table
from tests.databases import in_loop, opened
from tests.store.rows import NOW, a_table, a_user

PERSONAL = (
    "Annabella",
    "Anna am Fenster",
    "Zia Rosa",
    "annabella-hash",
    "annabella-session",
    "annabella-token",
    "secret word",
)


@in_loop
async def test_no_text_mentions_a_deleted_user(database_url: str) -> None:
    async with opened(database_url) as database:
        async with database.write() as w:
            anna, berta = await a_user(w.db, "Annabella"), await a_user(w.db, "Berta")
            await people.set_password(w.db, anna.id, "annabella-hash")
            await people.add_session(w.db, anna.id, "annabella-session", NOW, NOW + 1)
            await people.add_token(w.db, anna.id, "bot of Annabella", "annabella-token", NOW)
            seats = (
                SeatRow("t1", 0, user_id=anna.id, name="Anna am Fenster"),
                SeatRow("t1", 1, user_id=anna.id, name="Zia Rosa"),
                SeatRow("t1", 2, user_id=berta.id, name="Berta"),
            )
            await a_table(w.db, host_id=anna.id, seats=seats)
            await add_steps(w.db, "t1", [StepRow(0, 0, '{"do":"take"}', "person", NOW)])
            await add_message(w.db, "t1", anna.id, 0, "Anna am Fenster", "secret word", NOW)
            await add_message(w.db, "t1", berta.id, 2, "Berta", "hello", NOW)
            await add_message(w.db, "t1", None, None, "the house", "Zia Rosa (Annabella) sits down beside Berta.", NOW)
            await put_orders(w.db, OrdersRow("t1", 0, anna.id, 1, {"green": 5}))
            await set_rating(w.db, RatingRow("patrician", anna.id, anna.id, 25.0, 8.0, 1))
            await set_rating(w.db, RatingRow("patrician", berta.id, berta.id, 25.0, 8.0, 1))
        async with database.write() as w:
            assert await people.delete_user(w.db, anna.id)
            assert not await people.delete_user(w.db, anna.id)
        async with database.read() as db:
            for table in metadata.sorted_tables:
                for column in table.c:
                    if isinstance(column.type, Text):
                        kept = [str(value) for value in (await db.execute(select(column))).scalars()]
                        told = [
                            text for text in kept for word in (*PERSONAL, anna.id) if word.casefold() in text.casefold()
                        ]
                        assert not told, f"{column} still tells {told}"

            left = await find_table(db, "t1")
            assert left is not None
            assert left.host_id is None
            assert left.seats == (
                msgspec.structs.replace(seats[0], user_id=None, name="someone"),
                msgspec.structs.replace(seats[1], user_id=None, name="someone"),
                msgspec.structs.replace(seats[2], account="Berta"),
            )
            assert len(await steps_of(db, "t1")) == 1
            said = [message.text for message in await messages_of(db, "t1")]
            assert said == ["hello", "someone (someone) sits down beside Berta."]
            assert await people.find_user(db, berta.id) == berta


@in_loop
async def test_short_name_is_not_removed_from_within_longer_words(database_url: str) -> None:
    async with opened(database_url) as database, database.write() as w:
        user = await a_user(w.db, "a")
        await a_table(w.db, seats=(SeatRow("t1", 0, user_id=user.id, name="a"),))
        await add_message(w.db, "t1", None, None, "the house", "a has taken a card: a!", NOW)
        await people.delete_user(w.db, user.id)
        assert (await messages_of(w.db, "t1"))[0].text == "someone has taken someone card: someone!"


@in_loop
async def test_message_numbers_are_never_reused(database_url: str) -> None:
    async with opened(database_url) as database, database.write() as w:
        user = await a_user(w.db)
        await a_table(w.db)
        last = await add_message(w.db, "t1", user.id, None, "Anna", "bye", NOW)
        await people.delete_user(w.db, user.id)
        after = await add_message(w.db, "t1", None, None, "the house", "hm", NOW)
        assert after.id > last.id
