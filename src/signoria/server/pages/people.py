"""Name, password, tokens, blocked people, ratings: a person's own page, and the ranking."""

from functools import partial

from starlette.requests import Request
from starlette.responses import Response

from signoria.games import GAMES
from signoria.server import blocking, preferences, seating
from signoria.server.arriving import bring_along
from signoria.server.errors import ServerError
from signoria.server.forgetting import forget_user
from signoria.server.gate.rate import address
from signoria.server.gate.who import Who, viewer_model, who_of
from signoria.server.offered import game_model, level_title
from signoria.server.pages.common import Asked, accounts_of, house_of, html, read_form, see, user_of
from signoria.server.showing import rating_model
from signoria.server.words import ago
from signoria.store import blocks, people, ratings
from signoria.store.errors import NameTaken
from signoria.web import pages
from signoria.web.models import Account, BlockModel, Notice, RatingLine, Ratings, SignIn, TokenModel

LISTED = 100


async def account_page(
    request: Request, notice: Notice | None = None, status: int = 200, fresh_token: str | None = None
) -> Response:
    """A person's own page."""
    house, user = house_of(request), user_of(request)
    now = house.now()
    async with house.database.read() as db:
        tokens = await people.tokens_of(db, user.id) if user else []
        rated = await ratings.ratings_of(db, user.id) if user else []
        blocked = await blocks.blocks_of(db, user.id) if user else []
        user = await people.find_user(db, user.id) if user else None
    model = Account(
        viewer=viewer_model(user),
        notice=notice,
        ratings={game_model(row.game).title: rating_model(row) for row in rated},
        tokens=tuple(
            TokenModel(
                id=token.id,
                name=token.name,
                made=ago(now - token.created_at),
                used=f"last used {ago(now - token.used_at)}" if token.used_at else "never used",
            )
            for token in tokens
        ),
        fresh_token=fresh_token,
        blocked=tuple(BlockModel(id=row.id, name=row.name, since=ago(now - row.created_at)) for row in blocked),
    )
    return html(pages.account(model), status)


async def account(request: Request) -> Response:
    """A person's own page; whoever is not known here signs in first."""
    return await account_page(request) if user_of(request) else see("/sign-in?back=/account")


async def back_to_account(_request: Request) -> Response:
    """The address of a form of the account page, typed or loaded again."""
    return see("/account")


async def _told(asked: Asked, error: ServerError | NameTaken) -> Response:
    return await account_page(asked.request, Notice(says=str(error)), getattr(error, "status", 409))


async def rename(asked: Asked) -> Response:
    """Another name."""
    try:
        name = await accounts_of(asked.request).rename(who_of(asked.request), asked.text("name"))
    except (ServerError, NameTaken) as error:
        return await _told(asked, error)
    await seating.rename(asked.house, asked.user.id, asked.user.name, name)
    return await account_page(asked.request, Notice(says=f"You are called {name} from now on.", good=True))


async def set_password(asked: Asked) -> Response:
    """A password, so that name, games and rating can be found again."""
    try:
        arrived = await accounts_of(asked.request).set_password(
            address(asked.request.scope), who_of(asked.request), asked.text("password", 1000), asked.text("old", 1000)
        )
    except (ServerError, NameTaken) as error:
        return await _told(asked, error)
    says = (
        "The password is set: sign in with it anywhere. Every other device is signed out, and all tokens are revoked."
    )
    notice = Notice(says=says, good=True)
    response = await account_page(asked.request, notice)
    response.headers.append("set-cookie", arrived.cookie)
    return response


async def set_unasked(asked: Asked) -> Response:
    """Whether steps that leave no choice are made for this person."""
    who_of(asked.request).in_person()
    unasked = bool(asked.text("unasked"))
    await preferences.set_unasked(asked.house, asked.user, unasked)
    says = "Steps that leave no choice are made for you." if unasked else "You are asked for every step."
    return await account_page(asked.request, Notice(says=says, good=True))


async def make_token(asked: Asked) -> Response:
    """A token for programs, shown once."""
    try:
        _, secret = await accounts_of(asked.request).make_token(who_of(asked.request), asked.text("name"))
    except ServerError as error:
        return await _told(asked, error)
    return await account_page(asked.request, fresh_token=secret)


async def delete_token(asked: Asked) -> Response:
    """A token is no longer known."""
    try:
        await accounts_of(asked.request).delete_token(who_of(asked.request), asked.request.path_params["token"])
    except ServerError as error:
        return await _told(asked, error)
    return see("/account")


async def delete_tokens(asked: Asked) -> Response:
    """No token is known any more."""
    try:
        await accounts_of(asked.request).delete_tokens(who_of(asked.request))
    except ServerError as error:
        return await _told(asked, error)
    return await account_page(asked.request, Notice(says="All tokens are revoked.", good=True))


async def block(asked: Asked) -> Response:
    """Block the person of a name."""
    try:
        await blocking.block_named(asked.house, asked.user, asked.text("name"))
    except ServerError as error:
        return await _told(asked, error)
    return see("/account#blocked")


async def unblock(asked: Asked) -> Response:
    """No longer block somebody."""
    try:
        await blocking.unblock(asked.house, asked.user, asked.request.path_params["block"])
    except ServerError as error:
        return await _told(asked, error)
    return see("/account#blocked")


async def delete_account(asked: Asked) -> Response:
    """Everything personal goes; games stay without a name. Whoever has a password types it."""
    accounts = accounts_of(asked.request)
    try:
        user = await accounts.confirm(address(asked.request.scope), who_of(asked.request), asked.text("password", 1000))
    except ServerError as error:
        return await _told(asked, error)
    await forget_user(asked.house.database, user.id, asked.house.now(), asked.house.show)
    asked.house.due.set()
    response = see("/")
    response.headers.append("set-cookie", await accounts.sign_out(Who()))
    return response


def _back(text: str) -> str:
    """The page to go on to: one of this house."""
    return text if text.startswith("/") and not text.startswith(("//", "/\\")) else "/"


async def sign_in_page(request: Request) -> Response:
    """The form."""
    back = _back(request.query_params.get("back", "/"))
    return html(pages.sign_in(SignIn(viewer=viewer_model(user_of(request)), back=back)))


async def sign_in(request: Request) -> Response:
    """Somebody comes back."""
    async with read_form(request) as form:
        name, password, back = (str(form.get(field, "")) for field in ("name", "password", "back"))
    try:
        arrived = await accounts_of(request).sign_in(
            address(request.scope), name, password, who_of(request), partial(bring_along, house_of(request))
        )
    except ServerError as error:
        viewer = viewer_model(user_of(request))
        model = SignIn(viewer=viewer, notice=Notice(says=str(error)), name=name[:40], back=_back(back))
        return html(pages.sign_in(model), error.status)
    response = see(_back(back))
    response.headers.append("set-cookie", arrived.cookie)
    return response


async def sign_out(request: Request) -> Response:
    """Let this browser forget who it was."""
    response = see("/")
    response.headers.append("set-cookie", await accounts_of(request).sign_out(who_of(request)))
    return response


async def ranking(request: Request) -> Response:
    """Who plays best."""
    house, games = house_of(request), []
    async with house.database.read() as db:
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
