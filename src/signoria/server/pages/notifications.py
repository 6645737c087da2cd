"""Pages about reaching people: notification settings, e-mail addresses, recovering an account, vacations, invitations."""

from starlette.requests import Request
from starlette.responses import Response

from signoria.kernel.language import say, to_say
from signoria.server.errors import BadField, NotFound, ServerError
from signoria.server.guard.limits import client_address
from signoria.server.lobby import inviting
from signoria.server.pages.common import SubmittedForm, html, read_form, redirect, service_of, user_of
from signoria.server.pages.people import account_page
from signoria.server.pages.table_forms import at_table, table_with_notice
from signoria.server.people import vacations
from signoria.server.people.addresses import Addresses
from signoria.server.people.notifications import preferences
from signoria.server.people.notifications.kinds import CHANNEL_TITLES, KINDS
from signoria.server.people.notifications.preferences import DIGESTS
from signoria.server.people.notifications.quiet_hours import zones
from signoria.server.people.notifications.sender import Sender
from signoria.server.people.sessions import identity_of, viewer_model
from signoria.server.play.room import Room
from signoria.server.play.times import ago
from signoria.store import emails, notifications
from signoria.store.emails import CONFIRM, RECOVER
from signoria.store.outbox import EMAIL, PUSH
from signoria.web import pages
from signoria.web.models import BrowserModel, KindModel, MailPage, Notice, NotificationsPage

NO_MAIL = to_say("This server sends no e-mail.")

# Translators: How often: send at most one e-mail ...
EVERY = {
    5: to_say("every 5 minutes"),
    15: to_say("every 15 minutes"),
    60: to_say("every hour"),
    360: to_say("every 6 hours"),
    1440: to_say("every day"),
}
"""Times between two e-mails, in minutes, with labels."""


def addresses_of(request: Request) -> Addresses:
    """The e-mail addresses of accounts; raises `NotFound` if this server sends no e-mail."""
    if sender_of(request).mailer is None:
        raise NotFound(say(NO_MAIL))
    addresses: Addresses = request.app.state.addresses
    return addresses


def sender_of(request: Request) -> Sender:
    """What sends messages."""
    sender: Sender = request.app.state.sender
    return sender


# Notification settings


async def settings_page(request: Request, notice: Notice | None = None, status: int = 200) -> Response:
    """The notification settings of a person."""
    service, user = service_of(request), user_of(request)
    if user is None:
        return redirect("/sign-in?back=/account/notifications")
    settings = await preferences.settings_for(service.database, user.id)
    async with service.database.read() as db:
        address = None if identity_of(request).token else await emails.address_of(db, user.id)
        browsers = await notifications.subscriptions_of(db, [user.id])
    sender = sender_of(request)
    channels = sender.channels
    model = NotificationsPage(
        viewer=viewer_model(user),
        notice=notice,
        channels=tuple((channel, say(CHANNEL_TITLES[channel])) for channel in channels),
        kinds=tuple(
            KindModel(
                id=name,
                title=say(kind.title),
                on=tuple(one for one in channels if one in settings.switches.get(name, ())),
            )
            for name, kind in KINDS.items()
        ),
        zone=settings.zone,
        zones=tuple(sorted(zones())),
        quiet_from=_time(settings.quiet_from),
        quiet_until=_time(settings.quiet_until),
        digest=settings.digest,
        digests=tuple((minutes, _every(minutes)) for minutes in DIGESTS),
        address=address,
        push_key=sender.web_push.public_key if sender.web_push else "",
        browsers=tuple(
            BrowserModel(id=one.id, since=ago(service.now() - one.created_at))
            for one in sorted(browsers, key=lambda one: one.created_at)
        ),
    )
    return html(pages.notifications(model), status)


def _time(minutes: int | None) -> str:
    return "" if minutes is None else f"{minutes // 60:02}:{minutes % 60:02}"


def _every(minutes: int) -> str:
    """How often a person gets e-mail at most."""
    return say(EVERY[minutes])


def _minutes(form: SubmittedForm, name: str) -> int | None:
    """A time of day, in minutes after midnight; None if the field is empty."""
    text = form.text(name, 5).strip()
    if not text:
        return None
    hours, colon, minutes = text.partition(":")
    if not (colon and hours.isdecimal() and minutes.isdecimal() and int(hours) < 24 and int(minutes) < 60):
        raise BadField(name, say("{field}: {text!r} is not a time of day; example: 22:30.", field=name, text=text))
    return int(hours) * 60 + int(minutes)


async def save_settings(form: SubmittedForm) -> Response:
    """Save the notification settings. Channels that this server does not have stay as they are."""
    request, database = form.request, form.service.database
    shown, before = sender_of(request).channels, await preferences.settings_for(database, form.user.id)
    try:
        await preferences.save_settings(
            database,
            form.user.id,
            switches={
                kind: tuple(
                    channel
                    for channel in (PUSH, EMAIL)
                    if (
                        f"{kind}-{channel}" in form.fields
                        if channel in shown
                        else channel in before.switches.get(kind, ())
                    )
                )
                for kind in KINDS
            },
            zone=form.text("zone", 60) or before.zone,
            quiet_from=_minutes(form, "quiet_from"),
            quiet_until=_minutes(form, "quiet_until"),
            digest=form.integer("digest") if form.text("digest") else before.digest,
        )
    except ServerError as error:
        return await settings_page(request, Notice(says=str(error)), error.status)
    return await settings_page(request, Notice(says=say("Your settings are saved."), good=True))


async def remove_browser(form: SubmittedForm) -> Response:
    """Stop push messages to a browser."""
    await preferences.unsubscribe_browser(form.service.database, form.user.id, form.request.path_params["browser"])
    return redirect("/account/notifications")


# E-mail addresses


async def set_address(form: SubmittedForm) -> Response:
    """Send a link to confirm an address."""
    try:
        address = await addresses_of(form.request).request(
            client_address(form.request.scope),
            identity_of(form.request),
            form.text("address", 300),
            form.text("password", 1000),
        )
    except ServerError as error:
        return await account_page(form.request, Notice(says=str(error)), error.status)
    says = say("We sent an e-mail to {address}. Open the link in it to confirm your address.", address=address)
    return await account_page(form.request, Notice(says=says, good=True))


async def remove_address(form: SubmittedForm) -> Response:
    """Forget the address."""
    try:
        await addresses_of(form.request).remove(
            client_address(form.request.scope), identity_of(form.request), form.text("password", 1000)
        )
    except ServerError as error:
        return await account_page(form.request, Notice(says=str(error)), error.status)
    return await account_page(form.request, Notice(says=say("Your e-mail address is deleted."), good=True))


def _mail_page(request: Request, step: str, status: int = 200, notice: Notice | None = None, **fields: str) -> Response:
    model = MailPage(viewer=viewer_model(user_of(request)), notice=notice, step=step, **fields)  # type: ignore[arg-type]
    return html(pages.mail(model), status)


async def confirm_page(request: Request) -> Response:
    """The page of a link that confirms an address. Programs that check links open it too, so it changes nothing."""
    secret = request.path_params["secret"]
    found = await addresses_of(request).find(secret, CONFIRM)
    return _mail_page(request, "confirm", secret=secret, name=found.name, address=found.address)


async def confirm(request: Request) -> Response:
    """Confirm an address."""
    found = await addresses_of(request).confirm(request.path_params["secret"])
    return _mail_page(request, "confirmed", name=found.name, address=found.address)


async def recover_page(request: Request) -> Response:
    """The form for a forgotten password."""
    addresses_of(request)
    return _mail_page(request, "recover")


async def ask_to_recover(request: Request) -> Response:
    """Send links to set a new password."""
    async with read_form(request) as form:
        address = str(form.get("address", ""))[:300]
    try:
        await addresses_of(request).ask_to_recover(client_address(request.scope), address)
    except BadField as error:
        return _mail_page(request, "recover", error.status, Notice(says=str(error)), address=address)
    return _mail_page(request, "sent", address=address)


async def new_password_page(request: Request) -> Response:
    """The page of a link to set a new password."""
    secret = request.path_params["secret"]
    found = await addresses_of(request).find(secret, RECOVER)
    return _mail_page(request, "password", secret=secret, name=found.name)


async def new_password(request: Request) -> Response:
    """Set a new password, and sign in."""
    secret = request.path_params["secret"]
    async with read_form(request) as form:
        password = str(form.get("password", ""))[:2000]
    found = await addresses_of(request).find(secret, RECOVER)
    try:
        session = await addresses_of(request).recover(client_address(request.scope), secret, password)
    except BadField as error:
        return _mail_page(request, "password", error.status, Notice(says=str(error)), secret=secret, name=found.name)
    await addresses_of(request).tell_new_password(found.user_id)
    response = redirect("/account")
    response.headers.append("set-cookie", session.cookie)
    return response


async def stop_page(request: Request) -> Response:
    """The page of the link that stops e-mail."""
    secret = request.path_params["secret"]
    async with service_of(request).database.read() as db:
        if await notifications.settings_by_secret(db, secret) is None:
            raise NotFound(say("This link does not work. It may be mistyped, or the account was deleted."))
    return _mail_page(request, "stop", secret=secret)


async def stop(request: Request) -> Response:
    """Stop e-mail, also for mail programs that send this request themselves (RFC 8058)."""
    await preferences.stop_mail(service_of(request).database, request.path_params["secret"])
    return _mail_page(request, "stopped")


# Vacations


async def start_vacation(form: SubmittedForm) -> Response:
    """Begin a vacation."""
    try:
        await vacations.start_vacation(form.service, form.user, form.integer("days"))
    except ServerError as error:
        return await account_page(form.request, Notice(says=str(error)), error.status)
    return await account_page(form.request, Notice(says=say("Your vacation has begun."), good=True))


async def end_vacation(form: SubmittedForm) -> Response:
    """End a vacation early."""
    try:
        await vacations.end_vacation(form.service, form.user)
    except ServerError as error:
        return await account_page(form.request, Notice(says=str(error)), error.status)
    return await account_page(form.request, Notice(says=say("Your vacation is over."), good=True))


# Invitations by name


@at_table
async def invite(form: SubmittedForm, room: Room) -> Response:
    """Invite a person by name."""
    form.limit("invitations", "invitations")
    name = form.text("name", 40)
    await inviting.invite(form.service, room, form.user, name)
    return table_with_notice(form, room, Notice(says=say("{name} is invited.", name=name), good=True))


async def decline(form: SubmittedForm) -> Response:
    """Decline an invitation."""
    await inviting.decline(form.service, await form.room(), form.user)
    return redirect("/")
