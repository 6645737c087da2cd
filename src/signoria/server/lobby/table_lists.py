"""Lists of tables, filtered and page by page, for pages and for the API."""

import re
from typing import NamedTuple

from sqlalchemy.ext.asyncio import AsyncConnection

from signoria.kernel.language import say
from signoria.server.errors import BadField, NotAllowed
from signoria.server.people.profiles import may_see
from signoria.store import lists, people
from signoria.store.lists import Place
from signoria.store.people import User
from signoria.store.tables import TableRow

PLACE = re.compile(r"([0-9]{1,15})[.]([A-Za-z0-9_-]{1,40})")


class TableFilter(NamedTuple):
    """Filters for a list of tables."""

    state: str | None
    """None for the caller's own tables in any state."""
    game: str | None = None
    player: str | None = None
    """The name of a player, in any spelling."""
    after: str = ""
    """Where the previous page ended."""


class TableListPage(NamedTuple):
    """A page of a list; a filtered page may be short or empty although there are more."""

    rows: list[TableRow]
    next: str | None
    """Where it ended, if there is more; opaque."""
    nobody: bool = False
    """Whether there is no player of that name."""


async def list_tables(db: AsyncConnection, user: User | None, wanted: TableFilter, limit: int) -> TableListPage:
    """A page of tables, newest first; raises `BadField` for an invalid `after`.

    Raises `NotAllowed` for the finished games of a person whose profile the caller may not see.
    """
    after, player = _place(wanted.after), None
    if wanted.player is not None:
        found = await people.user_named(db, wanted.player)
        if found is None:
            return TableListPage([], None, nobody=True)
        player = found[0].id
        if wanted.state == "over" and not await may_see(db, found[0], user):
            raise NotAllowed(say("{name} does not show their finished games to everyone.", name=found[0].name))
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
        raise BadField(
            "after", say("after: {text!r} is not valid here; use `next` of the previous page.", text=text[:60])
        )
    return Place(int(found[1]), found[2])
