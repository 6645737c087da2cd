"""E-mail addresses of accounts: confirming one, and recovering an account with it."""

import asyncio
from collections.abc import Callable

from signoria.kernel.language import language, say, to_say
from signoria.server.errors import Conflict, NotFound
from signoria.server.guard.limits import RateLimiter
from signoria.server.people.accounts import Accounts, NewSession
from signoria.server.people.cookies import hashed
from signoria.server.people.notifications.kinds import CONFIRM, NEW_ADDRESS, NEW_PASSWORD, RECOVER, USUAL_SWITCHES
from signoria.server.people.notifications.mail import clean_address
from signoria.server.people.notifications.preferences import new_settings
from signoria.server.people.sessions import Identity
from signoria.store import emails, notifications, outbox
from signoria.store.database import Database, Write
from signoria.store.emails import EmailToken, address_key, mailbox_key
from signoria.store.outbox import ACCOUNT, Delivery, NoticeRow

MOST_ACCOUNTS = 5
"""Accounts with the same address."""
EXPIRED = to_say("This link has been used or has expired. Ask for a new one.")
DELETED_AT_ONCE = 20
ANSWER_AFTER = 0.25
"""Seconds until every answer about a forgotten password, so that the time does not reveal whether an address is known."""


class Addresses:
    """Changes and uses the e-mail addresses of accounts."""

    def __init__(self, database: Database, accounts: Accounts, limits: RateLimiter, now: Callable[[], int]) -> None:
        self._database, self._accounts, self._limits, self._now = database, accounts, limits, now

    async def request(self, here: str, identity: Identity, typed: str, password: str) -> str:
        """Send a link to an address that a person says is theirs; returns the address. Raises `BadField`.

        The account has the address only after the link was used. People with a password must give it.
        """
        address = clean_address(typed)
        user = await self._accounts.confirm(here, identity, password)
        self._check_rate(here, address)
        async with self._database.write() as w:
            await self._write(w, user.id, CONFIRM, address)
        return address

    async def find(self, secret: str, kind: str) -> EmailToken:
        """What a link is for; raises `NotFound` if it was used or has expired."""
        async with self._database.read() as db:
            found = await emails.find_email_token(db, hashed(secret), kind, self._now())
        if found is None:
            raise NotFound(say(EXPIRED))
        return found

    async def confirm(self, secret: str) -> EmailToken:
        """Use a link that confirms an address; raises `NotFound` or `Conflict`."""
        async with self._database.write() as w:
            found = await emails.use_email_token(w.db, hashed(secret), emails.CONFIRM, self._now())
            if found is None:
                raise NotFound(say(EXPIRED))
            others = [
                other
                for other in await emails.accounts_with(w.db, found.address, MOST_ACCOUNTS + 1)
                if other != found.user_id
            ]
            if len(others) >= MOST_ACCOUNTS:
                raise Conflict(
                    say(
                        "{most} accounts already have this address. Remove it from one of them first.",
                        most=MOST_ACCOUNTS,
                    )
                )
            before = await emails.address_of(w.db, found.user_id)
            await emails.set_address(w.db, found.user_id, found.address, self._now())
            if found.user_id not in await notifications.settings_of(w.db, [found.user_id]):
                await notifications.put_settings(w.db, new_settings(found.user_id, USUAL_SWITCHES))
            if before is not None and address_key(before) != address_key(found.address):
                await emails.drop_email_tokens(w.db, found.user_id, emails.RECOVER)  # links in the former mailbox
                await self._write(w, found.user_id, NEW_ADDRESS, before)
        return found

    async def remove(self, here: str, identity: Identity, password: str) -> None:
        """Forget the address of a person; raises `BadField` or `Conflict`."""
        user = await self._accounts.confirm(here, identity, password)
        async with self._database.write() as w:
            if not await emails.delete_address(w.db, user.id):
                raise Conflict(say("You have no e-mail address here."))
            await emails.drop_email_tokens(w.db, user.id)
            await outbox.drop_delivery(w.db, user.id, "email")

    async def ask_to_recover(self, here: str, typed: str) -> None:
        """Send links to set a new password to an address, for each account that has it; raises `BadField`.

        The answer is the same if no account has the address.
        """
        address = clean_address(typed)
        self._check_rate(here, address)
        answer_at = asyncio.get_running_loop().time() + ANSWER_AFTER
        async with self._database.write() as w:
            await emails.delete_expired_email_tokens(w.db, self._now(), DELETED_AT_ONCE)
            for user_id in await emails.accounts_with(w.db, address, MOST_ACCOUNTS):
                kept = await emails.address_of(w.db, user_id)
                await self._write(w, user_id, RECOVER, kept or address)
        await wait_until(answer_at)

    async def recover(self, here: str, secret: str, password: str) -> NewSession:
        """Use a link to set a new password; all sessions and tokens end. Raises `BadField` or `NotFound`."""
        return await self._accounts.recover(here, hashed(secret), password)

    async def tell_new_password(self, user_id: str) -> None:
        """Tell a person by e-mail that their password was changed, if they have an address."""
        async with self._database.write() as w:
            address = await emails.address_of(w.db, user_id)
            if address is not None:
                await self._write(w, user_id, NEW_PASSWORD, address)

    def _check_rate(self, here: str, address: str) -> None:
        self._limits.check("mails_here", here, "e-mails from your address")
        self._limits.check("mails", mailbox_key(address), "e-mails to this address")

    async def _write(self, w: Write, user_id: str, kind: str, address: str) -> None:
        now = self._now()
        notice = NoticeRow(kind, address, {"language": language()}, now)
        target = outbox.account_target(kind, hashed(address_key(address))[:24])
        await outbox.add_notice(w.db, Delivery(user_id, target, ACCOUNT), notice, now)


async def wait_until(when: float) -> None:
    """Wait until this time of the event loop."""
    await asyncio.sleep(max(0.0, when - asyncio.get_running_loop().time()))
