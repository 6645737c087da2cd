"""Messages are written in the language of their reader, whoever made the change."""

import asyncio

import pytest

from signoria.kernel.language import ENGLISH, PSEUDO, speaking
from signoria.server.people.notifications.kinds import (
    CHAT,
    CONFIRM,
    NEW_ADDRESS,
    NEW_PASSWORD,
    RECOVER,
    tell,
)
from signoria.server.people.notifications.notifier import EMAIL_DELAY
from signoria.server.people.notifications.open_pages import NoteForPages, OpenPage
from signoria.server.play import table_chat
from signoria.store import outbox, people
from signoria.store.outbox import ACCOUNT, EMAIL, Delivery, NoticeRow
from tests.databases import in_loop
from tests.server.people.notifications.post_office import mail_server
from tests.server.people.notifications.senders import a_reader, a_sender, by_mail, by_push, say_hello, send_all
from tests.server.services import Clock, a_person, a_service, a_table

DETAILS = {"game": "patrician", "name": "Bruno"}


@pytest.mark.parametrize("account", [None, ENGLISH, PSEUDO])
@in_loop
async def test_mail_is_in_the_language_of_the_account_or_of_the_settings(sqlite_url: str, account: str | None) -> None:
    clock = Clock()
    with mail_server() as (mailbox, settings):
        async with a_service(sqlite_url, clock, **settings) as service:
            with speaking(ENGLISH if account == PSEUDO else PSEUDO):
                anna = await a_reader(service, "Anna", switches={CHAT: (EMAIL,)})
            if account is not None:
                async with service.database.write() as w:
                    await people.set_language(w.db, anna.id, account)
            bruno, sender = await a_person(service, "Bruno"), a_sender(service)
            await table_chat.say(service, await a_table(service, bruno, anna), bruno, "Hello")
            clock.pass_seconds(EMAIL_DELAY / 1000 + 1)
            await send_all(sender)
            [message] = mailbox.received
            with speaking(account or PSEUDO):
                assert message["Subject"] == tell(CHAT, DETAILS)
            assert message["Content-Language"] == (account or PSEUDO)


@in_loop
async def test_open_pages_of_one_person_tell_a_note_each_in_its_own_language() -> None:
    note = NoteForPages("anna", CHAT, "t", DETAILS)
    told = []
    for language in (ENGLISH, PSEUDO):
        page = OpenPage(asyncio.Event())
        page.add(note)
        with speaking(language):
            told += [(shown.body, tell(CHAT, DETAILS)) for shown in page.take()]
    assert [shown == wanted for shown, wanted in told] == [True, True]
    assert told[0] != told[1]


@pytest.mark.parametrize("reads", ["it", "nl", "fr", "de"])
@in_loop
async def test_push_message_is_in_the_language_of_its_reader(sqlite_url: str, reads: str) -> None:
    async with by_push(sqlite_url) as (clock, push, service, sender, anna, bruno, browser):
        async with service.database.write() as w:
            await people.set_language(w.db, anna.id, reads)
        await say_hello(service, bruno, anna)
        clock.pass_seconds(EMAIL_DELAY / 1000)
        await send_all(sender)
        told = [browser.read(body)["body"] for _, _, body in push.received]
        with speaking(reads):
            assert tell(CHAT, DETAILS) in told
        assert tell(CHAT, DETAILS) not in told


@pytest.mark.parametrize("kind", [CONFIRM, RECOVER, NEW_ADDRESS, NEW_PASSWORD])
@in_loop
async def test_mail_about_the_account_is_in_the_language_of_the_account(sqlite_url: str, kind: str) -> None:
    """If the account has none, it is the language of the page on which the mail was asked for."""
    async with by_mail(sqlite_url) as (clock, mailbox, service, sender, anna, _bruno):
        told = {}
        for account, page in (("", ENGLISH), ("", "de"), ("it", "de")):
            async with service.database.write() as w:
                if account:
                    await people.set_language(w.db, anna.id, account)
                notice = NoticeRow(kind, "anna@example.org", {"language": page}, clock.now)
                await outbox.add_notice(w.db, Delivery(anna.id, ACCOUNT, ACCOUNT), notice, clock.now)
            await send_all(sender)
            message = mailbox.received[-1]
            told[message["Content-Language"]] = (message["Subject"], mailbox.last().partition("\n")[0])
        assert list(told) == [ENGLISH, "de", "it"]
        for place in (0, 1):  # subject and first line
            assert len({texts[place] for texts in told.values()}) == 3
