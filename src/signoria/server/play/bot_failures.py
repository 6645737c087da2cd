"""What happens if a bot fails: another bot takes over, and after several crashes the game is paused."""

from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec

from signoria.kernel.language import Message, later, say_count
from signoria.server.errors import StaleVersion, Unavailable
from signoria.server.lobby.catalogue import level_title
from signoria.server.play.room import Room
from signoria.server.play.service import TableService, add_announcement, in_english
from signoria.store import duties, tables
from signoria.store.database import Write

FALLBACK_BOT = "muratore"
"""The bot that replaces one that fails: it does not look ahead and is quick."""
OWN_ATTEMPTS = 2
"""Failures of a bot after which the fallback bot takes its seat."""
MOST_ATTEMPTS = 4
"""Crashes of the server after which a game is paused: as many with its own bot as with the fallback bot."""
MOST_FAILURES = 10_000
"""Tables whose failures are remembered."""
PAUSED = later(
    "This game is paused: the server crashed every time a bot tried to move here. "
    "The people who run this server have been told and can resume it. No moves are lost."
)
RESUMED = later("The people who run this server have resumed this game.")


class BotFailed(Exception):
    """A bot returned no step: it took too long (`slow`), or failed in another way (`error`)."""

    def __init__(self, level: str, why: str, says: str = "", again: bool = True) -> None:
        super().__init__(says or f"{level} {'took too long' if why == 'slow' else 'failed'}")
        self.why = why
        self.again = again
        """Whether it was asked and failed again."""


@asynccontextmanager
async def counted_attempt(service: TableService, table_id: str) -> AsyncIterator[None]:
    """Counts an attempt that may crash the server in the database; raises `Unavailable` if it did before."""
    async with service.database.write() as w:
        if await duties.attempts_at(w.db, table_id) >= OWN_ATTEMPTS:
            raise Unavailable(
                say_count(
                    "The server crashed {n} time at this position, so there is no hint for it.",
                    "The server crashed {n} times at this position, so there is no hint for it.",
                    OWN_ATTEMPTS,
                )
            )
        await duties.count_attempts(w.db, [table_id])
    try:
        yield
    finally:
        async with service.database.write() as w:
            await duties.end_attempts(w.db, table_id)


def count_failure(failures: OrderedDict[str, int], table_id: str) -> int:
    """Count one more failure at a table, and forget the oldest tables if there are too many; returns how many it has."""
    failures[table_id] = failures.pop(table_id, 0) + 1
    if len(failures) > MOST_FAILURES:
        failures.popitem(last=False)
    return failures[table_id]


def replaced_message(level: str, why: str) -> Message:
    """Message to the table: the fallback bot made one decision for another bot."""
    who = {"bot": level_title(level), "other": level_title(FALLBACK_BOT)}
    if why == "slow":
        return later("{bot} took too long, so {other} moved for it.", **who)
    return later("{bot} failed, so {other} moved for it.", **who)


def waiting_message(level: str) -> Message:
    """Message to the table: no bot can decide."""
    return later(
        "{bot} failed, so the game is waiting. The server will try again automatically.", bot=level_title(level)
    )


async def announce_once(service: TableService, room: Room, seat: int, says: Message) -> None:
    """Announce something at a table, unless the server has already announced it there."""
    text = in_english(says)
    if any(message.user_id is None and message.text == text for message in room.messages):
        return
    async with service.changing(room) as w:
        await service.announce(w, room, says, seat)


def failed_often_message(level: str) -> Message:
    """Message to the table: a bot loses its seat after failing several times."""
    return later(
        "{bot} failed several times, so {other} plays this seat from now on.",
        bot=level_title(level),
        other=level_title(FALLBACK_BOT),
    )


def crashed_often_message(level: str) -> Message:
    """Message to the table: a bot loses its seat after crashing the server."""
    who = {"bot": level_title(level), "other": level_title(FALLBACK_BOT)}
    if OWN_ATTEMPTS == 2:
        return later(
            "The server crashed twice while {bot} was thinking, so {other} plays this seat from now on.", **who
        )
    return later(
        "The server crashed {times} times while {bot} was thinking, so {other} plays this seat from now on.",
        times=OWN_ATTEMPTS,
        **who,
    )


async def hand_over(service: TableService, room: Room, seat: int, n: int, why: Message) -> str:
    """Give the seat of a failing bot to the fallback bot for the rest of the game; returns the bot in it."""
    async with service.changing(room) as w:
        row, bot = room.row, room.played_by_bot(seat)
        if row.n != n or row.turn != seat or bot is None:
            raise StaleVersion
        if bot == FALLBACK_BOT:
            return bot
        if row.seats[seat].bot:
            await tables.set_seat(w.db, msgspec.structs.replace(row.seats[seat], bot=FALLBACK_BOT))
        else:
            await tables.change(w.db, row.id, stand_in=FALLBACK_BOT)
        await service.announce(w, room, why, seat)
    return FALLBACK_BOT


async def pause(service: TableService, table_id: str, n: int, attempts: int) -> bool:
    """Pause a game and announce it; False if the game moved on in the meantime.

    The game is not loaded, because that may be what fails.
    """
    async with service.database.write() as w:
        await tables.hold_table(w.db, table_id)
        paused = await duties.pause(w.db, table_id, n, attempts)
        if paused:
            await _announce(w, table_id, PAUSED, service.now())
    await service.show_changes(w)
    return paused


async def resume(w: Write, table_id: str, now: int) -> bool:
    """Resume a paused game and announce it; False if no game is paused at that table."""
    await tables.hold_table(w.db, table_id)
    resumed = await duties.resume(w.db, table_id, now)
    if resumed:
        await _announce(w, table_id, RESUMED, now)
    return resumed


async def _announce(w: Write, table_id: str, says: Message, now: int) -> None:
    await add_announcement(w, table_id, says, None, now)
    w.tell(f"table:{table_id}")
