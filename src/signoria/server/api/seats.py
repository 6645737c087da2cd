"""A table and who sits at it: looking, sitting down, beginning, leaving, meeting again, talking."""

import unicodedata

from starlette.responses import Response

from signoria.server import absence, meeting, seating
from signoria.server.api.answers import Again, Said, Table
from signoria.server.api.asking import JSON, Asked
from signoria.server.api.facts import said, table_facts
from signoria.server.api.given import Fill, OwnSeat, PutBot, Salt, Say, Sit
from signoria.server.api.writing import encoded
from signoria.server.errors import BadField
from signoria.server.gate.names import clean_name


async def table(asked: Asked) -> Table:
    """A table as it is."""
    return table_facts(await asked.room(), asked.user)


async def sit(asked: Asked) -> Table:
    """Take an empty seat."""
    room, wanted = await asked.room(), await asked.given(Sit)
    name = clean_name(wanted.name) if wanted.name else ""
    await seating.sit(asked.house, room, asked.person, wanted.seat, name, _ascii(wanted.invitation))
    return table_facts(room, asked.user)


def _ascii(invitation: str | None) -> str | None:
    """An invitation that can be compared; one with other letters is none of ours."""
    return invitation if invitation and invitation.isascii() else None


async def stand(asked: Asked) -> Table:
    """Give a seat back before the game."""
    room, wanted = await asked.room(), await asked.given(OwnSeat)
    await seating.stand(asked.house, room, asked.person, wanted.seat)
    return table_facts(room, asked.user)


async def put_bot(asked: Asked) -> Table:
    """Give an empty seat to a bot, or empty a bot's."""
    room, wanted = await asked.room(), await asked.given(PutBot)
    await seating.put_bot(asked.house, room, asked.person, wanted.seat, wanted.level or "")
    return table_facts(room, asked.user)


async def set_salt(asked: Asked) -> Table:
    """A word of one's own for the shuffle."""
    room, wanted = await asked.room(), await asked.given(Salt)
    await seating.set_salt(asked.house, room, asked.person, wanted.seat, wanted.salt)
    return table_facts(room, asked.user)


async def start(asked: Asked) -> Table:
    """Begin: all seats are taken."""
    room = await asked.room()
    await seating.start(asked.house, room, asked.person)
    return table_facts(room, asked.user)


async def fill(asked: Asked) -> Table:
    """Bots into the empty seats, and begin."""
    room, wanted = await asked.room(), await asked.given(Fill)
    await seating.fill(asked.house, room, asked.person, wanted.level)
    return table_facts(room, asked.user)


async def close(asked: Asked) -> Table:
    """Close a table whose game has not begun."""
    room = await asked.room()
    await seating.close(asked.house, room, asked.person)
    return table_facts(room, asked.user)


async def leave(asked: Asked) -> Table:
    """Let a bot play on."""
    room, wanted = await asked.room(), await asked.given(OwnSeat)
    await absence.leave(asked.house, room, asked.person, wanted.seat)
    return table_facts(room, asked.user)


async def come_back(asked: Asked) -> Table:
    """Take one's seat back."""
    room, wanted = await asked.room(), await asked.given(OwnSeat)
    await absence.come_back(asked.house, room, asked.person, wanted.seat)
    return table_facts(room, asked.user)


async def resign(asked: Asked) -> Table:
    """Let a bot play to the end."""
    room, wanted = await asked.room(), await asked.given(OwnSeat)
    await absence.leave(asked.house, room, asked.person, wanted.seat, resign=True)
    return table_facts(room, asked.user)


async def stand_in(asked: Asked) -> Table:
    """Let a bot play for somebody who is asked and gone."""
    room, wanted = await asked.room(), await asked.given(OwnSeat)
    await absence.stand_in(asked.house, room, asked.person, wanted.seat)
    return table_facts(room, asked.user)


async def rematch(asked: Asked) -> Response:
    """Meet again."""
    room = await asked.room()
    asked.limit("tables", "new tables")
    again = await meeting.rematch(asked.house, room, asked.person)
    return Response(encoded(Again(table=again)), headers={"Location": f"/api/v1/tables/{again}"}, media_type=JSON)


async def chat(asked: Asked) -> Said:
    """Say something."""
    room, wanted, user = await asked.room(), await asked.given(Say), asked.person
    asked.limit("chat", "messages")
    text = " ".join(wanted.text.split())
    if not text or any(unicodedata.category(letter) in ("Cc", "Cs") for letter in text):
        raise BadField("text", "text: something that can be read is expected.")
    mine = room.seats_of(user.id)
    name = room.row.seats[mine[0]].name or user.name if len(mine) == 1 else user.name
    await asked.house.say(room, text, name, mine[0] if mine else None, user.id)
    return said(next(message for message in reversed(room.messages) if message.user_id == user.id))
