"""Messages leave the outbox once, say nothing hidden, and come only when they are useful."""

import asyncio
from random import Random
from typing import Any

import pytest
from prometheus_client import generate_latest
from sqlalchemy import text

from signoria.server.errors import BadField, NotFound
from signoria.server.lobby import absence, inviting, opening, rematches, seating
from signoria.server.lobby.opening import SeatRequest, TableRequest
from signoria.server.people.notifications import preferences
from signoria.server.people.notifications.notifier import EMAIL_DELAY, PUSH_DELAY
from signoria.server.people.notifications.sender import DEAD_DAYS, LEASE, MOST_ATTEMPTS, MOST_MAILS, MOST_PUSHES
from signoria.server.play import table_chat
from signoria.server.play.room import Room
from signoria.server.play.service import TableService
from signoria.store import blocks, notifications, outbox, people
from signoria.store.people import User
from tests.databases import in_loop
from tests.server.people.notifications.post_office import (
    SITE,
    Browser,
    PushService,
    push_service,
    text_of,
)
from tests.server.people.notifications.senders import (
    a_browser,
    a_reader,
    a_sender,
    by_mail,
    by_push,
    pass_turn,
    say_hello,
    send_all,
)
from tests.server.services import PATIENCE, Clock, a_person, a_service, a_table, play, turn_of

LATER = EMAIL_DELAY / 1000 + 1
SOON = PUSH_DELAY / 1000 + 1


def pushed(service: PushService, browser: Browser) -> list[str]:
    """The sentences that a browser has got."""
    path = "/" + browser.endpoint.rpartition("/")[2]
    return [browser.read(body)["body"] for where, _, body in service.received if where == path]


async def an_open_table(service: TableService, host: User, **wanted: object) -> Room:
    request = TableRequest(
        game="patrician",
        options={},
        seats=(SeatRequest("me"), SeatRequest("open"), SeatRequest("open")),
        **wanted,  # type: ignore[arg-type]
    )
    return await service.room((await opening.open_table(service, host, request)).id)


# E-mail


@in_loop
async def test_player_gets_one_mail_about_all_tables_where_it_is_their_turn(database_url: str) -> None:
    async with by_mail(database_url) as (clock, mailbox, service, sender, anna, bruno):
        rooms = [await a_table(service, bruno, anna) for _ in range(2)]
        for room in rooms:
            if room.row.seats[turn_of(room)].user_id == bruno.id:
                await pass_turn(service, room)
        await send_all(sender)
        assert mailbox.received == []  # not at once
        clock.pass_seconds(LATER)
        await send_all(sender)
        [message] = mailbox.received
        assert message["To"] == "anna@example.org"
        assert message["Subject"] == "2 messages from your tables"
        assert mailbox.last().count("It is your turn in Patrician with Bruno.") == 2
        for room in rooms:
            assert f"{SITE}/tables/{room.row.id}" in mailbox.last()
        clock.pass_seconds(24 * 3600)
        await send_all(sender)
        assert len(mailbox.received) == 1
        async with service.database.read() as db:
            assert await outbox.count_deliveries(db, 10) == (0, 0)


@in_loop
async def test_mail_can_be_stopped_with_one_click(database_url: str) -> None:
    async with by_mail(database_url) as (clock, mailbox, service, sender, anna, bruno):
        await say_hello(service, bruno, anna)
        clock.pass_seconds(LATER)
        await send_all(sender)
        [message] = mailbox.received
        assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        address = message["List-Unsubscribe"].strip(" <>")
        assert address in mailbox.last()
        await preferences.stop_mail(service.database, address.rpartition("/")[2])
        await say_hello(service, bruno, anna)
        clock.pass_seconds(24 * 3600)
        await send_all(sender)
        assert len(mailbox.received) == 1
        with pytest.raises(NotFound):
            await preferences.stop_mail(service.database, "guessed")


@in_loop
async def test_mails_are_limited_per_day_and_the_rest_comes_the_next_day(database_url: str) -> None:
    async with by_mail(database_url, {"digest": 5}, mails_per_day=2) as (clock, mailbox, service, sender, anna, bruno):
        room = await a_table(service, bruno, anna)
        for _ in range(4):
            await table_chat.say(service, room, bruno, "Hello")
            clock.pass_seconds(LATER)
            await send_all(sender)
        assert len(mailbox.received) == 2
        clock.pass_seconds(24 * 3600)
        await send_all(sender)
        assert len(mailbox.received) == 3
        assert mailbox.last().count("Bruno writes a message") == 1


@in_loop
async def test_mail_waits_until_quiet_hours_in_the_time_zone_are_over(database_url: str) -> None:
    quiet = {"zone": "Europe/Rome", "quiet_from": 23 * 60, "quiet_until": 7 * 60}
    # the clock begins on 2023-11-14 at 22:13 UTC, so at 23:13 in Rome
    async with by_mail(database_url, quiet) as (clock, mailbox, service, sender, anna, bruno):
        await say_hello(service, bruno, anna)
        clock.pass_seconds(7.5 * 3600)  # 06:43 in Rome
        await send_all(sender)
        assert mailbox.received == []
        clock.pass_seconds(0.5 * 3600)
        await send_all(sender)
        assert len(mailbox.received) == 1


@in_loop
async def test_mail_that_fails_is_tried_again_with_growing_pauses_and_then_becomes_a_dead_letter(
    sqlite_url: str,
) -> None:
    async with by_mail(sqlite_url) as (clock, mailbox, service, sender, anna, bruno):
        await say_hello(service, bruno, anna)
        clock.pass_seconds(LATER)
        mailbox.answers = ["451 later"] * MOST_ATTEMPTS
        waits = []
        for _ in range(MOST_ATTEMPTS - 1):
            await send_all(sender)
            async with service.database.read() as db:
                due = await outbox.next_delivery(db)
            assert due is not None
            waits.append((due - clock.now) // 1000)
            clock.now = due
        assert waits == [60, 120, 240, 480, 960, 1920, 3840]
        await send_all(sender)
        await sender.count()
        shown = generate_latest(service.metrics.registry).decode()
        assert "signoria_outbox_dead 1.0" in shown
        assert 'signoria_notifications_total{channel="email",outcome="dead"} 1.0' in shown
        clock.pass_seconds(DEAD_DAYS / 1000 + 1)
        await sender.count()
        async with service.database.read() as db:
            assert await outbox.count_deliveries(db, 10) == (0, 0)


@in_loop
async def test_mail_to_an_address_that_does_not_exist_is_not_tried_again(sqlite_url: str) -> None:
    async with by_mail(sqlite_url) as (clock, mailbox, service, sender, anna, bruno):
        await say_hello(service, bruno, anna)
        clock.pass_seconds(LATER)
        mailbox.answers = ["550 no such user"]
        await send_all(sender)
        async with service.database.read() as db:
            assert await outbox.count_deliveries(db, 10) == (0, 1)


# Push messages


@in_loop
async def test_every_kind_reaches_the_browser_encrypted_and_without_hidden_information(database_url: str) -> None:
    async with by_push(database_url) as (clock, push, service, sender, anna, bruno, browser):

        async def new() -> list[str]:
            clock.pass_seconds(SOON)
            before = len(pushed(push, browser))
            await send_all(sender)
            return sorted(pushed(push, browser)[before:])

        hosted = await an_open_table(service, anna)
        await seating.sit(service, hosted, bruno, 1)
        assert await new() == ["Bruno sits down at your table of Patrician."]
        other = await an_open_table(service, bruno, invited=True)
        await inviting.invite(service, other, bruno, "Anna")
        assert await new() == ["Bruno invites you to a game of Patrician."]
        await seating.sit(service, other, anna, 1)  # without the link
        room = await a_table(service, bruno, anna)
        if turn_of(room) == 0:
            await pass_turn(service, room)
        assert await new() == ["It is your turn in Patrician with Bruno."]
        await table_chat.say(service, room, bruno, "my secret plan")
        assert await new() == ["Bruno writes a message at your table of Patrician."]
        await absence.leave(service, room, anna, 1)
        await play(service, room, Random(2))
        [over] = [sentence for sentence in await new() if "is over" in sentence]
        assert over.startswith("Your game of Patrician with Bruno is over. Winner: ")
        await rematches.rematch(service, room, bruno)
        assert await new() == ["Bruno asks for a rematch of Patrician."]
        path, headers, body = push.received[0]
        assert path == "/anna"
        assert headers["Content-Encoding"] == "aes128gcm"
        assert headers["Authorization"].startswith("vapid t=")
        assert b"Bruno" not in body
        assert browser.read(body)["url"] == f"/tables/{hosted.row.id}"


@in_loop
async def test_all_browsers_of_a_person_get_a_message_and_a_failing_one_does_not_repeat_the_others(
    sqlite_url: str,
) -> None:
    async with by_push(sqlite_url) as (clock, push, service, sender, anna, bruno, browser):
        browsers = [browser, await a_browser(service, sender, anna, f"{push.address}/two")]
        await say_hello(service, bruno, anna)
        clock.pass_seconds(SOON)
        push.statuses = [503]
        await send_all(sender)
        assert sorted(len(pushed(push, browser)) for browser in browsers) == [0, 1]
        clock.pass_seconds(61)
        await send_all(sender)
        assert [len(pushed(push, browser)) for browser in browsers] == [1, 1]


@in_loop
@pytest.mark.parametrize("status", [404, 410])
async def test_browser_that_cancelled_its_subscription_is_forgotten(sqlite_url: str, status: int) -> None:
    async with by_push(sqlite_url) as (clock, push, service, sender, anna, bruno, _browser):
        await say_hello(service, bruno, anna)
        clock.pass_seconds(SOON)
        push.statuses = [status]
        await send_all(sender)
        async with service.database.read() as db:
            assert await notifications.subscriptions_of(db, [anna.id]) == []
            assert await outbox.count_deliveries(db, 10) == (0, 0)


@in_loop
async def test_browser_that_is_signed_out_gets_no_more_messages(database_url: str) -> None:
    async with by_push(database_url) as (clock, push, service, sender, anna, bruno, browser):
        await say_hello(service, bruno, anna)
        async with service.database.write() as w:
            await people.end_sessions(w.db, anna.id)
        clock.pass_seconds(SOON)
        await send_all(sender)
        assert pushed(push, browser) == []


@in_loop
async def test_redirect_of_a_push_service_is_not_followed(sqlite_url: str) -> None:
    async with by_push(sqlite_url) as (clock, push, service, sender, anna, bruno, _browser):
        await say_hello(service, bruno, anna)
        clock.pass_seconds(SOON)
        push.statuses = [302]
        await send_all(sender)
        async with service.database.read() as db:
            assert await outbox.count_deliveries(db, 10) == (0, 1)


# When nothing is sent


@in_loop
async def test_nothing_is_written_for_a_person_who_looks_at_the_table(database_url: str) -> None:
    async with by_push(database_url) as (clock, push, service, sender, anna, bruno, browser):
        room = await a_table(service, bruno, anna)
        await service.notifier.seen(service.database, anna.id, room.row.id)
        with service.notifier.pages.open(anna.id, room.row.id, asyncio.Event()) as page:
            await table_chat.say(service, room, bruno, "Hello")
            assert [note.kind for note in page.take()][-1] == "chat"  # the page itself is told
        clock.pass_seconds(SOON)
        await send_all(sender)
        assert pushed(push, browser) == []


@in_loop
async def test_page_in_another_process_cancels_the_message(postgres_url: str) -> None:
    clock = Clock()
    async with (
        push_service() as (push, settings),
        a_service(postgres_url, clock, **settings) as one,
        a_service(postgres_url, clock, **settings) as two,
    ):
        sender, anna, bruno = a_sender(one), await a_person(one, "Anna"), await a_person(one, "Bruno")
        browser = await a_browser(one, sender, anna, f"{push.address}/anna")
        room = await a_table(one, bruno, anna)
        await table_chat.say(one, room, bruno, "Hello")
        await two.notifier.seen(two.database, anna.id, room.row.id)  # as the stream of her page does
        clock.pass_seconds(SOON)
        await send_all(sender)
        assert pushed(push, browser) == []


@in_loop
async def test_turn_that_is_over_is_not_told(database_url: str) -> None:
    async with by_push(database_url) as (clock, push, service, sender, anna, bruno, browser):
        room = await a_table(service, bruno, anna)
        if turn_of(room) == 0:
            await pass_turn(service, room)
        await absence.leave(service, room, anna, 1)
        clock.pass_seconds(SOON)
        await send_all(sender)
        assert pushed(push, browser) == []


@in_loop
async def test_blocked_people_cannot_notify(sqlite_url: str) -> None:
    async with by_push(sqlite_url) as (clock, push, service, sender, anna, bruno, browser):
        room = await a_table(service, bruno, anna)
        await service.notifier.seen(service.database, anna.id, room.row.id)
        async with service.database.write() as w:
            await blocks.add_block(w.db, anna.id, bruno.id, clock.now)
        await table_chat.say(service, room, bruno, "Hello")
        clock.pass_seconds(SOON)
        await send_all(sender)
        assert pushed(push, browser) == []


@in_loop
async def test_name_that_looks_like_an_address_is_no_link_in_a_mail(sqlite_url: str) -> None:
    """Mail programs make links of them, and anyone can choose a name and invite people."""
    async with by_mail(sqlite_url) as (clock, mailbox, service, sender, _anna, _):
        host = await a_person(service, "www.example.com")
        await inviting.invite(service, await an_open_table(service, host), host, "Anna")
        clock.pass_seconds(LATER)
        await send_all(sender)
        message = mailbox.received[-1]
        assert "example" in message["Subject"] and "example" in text_of(message)
        for said in (message["Subject"], text_of(message)):
            assert "example.com" not in said and "www.example" not in said
        assert f"{SITE}/tables/" in text_of(message)


@in_loop
async def test_kinds_can_be_switched_off_on_each_channel(database_url: str) -> None:
    async with by_push(database_url) as (clock, push, service, sender, anna, bruno, browser):
        wanted: dict[str, Any] = {"zone": "UTC", "quiet_from": None, "quiet_until": None, "digest": 60}
        await preferences.save_settings(
            service.database, anna.id, switches={"chat": ["email"], "turn": ["push"]}, **wanted
        )
        room = await a_table(service, bruno, anna)
        await service.notifier.seen(service.database, anna.id, room.row.id)
        await table_chat.say(service, room, bruno, "Hello")
        clock.pass_seconds(SOON)
        await send_all(sender)
        assert pushed(push, browser) == []
        with pytest.raises(BadField, match="no channel 'pigeon'"):
            await preferences.save_settings(service.database, anna.id, switches={"chat": ["pigeon"]}, **wanted)


@in_loop
async def test_without_push_and_mail_nothing_is_written(sqlite_url: str) -> None:
    async with a_service(sqlite_url) as service:
        anna, bruno = await a_reader(service, "Anna"), await a_person(service, "Bruno")
        await say_hello(service, bruno, anna)
        async with service.database.read() as db:
            assert await outbox.count_deliveries(db, 10) == (0, 0)


# Several processes and crashes


@in_loop
async def test_with_several_senders_each_message_leaves_once(database_url: str) -> None:
    async with by_mail(database_url) as (clock, mailbox, service, _, _, bruno):
        readers = [await a_reader(service, f"Anna{n}") for n in range(12)]
        for reader in readers:
            await say_hello(service, bruno, reader)
        clock.pass_seconds(LATER)
        await asyncio.gather(*(send_all(a_sender(service)) for _ in range(4)))
        assert sorted(message["To"] for message in mailbox.received) == sorted(
            f"{reader.name.lower()}@example.org" for reader in readers
        )


@in_loop
async def test_message_of_a_process_that_died_is_sent_by_another_with_the_same_id(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with by_mail(database_url) as (clock, mailbox, service, _, anna, bruno):
        await say_hello(service, bruno, anna)
        clock.pass_seconds(LATER)
        with monkeypatch.context() as crash:

            async def die(*_given: object) -> None:
                raise RuntimeError("the process dies after the message has left")

            crash.setattr("signoria.server.people.notifications.sender.outbox.finish_delivery", die)
            await send_all(a_sender(service))
        await send_all(a_sender(service))
        assert len(mailbox.received) == 1  # the claim has not expired yet
        clock.pass_seconds(LEASE / 1000 + 1)
        await send_all(a_sender(service))
        clock.pass_seconds(LEASE / 1000 + 1)
        await send_all(a_sender(service))
        assert len(mailbox.received) == 2
        assert len({message["Message-ID"] for message in mailbox.received}) == 1  # mail programs show it once
        assert text_of(mailbox.received[0]) == text_of(mailbox.received[1])


@in_loop
async def test_notice_is_written_in_the_transaction_of_its_step(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with by_mail(sqlite_url) as (_, _, service, _, anna, bruno):
        room = await a_table(service, bruno, anna)

        async def fail(*_given: object) -> None:
            raise OSError("no space")

        with monkeypatch.context() as broken:
            broken.setattr("signoria.server.people.notifications.notifier.outbox.add_notice", fail)
            with pytest.raises(OSError, match="no space"):
                await table_chat.say(service, room, bruno, "Hello")
        assert room.messages == []


@in_loop
async def test_games_that_call_the_same_people_in_different_seats_wait_for_each_other(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with by_mail(postgres_url) as (_, _mailbox, service, _sender, anna, _):
        carla, real = await a_reader(service, "Carla"), outbox.add_notice

        async def slowly(*given: Any) -> None:
            await real(*given)
            await asyncio.sleep(0.2)

        async def call(room: Room) -> None:
            async with service.database.write() as w:
                await service.notifier.started(w, room.row)

        rooms = [await a_table(service, *pair, game="il-principe") for pair in ((anna, carla), (carla, anna))]
        monkeypatch.setattr(outbox, "add_notice", slowly)
        await asyncio.gather(*map(call, rooms))
        async with service.database.read() as db:
            assert await outbox.count_deliveries(db, 10) == (2, 0)


@in_loop
async def test_notice_that_comes_while_a_message_is_sent_is_not_lost(sqlite_url: str) -> None:
    async with by_mail(sqlite_url) as (clock, mailbox, service, sender, anna, bruno):
        first, second = await a_table(service, bruno, anna), await a_table(service, bruno, anna)
        assert sender.mailer is not None
        await table_chat.say(service, first, bruno, "Hello")
        clock.pass_seconds(LATER)
        send = sender.mailer.send

        async def send_slowly(message: object) -> None:
            await send(message)  # type: ignore[arg-type]
            await table_chat.say(service, second, bruno, "Hello")

        sender.mailer.send = send_slowly  # type: ignore[method-assign]
        await sender.send_due()
        sender.mailer.send = send  # type: ignore[method-assign]
        clock.pass_seconds(3601)
        await send_all(sender)
        assert len(mailbox.received) == 2
        assert second.row.id in mailbox.last() and first.row.id not in mailbox.last()


# A message that cannot be sent


@in_loop
async def test_push_messages_that_have_left_are_not_repeated_after_a_refusal(sqlite_url: str) -> None:
    async with by_push(sqlite_url) as (clock, push, service, sender, anna, bruno, browser):
        for _ in range(2):
            await say_hello(service, bruno, anna)
        clock.pass_seconds(SOON)
        push.statuses = [201, 400]
        await send_all(sender)
        told = len(pushed(push, browser))
        await say_hello(service, bruno, anna)  # which brings the dead letter back
        clock.pass_seconds(SOON)
        await send_all(sender)
        tags = [browser.read(body)["tag"] for _, _, body in push.received]
        assert told == 1 and len(tags) == len(set(tags))


@in_loop
async def test_message_that_hangs_delays_no_other(sqlite_url: str) -> None:
    async with by_mail(sqlite_url) as (clock, mailbox, service, sender, anna, bruno):
        carla = await a_reader(service, "Carla")
        assert sender.mailer is not None
        send, hangs, left = sender.mailer.send, asyncio.Event(), asyncio.Event()

        async def send_or_hang(message: Any) -> None:
            if message["To"] == "anna@example.org":
                hangs.set()
                await asyncio.Event().wait()
            await send(message)
            left.set()

        sender.mailer.send = send_or_hang  # type: ignore[method-assign]
        await say_hello(service, bruno, anna)
        clock.pass_seconds(LATER)
        running = asyncio.create_task(sender.run())
        await asyncio.wait_for(hangs.wait(), PATIENCE)
        await say_hello(service, bruno, carla)
        clock.pass_seconds(LATER)
        await asyncio.wait_for(left.wait(), PATIENCE)  # while the first still hangs
        running.cancel()
        assert [message["To"] for message in mailbox.received] == ["carla@example.org"]


@in_loop
async def test_push_services_that_hang_delay_no_mail(sqlite_url: str) -> None:
    """Anyone can subscribe browsers at a push service of their own that takes long to answer."""
    async with push_service() as (push, pushing), by_mail(sqlite_url, **pushing) as opened:
        clock, mailbox, service, sender, anna, bruno = opened
        assert sender.mailer is not None and sender.web_push is not None
        for number in range(MOST_PUSHES + MOST_MAILS + 1):
            user = await a_reader(service, f"Tarpit {number}")
            await preferences.save_settings(
                service.database, user.id, switches={"chat": ("push",)}, zone="UTC", quiet_from=None, quiet_until=None,
                digest=60,
            )  # fmt: skip
            await a_browser(service, sender, user, f"{push.address}/{number}")
            await say_hello(service, bruno, user)
        send, hang, left, full = sender.mailer.send, 0, asyncio.Event(), asyncio.Event()

        async def hang_up(*_: Any) -> None:
            nonlocal hang
            hang += 1
            if hang == MOST_PUSHES:
                full.set()
            await asyncio.Event().wait()

        async def send_mail(message: Any) -> None:
            await send(message)
            left.set()

        sender.web_push.send, sender.mailer.send = hang_up, send_mail  # type: ignore[method-assign,assignment]
        clock.pass_seconds(LATER)
        running = asyncio.create_task(sender.run())
        await asyncio.wait_for(full.wait(), PATIENCE)
        await say_hello(service, bruno, anna)
        clock.pass_seconds(LATER)
        await asyncio.wait_for(left.wait(), PATIENCE)
        running.cancel()
        assert [message["To"] for message in mailbox.received] == ["anna@example.org"]


@in_loop
async def test_slow_push_service_gets_the_rest_later(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("signoria.server.people.notifications.sender.PUSH_SECONDS", -1.0)
    async with by_push(sqlite_url) as (clock, push, service, sender, anna, bruno, _):
        await say_hello(service, bruno, anna)
        clock.pass_seconds(LATER)
        await send_all(sender)
        assert push.received == []
        async with service.database.read() as db:
            assert await outbox.next_delivery(db) == clock.now + 60_000


@in_loop
async def test_message_that_takes_too_long_is_tried_again(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with by_mail(sqlite_url) as (clock, mailbox, service, sender, anna, bruno):
        assert sender.mailer is not None
        monkeypatch.setattr("signoria.server.people.notifications.sender.MOST_SECONDS", 0.05)
        with monkeypatch.context() as slow:
            slow.setattr(sender.mailer, "send", lambda _message: asyncio.Event().wait())
            await say_hello(service, bruno, anna)
            clock.pass_seconds(LATER)
            await send_all(sender)
        async with service.database.read() as db:
            assert await outbox.next_delivery(db) == clock.now + 60_000
        assert mailbox.received == []


@in_loop
async def test_notice_about_a_game_that_is_gone_holds_up_no_other(sqlite_url: str) -> None:
    async with by_mail(sqlite_url) as (clock, mailbox, service, sender, anna, bruno):
        gone, there = await say_hello(service, bruno, anna), await say_hello(service, bruno, anna)
        async with service.database.write() as w:
            await w.db.execute(text("UPDATE tables SET game = 'gone' WHERE id = :id"), {"id": gone.row.id})
        clock.pass_seconds(LATER)
        await send_all(sender)
        assert there.row.id in mailbox.last() and gone.row.id not in mailbox.last()
