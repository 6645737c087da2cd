"""Vacations: in slow games, the clocks of a person stand still for some days of the year.

A turn that waits for them is shifted, so that they have the same time left afterwards. The clock of a turn that begins
during a vacation starts when the vacation ends (`clocks.start_of_turn`).
"""

from datetime import UTC, datetime
from typing import NamedTuple

from signoria.kernel.language import say, say_count
from signoria.server.errors import BadField, Conflict
from signoria.server.play.clocks import SLOW, deadline, shifted
from signoria.server.play.room import bot_of
from signoria.server.play.service import TableService
from signoria.store import tables, vacations
from signoria.store.database import Write
from signoria.store.people import User
from signoria.store.vacations import Vacation

DAY = 24 * 3600_000


class VacationState(NamedTuple):
    """The vacation of a person today."""

    until: int | None
    """When it ends; None if the person is not on vacation."""
    days_left: int
    """Days that the person can still take this year."""


def _this_year(vacation: Vacation, now: int) -> Vacation:
    """The same vacation, with the days used in the current year."""
    year = datetime.fromtimestamp(now / 1000, UTC).year
    return vacation if vacation.year == year else vacation._replace(year=year, used=0)


async def vacation_state(service: TableService, user: User) -> VacationState:
    """The vacation of a person."""
    async with service.database.read() as db:
        vacation = _this_year(await vacations.find_vacation(db, user.id), service.now())
    on = vacation.until is not None and vacation.until > service.now()
    return VacationState(vacation.until if on else None, max(0, service.settings.vacation_days - vacation.used))


async def start_vacation(service: TableService, user: User, days: int) -> None:
    """Begin a vacation of some days; raises `BadField` or `Conflict`."""
    now = service.now()
    async with service.database.write() as w:
        before = await vacations.find_vacation(w.db, user.id)
        current = _this_year(before, now)
        left = max(0, service.settings.vacation_days - current.used)
        if before.until is not None and before.until > now:
            raise Conflict(say("You are already on vacation. End it first."))
        if not 1 <= days <= left:
            raise BadField(
                "days",
                say_count("You can take {n} day of vacation.", "You can take 1 to {n} days of vacation.", left)
                if left
                else say("You have no vacation days left this year."),
            )
        until = now + days * DAY
        await _shift(w, user.id, now, until - now)
        if not await vacations.set_vacation(
            w.db, user.id, before, current._replace(until=until, used=current.used + days)
        ):
            raise Conflict(say("Your vacation has just changed. Reload the page."))
        w.tell(f"user:{user.id}")
    await service.show_changes(w)


async def end_vacation(service: TableService, user: User) -> None:
    """End a vacation early; whole days that are left can be taken later. Raises `Conflict`."""
    now = service.now()
    async with service.database.write() as w:
        before = await vacations.find_vacation(w.db, user.id)
        if before.until is None or before.until <= now:
            raise Conflict(say("You are not on vacation."))
        rest = before.until - now
        await _shift(w, user.id, now, -rest)
        after = _this_year(before, now)
        if not await vacations.set_vacation(
            w.db, user.id, before, after._replace(until=None, used=max(0, after.used - rest // DAY))
        ):
            raise Conflict(say("Your vacation has just changed. Reload the page."))
        w.tell(f"user:{user.id}")
    await service.show_changes(w)
    service.due.set()


async def _shift(w: Write, user_id: str, now: int, milliseconds: int) -> None:
    """Shift the turns of slow games that wait for a person, and let all their tables be read again.

    A vacation that begins after the time was up comes too late.
    """
    for table_id in await tables.going_on(w.db, user_id):
        row = await tables.hold_table(w.db, table_id)
        if row is None:
            continue
        columns: dict[str, int] = {}
        ends_at = deadline(row)
        waits = any(
            row.awaits(seat.seat) and bot_of(row, seat) is None for seat in row.seats if seat.user_id == user_id
        )
        if row.state == "playing" and row.clock >= SLOW and waits and (ends_at is None or ends_at > now):
            turn_at = columns["turn_at"] = shifted(row, user_id, now, milliseconds)
            # otherwise something else is due, such as an automatic bid
            if row.due_at == ends_at and ends_at is not None:
                columns["due_at"] = ends_at + turn_at - (row.turn_at or now)
        await tables.change(w.db, table_id, **columns)
        w.tell(f"table:{table_id}")
