"""The account page, signing in and out, and the ranking."""

from functools import partial
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response

from signoria.games import GAMES
from signoria.kernel.language import LANGUAGES, is_known, say
from signoria.server.errors import BadField, ServerError
from signoria.server.guard.languages import language_cookie
from signoria.server.guard.limits import client_address
from signoria.server.guard.themes import theme_cookie
from signoria.server.lobby import seating
from signoria.server.lobby.catalogue import game_model, level_title
from signoria.server.pages.common import SubmittedForm, accounts_of, html, read_form, redirect, service_of, user_of
from signoria.server.people import blocking, preferences
from signoria.server.people.account_deletion import erase_user
from signoria.server.people.guest_games import hand_over_guest_games
from signoria.server.people.profiles import SHOWN_TO
from signoria.server.people.sessions import TIES_READ, Identity, identity_of, viewer_model
from signoria.server.people.vacations import VacationState, vacation_state
from signoria.server.play.seat_models import rating_model
from signoria.server.play.times import ago, day_words
from signoria.store import blocks, emails, moderation, people, ratings, ties
from signoria.store.errors import NameTaken
from signoria.store.ties import FOLLOW, MUTE
from signoria.web import pages
from signoria.web.models import Account, BlockModel, Notice, RatingLine, Ratings, SignIn, TokenModel
from signoria.web.theme import AUTOMATIC, THEMES

LISTED = 100


async def account_page(
    request: Request, notice: Notice | None = None, status: int = 200, fresh_token: str | None = None
) -> Response:
    """A person's account page."""
    service, user = service_of(request), user_of(request)
    now = service.now()
    async with service.database.read() as db:
        tokens = await people.tokens_of(db, user.id) if user else []
        rated = await ratings.ratings_of(db, user.id) if user else []
        blocked = await blocks.blocks_of(db, user.id) if user else []
        user = await people.find_user(db, user.id) if user else None
        address = await emails.address_of(db, user.id) if user and not identity_of(request).token else None
        known = await ties.ties_of(db, user.id, TIES_READ) if user else []
        standing = await moderation.standing_of(db, user.id) if user else None
    vacation = await vacation_state(service, user) if user else VacationState(None, 0)
    model = Account(
        viewer=viewer_model(user),
        notice=notice,
        ratings={game_model(row.game).title: rating_model(row) for row in rated},
        tokens=tuple(
            TokenModel(
                id=token.id,
                name=token.name,
                made=ago(now - token.created_at),
                used=say("last used {ago}", ago=ago(now - token.used_at)) if token.used_at else say("never used"),
            )
            for token in tokens
        ),
        fresh_token=fresh_token,
        blocked=tuple(BlockModel(id=row.id, name=row.name, since=ago(now - row.created_at)) for row in blocked),
        vacation_until=day_words(vacation.until) if vacation.until else "",
        vacation_days=vacation.days_left,
        followed=tuple(tie.name for tie in known if tie.kind == FOLLOW),
        muted=tuple(tie.name for tie in known if tie.kind == MUTE),
        moderates=standing is not None and standing.moderator,
        shown_to=user.shown_to if user else "everyone",
        shown_choices=tuple((value, say(label)) for value, label in SHOWN_TO.items()),
        has_mail=_has_mail(request),
        address=address,
    )
    return html(pages.account(model), status)


async def account(request: Request) -> Response:
    """A person's account page; visitors are sent to sign in."""
    return await account_page(request) if user_of(request) else redirect("/sign-in?back=/account")


async def back_to_account(_request: Request) -> Response:
    """The address of a form of the account page, typed or reloaded."""
    return redirect("/account")


async def _page_with_error(form: SubmittedForm, error: ServerError | NameTaken) -> Response:
    return await account_page(form.request, Notice(says=str(error)), getattr(error, "status", 409))


async def rename(form: SubmittedForm) -> Response:
    """Change the name."""
    form.limit("chat", "requests")  # every table of this person changes
    try:
        name = await accounts_of(form.request).rename(identity_of(form.request), form.text("name"))
    except (ServerError, NameTaken) as error:
        return await _page_with_error(form, error)
    await seating.rename(form.service, form.user.id, form.user.name, name)
    return await account_page(form.request, Notice(says=say("Your name is now {name}.", name=name), good=True))


async def set_password(form: SubmittedForm) -> Response:
    """Set a password, so that the person can sign in again."""
    try:
        session = await accounts_of(form.request).set_password(
            client_address(form.request.scope),
            identity_of(form.request),
            form.text("password", 1000),
            form.text("old", 1000),
        )
    except (ServerError, NameTaken) as error:
        return await _page_with_error(form, error)
    if not form.user.guest and _has_mail(form.request):
        await form.request.app.state.addresses.tell_new_password(form.user.id)
    says = say("Your password is set. Other devices are signed out, and all tokens are revoked.")
    notice = Notice(says=says, good=True)
    response = await account_page(form.request, notice)
    response.headers.append("set-cookie", session.cookie)
    return response


async def choose_language(request: Request) -> Response:
    """Keep the choice of a language: in a cookie, and on the account of a person who is signed in."""
    async with read_form(request) as form:
        chosen = str(form.get("language", ""))
    if not is_known(chosen):
        raise BadField(
            "language",
            say("language: {found!r} is not valid; use {possible}.", found=chosen[:20], possible=", ".join(LANGUAGES)),
        )
    identity, service = identity_of(request), service_of(request)
    if identity.user is not None and not identity.token:
        await preferences.set_language(service, identity.user, chosen)
    response = redirect(_came_from(request))
    response.headers.append("set-cookie", language_cookie(chosen, secure=request.app.state.settings.secure))
    return response


async def choose_theme(request: Request) -> Response:
    """Keep the choice between light and dark pages: in a cookie, and on the account of a person who is signed in."""
    async with read_form(request) as form:
        chosen = str(form.get("theme", ""))
    possible = (AUTOMATIC, *THEMES)
    if chosen not in possible:
        says = say("theme: {found!r} is not valid; use {possible}.", found=chosen[:20], possible=", ".join(possible))
        raise BadField("theme", says)
    identity, service = identity_of(request), service_of(request)
    if identity.user is not None and not identity.token:
        await preferences.set_theme(service, identity.user, chosen)
    response = redirect(_came_from(request))
    response.headers.append("set-cookie", theme_cookie(chosen, secure=request.app.state.settings.secure))
    return response


def _came_from(request: Request) -> str:
    """The page of this server that a form was sent from; the lobby if the browser does not say."""
    try:
        page = urlsplit(request.headers.get("referer", ""))
    except ValueError:
        return "/"
    if page.netloc != request.headers.get("host") or not page.path.startswith("/") or page.path.startswith("//"):
        return "/"
    return f"{page.path}?{page.query}" if page.query else page.path


async def set_unasked(form: SubmittedForm) -> Response:
    """Set whether forced moves are played for this person."""
    identity_of(form.request).require_browser()
    form.limit("chat", "requests")  # every table of this person changes
    unasked = bool(form.text("unasked"))
    await preferences.set_unasked(form.service, form.user, unasked)
    says = say("Forced moves are played for you.") if unasked else say("You play every move yourself.")
    return await account_page(form.request, Notice(says=says, good=True))


async def make_token(form: SubmittedForm) -> Response:
    """Create an API token, shown once."""
    try:
        _, secret = await accounts_of(form.request).make_token(identity_of(form.request), form.text("name"))
    except ServerError as error:
        return await _page_with_error(form, error)
    return await account_page(form.request, fresh_token=secret)


async def delete_token(form: SubmittedForm) -> Response:
    """Revoke a token."""
    try:
        await accounts_of(form.request).delete_token(identity_of(form.request), form.request.path_params["token"])
    except ServerError as error:
        return await _page_with_error(form, error)
    return redirect("/account")


async def delete_tokens(form: SubmittedForm) -> Response:
    """Revoke all tokens."""
    try:
        await accounts_of(form.request).delete_tokens(identity_of(form.request))
    except ServerError as error:
        return await _page_with_error(form, error)
    return await account_page(form.request, Notice(says=say("All tokens have been revoked."), good=True))


async def block(form: SubmittedForm) -> Response:
    """Block a person by name."""
    try:
        await blocking.block_named(form.service, form.user, form.text("name"))
    except ServerError as error:
        return await _page_with_error(form, error)
    return redirect("/account#blocked")


async def unblock(form: SubmittedForm) -> Response:
    """Unblock a person."""
    try:
        await blocking.unblock(form.service, form.user, form.request.path_params["block"])
    except ServerError as error:
        return await _page_with_error(form, error)
    return redirect("/account#blocked")


async def delete_account(form: SubmittedForm) -> Response:
    """Delete the account; games stay without the name. People with a password must enter it."""
    accounts = accounts_of(form.request)
    try:
        user = await accounts.confirm(
            client_address(form.request.scope), identity_of(form.request), form.text("password", 1000)
        )
    except ServerError as error:
        return await _page_with_error(form, error)
    await erase_user(form.service.database, user.id, form.service.now(), form.service.show_changes)
    form.service.due.set()
    response = redirect("/")
    response.headers.append("set-cookie", await accounts.sign_out(Identity()))
    return response


def _has_mail(request: Request) -> bool:
    """Whether this server sends e-mail."""
    return request.app.state.sender.mailer is not None


def _back(text: str) -> str:
    """The page to go to: only pages of this server."""
    return text if text.startswith("/") and not text.startswith(("//", "/\\")) else "/"


async def sign_in_page(request: Request) -> Response:
    """The sign-in form."""
    back = _back(request.query_params.get("back", "/"))
    return html(pages.sign_in(SignIn(viewer=viewer_model(user_of(request)), back=back, has_mail=_has_mail(request))))


async def sign_in(request: Request) -> Response:
    """Sign a person in."""
    async with read_form(request) as form:
        name, password, back = (str(form.get(field, "")) for field in ("name", "password", "back"))
    try:
        session = await accounts_of(request).sign_in(
            client_address(request.scope),
            name,
            password,
            identity_of(request),
            partial(hand_over_guest_games, service_of(request)),
        )
    except ServerError as error:
        viewer = viewer_model(user_of(request))
        model = SignIn(
            viewer=viewer,
            notice=Notice(says=str(error)),
            name=name[:40],
            back=_back(back),
            has_mail=_has_mail(request),
        )
        return html(pages.sign_in(model), error.status)
    response = redirect(_back(back))
    response.headers.append("set-cookie", session.cookie)
    return response


async def sign_out(request: Request) -> Response:
    """Sign out in this browser."""
    response = redirect("/")
    response.headers.append("set-cookie", await accounts_of(request).sign_out(identity_of(request)))
    return response


async def ranking(request: Request) -> Response:
    """The ranking of players."""
    service, games = service_of(request), []
    async with service.database.read() as db:
        for game in GAMES.values():
            rows = await ratings.top_ratings(db, game.name, LISTED)
            lines = tuple(
                RatingLine(
                    place=place,
                    name=row.name or level_title(row.who),
                    bot=row.user_id is None,
                    rating=rating_model(row),
                )
                for place, row in enumerate(rows, 1)
            )
            games.append((game.title, lines))
    return html(pages.ratings(Ratings(viewer=viewer_model(user_of(request)), games=tuple(games))))
