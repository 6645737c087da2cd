"""Messages: the newest ones, in order."""

import msgspec

from signoria.store.messages import MessageRow, add_message, messages_of
from tests.databases import in_loop, opened
from tests.store.rows import NOW, a_table, a_user


@in_loop
async def test_newest_messages_are_returned_in_order(database_url: str) -> None:
    async with opened(database_url) as database, database.write() as w:
        user = await a_user(w.db)
        await a_table(w.db)
        await a_table(w.db, "t2")
        said = [await add_message(w.db, "t1", user.id, 0, "Anna", f"{word}", NOW + word) for word in range(5)]
        house = await add_message(w.db, "t2", None, None, "the house", "Welcome.", NOW)
        assert said[3] == MessageRow(said[3].id, "t1", user.id, 0, "Anna", "3", NOW + 3)
        said = [msgspec.structs.replace(one, account="Anna") for one in said]
        assert await messages_of(w.db, "t1") == said
        assert await messages_of(w.db, "t1", limit=2) == said[3:]
        assert await messages_of(w.db, "t1", after_id=said[1].id) == said[2:]
        assert await messages_of(w.db, "t1", after_id=said[-1].id) == []
        assert await messages_of(w.db, "t2") == [house]
