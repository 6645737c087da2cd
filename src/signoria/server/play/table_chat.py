"""Chat messages at a table."""

import unicodedata

from signoria.kernel.language import say as translate
from signoria.server.errors import BadField
from signoria.server.people.moderation import check_may_write
from signoria.server.people.texts import readable
from signoria.server.play.room import Room
from signoria.server.play.service import TableService
from signoria.store.people import User
from signoria.store.unicode import is_invisible

UNREADABLE = ("Cc", "Cs")
"""Invisible characters, by Unicode category."""


async def say(service: TableService, room: Room, user: User, typed: str) -> None:
    """Write a chat message, under the player's name at this table; raises `BadField`."""
    text = " ".join(readable(typed).split())
    if all(letter == " " or is_invisible(letter) for letter in text) or any(
        unicodedata.category(letter) in UNREADABLE for letter in text
    ):
        raise BadField("text", translate("text: the message is empty."))
    await check_may_write(service, user)
    mine = room.seats_of(user.id)
    name = room.row.seats[mine[0]].name or user.name if len(mine) == 1 else user.name
    await service.say(room, text, name, mine[0] if mine else None, user.id)
