"""A sender for a service without HTTP, and people who want to be notified."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from typing import Any

from signoria.server.people.notifications import preferences
from signoria.server.people.notifications.kinds import CHANNELS, KINDS
from signoria.server.people.notifications.mail import Mailer
from signoria.server.people.notifications.sender import Sender
from signoria.server.people.notifications.web_push import WebPush
from signoria.server.people.sessions import Identity
from signoria.server.play import table_chat
from signoria.server.play.room import Room
from signoria.server.play.service import TableService
from signoria.store import emails, people
from signoria.store.people import User
from tests.server.people.notifications.post_office import Browser, Mailbox, PushService, mail_server, push_service
from tests.server.services import Clock, a_person, a_service, a_step, a_table, turn_of

YEAR = 365 * 24 * 3600_000
EVERYTHING = dict.fromkeys(KINDS, CHANNELS)


def a_sender(service: TableService) -> Sender:
    settings = service.settings
    return Sender(
        service.database, service.notifier, service.metrics, service.now, asyncio.Event(),
        mailer=Mailer(settings.smtp, settings.mail_from, settings.public_origin) if settings.smtp else None,
        web_push=WebPush(settings.vapid_key, settings.vapid_contact, private=True) if settings.vapid_key else None,
        mails_per_day=settings.mails_per_day,
    )  # fmt: skip


async def send_all(sender: Sender) -> None:
    """Send everything that is due now."""
    while await sender.send_due():
        pass
    if sender.web_push is not None:
        await sender.web_push.close()


async def a_reader(service: TableService, name: str, **settings: Any) -> User:
    """A person with a confirmed address who wants every notification."""
    user = await a_person(service, name)
    async with service.database.write() as w:
        await emails.set_address(w.db, user.id, f"{name.lower()}@example.org", service.now())
    wanted = {"switches": EVERYTHING, "zone": "UTC", "quiet_from": None, "quiet_until": None, "digest": 60}
    await preferences.save_settings(service.database, user.id, **wanted | settings)
    return user


async def a_browser(service: TableService, sender: Sender, user: User, address: str) -> Browser:
    """A browser of a person that gets push messages."""
    browser, session = Browser(address), f"session of {user.id}"
    async with service.database.write() as w:
        if await people.session_user(w.db, session, service.now()) is None:
            await people.add_session(w.db, user.id, session, service.now(), service.now() + YEAR)
    await preferences.subscribe(
        service.database, sender.web_push, Identity(user, session=session), service.now(),
        endpoint=browser.endpoint, p256dh=browser.p256dh, auth=browser.auth,
    )  # fmt: skip
    return browser


async def pass_turn(service: TableService, room: Room, rng: Random | None = None) -> None:
    """Make steps until it is another seat's turn."""
    seat, rng = turn_of(room), rng or Random(1)
    while room.row.state == "playing" and turn_of(room) == seat:
        await service.make_step(room, room.row.seats[seat].user_id, seat, room.n, a_step(room, rng))


@asynccontextmanager
async def by_mail(
    url: str, anna: dict[str, Any] | None = None, **settings: Any
) -> AsyncIterator[tuple[Clock, Mailbox, TableService, Sender, User, User]]:
    """A service with a mail server, Anna who reads her mail (with these settings), and Bruno."""
    clock = Clock()
    with mail_server() as (mailbox, of_mail):
        async with a_service(url, clock, **of_mail | settings) as service:
            reader, other = await a_reader(service, "Anna", **anna or {}), await a_person(service, "Bruno")
            yield clock, mailbox, service, a_sender(service), reader, other


@asynccontextmanager
async def by_push(url: str) -> AsyncIterator[tuple[Clock, PushService, TableService, Sender, User, User, Browser]]:
    """A service with a push service, Anna with a browser that is subscribed, and Bruno."""
    clock = Clock()
    async with push_service() as (push, settings), a_service(url, clock, **settings) as service:
        sender, anna, bruno = a_sender(service), await a_person(service, "Anna"), await a_person(service, "Bruno")
        browser = await a_browser(service, sender, anna, f"{push.address}/anna")
        yield clock, push, service, sender, anna, bruno, browser


async def say_hello(service: TableService, by: User, to: User) -> Room:
    """A person writes a message at a new table with another one; returns the table."""
    room = await a_table(service, by, to)
    await table_chat.say(service, room, by, "Hello")
    return room
