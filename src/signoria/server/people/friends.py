"""Following people, and muting them: their messages are hidden, but both can still play together.

Nobody is told that they are muted or blocked, so people can follow someone who blocked them: that only orders their own lobby.
A person sees whom they follow; nobody else does.
"""

from signoria.kernel.language import say
from signoria.server.errors import BadField, Conflict, NotFound
from signoria.server.people.sessions import USER_TOPIC
from signoria.server.play.service import TableService, games_topic
from signoria.store import blocks, people, ties
from signoria.store.people import User
from signoria.store.ties import FOLLOW, MUTE

MOST_TIES = 200
"""The most people whom one person can follow and mute in all."""


async def find_person(service: TableService, name: str) -> User:
    """The person with this name; raises `NotFound`."""
    async with service.database.read() as db:
        found = await people.user_named(db, name)
    if found is None:
        raise NotFound(say("There is no player of that name."))
    return found[0]


async def follow(service: TableService, user: User, name: str) -> User:
    """Follow a person; returns them. Raises `NotFound`, `Conflict` or `BadField`."""
    return await _add(service, user, name, FOLLOW)


async def unfollow(service: TableService, user: User, name: str) -> User:
    """Stop following a person; raises `NotFound`."""
    return await _drop(service, user, name, FOLLOW)


async def mute(service: TableService, user: User, name: str) -> User:
    """Hide the messages of a person; raises `NotFound`, `Conflict` or `BadField`."""
    return await _add(service, user, name, MUTE)


async def unmute(service: TableService, user: User, name: str) -> User:
    """Show the messages of a person again; raises `NotFound`."""
    return await _drop(service, user, name, MUTE)


async def _add(service: TableService, user: User, name: str, kind: str) -> User:
    other = await find_person(service, name)
    if other.id == user.id:
        raise BadField(
            "name", say("You cannot follow yourself.") if kind == FOLLOW else say("You cannot mute yourself.")
        )
    async with service.database.write() as w:
        known = await ties.ties_of(w.db, user.id, MOST_TIES)
        if len(known) >= MOST_TIES:
            raise Conflict(say("You can follow and mute at most {most} people. Remove one first.", most=MOST_TIES))
        if kind == FOLLOW and other.id in await blocks.blocked_by(w.db, user.id):
            raise Conflict(say("You have blocked {name}. Unblock them first.", name=other.name))
        await ties.add_tie(w.db, user.id, other.id, kind, service.now())
        w.tell(USER_TOPIC + user.id)
        w.tell(games_topic(user.id))
    return other


async def _drop(service: TableService, user: User, name: str, kind: str) -> User:
    other = await find_person(service, name)
    async with service.database.write() as w:
        if not await ties.drop_tie(w.db, user.id, other.id, kind):
            raise NotFound(
                say("You do not follow {name}.", name=other.name)
                if kind == FOLLOW
                else say("You have not muted {name}.", name=other.name)
            )
        w.tell(USER_TOPIC + user.id)
        w.tell(games_topic(user.id))
    return other
