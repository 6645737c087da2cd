"""E-mail addresses over HTTP: confirmed before they are used, never shown to others, and good for recovering an account."""

import re
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette

from signoria.server.errors import BadField
from signoria.server.people.notifications.mail import clean_address
from signoria.server.people.notifications.sender import CONFIRM_LASTS, RECOVER_LASTS, Sender
from signoria.store import emails, outbox
from tests.databases import in_loop
from tests.server.application import BASE, Person, arrive, open_app
from tests.server.people.notifications.post_office import SITE, Mailbox, mail_server, text_of

ADDRESS = "anna@example.org"


@pytest.fixture(autouse=True)
def only_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server sends nothing by itself, so that a test knows when a mail has left."""

    async def run(_sender: Sender) -> None:
        pass

    monkeypatch.setattr(Sender, "run", run)


async def linked(app: Starlette, mailbox: Mailbox) -> str:
    """The path of the link in the next mail."""
    while await app.state.sender.send_due():
        pass
    found = re.search(rf"{re.escape(SITE)}(/(?:mail|recover)/\S+)", mailbox.last())
    assert found, mailbox.last()
    return found[1]


async def with_address(app: Starlette, mailbox: Mailbox, name: str = "Anna", address: str = ADDRESS) -> Person:
    person = await arrive(app, name)
    assert (await person.send("/account/address", address=address)).status_code == 200
    assert (await person.send(await linked(app, mailbox))).status_code == 200
    return person


def settings_for_http(settings: dict[str, Any]) -> dict[str, Any]:
    """The settings for a server whose people come without HTTPS."""
    return {**settings, "secure": False}


@in_loop
async def test_address_is_used_only_after_its_link_was_confirmed(database_url: str) -> None:
    with mail_server() as (mailbox, settings):
        async with open_app(database_url, **settings_for_http(settings)) as (app, service):
            anna = await arrive(app, "Anna")
            said = await anna.send("/account/address", address=ADDRESS)
            assert "Open the link in it to confirm" in said.text
            link = await linked(app, mailbox)
            assert mailbox.received[-1]["To"] == ADDRESS
            page = await anna.look(link)  # programs that check links open them too
            assert ADDRESS in page.text and "confirm it" in page.text
            assert ADDRESS not in (await anna.look("/account")).text
            async with service.database.read() as db:
                assert await emails.address_of(db, anna.user.id) is None  # type: ignore[union-attr]
                stored = (await db.exec_driver_sql("SELECT hash FROM email_tokens")).scalars().all()
            assert stored and link.rpartition("/")[2] not in stored
            assert "confirmed" in (await anna.send(link)).text
            assert ADDRESS in (await anna.look("/account")).text
            assert (await anna.send(link)).status_code == 404  # once


@in_loop
async def test_nobody_else_sees_an_address(sqlite_url: str) -> None:
    with mail_server() as (mailbox, settings):
        async with open_app(sqlite_url, **settings_for_http(settings)) as (app, _):
            anna, bruno = await with_address(app, mailbox), await arrive(app, "Bruno")
            opened = await anna.send(
                "/tables", game="patrician", seats=2, clock=0, **{"seat-0": "me", "seat-1": "open"}
            )
            table = opened.headers["location"]
            for person, path in (
                (bruno, table), (bruno, "/"), (bruno, "/ratings"), (bruno, f"/api/v1{table}"), (bruno, "/tables?of=open"),
                (anna, f"/api/v1{table}"), (anna, "/api/v1/me"), (anna, "/api/v1/notifications"),
            ):  # fmt: skip
                answer = await person.look(path)
                assert answer.status_code == 200
                assert "example.org" not in answer.text.replace(SITE, ""), path


@in_loop
async def test_program_with_a_token_does_not_see_the_address(sqlite_url: str) -> None:
    with mail_server() as (mailbox, settings):
        async with open_app(sqlite_url, **settings_for_http(settings)) as (app, _):
            anna = await with_address(app, mailbox)
            assert ADDRESS in (await anna.look("/account")).text
            assert ADDRESS in (await anna.look("/account/notifications")).text
            fresh = re.search(
                r'id="fresh" readonly value="([^"]+)"', (await anna.send("/account/tokens", name="b")).text
            )
            assert fresh
            token = {"authorization": f"Bearer {fresh[1]}"}
            async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=BASE, headers=token) as program:
                for path in ("/account", "/account/notifications", "/api/v1/me", "/account/data", "/api/v1/me/data"):
                    assert ADDRESS not in (await program.get(path)).text, path
                assert ADDRESS not in (await program.post("/account/notifications", data={"digest": "60"})).text


@in_loop
async def test_account_is_recovered_by_mail_and_everything_else_ends(database_url: str) -> None:
    with mail_server() as (mailbox, settings):
        async with open_app(database_url, **settings_for_http(settings)) as (app, _):
            anna = await with_address(app, mailbox)
            await anna.send("/account/password", password="old password")
            token = re.search(
                r'id="fresh" readonly value="([^"]+)"', (await anna.send("/account/tokens", name="bot")).text
            )
            assert token
            thief = Person(app, anna.user, anna.headers["cookie"])
            stranger = Person(app, None, None)
            assert "If an account has the address" in (await stranger.send("/recover", address=ADDRESS.upper())).text
            link = await linked(app, mailbox)
            assert "Anna" in (await stranger.look(link)).text
            refused = await stranger.send(link, password="short")
            assert refused.status_code == 422
            answer = await stranger.send(link, password="new password")
            assert (answer.status_code, answer.headers["location"]) == (303, "/account")
            assert (await thief.look("/account")).status_code == 303  # signed out
            program = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=BASE)
            assert (await program.get("/api/v1/me", headers={"authorization": f"Bearer {token[1]}"})).status_code == 401
            assert (await stranger.send(link, password="another one")).status_code == 404
            assert (await stranger.send("/sign-in", name="Anna", password="old password")).status_code == 422
            assert (await stranger.send("/sign-in", name="Anna", password="new password")).status_code == 303
            while await app.state.sender.send_due():
                pass
            assert "was changed" in mailbox.last()


@in_loop
async def test_unknown_address_gets_the_same_answer_and_no_mail(sqlite_url: str) -> None:
    with mail_server() as (mailbox, settings):
        async with open_app(sqlite_url, **settings_for_http(settings)) as (app, service):
            await with_address(app, mailbox)
            before, stranger = len(mailbox.received), Person(app, None, None)
            known = await stranger.send("/recover", address=ADDRESS)
            unknown = await stranger.send("/recover", address="nobody@example.org")
            assert known.text.replace(ADDRESS, "") == unknown.text.replace("nobody@example.org", "")
            async with service.database.read() as db:
                waiting, _ = await outbox.count_deliveries(db, 10)
            assert waiting + len(mailbox.received) - before == 1


@in_loop
async def test_links_expire(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with mail_server() as (mailbox, settings):
        async with open_app(sqlite_url, **settings_for_http(settings)) as (app, _):
            await with_address(app, mailbox)
            stranger = Person(app, None, None)
            await stranger.send("/recover", address=ADDRESS)
            link, addresses = await linked(app, mailbox), app.state.addresses
            now = addresses._now()
            for passed, status in ((RECOVER_LASTS - 60_000, 200), (RECOVER_LASTS + 60_000, 404)):
                monkeypatch.setattr(addresses, "_now", lambda passed=passed: now + passed)
                assert (await stranger.look(link)).status_code == status
            assert CONFIRM_LASTS > RECOVER_LASTS


@in_loop
async def test_people_with_a_password_must_give_it_to_change_their_address(sqlite_url: str) -> None:
    with mail_server() as (mailbox, settings):
        async with open_app(sqlite_url, **settings_for_http(settings)) as (app, _):
            anna = await with_address(app, mailbox)
            await anna.send("/account/password", password="my password")
            for path in ("/account/address", "/account/address/delete"):
                refused = await anna.send(path, address="thief@example.org", password="wrong")
                assert refused.status_code == 422 and "Wrong current password" in refused.text
            await anna.send("/account/address", address="new@example.org", password="my password")
            assert mailbox.received[-1]["To"] == ADDRESS  # about the new password, if it has left already
            await anna.send(await linked(app, mailbox))
            while await app.state.sender.send_due():
                pass
            assert mailbox.received[-1]["To"] == ADDRESS
            assert "now has another e-mail address" in mailbox.last()
            assert "deleted" in (await anna.send("/account/address/delete", password="my password")).text


@in_loop
async def test_requests_for_mail_are_limited_per_mailbox(sqlite_url: str) -> None:
    from signoria.server.settings import Rates, rate

    unlimited = dict.fromkeys(Rates.__struct_fields__, rate("off"))
    with mail_server() as (_, settings):
        rates = Rates(**{**unlimited, "mails": rate("1/h up to 2")})
        async with open_app(sqlite_url, rates=rates, **settings_for_http(settings)) as (app, _service):
            stranger = Person(app, None, None)
            statuses = [(await stranger.send("/recover", address=ADDRESS)).status_code for _ in range(3)]
            assert statuses == [200, 200, 429]
            again = (
                "a.n.n.a@example.org",
                "anna+1@example.org",
                "Anna+2@EXAMPLE.org",
            )  # the same mailbox for many servers
            assert {(await stranger.send("/recover", address=one)).status_code for one in again} == {429}
            assert (await stranger.send("/recover", address="other@example.org")).status_code == 200


@in_loop
async def test_unsubscribing_needs_neither_a_session_nor_an_origin(sqlite_url: str) -> None:
    with mail_server() as (mailbox, settings):
        async with open_app(sqlite_url, **settings_for_http(settings)) as (app, service):
            anna = await with_address(app, mailbox)
            assert anna.user
            async with service.database.read() as db:
                secret = (await db.exec_driver_sql("SELECT unsubscribe FROM notification_settings")).scalar_one()
            async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=BASE) as program:
                page = await program.get(f"/mail/stop/{secret}")
                assert "Yes, stop it" in page.text
                stopped = await program.post(f"/mail/stop/{secret}", data={"List-Unsubscribe": "One-Click"})
                assert stopped.status_code == 200
                assert (await program.post("/mail/stop/guessed", data={})).status_code == 404
                assert (await program.post("/recover", data={"address": ADDRESS})).status_code == 403
            page = await anna.look("/account/notifications")
            assert 'name="turn-email" aria-label="It is my turn: E-mail">' in page.text  # off


@in_loop
async def test_without_a_mail_server_nothing_about_mail_is_shown(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, _):
        anna = await arrive(app, "Anna")
        for path in ("/account", "/sign-in", "/account/notifications"):
            shown = (await anna.look(path)).text
            assert "mail" not in shown.lower(), path
            assert "push message" not in shown.lower(), path
        assert (await anna.look("/recover")).status_code == 404
        assert (await anna.send("/account/address", address=ADDRESS)).status_code == 404


@in_loop
async def test_address_that_does_not_exist_holds_up_no_other_mail_about_the_account(sqlite_url: str) -> None:
    with mail_server() as (mailbox, settings):
        async with open_app(sqlite_url, **settings_for_http(settings)) as (app, _):
            anna = await arrive(app, "Anna")
            mailbox.answers = ["550 no such user"]
            await anna.send("/account/address", address="mistyped@example.org")
            while await app.state.sender.send_due():
                pass
            await anna.send("/account/address", address=ADDRESS)
            await linked(app, mailbox)
            assert [message["To"] for message in mailbox.received] == [ADDRESS]


@in_loop
async def test_links_sent_to_a_former_address_recover_nothing(sqlite_url: str) -> None:
    with mail_server() as (mailbox, settings):
        async with open_app(sqlite_url, **settings_for_http(settings)) as (app, _):
            anna = await with_address(app, mailbox)
            stranger = Person(app, None, None)
            await stranger.send("/recover", address=ADDRESS)
            link = await linked(app, mailbox)
            await anna.send("/account/address", address="new@example.org")
            confirm = await linked(app, mailbox)
            mailbox.answers = ["451 later"]
            await stranger.send("/recover", address=ADDRESS)
            while await app.state.sender.send_due():
                pass
            assert (await anna.send(confirm)).status_code == 200
            assert (await stranger.look(link)).status_code == 404
            sent, later = len(mailbox.received), app.state.sender._now() + 120_000
            app.state.sender._now = lambda: later
            while await app.state.sender.send_due():
                pass
            assert not any("/recover/" in text_of(message) for message in mailbox.received[sent:])


@in_loop
async def test_links_that_wait_for_the_mail_server_end_with_a_new_password(database_url: str) -> None:
    """Somebody who used a guest's browser asks for a link to their own address; then the owner sets a password."""
    with mail_server() as (mailbox, settings):
        async with open_app(database_url, **settings_for_http(settings)) as (app, service):
            anna, sender = await with_address(app, mailbox), app.state.sender
            mailbox.answers = ["451 later", "451 later"]
            await anna.send("/account/address", address="thief@example.org")
            await Person(app, None, None).send("/recover", address=ADDRESS)
            while await sender.send_due():
                pass
            await anna.send("/account/password", password="new password")
            sent, later = len(mailbox.received), sender._now() + 120_000
            sender._now = lambda: later
            while await sender.send_due():
                pass
            assert len(mailbox.received) == sent
            async with service.database.read() as db:
                assert await outbox.count_deliveries(db, 10) == (0, 0)


@in_loop
async def test_link_that_is_being_sent_ends_with_a_new_password(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with mail_server() as (mailbox, settings):
        async with open_app(sqlite_url, **settings_for_http(settings)) as (app, _):
            anna, sender = await with_address(app, mailbox), app.state.sender
            sent, real = len(mailbox.received), Sender._about_account

            async def about_account(*given: Any) -> Any:
                await anna.send("/account/password", password="new password")
                return await real(*given)

            monkeypatch.setattr(Sender, "_about_account", about_account)
            await anna.send("/account/address", address="thief@example.org")
            assert await sender.send_due() == 1
            assert not any("thief" in message["To"] for message in mailbox.received[sent:])


@in_loop
async def test_address_of_a_guest_does_not_recover_the_account_that_is_signed_in_to_next(database_url: str) -> None:
    """On a shared computer a guest may leave their address behind; whoever signs in next must not lose their account."""
    with mail_server() as (mailbox, settings):
        async with open_app(database_url, **settings_for_http(settings)) as (app, service):
            anna = await arrive(app, "Anna")
            await anna.send("/account/password", password="a password")
            browser = await with_address(app, mailbox, "Thief", "thief@example.org")
            await browser.send("/account/address", address="thief@example.net")
            assert (await browser.send("/sign-in", name="Anna", password="a password")).status_code == 303
            assert anna.user and browser.user
            async with service.database.read() as db:
                assert await emails.address_of(db, anna.user.id) is None
                assert await emails.address_of(db, browser.user.id) is None
            await Person(app, None, None).send("/recover", address="thief@example.org")
            sent = len(mailbox.received)
            while await app.state.sender.send_due():
                pass
            assert len(mailbox.received) == sent


@in_loop
async def test_name_that_looks_like_an_address_is_no_link_in_a_mail_about_an_account(sqlite_url: str) -> None:
    with mail_server() as (mailbox, settings):
        async with open_app(sqlite_url, **settings_for_http(settings)) as (app, _):
            person = await arrive(app, "www.example.com")
            await person.send("/account/address", address="victim@example.net")
            assert "/mail/confirm/" in await linked(app, mailbox)
            assert "example.com" not in mailbox.last() and "www.example" not in mailbox.last()


@pytest.mark.parametrize(
    "address",
    ["anna@localhost", "anna@127.0.0.1", "a..b@example.org", "anna@example.org\r\nBcc: victim@example.org",
     "Anna <anna@example.org>", "anna@example.org, bruno@example.org", "\u0430nna@example.org", "a" * 65 + "@example.org"],
)  # fmt: skip
def test_hostile_addresses_are_refused(address: str) -> None:
    with pytest.raises(BadField):
        clean_address(address)


@in_loop
async def test_answer_about_a_forgotten_password_takes_no_longer_if_the_address_is_known(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with mail_server() as (mailbox, settings):
        async with open_app(sqlite_url, **settings_for_http(settings)) as (app, _):
            await with_address(app, mailbox)
            waits = []

            async def wait_until(when: float) -> None:
                waits.append(when)

            monkeypatch.setattr("signoria.server.people.addresses.wait_until", wait_until)
            stranger = Person(app, None, None)
            for address in (ADDRESS, "nobody@example.org"):
                await stranger.send("/recover", address=address)
            assert len(waits) == 2
