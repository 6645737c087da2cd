"""Inviting people by name to an open table."""

from signoria.kernel.language import say
from signoria.server.errors import BadField, Conflict, NotAllowed, NotFound
from signoria.server.play.room import Room
from signoria.server.play.service import TableService, games_topic
from signoria.store import blocks, invitations, people, tables, ties
from signoria.store.people import User
from signoria.store.ties import FOLLOW

MOST_INVITED = 20
"""People invited to a table at the same time."""
MOST_RECEIVED = 30
"""Invitations that wait for one person; after that only people whom they follow can invite them."""


async def invite(service: TableService, room: Room, user: User, name: str) -> None:
    """Invite a person by name to an open table; players and the host may do this.

    The person can then take a seat, also at an invite-only table. People who blocked each other cannot be invited; the
    answer does not say who blocked whom.
    """
    async with service.changing(room) as w:
        if room.row.state != "open":
            raise Conflict(say("You can invite people only before the game starts."))
        if user.id not in room.row.people:
            raise NotAllowed(say("Only the host and the players of this table can invite people."))
        found = await people.user_named(w.db, name)
        if found is None:
            raise BadField("name", say("There is no player called {name!r}.", name=name[:40]))
        guest = found[0]
        if guest.id in room.row.people:
            raise Conflict(say("{name} is already at this table.", name=guest.name), field="name")
        others = sorted(room.row.people)
        if await blocks.blocks_between(w.db, guest.id, others) or guest.id in await blocks.removed_from(
            w.db, room.row.id
        ):
            raise Conflict(say("{name} cannot be invited to this table.", name=guest.name), field="name")
        received = await invitations.number_received(w.db, guest.id, MOST_RECEIVED)
        if received >= MOST_RECEIVED and not await ties.has_tie(w.db, guest.id, user.id, FOLLOW):
            raise Conflict(say("{name} has too many invitations at the moment.", name=guest.name), field="name")
        if await invitations.number_invited(w.db, room.row.id) >= MOST_INVITED:
            raise Conflict(say("At most {most} people can be invited to a table.", most=MOST_INVITED))
        if not await invitations.add_invitation(w.db, room.row.id, guest.id, user.id, service.now()):
            raise Conflict(say("{name} is already invited.", name=guest.name), field="name")
        await tables.change(w.db, room.row.id)
        w.tell(games_topic(guest.id))
        await service.notifier.invited(w, room.row, guest.id, user.name)


async def decline(service: TableService, room: Room, user: User) -> None:
    """Decline an invitation; raises `NotFound`."""
    async with service.database.write() as w:
        if not await invitations.delete_invitation(w.db, room.row.id, user.id):
            raise NotFound(say("You have no invitation to this table. It may have started or closed."))
        w.tell(games_topic(user.id))
