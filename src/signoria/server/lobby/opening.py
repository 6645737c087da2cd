"""Opening a table: the request, its row in the database, and the start if all seats are taken."""

import secrets
from collections.abc import Mapping
from typing import Literal

import msgspec

from signoria.games import find_game
from signoria.kernel.errors import BadOption
from signoria.kernel.language import say
from signoria.kernel.options import Option
from signoria.kernel.table import seed_bytes
from signoria.kernel.words import player_name
from signoria.server.errors import BadField
from signoria.server.lobby.seating import (
    USUAL_LEVEL,
    begin,
    check_level,
    check_name,
    check_number_of_tables,
    empty_seat,
    shares_device_with_strangers,
    taken_seat,
)
from signoria.server.play.clocks import CLOCKS, TOTAL_CLOCKS
from signoria.server.play.service import TableService, games_topic, new_table_id
from signoria.store import tables
from signoria.store.database import Write
from signoria.store.people import User
from signoria.store.tables import SeatRow, TableRow


class SeatRequest(msgspec.Struct, frozen=True):
    """A requested seat of a new table."""

    kind: Literal["me", "open", "device", "bot"]
    bot: str = ""
    """The level, if it is a bot."""
    name: str = ""
    """The name of another player on the same device."""


class TableRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A requested table."""

    game: str
    options: Mapping[str, Option]
    """Without the number of players, which is the number of seats."""
    seats: tuple[SeatRequest, ...]
    clock: int = 0
    total_time: int = 0
    """Seconds for the whole game, with an increment, instead of a clock per move."""
    increment: int = 0
    invited: bool = False
    stand_in: str = USUAL_LEVEL
    rated: bool = True
    hints: bool = True
    """Whether players may ask for hints."""
    aid: bool | None = None
    """Whether the card tracker is on; None for the game's default."""


async def open_table(
    service: TableService, user: User, table_request: TableRequest, origin_id: str | None = None
) -> TableRow:
    """Open a table; the game starts immediately if all seats are taken. Raises `BadField` or `TooMany`."""
    row = new_table_row(service, user, table_request, origin_id)
    async with service.database.write() as w:
        await add_table(service, w, user, row)
    return await begin_if_full(service, row)


async def add_table(service: TableService, w: Write, user: User, row: TableRow) -> None:
    """Store a new table; raises `TooMany` if the person has too many, and `Conflict` for another person's name."""
    await check_number_of_tables(service, w, user)
    for seat in row.seats:
        await check_name(w, user, seat, row.seats[: seat.seat])
    await tables.add_table(w.db, row)
    for user_id in row.people:
        w.tell(games_topic(user_id))
    w.tell("lobby")


async def begin_if_full(service: TableService, row: TableRow) -> TableRow:
    """Start the game if all seats are taken; returns the table."""
    if not all(seat.user_id or seat.bot for seat in row.seats):
        return row
    room = await service.room(row.id)
    await begin(service, room)
    return room.row


def new_table_row(service: TableService, user: User, table_request: TableRequest, origin_id: str | None) -> TableRow:
    """The row of a requested table, before it is stored; raises `BadField`."""
    try:
        game = find_game(table_request.game)
        options = game.options({**table_request.options, "players": len(table_request.seats)})
    except BadOption as error:
        raise BadField(str(error).partition(":")[0], str(error)) from error
    if table_request.clock not in dict(CLOCKS):
        raise BadField(
            "clock",
            say(
                "A clock of {clock!r} seconds cannot be set; choose from {value}.",
                clock=table_request.clock,
                value=", ".join((str(s) for s, _ in CLOCKS)),
            ),
        )
    total = table_request.total_time, table_request.increment
    if any(total) and (total not in TOTAL_CLOCKS or table_request.clock):
        known = ", ".join(f"{time}+{increment}" for time, increment in TOTAL_CLOCKS)
        raise BadField(
            "total_time", say("total_time, increment: possible are {known}, without a clock per move.", known=known)
        )
    if not any(seat_request.kind == "me" for seat_request in table_request.seats):
        raise BadField("seats", say("Take one of the seats yourself."))
    now, table_id = service.now(), new_table_id()
    seats = tuple(
        _seat_row(table_id, seat, seat_request, user, table_request)
        for seat, seat_request in enumerate(table_request.seats)
    )
    if shares_device_with_strangers(seats, table_request.invited):
        raise BadField(
            "seats",
            say(
                "Anyone can join this table, so only one person can play on this device. "
                "Make it invite only, or give the other seats to bots."
            ),
        )
    return TableRow(
        id=table_id,
        game=game.name,
        rules=game.version,
        options=msgspec.to_builtins(options),
        state="open",
        host_id=user.id,
        invitation=secrets.token_urlsafe(16) if table_request.invited else None,
        clock=table_request.clock,
        stand_in=check_level(table_request.stand_in, "stand_in", game.name),
        pace=service.settings.pace,
        rated=table_request.rated and not any(seat_request.kind == "device" for seat_request in table_request.seats),
        seed=seed_bytes(None).hex(),
        n=0,
        turn=None,
        turn_at=None,
        due_at=None,
        revision=0,
        result=None,
        origin_id=origin_id,
        rematch_id=None,
        created_at=now,
        started_at=None,
        ended_at=None,
        touched_at=now,
        hints="allowed" if table_request.hints else "none",
        aid=game.memory_aid if table_request.aid is None else table_request.aid,
        total_time=table_request.total_time,
        increment=table_request.increment,
        seats=seats,
    )


def _seat_row(table_id: str, seat: int, seat_request: SeatRequest, user: User, table_request: TableRequest) -> SeatRow:
    match seat_request.kind:
        case "me" if all(before.kind != "me" for before in table_request.seats[:seat]):
            return taken_seat(table_id, seat, user, seat_request.name)
        case "me" | "device":
            return taken_seat(table_id, seat, user, seat_request.name or player_name(seat))
        case "bot":
            return msgspec.structs.replace(
                empty_seat(table_id, seat), bot=check_level(seat_request.bot, f"seat-{seat}", table_request.game)
            )
        case "open":
            return empty_seat(table_id, seat)
