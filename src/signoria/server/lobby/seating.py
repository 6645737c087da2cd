"""Seats before the game: sitting down, removing players, adding bots, starting, closing.

`opening` opens tables; `absence` and `rematches` have what comes later.
"""

import secrets
from collections.abc import Awaitable, Callable, Sequence

import msgspec

from signoria.bots.levels import current_id
from signoria.kernel.language import all_of, later, say, say_count
from signoria.server.errors import BadField, Conflict, NotAllowed, TooMany
from signoria.server.lobby.catalogue import bot_name, level_ids
from signoria.server.people.names import clean_name
from signoria.server.play.room import Room
from signoria.server.play.service import TableService, games_topic
from signoria.store import blocks, invitations, people, tables
from signoria.store.database import Write
from signoria.store.people import User, name_key
from signoria.store.tables import SeatRow

LONGEST_SALT = 64
USUAL_LEVEL = "muratore"


def check_level(name: str, field: str, game: str) -> str:
    """The id of a bot's level, which may be given by its older name; raises `BadField` with the levels of the game."""
    level, known = current_id(name), level_ids(game)
    if level not in known:
        raise BadField(
            field, say("There is no bot {name!r}. Bots: {level_ids}.", name=name, level_ids=", ".join(known))
        )
    return level


def empty_seat(table_id: str, seat: int) -> SeatRow:
    """An empty seat."""
    return SeatRow(table_id, seat)


def taken_seat(table_id: str, seat: int, user: User, name: str | None = None) -> SeatRow:
    """A seat with a person in it. Its shuffle word is random until they choose one."""
    return msgspec.structs.replace(
        empty_seat(table_id, seat),
        user_id=user.id,
        name=clean_name(name) if name and name.strip() and name != user.name else user.name,
        salt=secrets.token_hex(4),
    )


async def check_number_of_tables(service: TableService, w: Write, user: User) -> None:
    """Raises `TooMany` if the person has as many tables as allowed."""
    going_on = len(await tables.going_on(w.db, user.id))
    if going_on >= service.settings.most_tables:
        raise TooMany(
            say(
                "You already have {going_on} tables that are open or in play. Finish or leave one of them first.",
                going_on=going_on,
            )
        )


async def check_name(w: Write, user: User, sitting: SeatRow, others: Sequence[SeatRow]) -> None:
    """Raises `Conflict` for the name of an account, or of another player at the table."""
    if sitting.name is None:
        return
    owner = await people.user_named(w.db, sitting.name)
    if owner and owner[0].id != user.id and not owner[0].guest:
        raise Conflict(say("The name {name} is taken. Choose another.", name=sitting.name), field="name")
    if name_key(sitting.name) in {name_key(other.name) for other in others if other.name}:
        raise Conflict(
            say("Another player at this table is called {name}. Choose another name.", name=sitting.name), field="name"
        )


def shares_device_with_strangers(seats: Sequence[SeatRow], invited: bool) -> bool:
    """Whether one person has several seats at a public table where other people play or can still join.

    Such a person would see several hands. At an invite-only table people know whom they play with.
    """
    people = [seat.user_id for seat in seats if seat.user_id]
    several = {user_id for user_id in people if people.count(user_id) > 1}
    return not invited and bool(several) and any(not seat.bot and {seat.user_id} != several for seat in seats)


def _waiting(room: Room) -> None:
    if room.row.state != "open":
        started = room.row.started_at
        raise Conflict(say("The game has already started.") if started else say("This table is closed."))


def _host(room: Room, user: User) -> None:
    if room.row.host_id != user.id:
        raise NotAllowed(say("Only the host can do that."))


async def _put(w: Write, room: Room, seat: SeatRow, now: int) -> None:
    await tables.set_seat(w.db, seat)
    await tables.change(w.db, room.row.id, touched_at=now)


async def sit(
    service: TableService, room: Room, user: User, seat: int, name: str | None = None, invitation: str | None = None
) -> None:
    """Take an empty seat."""
    sitting = taken_seat(room.row.id, seat, user, name)
    async with service.changing(room) as w:
        _waiting(room)
        found = room.seat(seat)
        if found.user_id == user.id:
            return
        if found.user_id or found.bot:
            raise Conflict(
                say(
                    "Seat {seat} is taken by {name}. Take another.",
                    seat=seat,
                    name=found.name or bot_name(room.row, found),
                )
            )
        known = user.id == room.row.host_id or bool(room.seats_of(user.id))
        invited = secrets.compare_digest((room.row.invitation or "").encode(), (invitation or "").encode())
        by_name = await invitations.delete_invitation(w.db, room.row.id, user.id)
        if room.row.invitation and not known and not invited and not by_name:
            raise NotAllowed(say("This table is invite only. Ask the host for the link."))
        await _check_welcome(w, room, user)
        seats = [sitting if own.seat == seat else own for own in room.row.seats]
        if shares_device_with_strangers(seats, room.row.invitation is not None):
            raise Conflict(
                say(
                    "You already have a seat at this table. Several people can play on one device only against bots or at "
                    "an invite-only table."
                )
                if room.seats_of(user.id)
                else say("Several people play at this table on one device. Join another table.")
            )
        await check_name(w, user, sitting, room.row.seats)
        if not known:
            await check_number_of_tables(service, w, user)
        await _put(w, room, sitting, service.now())
        await service.notifier.sat_down(w, room.row, sitting)


async def _check_welcome(w: Write, room: Room, user: User) -> None:
    """Raises `NotAllowed` if the host removed this person, or if one of the players and they blocked each other."""
    if user.id in await blocks.removed_from(w.db, room.row.id):
        raise NotAllowed(say("The host removed you from this table. Join another one."))
    others = {room.row.host_id, *(seat.user_id for seat in room.row.seats)} - {None, user.id}
    between = await blocks.blocks_between(w.db, user.id, [other for other in others if other])
    own = [blocked for who, blocked in between if who == user.id]
    if own:
        names = sorted((await people.names_of(w.db, own)).values())
        raise NotAllowed(
            say_count(
                "You have blocked {names}, who is at this table. Unblock them on your account page, or join another table.",
                "You have blocked {names}, who are at this table. Unblock them on your account page, or join another table.",
                len(names),
                names=all_of(names),
            )
        )
    if between:
        raise NotAllowed(say("You cannot join this table."))


async def remove(service: TableService, room: Room, user: User, seat: int) -> None:
    """The host removes a player before the game; that person cannot join this table again."""
    async with service.changing(room) as w:
        _waiting(room)
        _host(room, user)
        found = room.seat(seat)
        if found.user_id is None:
            raise Conflict(say("No person sits in seat {seat}.", seat=seat), field="seat")
        if found.user_id == user.id:
            raise Conflict(say("This is your own seat. Leave it instead."), field="seat")
        for own in room.row.seats:
            if own.user_id == found.user_id:
                await tables.set_seat(w.db, empty_seat(room.row.id, own.seat))
        await blocks.add_removal(w.db, room.row.id, found.user_id)
        # without a name, which would outlive the account
        says = later("The host removed the player in seat {number}.", number=seat + 1)
        await service.announce(w, room, says, seat)
        await tables.change(w.db, room.row.id, touched_at=service.now())


async def stand(service: TableService, room: Room, user: User, seat: int) -> None:
    """Leave a seat before the game."""
    async with service.changing(room) as w:
        _waiting(room)
        room.own_seat(user.id, seat)
        await _put(w, room, empty_seat(room.row.id, seat), service.now())


async def put_bot(service: TableService, room: Room, user: User, seat: int, bot: str | None) -> None:
    """Put a bot in an empty seat, change its level, or remove it."""
    async with service.changing(room) as w:
        _waiting(room)
        _host(room, user)
        if room.seat(seat).user_id:
            raise Conflict(say("Seat {seat} is taken by {name}.", seat=seat, name=room.seat(seat).name))
        put = (
            msgspec.structs.replace(empty_seat(room.row.id, seat), bot=check_level(bot, "level", room.row.game))
            if bot
            else empty_seat(room.row.id, seat)
        )
        await _put(w, room, put, service.now())


async def set_salt(service: TableService, room: Room, user: User, seat: int, salt: str) -> None:
    """Set a player's shuffle word."""
    async with service.changing(room) as w:
        _waiting(room)
        found = room.own_seat(user.id, seat)
        if len(salt) > LONGEST_SALT or "\0" in salt:
            raise BadField(
                "salt", say("A shuffle word has at most {longest_salt} characters.", longest_salt=LONGEST_SALT)
            )
        await _put(w, room, msgspec.structs.replace(found, salt=salt), service.now())


async def fill(service: TableService, room: Room, user: User, bot: str) -> None:
    """Fill all empty seats with bots, and start."""
    async with service.changing(room) as w:
        _waiting(room)
        _host(room, user)
        for seat in room.row.seats:
            if not seat.user_id and not seat.bot:
                await tables.set_seat(w.db, msgspec.structs.replace(seat, bot=check_level(bot, "level", room.row.game)))
        await tables.change(w.db, room.row.id, touched_at=service.now())
    await begin(service, room)


async def start(service: TableService, room: Room, user: User) -> None:
    """Start a game whose seats are all taken."""
    if not room.seats_of(user.id):
        raise NotAllowed(say("Only players at this table can start the game."))
    await begin(service, room)


async def begin(service: TableService, room: Room) -> None:
    """Deal, and ask the first player."""
    async with service.changing(room) as w:
        if room.row.state == "playing":
            return
        _waiting(room)
        missing = [str(seat.seat) for seat in room.row.seats if not seat.user_id and not seat.bot]
        if missing:
            raise Conflict(
                say(
                    "Seats still empty: {missing}. Wait, or fill the empty seats with bots.", missing=", ".join(missing)
                )
            )
        if shares_device_with_strangers(room.row.seats, room.row.invitation is not None):
            raise Conflict(
                say(
                    "One person has several seats at a table that anyone can join. "
                    "They must give up all but one before the game can start."
                )
            )
        await _end_invitations(w, room)
        row = msgspec.structs.replace(room.row, rules=room.game.version)  # the current rules when it starts
        await service.start_game(w, row)


async def close(service: TableService, room: Room, user: User) -> None:
    """Close a table before its game starts."""
    async with service.changing(room) as w:
        _waiting(room)
        _host(room, user)
        await _close(service, w, room)


async def close_by_moderator(service: TableService, room: Room, note: Callable[[Write], Awaitable[None]]) -> None:
    """Close a table before its game starts, for a moderator, and write it in their log."""
    async with service.changing(room) as w:
        _waiting(room)
        await _close(service, w, room)
        await note(w)


async def _close(service: TableService, w: Write, room: Room) -> None:
    await _end_invitations(w, room)
    await tables.change(w.db, room.row.id, state="closed", ended_at=service.now(), due_at=None)


async def _end_invitations(w: Write, room: Room) -> None:
    """Delete invitations to a table that starts or closes; the people who were invited see this in their lobby."""
    for user_id in await invitations.delete_invitations(w.db, room.row.id):
        w.tell(games_topic(user_id))


async def rename(service: TableService, user_id: str, before: str, name: str) -> None:
    """Rename a person at every unfinished table, unless they use another name there or another player has a similar
    name.
    """
    async with service.database.write() as w:
        for table_id in await tables.going_on(w.db, user_id):
            row = await tables.hold_table(w.db, table_id)
            for seat in row.seats if row else ():
                others = (
                    {name_key(other.name) for other in row.seats if other is not seat and other.name} if row else ()
                )
                if seat.user_id == user_id and seat.name == before and name_key(name) not in others:
                    await tables.set_seat(w.db, msgspec.structs.replace(seat, name=name))
                    w.tell(f"table:{table_id}")
        w.tell("lobby")
    await service.show_changes(w)


async def close_stale(service: TableService, room: Room, before: int) -> bool:
    """Close a table that nobody has joined since then; returns whether it did."""
    async with service.changing(room) as w:
        if room.row.state != "open" or room.row.touched_at >= before or room.viewers:
            return False
        await _close(service, w, room)
    return True
