"""Errors become responses for people and for programs."""

import asyncio
import errno
import logging
import sqlite3
from collections.abc import AsyncIterator

import msgspec
import pytest
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnection
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from signoria.kernel.errors import BadOption, IllegalStep, NotOver, NotYourTurn, NoUndo
from signoria.server.errors import BadField, Conflict, NotAllowed, NotFound, SignInFirst, StaleVersion, TooMany
from signoria.server.guard.error_responses import ErrorMiddleware, exception_handlers
from signoria.store.errors import NameTaken, StoreError
from tests.server.guard.asgi import ask, draw, small_app

SECRET = "the seed is 0123"


class Step(msgspec.Struct):
    n: int


def raising(error: Exception) -> Starlette:
    async def page(_request: Request) -> Response:
        raise error

    return small_app(routes=[Route("/", page), Route("/api/v1/x", page)])


@pytest.mark.parametrize("stops", [False, True])
def test_request_that_a_stopping_server_gives_up_is_put_off(stops: bool) -> None:
    closing, statuses = asyncio.Event(), list[tuple[int, str]]()

    async def slow(_scope: Scope, _receive: Receive, _send: Send) -> None:
        await asyncio.Event().wait()

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            statuses.append((message["status"], dict(message["headers"])[b"retry-after"].decode()))

    async def run() -> None:
        app = ErrorMiddleware(slow, draw=draw, closing=closing)
        scope = {"type": "http", "method": "GET", "path": "/api/v1/x", "headers": []}
        request = asyncio.create_task(app(scope, None, send))  # type: ignore[arg-type]
        await asyncio.sleep(0)
        if stops:
            closing.set()
        request.cancel()
        await asyncio.wait((request,))
        assert request.cancelled() is not stops

    asyncio.run(run())
    assert statuses == [(503, "5")] * stops


def test_reference_to_something_just_deleted_is_a_conflict() -> None:
    error = IntegrityError("INSERT INTO messages", {}, sqlite3.IntegrityError("FOREIGN KEY constraint failed"))
    answer = ask(raising(error), path="/api/v1/x")
    assert answer.status_code == 409
    assert "just deleted" in answer.json()["detail"]
    assert "FOREIGN" not in answer.text


@pytest.mark.parametrize(
    ("error", "status", "more"),
    [
        (IllegalStep("No.", "P12", " Possible now: pass."), 422, {"clause": "P12", "possible": "Possible now: pass."}),
        (NotYourTurn("Not you.", "P9"), 409, {"clause": "P9"}),
        (NoUndo("Seen."), 409, {}),
        (NotOver("Not over."), 409, {}),
        (BadOption("No such game."), 422, {}),
        (BadField("name", "Too long.", possible="24 letters"), 422, {"field": "name", "possible": "24 letters"}),
        (NotFound("No such table."), 404, {}),
        (NotAllowed("Only its host."), 403, {}),
        (SignInFirst("Who are you?"), 401, {}),
        (StaleVersion(), 409, {"field": "n"}),
        (Conflict("Full."), 409, {}),
        (TooMany("Slowly.", 2.2), 429, {}),
        (NameTaken("Taken."), 409, {"field": "name"}),
    ],
)
def test_errors_keep_their_message_and_status(error: Exception, status: int, more: dict[str, str]) -> None:
    answer = ask(raising(error), path="/api/v1/x")
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    told = answer.json()
    assert told.pop("type").startswith("urn:signoria:")
    assert told.pop("title")
    assert told == {"status": status, "detail": str(error), **more}
    page = ask(raising(error))
    assert page.status_code == status
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert str(error) in page.text


def test_programs_that_accept_json_get_json() -> None:
    an_app = raising(NotFound("No."))
    assert "json" in ask(an_app, headers={"Accept": "application/json"}).headers["content-type"]
    assert "html" in ask(an_app, headers={"Accept": "text/html, application/json;q=0.9"}).headers["content-type"]
    assert "html" in ask(an_app, headers={"Accept": "*/*"}).headers["content-type"]


def test_headers_say_what_to_do_next() -> None:
    assert ask(raising(TooMany("Slowly.", 2.2))).headers["retry-after"] == "3"
    assert ask(raising(SignInFirst("Who?"))).headers["www-authenticate"] == "Bearer"


def test_error_about_an_invalid_body_names_its_field() -> None:
    for sent, status, field in ((b'{"n": "x"}', 422, "n"), (b"{}", 422, "n"), (b"{", 400, None)):
        with pytest.raises(msgspec.MsgspecError) as found:
            msgspec.json.decode(sent, type=Step)
        answer = ask(raising(found.value), path="/api/v1/x")
        assert answer.status_code == status
        assert answer.json().get("field") == field
        assert "`" not in answer.json()["detail"]


def test_not_found_error_lists_the_alternatives() -> None:
    an_app = raising(RuntimeError())
    assert "lobby" in ask(an_app, path="/nowhere").text
    answer = ask(an_app, path="/api/v1/nowhere")
    assert answer.status_code == 404
    assert "openapi.json" in answer.json()["possible"]
    answer = ask(an_app, "POST", path="/api/v1/x")
    assert answer.status_code == 405
    assert answer.json()["possible"] == "GET"
    assert "GET" in answer.headers["allow"]
    assert (
        ask(raising(HTTPException(400, "The form cannot be read")), path="/api/v1/x").json()["detail"].endswith("read.")
    )


def test_unexpected_error_shows_only_an_id_that_is_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    for path in ("/", "/api/v1/x"):
        caplog.clear()
        answer = ask(raising(RuntimeError(SECRET)), path=path)
        assert answer.status_code == 500
        assert SECRET not in answer.text
        (record,) = caplog.records
        number = vars(record)["id"]
        assert number in answer.text
        assert record.exc_info is not None
        assert record.levelno == logging.ERROR


def test_unreachable_database_is_answered_with_503(caplog: pytest.LogCaptureFixture) -> None:
    for error in (OperationalError(SECRET, {}, Exception(SECRET)), ConnectionRefusedError(), StoreError(SECRET)):
        answer = ask(raising(error))
        assert answer.status_code == 503
        assert SECRET not in answer.text
    assert len(caplog.records) == 3


def of_sqlite(name: str, kind: type[sqlite3.Error] = sqlite3.OperationalError) -> sqlite3.Error:
    error = kind(SECRET)
    error.sqlite_errorname = name
    return error


def of_postgres(state: str) -> DBAPIError:
    error = Exception(SECRET)
    error.sqlstate = state  # type: ignore[attr-defined]
    return DBAPIError(SECRET, {}, error)


@pytest.mark.parametrize(
    ("error", "says", "wait"),
    [
        (of_sqlite("SQLITE_FULL"), "disk is full", "30"),
        (OperationalError(SECRET, {}, of_sqlite("SQLITE_FULL")), "disk is full", "30"),
        (of_sqlite("SQLITE_IOERR_FSYNC"), "cannot write to its disk", "30"),
        (of_sqlite("SQLITE_READONLY_DBMOVED"), "cannot write to its disk", "30"),
        (of_sqlite("SQLITE_CANTOPEN"), "cannot reach its database", "5"),
        (of_sqlite("SQLITE_BUSY"), "cannot reach its database", "5"),
        (of_sqlite("SQLITE_CORRUPT", sqlite3.DatabaseError), "cannot reach its database", "5"),
        (of_postgres("53100"), "disk is full", "30"),
        (of_postgres("53200"), "cannot reach its database", "5"),
        (of_postgres("57P01"), "cannot reach its database", "5"),
        (of_postgres("57P03"), "cannot reach its database", "5"),
        (of_postgres("08006"), "cannot reach its database", "5"),
        (of_postgres("25006"), "cannot write to its disk", "30"),
        (of_postgres("40P01"), "is saving another change to the same games", "1"),
        (OSError(errno.ENOSPC, SECRET), "disk is full", "30"),
        (TimeoutError(SECRET), "cannot reach its database", "5"),
        (NoConnection(SECRET), "cannot reach its database", "5"),
        (StoreError(SECRET), "cannot reach its database", "5"),
    ],
)
@pytest.mark.parametrize("path", ["/", "/api/v1/x"])
def test_database_error_says_when_to_try_again(error: Exception, says: str, wait: str, path: str) -> None:
    answer = ask(raising(error), path=path)
    assert (answer.status_code, answer.headers["retry-after"]) == (503, wait)
    assert says in answer.text
    assert "try again" in answer.text
    assert SECRET not in answer.text


@pytest.mark.parametrize("error", [OperationalError(SECRET, {}, of_sqlite("SQLITE_ERROR")), of_postgres("42703")])
def test_programming_error_is_not_reported_as_a_database_error(error: Exception) -> None:
    assert ask(raising(error)).status_code == 500


def test_error_page_that_cannot_be_rendered_falls_back_to_text() -> None:
    def broken(_page: object) -> str:
        raise ZeroDivisionError

    an_app = Starlette(
        middleware=[Middleware(ErrorMiddleware, draw=broken)], exception_handlers=exception_handlers(broken)
    )
    answer = ask(an_app, path="/x")
    assert answer.status_code == 404
    assert "'/x'" in answer.text


def test_response_that_breaks_off_is_logged_and_cut(caplog: pytest.LogCaptureFixture) -> None:
    async def half() -> AsyncIterator[bytes]:
        yield b"half"
        raise RuntimeError

    async def page(_request: Request) -> Response:
        return StreamingResponse(half())

    async def gone(_request: Request) -> Response:
        raise ClientDisconnect

    an_app = small_app(routes=[Route("/", page), Route("/gone", gone)])
    with pytest.raises(AssertionError):  # httpx sees that the response is incomplete
        ask(an_app)
    assert [record.getMessage() for record in caplog.records] == ["An answer broke off."]
    caplog.clear()
    with pytest.raises(AssertionError):  # the client is gone, so nothing is sent
        ask(an_app, path="/gone")
    assert not caplog.records
