"""Sends what is in the outbox, by push and e-mail.

Like bots' turns, messages are claimed in the database: with several processes each leaves once, and if a process dies,
another one sends its messages when the claim expires. If it died after the message had left, the second copy has the same
Message-ID or the same tag, so that people see it once.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress

from sqlalchemy.ext.asyncio import AsyncConnection

from signoria.games import GAMES
from signoria.kernel.language import ENGLISH, say, speaking
from signoria.server.people.cookies import hashed, new_secret
from signoria.server.people.notifications import kinds
from signoria.server.people.notifications.errors import SendingFailed, SendingRefused, TargetGone
from signoria.server.people.notifications.kinds import CONFIRM, INVITATION, RECOVER, tell
from signoria.server.people.notifications.mail import Mailer, unlinked
from signoria.server.people.notifications.notifier import Notifier
from signoria.server.people.notifications.open_pages import NoteForPages
from signoria.server.people.notifications.quiet_hours import day_of, next_day, quiet_until
from signoria.server.people.notifications.web_push import WebPush
from signoria.server.run.metrics import Metrics
from signoria.store import emails, invitations, notifications, outbox, people, tables
from signoria.store.database import Database
from signoria.store.notifications import SettingsRow
from signoria.store.outbox import ACCOUNT, EMAIL, PUSH, Delivery, NoticeRow
from signoria.store.tables import TableRow

LEASE = 180_000
"""Milliseconds after which a claim expires, because its process must have died. Sending takes less."""
POLL = 2.0
"""Seconds between two polls: other processes leave work too."""
MOST_PUSHES, MOST_MAILS = 16, 8
"""Push messages and e-mails sent at the same time. One that takes long keeps only its own place.

Anyone can name a push service that takes long, so push messages have their own places and hold up no e-mail.
"""
MOST_SECONDS = 150.0
"""Seconds that sending one message may take: less than the claim lasts, so that no other process sends it too."""
PUSH_SECONDS = 20.0
"""Seconds after which no further notice is sent to the same browser at once."""
MOST_TOLD = 100
"""Notices in one message."""
MOST_ATTEMPTS = 8
LAST_SECONDS = 5.0
"""Seconds for messages that are being sent when the server stops."""
BACKOFF, MOST_BACKOFF = 60_000, 4 * 3600_000
"""Milliseconds until a failed message is tried again: the first time, doubling, and at most."""
CONFIRM_LASTS, RECOVER_LASTS = 3 * 24 * 3600_000, 3600_000
"""Milliseconds for which a link to confirm an address, or to set a new password, is valid."""
COUNTED = 1_000
"""The most messages that metrics count; a larger number is reported as this one."""
COUNT_EVERY = 15.0
"""Seconds between two counts."""
DEAD_DAYS = 7 * 24 * 3600_000
"""Milliseconds for which dead letters are kept."""
DELETED_AT_ONCE = 50

log = logging.getLogger("signoria.notifications")


class Sender:
    """Sends the messages of the outbox from this process."""

    def __init__(
        self,
        database: Database,
        notifier: Notifier,
        metrics: Metrics,
        now: Callable[[], int],
        closing: asyncio.Event,
        *,
        mailer: Mailer | None,
        web_push: WebPush | None,
        mails_per_day: int,
    ) -> None:
        self._database, self._notifier, self._metrics, self._now = database, notifier, metrics, now
        self._closing = closing
        self.mailer, self.web_push, self._mails_per_day = mailer, web_push, mails_per_day

    @property
    def channels(self) -> tuple[str, ...]:
        """The channels that this server has."""
        return tuple(filter(None, (PUSH if self.web_push else "", EMAIL if self.mailer else "")))

    async def run(self) -> None:
        """Send until the server stops."""
        if self.mailer is None and self.web_push is None:
            return
        counted_at = float("-inf")
        loop = asyncio.get_running_loop()
        closing = asyncio.create_task(self._closing.wait())
        pushing, mailing = set[asyncio.Task[None]](), set[asyncio.Task[None]]()
        try:
            while not self._closing.is_set():
                claimed: list[Delivery] = []
                try:
                    claimed = await self._claim(MOST_PUSHES - len(pushing), MOST_MAILS - len(mailing))
                    if loop.time() - counted_at > COUNT_EVERY:
                        counted_at = loop.time()
                        await self.count()
                except Exception:
                    log.exception("could not send notifications; trying again")
                for delivery in claimed:
                    (pushing if delivery.channel == PUSH else mailing).add(
                        asyncio.create_task(self._send_one(delivery))
                    )
                # with free places, wait for new messages; otherwise until a place is free
                full = (pushing if len(pushing) >= MOST_PUSHES else set()) | (
                    mailing if len(mailing) >= MOST_MAILS else set()
                )
                if not claimed or full:
                    await asyncio.wait({closing, *full}, timeout=POLL, return_when=asyncio.FIRST_COMPLETED)
                pushing = {task for task in pushing if not task.done()}
                mailing = {task for task in mailing if not task.done()}
        finally:
            closing.cancel()
            if sending := pushing | mailing:
                _, unfinished = await asyncio.wait(sending, timeout=LAST_SECONDS)
                for task in unfinished:  # another process sends these when the claim expires
                    task.cancel()
            if self.web_push is not None:
                with suppress(Exception):
                    await self.web_push.close()

    async def send_due(self) -> int:
        """Send some of the messages that are due, and wait for that; returns how many were claimed."""
        claimed = await self._claim(MOST_PUSHES, MOST_MAILS)
        await asyncio.gather(*map(self._send_one, claimed))
        return len(claimed)

    async def _claim(self, pushes: int, mails: int) -> list[Delivery]:
        """Claim messages that are due: at most this many push messages and e-mails."""
        now = self._now()
        async with self._database.read() as db:
            due = await outbox.next_delivery(db)
        if due is None or due > now or (pushes <= 0 and mails <= 0):
            return []
        async with self._database.write() as w:
            return await outbox.claim_deliveries(w.db, now, now + LEASE, pushes=pushes, mails=mails)

    async def _send_one(self, delivery: Delivery) -> None:
        """Send one message. After an error that nobody expected it is tried again when its claim expires."""
        try:
            await self._send(delivery)
        except Exception as error:
            log.exception("sending a notification failed; it is tried again", exc_info=error)

    async def count(self) -> None:
        """Update the metrics, and delete old dead letters and tokens."""
        now = self._now()
        async with self._database.read() as db:
            waiting, dead = await outbox.count_deliveries(db, COUNTED)
        self._metrics.outbox_waiting.set(waiting)
        self._metrics.outbox_dead.set(dead)
        async with self._database.write() as w:
            await outbox.delete_dead_letters(w.db, now - DEAD_DAYS, DELETED_AT_ONCE)
            await emails.delete_expired_email_tokens(w.db, now, DELETED_AT_ONCE)

    async def _send(self, delivery: Delivery) -> None:
        """Send one message, and note how that went."""
        try:
            if delivery.attempts > MOST_ATTEMPTS:
                raise SendingRefused("The server failed each time while it was sending this.")  # noqa: TRY301
            try:
                async with asyncio.timeout(MOST_SECONDS):
                    outcome = await self._sent(delivery)
            except TimeoutError:
                raise SendingFailed("Sending took too long.") from None
        except TargetGone:
            outcome = "gone"
            async with self._database.write() as w:
                await notifications.delete_subscription(w.db, delivery.user_id, delivery.target)
                await outbox.drop_delivery(w.db, delivery.user_id, delivery.target)
        except SendingRefused as error:
            outcome = "dead"
            await self._bury(delivery, str(error))
        except SendingFailed as error:
            outcome = "dead" if delivery.attempts >= MOST_ATTEMPTS else "failed"
            if outcome == "dead":
                await self._bury(delivery, str(error))
            else:
                wait = min(MOST_BACKOFF, BACKOFF << (delivery.attempts - 1))
                async with self._database.write() as w:
                    await outbox.postpone_delivery(w.db, delivery, self._now() + wait, attempts=delivery.attempts)
        self._metrics.notifications.labels(delivery.channel, outcome).inc()

    async def _bury(self, delivery: Delivery, why: str) -> None:
        log.warning("gave up a message by %s after %d attempts: %s", delivery.channel, delivery.attempts, why)
        async with self._database.write() as w:
            await outbox.bury_delivery(w.db, delivery, self._now())

    async def _sent(self, delivery: Delivery) -> str:
        """Send a message, unless it has become pointless or has to wait; returns what became of it."""
        async with self._database.read() as db:
            notices = await outbox.notices_of(db, delivery, MOST_TOLD)
        if delivery.channel == ACCOUNT:
            return await self._send_about_account(delivery, notices)
        async with self._database.read() as db:
            settings = (await notifications.settings_of(db, [delivery.user_id])).get(delivery.user_id)
        if settings is None:
            return await self._done(delivery, notices, "dropped")
        now = self._now()
        wait_until = quiet_until(settings, now) or (self._mail_at(settings, now) if delivery.channel == EMAIL else None)
        if wait_until is not None and notices:
            async with self._database.write() as w:
                await outbox.postpone_delivery(w.db, delivery, wait_until, attempts=0)
            return "postponed"
        wanted = [notice for notice in notices if delivery.channel in settings.switches.get(notice.kind, ())]
        current = await self._current(delivery.user_id, wanted)
        if not current:
            return await self._done(delivery, notices, "dropped")
        if delivery.channel == PUSH:
            return await self._push(delivery, notices, current, settings)
        return await self._mail(delivery, notices, current, settings)

    def _mail_at(self, settings: SettingsRow, now: int) -> int | None:
        """When a person may get the next e-mail; None if now."""
        if settings.mailed_day == day_of(settings, now) and settings.mailed_count >= self._mails_per_day:
            return next_day(settings, now)
        next_at = (settings.mailed_at or 0) + 60_000 * settings.digest
        return next_at if next_at > now else None

    async def _current(self, user_id: str, notices: Sequence[NoticeRow]) -> list[NoticeRow]:
        """The notices that are still worth telling, and whose tables the person is not looking at."""
        if not notices:
            return []
        async with self._database.read() as db:
            rows = await tables.find_tables(db, {notice.subject for notice in notices})
            rematches = await tables.find_tables(db, {row.rematch_id for row in rows.values() if row.rematch_id})
            kept = []
            for notice in notices:
                row = rows.get(notice.subject)
                if row is None or row.game not in GAMES or self._notifier.pages.is_looking(user_id, notice.subject):
                    continue  # a game that is no longer installed has no words
                if notice.kind == INVITATION and not await invitations.is_invited(db, row.id, user_id):
                    continue
                if is_current(notice.kind, row, rematches.get(row.rematch_id or ""), user_id):
                    kept.append(notice)
        return kept

    async def _push(
        self, delivery: Delivery, notices: Sequence[NoticeRow], current: Sequence[NoticeRow], settings: SettingsRow
    ) -> str:
        async with self._database.read() as db:
            reads = await _language(db, settings)
            browser = await notifications.find_subscription(db, delivery.target)
        if browser is None or browser.user_id != delivery.user_id or self.web_push is None:
            return await self._done(delivery, notices, "dropped")
        told: list[NoticeRow] = [notice for notice in notices if notice not in current]
        loop = asyncio.get_running_loop()
        until = loop.time() + PUSH_SECONDS
        try:
            for notice in current:
                if loop.time() > until:
                    raise SendingFailed("The push service is too slow.")  # noqa: TRY301
                with speaking(reads):
                    note = NoteForPages(delivery.user_id, notice.kind, notice.subject, notice.details).told()
                await self.web_push.send(browser, note, f"{delivery.user_id} {note.tag}")
                told.append(notice)
        except (SendingFailed, SendingRefused):
            if len(told) + len(current) > len(notices):  # some have left: they are not sent again
                async with self._database.write() as w:
                    await outbox.forget_notices(w.db, delivery, told)
            raise
        return await self._done(delivery, notices, "sent")

    async def _mail(
        self, delivery: Delivery, notices: Sequence[NoticeRow], current: Sequence[NoticeRow], settings: SettingsRow
    ) -> str:
        async with self._database.read() as db:
            address, reads = await emails.address_of(db, delivery.user_id), await _language(db, settings)
        if address is None or self.mailer is None:
            return await self._done(delivery, notices, "dropped")
        now, key = self._now(), f"{delivery.user_id} {[(notice.kind, notice.subject, notice.at) for notice in current]}"
        with speaking(reads):
            told = [(tell(notice.kind, notice.details), f"/tables/{notice.subject}") for notice in current]
            message = self.mailer.about_tables(address, told, settings.unsubscribe, key, now)
        await self.mailer.send(message)
        day = day_of(settings, now)
        count = settings.mailed_count + 1 if settings.mailed_day == day else 1
        async with self._database.write() as w:
            await notifications.note_mailed(w.db, delivery.user_id, now, day, count)
            await outbox.finish_delivery(w.db, delivery, notices, now + 60_000 * settings.digest)
        return "sent"

    async def _done(self, delivery: Delivery, notices: Sequence[NoticeRow], outcome: str) -> str:
        async with self._database.write() as w:
            await outbox.finish_delivery(w.db, delivery, notices, self._now())
        return outcome

    # Messages about the account

    async def _send_about_account(self, delivery: Delivery, notices: Sequence[NoticeRow]) -> str:
        async with self._database.read() as db:
            user = await people.find_user(db, delivery.user_id)
        if user is None or self.mailer is None:
            return await self._done(delivery, notices, "dropped")
        for notice in notices:
            if notice.kind == kinds.RECOVER and not await self._has_address(user.id, notice.subject):
                continue  # the address was changed or deleted since
            key = f"{delivery.user_id} {notice.kind} {notice.subject} {notice.at}"
            with speaking(user.language or notice.details.get("language") or ENGLISH):
                about = await self._about_account(delivery, notice, user.name)
                if about is None:
                    continue  # a new password was set in this moment: links from before are void
                subject, lines = about
                message = self.mailer.about_account(notice.subject, subject, lines, key, self._now())
            await self.mailer.send(message)
            async with self._database.write() as w:
                await outbox.forget_notices(w.db, delivery, [notice])
        return await self._done(delivery, notices, "sent")

    async def _about_account(self, delivery: Delivery, notice: NoticeRow, name: str) -> tuple[str, list[str]] | None:
        """Subject and text of an e-mail; None if it was withdrawn.

        The secret of a link is made now, and only its hash is stored.
        """
        assert self.mailer is not None
        site, ignore = self.mailer.site, say("If you did not ask for this, ignore this e-mail.")
        name = unlinked(name)
        match notice.kind:
            case kinds.CONFIRM:
                if (secret := await self._new_token(delivery, notice, CONFIRM, CONFIRM_LASTS)) is None:
                    return None
                link = f"{site}/mail/confirm/{secret}"
                says = say("Confirm that this is the e-mail address of {name} at {site}:", name=name, site=site)
                lasts = say("The link works once, for three days.")
                return say("Confirm your e-mail address"), [says, link, lasts, ignore]
            case kinds.RECOVER:
                if (secret := await self._new_token(delivery, notice, RECOVER, RECOVER_LASTS)) is None:
                    return None
                link = f"{site}/recover/{secret}"
                says = say("Set a new password for {name} at {site}:", name=name, site=site)
                return say("Set a new password"), [says, link, say("The link works once, for one hour."), ignore]
            case kinds.NEW_ADDRESS:
                says = say(
                    "The account {name} at {site} now has another e-mail address, so this one is no longer used.",
                    name=name,
                    site=site,
                )
            case kinds.NEW_PASSWORD:
                says = say(
                    "The password of {name} at {site} was changed. All other devices are signed out.",
                    name=name,
                    site=site,
                )
            case _:
                raise SendingRefused(f"There is no e-mail of the kind {notice.kind}.")
        help_yourself = say("If it was not you, set a new password at once: {link}", link=f"{site}/recover")
        return say("Your account has changed"), [says, help_yourself]

    async def _has_address(self, user_id: str, address: str) -> bool:
        async with self._database.read() as db:
            return emails.address_key(await emails.address_of(db, user_id) or "") == emails.address_key(address)

    async def _new_token(self, delivery: Delivery, notice: NoticeRow, kind: str, lasts: int) -> str | None:
        """The secret of a new link; None if its message was withdrawn since it was read."""
        secret = new_secret()
        async with self._database.write() as w:
            await people.hold_user(w.db, delivery.user_id)
            if notice not in await outbox.notices_of(w.db, delivery, MOST_TOLD):
                return None
            until = self._now() + lasts
            await emails.add_email_token(w.db, hashed(secret), delivery.user_id, kind, notice.subject, until)
        return secret


async def _language(db: AsyncConnection, settings: SettingsRow) -> str:
    """The language of a person: the one of the account, or the one in which they chose to be notified."""
    user = await people.find_user(db, settings.user_id)
    return (user and user.language) or settings.language or ENGLISH


def is_current(kind: str, row: TableRow, rematch: TableRow | None, user_id: str) -> bool:
    """Whether a notification about a table still says something new."""
    mine = [seat for seat in row.seats if seat.user_id == user_id]
    match kind:
        case kinds.TURN:
            return row.state == "playing" and any(row.awaits(seat.seat) and not seat.away for seat in mine)
        case kinds.INVITATION:
            return row.state == "open" and not mine
        case kinds.REMATCH:
            return rematch is not None and rematch.state == "open" and user_id not in rematch.people
        case kinds.SEAT:
            return row.state in ("open", "playing")
    return row.state != "closed"
