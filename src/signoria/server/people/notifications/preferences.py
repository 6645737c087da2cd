"""How people choose what they are notified of: switches, quiet hours, and browsers that get push messages."""

import secrets
from collections.abc import Mapping, Sequence

import msgspec

from signoria.kernel.language import language, say
from signoria.server.errors import BadField, Conflict, NotFound, SignInFirst
from signoria.server.people.notifications.kinds import CHANNELS, KINDS, USUAL_SWITCHES
from signoria.server.people.notifications.quiet_hours import MINUTES, check_zone
from signoria.server.people.notifications.web_push import WebPush, check_keys
from signoria.server.people.sessions import Identity
from signoria.store import notifications, outbox, people
from signoria.store.database import Database
from signoria.store.notifications import PushSubscription, SettingsRow, Switches
from signoria.store.outbox import EMAIL

DIGESTS = (5, 15, 60, 360, 1440)
"""Possible minutes between two e-mails."""
MOST_BROWSERS = 10
"""Browsers of one person that get push messages."""


def new_settings(user_id: str, switches: Switches | None = None) -> SettingsRow:
    """The settings of a person who has not chosen any."""
    return SettingsRow(
        user_id=user_id,
        switches=switches or USUAL_SWITCHES,
        unsubscribe=secrets.token_urlsafe(24),
        language=language(),
    )


async def settings_for(database: Database, user_id: str) -> SettingsRow:
    """The settings of a person, or those of a person who has not chosen any."""
    async with database.read() as db:
        return (await notifications.settings_of(db, [user_id])).get(user_id) or new_settings(user_id)


def clean_switches(switches: Mapping[str, Sequence[str]]) -> Switches:
    """Switches by kind; raises `BadField` for an unknown kind or channel. Kinds that are left out are off."""
    for kind, channels in switches.items():
        if kind not in KINDS:
            raise BadField(
                f"switches.{kind[:40]}",
                say("There is no kind {kind!r}. Kinds: {kinds}.", kind=kind[:40], kinds=", ".join(KINDS)),
            )
        for channel in channels:
            if channel not in CHANNELS:
                raise BadField(
                    f"switches.{kind}",
                    say(
                        "There is no channel {channel!r}. Channels: {channels}.",
                        channel=channel[:40],
                        channels=", ".join(CHANNELS),
                    ),
                )
    return {kind: tuple(one for one in CHANNELS if one in switches.get(kind, ())) for kind in KINDS}


async def save_settings(
    database: Database,
    user_id: str,
    *,
    switches: Mapping[str, Sequence[str]],
    zone: str,
    quiet_from: int | None,
    quiet_until: int | None,
    digest: int,
) -> SettingsRow:
    """Save the settings of a person; raises `BadField`."""
    if (quiet_from is None) != (quiet_until is None):
        raise BadField("quiet_from", say("Quiet hours need a beginning and an end."))
    for field, minute in (("quiet_from", quiet_from), ("quiet_until", quiet_until)):
        if minute is not None and minute not in range(MINUTES):
            raise BadField(field, say("{field}: a time of day has 0 to {most} minutes.", field=field, most=MINUTES - 1))
    if digest not in DIGESTS:
        raise BadField("digest", say("digest: possible are {possible} minutes.", possible=", ".join(map(str, DIGESTS))))
    checked, zone = clean_switches(switches), check_zone(zone)
    async with database.write() as w:
        before = (await notifications.settings_of(w.db, [user_id])).get(user_id) or new_settings(user_id)
        after = msgspec.structs.replace(
            before,
            switches=checked,
            zone=zone,
            quiet_from=quiet_from,
            quiet_until=quiet_until,
            digest=digest,
            language=language(),
        )
        await notifications.put_settings(w.db, after)
    return after


async def subscribe(
    database: Database,
    web_push: WebPush | None,
    identity: Identity,
    now: int,
    *,
    endpoint: str,
    p256dh: str,
    auth: str,
) -> PushSubscription:
    """Let a browser get push messages until its session ends; raises `BadField`, `Conflict` or `NotFound`."""
    if web_push is None:
        raise NotFound(say("This server sends no push messages."))
    user_id = identity.require_browser().id
    browser = PushSubscription(
        secrets.token_urlsafe(12), user_id, web_push.check(endpoint), p256dh, auth, now, identity.session or ""
    )
    check_keys(p256dh, auth)
    async with database.write() as w:
        if await people.session_user(w.db, browser.session, now) is None:
            raise SignInFirst(say("Your session has ended. Sign in again."))
        known = await notifications.subscriptions_of(w.db, [user_id])
        if len([one for one in known if one.endpoint != endpoint]) >= MOST_BROWSERS:
            raise Conflict(
                say("At most {most} of your browsers can get push messages. Turn one off first.", most=MOST_BROWSERS)
            )
        for one in known:
            if one.endpoint == endpoint:
                await outbox.drop_delivery(w.db, user_id, one.id)
        await notifications.add_subscription(w.db, browser)
        if user_id not in await notifications.settings_of(w.db, [user_id]):
            await notifications.put_settings(w.db, new_settings(user_id))
    return browser


async def unsubscribe_browser(database: Database, user_id: str, subscription_id: str) -> None:
    """Stop push messages to a browser; raises `NotFound`."""
    async with database.write() as w:
        if not await notifications.delete_subscription(w.db, user_id, subscription_id):
            raise NotFound(say("None of your browsers has this id."))
        await outbox.drop_delivery(w.db, user_id, subscription_id)


async def stop_mail(database: Database, secret: str) -> None:
    """Send no more e-mail to the person with this secret, apart from messages about the account; raises `NotFound`."""
    async with database.write() as w:
        settings = await notifications.settings_by_secret(w.db, secret)
        if settings is None:
            raise NotFound(say("This link does not work. It may be mistyped, or the account was deleted."))
        silent = {kind: tuple(one for one in channels if one != EMAIL) for kind, channels in settings.switches.items()}
        await notifications.put_settings(w.db, msgspec.structs.replace(settings, switches=silent))
        await outbox.drop_delivery(w.db, settings.user_id, EMAIL)
