"""The one place where errors become responses: a page for people, problem+json (RFC 9457) for programs."""

import asyncio
import logging
import math
import re
import secrets
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

import msgspec
from sqlalchemy.exc import IntegrityError
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, ExceptionHandler, Message, Receive, Scope, Send

from signoria.kernel.errors import (
    BadDeck,
    BadOption,
    BadRecord,
    IllegalStep,
    NotOver,
    NotYourTurn,
    NoUndo,
    SignoriaError,
)
from signoria.kernel.language import all_of, per_language, say, to_say
from signoria.server.errors import Conflict, ServerError, SignInFirst, StaleVersion, Unavailable, bad_field
from signoria.server.people.sessions import viewer_model
from signoria.store import trouble
from signoria.store.errors import NameTaken, StepExists, StoreError, UserGone
from signoria.web.models import Viewer, Wrong
from signoria.web.theme import theme

logger = logging.getLogger(__name__)

PROBLEM = "application/problem+json"
STOPPED = 5
"""Seconds after which a request can be sent again that a stopping server gave up."""
KINDS: dict[type[Exception], tuple[int, str]] = {
    NotYourTurn: (409, to_say("It is not your turn")),
    IllegalStep: (422, to_say("Illegal move")),
    NoUndo: (409, to_say("Undo not possible")),
    NotOver: (409, to_say("The game is not over")),
    BadOption: (422, to_say("Invalid input")),
    BadDeck: (422, to_say("Invalid deck")),
    BadRecord: (422, to_say("Invalid game record")),
    NameTaken: (409, to_say("That name is taken")),
    UserGone: (404, to_say("Account not found")),
    StepExists: (409, to_say("The game has moved on")),
    StoreError: (503, to_say("Temporarily unavailable")),
    SignoriaError: (400, to_say("Not possible")),
}

DrawErrorPage = Callable[[Wrong], str]


class Problem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An error as JSON (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str
    clause: str | None = None
    """The clause of the rules that forbids the step."""
    field: str | None = None
    """The wrong field."""
    possible: str | None = None
    """What is possible instead."""
    n: int | None = None
    """The current number of steps, if a step came too late."""
    id: str | None = None
    """An id to report; the log has the same id."""


class ErrorMiddleware:
    """Turns exceptions into responses. Internal details are never shown.

    As middleware it catches what other middleware raises, and unexpected errors. Its `exception_handlers`, given to
    Starlette, catch what routes raise.
    """

    def __init__(self, app: ASGIApp, *, draw: DrawErrorPage, closing: asyncio.Event | None = None) -> None:
        self.app = app
        self.draw = draw
        self.closing = closing
        """Set when the server is told to stop."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; respond to errors."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = False

        async def send_noticed(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self.app(scope, receive, send_noticed)
        except ClientDisconnect:
            pass  # the client is gone
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if started or task is None or self.closing is None or not self.closing.is_set():
                raise
            task.uncancel()  # the server stops, and does not wait longer for this request
            stopping = Unavailable(say("The server is restarting. Try again in a moment."), STOPPED)
            await error_response(scope, stopping, self.draw)(scope, receive, send)
        except Exception as error:
            if started:  # the connection is cut, so that a partial response is not taken for a complete one
                logger.exception("An answer broke off.")
                return
            await error_response(scope, error, self.draw)(scope, receive, send)


def exception_handlers(draw: DrawErrorPage) -> dict[Any, ExceptionHandler]:
    """Starlette calls this when a route raises one of these."""

    def handle(request: Request, error: Exception) -> Response:
        return error_response(request.scope, error, draw)

    async def handle_here(request: Any, error: Exception) -> Response:  # in the event loop: it is quick
        return handle(request, error)

    return dict.fromkeys((HTTPException, SignoriaError, msgspec.MsgspecError), handle_here)


def error_response(scope: Scope, error: Exception, draw: DrawErrorPage) -> Response:
    """The response for an error, in the requested format."""
    problem = describe(scope, error)
    headers = headers_of(error)
    if problem.status == HTTPStatus.SERVICE_UNAVAILABLE:
        headers.setdefault("Retry-After", str(trouble.told(error)[1]))
    if wants_json(scope):
        return Response(msgspec.json.encode(problem), problem.status, headers, media_type=PROBLEM)
    says = problem.detail
    page = Wrong(viewer=_viewer(scope), status=problem.status, title=problem.title, says=says)
    refused = problem.status == HTTPStatus.TOO_MANY_REQUESTS and page.viewer is None
    try:
        return HTMLResponse(_draw_once(draw, page, theme()) if refused else draw(page), problem.status, headers)
    except Exception:
        logger.exception("The page that says what is wrong cannot be drawn.")
        return PlainTextResponse(f"{problem.title}\n\n{says}\n", problem.status, headers)


@per_language(128)
def _draw_once(draw: DrawErrorPage, page: Wrong, _theme: str | None) -> str:
    """The same page, drawn once: requests over the limit must cost as little as possible."""
    return draw(page)


def wants_json(scope: Scope) -> bool:
    """Whether a program asks: under /api/, or with an Accept header that names JSON and not HTML."""
    accept = Headers(scope=scope).get("accept", "")
    return scope["path"].startswith("/api/") or ("json" in accept and "html" not in accept)


def describe(scope: Scope, error: Exception) -> Problem:
    """An error in words. Unexpected errors are logged with an id, and the response has only the id."""
    match error:
        case StaleVersion():
            return _problem(error, error.status, error.title, field=error.field, n=error.n)
        case ServerError():
            return _problem(error, error.status, error.title, field=error.field, possible=error.possible)
        case IllegalStep():
            status, title = _kind(error)
            return _problem(error, status, title, clause=error.clause, possible=error.possible or None)
        case NameTaken():
            return _problem(error, *_kind(error), field="name")
        case StoreError():
            return _out_of_reach(error)
        case SignoriaError():
            return _problem(error, *_kind(error))
        case msgspec.ValidationError():
            return describe(scope, bad_field(error))
        case msgspec.MsgspecError():
            return Problem(
                type=_type("bad-json"),
                title=say("Invalid JSON"),
                status=400,
                detail=_sentence(say("Invalid JSON: {error}", error=error))
                if wants_json(scope)
                else say("What the page sent cannot be read. Reload the page and try again."),
            )
        case HTTPException():
            return _http_problem(scope, error)
    if trouble.is_trouble(error):
        return _out_of_reach(error)
    if isinstance(error, IntegrityError):  # a row that this one refers to was deleted in the same moment
        logger.warning("The database refused a row.", exc_info=error)
        return describe(scope, Conflict(say("Something this depends on was just deleted. Reload the page.")))
    number = secrets.token_hex(4)
    logger.error("Something went wrong.", exc_info=error, extra={"id": number})
    says = say("Something went wrong on the server. If you report it, mention error {number}.", number=number)
    return Problem(type=_type("our-fault"), title=say("Something went wrong"), status=500, detail=says, id=number)


def _out_of_reach(error: Exception) -> Problem:
    if trouble.is_deadlock(error):
        logger.warning("Two transactions deadlocked.", exc_info=error)
    else:
        logger.error("The database is not available.", exc_info=error)
    return Problem(
        type=_type("unavailable"), title=say("Temporarily unavailable"), status=503, detail=trouble.told(error)[0]
    )


def _problem(error: Exception, status: int, title: str, **more: Any) -> Problem:
    kind = re.sub(r"(?<!^)(?=[A-Z])", "-", type(error).__name__).lower()
    return Problem(type=_type(kind), title=say(title), status=status, detail=str(error), **more)


def _type(kind: str) -> str:
    return f"urn:signoria:{kind}"


def status_of(error: SignoriaError) -> int:
    """The status of the response to an error."""
    return error.status if isinstance(error, ServerError) else _kind(error)[0]


def _kind(error: Exception) -> tuple[int, str]:
    return next(KINDS[kind] for kind in type(error).__mro__ if kind in KINDS)


def _http_problem(scope: Scope, error: HTTPException) -> Problem:
    """Errors from the router and from form parsing."""
    title = HTTPStatus(error.status_code).phrase
    says, possible = _sentence(str(error.detail)), None
    if error.status_code == 404 and error.detail == title:
        title = say("Not found") if wants_json(scope) else say("Page not found")
        says = say("There is no page {path!r}.", path=scope["path"][:200])
        possible = (
            say("See /api/v1/openapi.json for all addresses.")
            if wants_json(scope)
            else say("You can find all tables in the lobby.")
        )
        says = f"{says} {possible}"
    elif error.status_code == 405:
        allowed = Headers(error.headers or {}).get("allow", "")
        methods = sorted(set(allowed.split(", ")) - {"HEAD", ""})
        title = say("Method not allowed")
        possible = all_of(methods) if methods else say("nothing")
        says = say("{method} is not allowed here. Use {possible}.", method=scope["method"][:20], possible=possible)
    return Problem(type="about:blank", title=title, status=error.status_code, detail=says, possible=possible)


def headers_of(error: Exception) -> dict[str, str]:
    """Additional headers of an error response, such as when to try again."""
    headers = dict(getattr(error, "headers", None) or {})
    if (wait := getattr(error, "retry_after", None)) is not None:
        headers["Retry-After"] = str(max(1, math.ceil(wait)))
    if isinstance(error, SignInFirst):
        headers["WWW-Authenticate"] = "Bearer"
    return headers


def _viewer(scope: Scope) -> Viewer | None:
    identity = scope.get("state", {}).get("identity")
    return None if identity is None else viewer_model(identity.user)


def _sentence(text: str) -> str:
    text = text.replace("`", "").strip()
    return text if text.endswith((".", "!", "?")) else f"{text}."
