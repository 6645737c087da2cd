"""A player's preferences at every table. Preferences of one device stay in its browser."""

from signoria.server.play.service import TableService
from signoria.store import people, tables
from signoria.store.people import User


async def set_unasked(service: TableService, user: User, unasked: bool) -> None:
    """Set whether forced moves are played for a person, at every table from now on."""
    async with service.database.write() as w:
        for table_id in await tables.going_on(w.db, user.id):
            await tables.change(w.db, table_id)
            w.tell(f"table:{table_id}")
        await people.set_unasked(w.db, user.id, unasked)
        w.tell(f"user:{user.id}")
    await service.show_changes(w)
