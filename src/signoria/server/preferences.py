"""What somebody prefers wherever they play; what one prefers on a device stays in its browser."""

from signoria.server.house import House
from signoria.store import people, tables
from signoria.store.people import User


async def set_unasked(house: House, user: User, unasked: bool) -> None:
    """Whether steps that leave no choice are made for somebody, at every table from now on."""
    async with house.database.write() as w:
        for table_id in await tables.going_on(w.db, user.id):
            await tables.change(w.db, table_id)
            w.tell(f"table:{table_id}")
        await people.set_unasked(w.db, user.id, unasked)
        w.tell(f"user:{user.id}")
    await house.show(w)
