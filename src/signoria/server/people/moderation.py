"""Reports to the host of the server, and what moderators can do: mute, rename, ban, and close tables. All of it is logged."""

from collections.abc import Callable
from functools import partial
from typing import Any

from signoria.kernel.language import capital, say, to_say
from signoria.server.errors import BadField, Conflict, NotAllowed, NotFound
from signoria.server.lobby import seating
from signoria.server.people.friends import find_person
from signoria.server.people.names import TRIES, clean_name, made_up_name
from signoria.server.people.sessions import USER_TOPIC
from signoria.server.people.texts import readable
from signoria.server.play.room import Room
from signoria.server.play.service import TableService
from signoria.store import emails, moderation, people
from signoria.store.database import Write
from signoria.store.errors import NameTaken
from signoria.store.messages import MessageRow
from signoria.store.moderation import ModerationLine
from signoria.store.people import User

LONGEST = 1000
"""Characters of a report or of a reason."""
REPORTS_PER_DAY = 20
DAY = 24 * 3600_000
FOREVER = 100 * 365 * DAY
MUTES = {"1": DAY, "7": 7 * DAY, "30": 30 * DAY, "forever": FOREVER}
"""For how long a person can be muted, in milliseconds."""
# Translators: The log of moderators; {by} is a moderator, {about} another person.
SENTENCES = {
    "dismiss": to_say("{by} answered a report."),
    "mute-1": to_say("{by} muted {about} for a day."),
    "mute-7": to_say("{by} muted {about} for a week."),
    "mute-30": to_say("{by} muted {about} for 30 days."),
    "mute-forever": to_say("{by} muted {about} forever."),
    "mute-off": to_say("{by} let {about} write messages again."),
    "ban": to_say("{by} banned {about}."),
    "unban": to_say("{by} let {about} sign in again."),
    "rename": to_say("{by} renamed {about}."),
    "close": to_say("{by} closed a table of {about}."),
}
"""The log in sentences, by what was done."""
DELETED = to_say("a deleted account")


def told(line: ModerationLine) -> str:
    """A line of the log."""
    return capital(say(SENTENCES[line.action], by=line.by or say(DELETED), about=line.about or say(DELETED)))


async def report(
    service: TableService, user: User, name: str, text: str, room: Room | None = None, message: int | None = None
) -> None:
    """Report a person, perhaps for a message at a table; raises `NotFound`, `BadField` or `Conflict`."""
    about, text = await find_person(service, name), _clean(text)
    if about.id == user.id:
        raise BadField("name", say("You cannot report yourself."))
    if not text or len(text) > LONGEST:
        raise BadField("text", say("Say what happened, in at most {most} characters.", most=LONGEST))
    quoted = ""
    if room is not None and message is not None:
        said = message_by(room, about.id, message)
        if said is None:
            raise NotFound(say("That message is gone."))
        quoted = said.text
    now = service.now()
    async with service.database.write() as w:
        if await moderation.number_of_reports(w.db, user.id, now - DAY) >= REPORTS_PER_DAY:
            raise Conflict(say("You can send at most {most} reports a day.", most=REPORTS_PER_DAY))
        await moderation.add_report(
            w.db, by_id=user.id, about_id=about.id, table_id=room.row.id if room else None, text=text, quoted=quoted,
            at=now,
        )  # fmt: skip


def message_by(room: Room, user_id: str, number: int) -> MessageRow | None:
    """A message at a table, if this person wrote it."""
    return next((one for one in room.messages if one.id == number and one.user_id == user_id), None)


async def require_moderator(service: TableService, user: User | None) -> User:
    """The moderator who sent a request; raises `NotFound` for everyone else, so that the pages stay unknown."""
    if user is not None:
        async with service.database.read() as db:
            if (await moderation.standing_of(db, user.id)).moderator:
                return user
    raise NotFound(say("There is no page at this address."))


async def dismiss(service: TableService, moderator: User, report_id: int) -> None:
    """Answer a report without doing anything."""
    async with service.database.write() as w:
        await _close(w, report_id, service.now())
        await _note(service, w, moderator, "dismiss", None, "")


async def mute(service: TableService, moderator: User, name: str, how_long: str, why: str) -> None:
    """Mute a person for a while, or unmute them (`off`)."""
    if how_long not in (*MUTES, "off"):
        raise BadField("how_long", say("how_long: use {possible}.", possible=", ".join((*MUTES, "off"))))
    until = None if how_long == "off" else service.now() + MUTES[how_long]
    await _act(
        service, moderator, name, f"mute-{how_long}", why, lambda w, user: moderation.set_muted(w.db, user.id, until)
    )


async def ban(service: TableService, moderator: User, name: str, why: str) -> None:
    """Ban a person: their sessions end, they cannot sign in, and their reports are answered.

    Bots take over when their clocks run out.
    """

    async def do(w: Write, user: User) -> None:
        if (await moderation.standing_of(w.db, user.id)).moderator:
            raise Conflict(say("A moderator cannot be banned. The host of the server must first take that right away."))
        await moderation.set_banned(w.db, user.id, service.now())
        await people.end_sessions(w.db, user.id)
        await people.delete_tokens(w.db, user.id)
        await emails.drop_email_tokens(w.db, user.id)
        await moderation.close_reports_by(w.db, user.id, service.now())

    await _act(service, moderator, name, "ban", why, do)


async def unban(service: TableService, moderator: User, name: str, why: str) -> None:
    """Let a person sign in again."""
    await _act(service, moderator, name, "unban", why, lambda w, user: moderation.set_banned(w.db, user.id, None))


async def rename(service: TableService, moderator: User, name: str, new: str, why: str) -> str:
    """Give a person another name, or one such as guests get if none is given; returns it."""
    before = await find_person(service, name)
    names = [clean_name(new)] if new.strip() else [made_up_name() for _ in range(TRIES)]
    while True:
        after = names.pop(0)
        try:
            await _act(service, moderator, name, "rename", why, partial(_rename, after))
            break
        except NameTaken:
            if not names:
                raise
    await seating.rename(service, before.id, before.name, after)
    return after


async def _rename(name: str, w: Write, user: User) -> None:
    await people.rename(w.db, user.id, name)


async def close_table(service: TableService, moderator: User, room: Room, why: str) -> None:
    """Close a table that has not started."""
    async with service.database.read() as db:
        host = await people.find_user(db, room.row.host_id) if room.row.host_id else None
    await seating.close_by_moderator(service, room, lambda w: _note(service, w, moderator, "close", host, why))


async def _act(
    service: TableService, moderator: User, name: str, action: str, why: str, do: Callable[[Write, User], Any]
) -> None:
    user = await find_person(service, name)
    if user.id == moderator.id:
        raise NotAllowed(say("You cannot do this to yourself."))
    async with service.database.write() as w:
        await do(w, user)
        await _note(service, w, moderator, action, user, why)
        w.tell(USER_TOPIC + user.id)


async def _close(w: Write, report_id: int, now: int) -> None:
    if not await moderation.close_report(w.db, report_id, now):
        raise NotFound(say("That report has been answered already."))


async def _note(service: TableService, w: Write, moderator: User, action: str, about: User | None, why: str) -> None:
    await moderation.add_log_line(
        w.db,
        at=service.now(),
        by_id=moderator.id,
        action=action,
        about_id=about.id if about else None,
        text=_clean(why)[:LONGEST],
    )


def _clean(text: str) -> str:
    """A text that either kind of database can store, and that shows what it says."""
    return readable(text.replace("\0", "")).strip()


async def check_may_write(service: TableService, user: User) -> None:
    """Raises `NotAllowed` if a moderator has muted this person."""
    async with service.database.read() as db:
        until = (await moderation.standing_of(db, user.id)).muted_until
    if until is not None and until > service.now():
        raise NotAllowed(say("The host of this server has muted you, so you cannot write messages at the moment."))
