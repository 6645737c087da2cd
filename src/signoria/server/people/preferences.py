"""A player's preferences at every table. Preferences of one device stay in its browser."""

from signoria.server.play.service import TableService
from signoria.store import people, tables
from signoria.store.people import User


async def set_language(service: TableService, user: User, language: str) -> None:
    """Set the language that a person reads on every device."""
    async with service.database.write() as w:
        await people.set_language(w.db, user.id, language)
        w.tell(f"user:{user.id}")
    await service.show_changes(w)


async def set_theme(service: TableService, user: User, theme: str) -> None:
    """Set whether a person reads light or dark pages, or what the browser prefers (`auto`), on every device."""
    async with service.database.write() as w:
        await people.set_theme(w.db, user.id, theme)
        w.tell(f"user:{user.id}")
    await service.show_changes(w)


async def set_unasked(service: TableService, user: User, unasked: bool) -> None:
    """Set whether forced moves are played for a person, at every table from now on."""
    async with service.database.write() as w:
        if await people.set_unasked(w.db, user.id, unasked):
            for table_id in await tables.going_on(w.db, user.id):
                await tables.change(w.db, table_id)
                w.tell(f"table:{table_id}")
            w.tell(f"user:{user.id}")
    await service.show_changes(w)
