"""How many tables: how often somebody opens one, how often an address does, and how many of an address go on at once."""

from collections import OrderedDict
from collections.abc import Callable

from starlette.requests import Request

from signoria.server.errors import TooMany
from signoria.server.gate.rate import MOST_KEYS, Limits, address
from signoria.store import tables
from signoria.store.database import Database
from signoria.store.people import User

Opened = Callable[[str], str]


class Opening:
    """Counts tables by the address that they were opened from. That is kept in memory alone, and by no name."""

    def __init__(self, database: Database, limits: Limits, most: int) -> None:
        self._database, self._limits, self._most = database, limits, most
        self._opened: OrderedDict[str, set[str]] = OrderedDict()  # the ids by address

    async def check(self, user_id: str, here: str) -> None:
        """Count one more, by a person at an address; raises `TooMany`."""
        self._limits.check("tables", user_id, "new tables")
        self._limits.check("tables_here", here, "new tables from your address")
        known = self._opened.get(here, set())
        if len(known) < self._most:
            return
        async with self._database.read() as db:
            known &= await tables.still_going_on(db, known)
        if len(known) >= self._most:
            raise TooMany(
                f"{len(known)} tables that were opened from your address are open or in play: finish some of them first."
            )

    def note(self, here: str, table_id: str) -> str:
        """A table was opened from this address; its id again."""
        self._opened.setdefault(here, set()).add(table_id)
        self._opened.move_to_end(here)
        if len(self._opened) > MOST_KEYS:
            self._opened.popitem(last=False)
        return table_id


async def may_open(request: Request, user: User) -> Opened:
    """What is to be told the id of the table that this person opens now; raises `TooMany` where they may not."""
    opening: Opening = request.app.state.opening
    here = address(request.scope)
    await opening.check(user.id, here)
    return lambda table_id: opening.note(here, table_id)
