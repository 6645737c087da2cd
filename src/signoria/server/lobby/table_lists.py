"""Lists of tables, filtered and page by page, for pages and for the API."""

import re
from typing import NamedTuple

from sqlalchemy.ext.asyncio import AsyncConnection

from signoria.server.errors import BadField
from signoria.store import lists, people
from signoria.store.lists import Place
from signoria.store.people import User
from signoria.store.tables import TableRow

PLACE = re.compile(r"([0-9]{1,15})[.]([A-Za-z0-9_-]{1,40})")


class TableFilter(NamedTuple):
    """Which tables to list."""

    state: str | None
    """None for one's own, in whatever state."""
    game: str | None = None
    player: str | None = None
    """The name of somebody who sits there, however it is written."""
    after: str = ""
    """Where the page before ended."""


class TableListPage(NamedTuple):
    """A page of a list; where it is filtered a page may be short, or empty, though there are more."""

    rows: list[TableRow]
    next: str | None
    """Where it ended, if there is more; to be sent back, not read."""
    nobody: bool = False
    """There is nobody of that name."""


async def list_tables(db: AsyncConnection, user: User | None, wanted: TableFilter, limit: int) -> TableListPage:
    """A page of tables, the newest first; raises `BadField` for a place that is none."""
    after, player = _place(wanted.after), None
    if wanted.player is not None:
        found = await people.user_named(db, wanted.player)
        if found is None:
            return TableListPage([], None, nobody=True)
        player = found[0].id
    if wanted.state is None:
        assert user is not None
        page = await lists.own_tables(db, user.id, limit, game=wanted.game, player=player, after=after)
    else:
        page = await lists.public_tables(db, wanted.state, limit, game=wanted.game, player=player, after=after)
    return TableListPage(page.rows, f"{page.next.touched_at}.{page.next.id}" if page.next else None)


def _place(text: str) -> Place | None:
    if not text:
        return None
    found = PLACE.fullmatch(text)
    if found is None:
        raise BadField("after", f"after: {text[:60]!r} is not valid here; use `next` of the previous page.")
    return Place(int(found[1]), found[2])
