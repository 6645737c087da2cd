"""After a game: rematches, and new games from a position."""

from contextlib import suppress

import msgspec
from sqlalchemy.ext.asyncio import AsyncConnection

from signoria.kernel.language import say
from signoria.server.errors import BadField, Conflict, NotAllowed
from signoria.server.lobby.opening import SeatRequest, TableRequest, add_table, begin_if_full, new_table_row
from signoria.server.lobby.seating import check_level, shares_device_with_strangers, sit
from signoria.server.people.names import clean_name
from signoria.server.play.room import LogEntry, Room
from signoria.server.play.service import TableService
from signoria.store import tables
from signoria.store.people import User
from signoria.store.steps import StepRow
from signoria.store.tables import SeatRow, TableRow


async def rematch(service: TableService, room: Room, user: User) -> str:
    """The id of the rematch: the first request opens it, and the others sit down there."""
    async with service.changing(room) as w:
        if room.row.state != "over":
            raise Conflict(say("You can ask for a rematch when the game is over."))
        if not room.seats_of(user.id):
            raise NotAllowed(say("Only the players of this game can ask for a rematch."))
        found = await _still_there(w.db, room.row.rematch_id)
        if found is None:
            row = new_table_row(service, user, _rematch_request(room, user), None)
            await add_table(service, w, user, row)
            await tables.change(w.db, room.row.id, rematch_id=row.id)
            await service.notifier.asked_for_rematch(w, room.row, user.id, user.name)
    if found is None:
        await begin_if_full(service, row)
        return row.id
    await _join(service, await service.room(found), user, [seat for seat in room.row.seats if seat.user_id == user.id])
    return found


async def _still_there(db: AsyncConnection, table_id: str | None) -> str | None:
    """The rematch, unless it was closed."""
    row = await tables.find_table(db, table_id) if table_id else None
    return None if row is None or row.state == "closed" else row.id


def _rematch_request(room: Room, user: User) -> TableRequest:
    row = room.row
    alone_or_apart = not shares_device_with_strangers(row.seats, invited=False)
    return TableRequest(
        game=row.game,
        options={name: value for name, value in row.options.items() if name != "players"},
        seats=tuple(_seat_request(seat, user) for seat in row.seats),
        clock=row.clock,
        total_time=row.total_time,
        increment=row.increment,
        stand_in=row.stand_in,
        invited=row.invitation is not None or not alone_or_apart,
        rated=row.rated,
        hints=row.hints != "none",
        aid=row.aid,
    )


async def _join(service: TableService, room: Room, user: User, own: list[SeatRow]) -> None:
    """Take your former seats under their former names, if they are still free."""
    if room.row.state == "open" and not room.seats_of(user.id):
        for seat in own:
            with suppress(Conflict):  # taken, or started in the meantime
                name = _name_again(seat, user) if len(own) > 1 else ""
                await sit(service, room, user, seat.seat, name, room.row.invitation)


def _name_again(seat: SeatRow, user: User) -> str:
    """The name in a seat, if it may still be used; empty otherwise."""
    with suppress(BadField):
        return seat.name or "" if seat.name == user.name else clean_name(seat.name or "")
    return ""


def _seat_request(seat: SeatRow, user: User) -> SeatRequest:
    if seat.bot:
        return SeatRequest("bot", bot=seat.bot)
    return SeatRequest("me", name=_name_again(seat, user)) if seat.user_id == user.id else SeatRequest("open")


async def play_on(service: TableService, room: Room, user: User, n: int, seat: int, bot: str) -> str:
    """The id of a new table that continues from a position of a finished game, against bots."""
    row, position = room.row, room.position
    if row.state != "over" or position is None:
        raise Conflict(say("You can play from a position only when the game is over."))
    if n not in range(len(position.log)):
        raise BadField(
            "n", say("There is no position {n} to play from. Choose 0 to {count}.", n=n, count=len(position.log) - 1)
        )
    room.seat(seat)
    options = {name: value for name, value in row.options.items() if name != "players"}
    seat_requests = tuple(
        SeatRequest("me") if own.seat == seat else SeatRequest("bot", bot=check_level(bot, "level", row.game))
        for own in row.seats
    )
    table_request = TableRequest(game=row.game, options=options, seats=seat_requests, rated=False, stand_in=bot)
    fresh = new_table_row(service, user, table_request, row.id)
    seats = tuple(msgspec.structs.replace(new, salt=old.salt) for new, old in zip(fresh.seats, row.seats, strict=True))
    fresh = msgspec.structs.replace(fresh, seed=row.seed, seats=seats, rules=position.table.rules)
    kept = replay_rows(position.log, position.entries, n, service.now())
    await open_from_steps(service, user, fresh, kept)
    return fresh.id


async def open_from_steps(service: TableService, user: User, row: TableRow, kept: list[StepRow]) -> None:
    """Open a table whose game continues after these steps."""
    async with service.database.write() as w:
        await add_table(service, w, user, row)
        await service.start_game(w, row, kept)
    service.due.set()


def replay_rows(log: tuple[LogEntry, ...], entries: tuple[tuple[int, str], ...], n: int, at: int) -> list[StepRow]:
    """The first `n` steps, without undone ones."""
    return [StepRow(n=i, seat=step.seat, step=entries[step.n][1], by=step.by, at=at) for i, step in enumerate(log[:n])]
