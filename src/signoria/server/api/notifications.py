"""Endpoints for notification settings."""

import msgspec

from signoria.kernel.language import say
from signoria.server.api.calls import ApiCall
from signoria.server.api.operations import ROOT, account_operation
from signoria.server.api.requests import BrowserKeys, BrowserName, NotificationChoice
from signoria.server.api.responses.notifications import BrowserInfo, NotificationInfo, NotificationKind
from signoria.server.errors import NotFound
from signoria.server.guard.limits import RateLimiter, client_address
from signoria.server.people.notifications import preferences
from signoria.server.people.notifications.kinds import KINDS
from signoria.server.people.notifications.sender import Sender
from signoria.server.people.sessions import identity_of
from signoria.store import emails
from signoria.store import notifications as store
from signoria.store.notifications import SettingsRow


def _sender(call: ApiCall) -> Sender:
    sender: Sender = call.request.app.state.sender
    return sender


async def _info(call: ApiCall, settings: SettingsRow) -> NotificationInfo:
    sender, user = _sender(call), call.signed_in_user
    async with call.service.database.read() as db:
        confirmed = await emails.address_of(db, user.id) is not None
        browsers = await store.subscriptions_of(db, [user.id])
    return NotificationInfo(
        channels=sender.channels,
        kinds=tuple(
            NotificationKind(kind=name, says=say(kind.title), on=settings.switches.get(name, ()))
            for name, kind in KINDS.items()
        ),
        zone=settings.zone,
        quiet_from=settings.quiet_from,
        quiet_until=settings.quiet_until,
        digest=settings.digest,
        has_address=confirmed,
        push_key=sender.web_push.public_key if sender.web_push else None,
        browsers=tuple(BrowserInfo(id=one.id, since=one.created_at) for one in browsers),
    )


async def notification_settings(call: ApiCall) -> NotificationInfo:
    """The caller's notification settings."""
    return await _info(call, await preferences.settings_for(call.service.database, call.signed_in_user.id))


async def set_notifications(call: ApiCall) -> NotificationInfo:
    """Change the caller's notification settings; fields that are left out stay as they are."""
    user, wanted = call.signed_in_user, await call.body(NotificationChoice)
    before = await preferences.settings_for(call.service.database, user.id)

    def chosen(name: str) -> object:
        given = getattr(wanted, name)
        return getattr(before, name) if given is msgspec.UNSET else given

    saved = await preferences.save_settings(
        call.service.database,
        user.id,
        **{name: chosen(name) for name in NotificationChoice.__struct_fields__},  # type: ignore[arg-type]
    )
    return await _info(call, saved)


async def add_browser(call: ApiCall) -> BrowserInfo:
    """Let a browser get push messages."""
    wanted = await call.body(BrowserKeys)
    async with call.service.database.read() as db:
        known = await store.subscriptions_of(db, [call.signed_in_user.id])
    if all(one.endpoint != wanted.endpoint for one in known):  # a known browser is told again every hour
        limits: RateLimiter = call.request.app.state.rate_limiter
        limits.check("browsers_here", client_address(call.request.scope), "requests")
    browser = await preferences.subscribe(
        call.service.database,
        _sender(call).web_push,
        identity_of(call.request),
        call.service.now(),
        endpoint=wanted.endpoint,
        p256dh=wanted.p256dh,
        auth=wanted.auth,
    )
    return BrowserInfo(id=browser.id, since=browser.created_at)


async def remove_browser(call: ApiCall) -> NotificationInfo:
    """Stop push messages to a browser."""
    user, wanted = call.signed_in_user, await call.body(BrowserName)
    async with call.service.database.read() as db:
        browsers = await store.subscriptions_of(db, [user.id])
    found = next((one for one in browsers if one.endpoint == wanted.endpoint), None)
    if found is None:
        raise NotFound(say("None of your browsers has this endpoint."))
    await preferences.unsubscribe_browser(call.service.database, user.id, found.id)
    return await notification_settings(call)


OPERATIONS = (
    account_operation(
        method="GET",
        path=f"{ROOT}/notifications",
        handler=notification_settings,
        summary="How you are notified",
        answers=(NotificationInfo,),
    ),
    account_operation(
        method="PATCH",
        path=f"{ROOT}/notifications",
        handler=set_notifications,
        summary="Change how you are notified",
        body=(NotificationChoice,),
        answers=(NotificationInfo,),
        example={
            "switches": {"turn": ["push", "email"]},
            "zone": "Europe/Rome",
            "quiet_from": 1320,
            "quiet_until": 480,
        },
    ),
    account_operation(
        method="POST",
        path=f"{ROOT}/notifications/browsers",
        handler=add_browser,
        summary="Let a browser get push messages",
        more="The page of the notification settings sends this; a token cannot.",
        body=(BrowserKeys,),
        answers=(BrowserInfo,),
        example={"endpoint": "https://push.example.org/x", "p256dh": "BD...", "auth": "k8..."},
        refuses={
            403: "You sent a token.",
            404: "This server sends no push messages.",
            409: "You have too many browsers.",
        },
    ),
    account_operation(
        method="POST",
        path=f"{ROOT}/notifications/browsers/remove",
        handler=remove_browser,
        summary="Stop push messages to a browser",
        body=(BrowserName,),
        answers=(NotificationInfo,),
        example={"endpoint": "https://push.example.org/x"},
        refuses={404: "None of your browsers has this endpoint."},
    ),
)
