"""Writes notifications into the outbox, in the transaction of the change that they tell of."""

from collections.abc import Callable, Iterable, Sequence

from signoria.server.people.notifications.kinds import (
    CHAT,
    END,
    INVITATION,
    REMATCH,
    SEAT,
    TURN,
)
from signoria.server.people.notifications.open_pages import NoteForPages, OpenPages
from signoria.server.settings import Settings
from signoria.store import blocks, notifications, outbox, ties
from signoria.store.database import Database, Write
from signoria.store.outbox import EMAIL, PUSH, Delivery, Details, NoticeRow
from signoria.store.tables import SeatRow, TableRow

PUSH_DELAY = 5_000
"""Milliseconds before a push message: a page in another process may show the change in that time, and cancel it."""
EMAIL_DELAY = 300_000
"""Milliseconds before an e-mail: by then most people have seen the change on a page."""


class Notifier:
    """Notifies people of what happens at their tables."""

    def __init__(self, settings: Settings, now: Callable[[], int]) -> None:
        self.pages = OpenPages()
        self.push, self.email = settings.vapid_key is not None, settings.smtp is not None
        self._now = now

    @property
    def reaches_away(self) -> bool:
        """Whether this server can reach people who have no page open."""
        return self.push or self.email

    # What happens at a table

    async def after_steps(
        self, w: Write, before: TableRow, after: TableRow, by: str | None, *, answered: bool = False
    ) -> None:
        """Steps were made: the game waits for other people, or is over.

        `by` is the person who sent them; None if a bot made them, or the server for a player who gave the order for them,
        perhaps long ago. `answered` if the player to move has given an order for it, so that only others have to decide.
        """
        if after.state == "over":
            await self._ended(w, after, by)
        else:
            same = after.turn_at == before.turn_at  # others may choose at the same time, and know it
            known = set(before.awaited if same else ()) - ({before.turn} if by is None else set())
            waits = set(after.awaited) - ({after.turn} if answered else set())
            await self._turn(w, after, waits - known, by)

    async def started(self, w: Write, row: TableRow) -> None:
        """A game has started: it waits for the first people."""
        await self._turn(w, row, row.awaited, None)

    async def _turn(self, w: Write, row: TableRow, awaited: Iterable[int], by: str | None) -> None:
        for user_id in sorted({user_id for seat in awaited if (user_id := _player(row.seats[seat]))}):
            if user_id != by:
                await self._notify(w, TURN, row, [user_id], {"others": others_at(row, user_id)})

    async def _ended(self, w: Write, after: TableRow, by: str | None) -> None:
        winners = [named(after.seats[seat]) for seat in (after.result or {}).get("winners", ())]
        for user_id in sorted({seat.user_id for seat in after.seats if seat.user_id} - {by or ""}):
            await self._notify(w, END, after, [user_id], {"others": others_at(after, user_id), "winners": winners})

    async def sat_down(self, w: Write, row: TableRow, seat: SeatRow) -> None:
        """A person has taken a seat at an open table."""
        told = sorted(row.people - {seat.user_id or ""})
        await self._notify(w, SEAT, row, told, {"name": seat.name})

    async def message_written(self, w: Write, row: TableRow, user_id: str, name: str) -> None:
        """A person has written a chat message."""
        told = [other for other in sorted({seat.user_id for seat in row.seats if seat.user_id}) if other != user_id]
        blocking = {who for who, blocked in await blocks.blocks_between(w.db, user_id, told) if blocked == user_id}
        blocking |= await ties.tied_to(w.db, user_id, ties.MUTE, told)
        await self._notify(w, CHAT, row, [other for other in told if other not in blocking], {"name": name})

    async def invited(self, w: Write, row: TableRow, user_id: str, name: str) -> None:
        """A person was invited to an open table."""
        await self._notify(w, INVITATION, row, [user_id], {"name": name})

    async def asked_for_rematch(self, w: Write, row: TableRow, user_id: str, name: str) -> None:
        """A player of a finished game has asked for a rematch."""
        told = [other for other in sorted({seat.user_id for seat in row.seats if seat.user_id}) if other != user_id]
        between = {one for pair in await blocks.blocks_between(w.db, user_id, told) for one in pair}
        await self._notify(w, REMATCH, row, [other for other in told if other not in between], {"name": name})

    async def seen(self, database: Database, user_id: str | None, table_id: str) -> None:
        """A person sees a table: nothing has to be sent about it any more."""
        if user_id is None or not self.reaches_away:
            return
        async with database.read() as db:
            waits = await outbox.has_notices(db, user_id, table_id)
        if waits:
            async with database.write() as w:
                await outbox.drop_notices(w.db, user_id, table_id)

    async def _notify(self, w: Write, kind: str, row: TableRow, user_ids: Sequence[str], details: Details) -> None:
        """Tell people something: their open pages at once, and through the outbox those who do not look at the table."""
        details = {"game": row.game, **details}
        for user_id in user_ids:
            w.tell(NoteForPages(user_id, kind, row.id, details).topic)
        absent = [user_id for user_id in user_ids if not self.pages.is_looking(user_id, row.id)]
        if not absent or not self.reaches_away:
            return
        now, wanted = self._now(), await notifications.settings_of(w.db, absent)
        called: list[tuple[Delivery, int]] = []
        if self.email:
            for user_id in absent:
                if user_id in wanted and EMAIL in wanted[user_id].switches.get(kind, ()):
                    settings = wanted[user_id]
                    due_at = max(now + EMAIL_DELAY, (settings.mailed_at or 0) + 60_000 * settings.digest)
                    called.append((Delivery(user_id, EMAIL, EMAIL), due_at))
        if self.push:
            pushed = [user_id for user_id in wanted if PUSH in wanted[user_id].switches.get(kind, ())]
            browsers = await notifications.subscriptions_of(w.db, pushed)
            called += [(Delivery(browser.user_id, browser.id, PUSH), now + PUSH_DELAY) for browser in browsers]
        # in the same order in every transaction, so that none waits for another in a circle
        for delivery, due_at in sorted(called):
            await outbox.add_notice(w.db, delivery, NoticeRow(kind, row.id, details, now), due_at)


def _player(seat: SeatRow) -> str | None:
    """The person who plays a seat now; None if a bot does."""
    return None if seat.bot or seat.away or seat.resigned else seat.user_id


def named(seat: SeatRow) -> str | int:
    """The name of the player in a seat, or the number of the seat of a bot."""
    return seat.name or seat.seat


def others_at(row: TableRow, user_id: str) -> list[str | int]:
    """The other players at a table."""
    return [named(seat) for seat in row.seats if seat.user_id != user_id]
