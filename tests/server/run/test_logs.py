"""What the log contains, and what it never contains."""

import io
import json
import logging
from collections.abc import Iterator

import pytest
from sqlalchemy.exc import IntegrityError
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount, Route

from signoria.server.people.sessions import Identity
from signoria.server.run.access_log import AccessLogMiddleware
from signoria.server.run.logs import start_logging
from signoria.server.run.metrics import Metrics
from signoria.store.people import User
from tests.server.guard.asgi import ask

SECRET = "s3cr3t"


@pytest.fixture(autouse=True)
def logging_as_before() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    logging.captureWarnings(False)
    for name in ("signoria", "uvicorn", "uvicorn.error", "uvicorn.access"):
        logging.getLogger(name).setLevel(logging.NOTSET)


def lines(stream: io.StringIO) -> list[dict[str, object]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


async def page(request: Request) -> Response:
    request.scope.setdefault("state", {})["identity"] = Identity(User("u1", "Ann", True, 0, 0))
    return PlainTextResponse("ok")


async def fails(_request: Request) -> Response:
    raise RuntimeError(SECRET)


def an_app(metrics: Metrics) -> Starlette:
    routes = [
        Route("/invited/{secret}", page),
        Mount("/api/v1", routes=[Route("/tables/{id}", page)]),
        Mount("/static", PlainTextResponse("x")),
        Route("/fails", fails),
    ]
    return Starlette(routes=routes, middleware=[Middleware(AccessLogMiddleware, metrics=metrics)])


def test_json_log_has_one_object_per_line() -> None:
    stream = io.StringIO()
    start_logging("json", "info", stream)
    logger = logging.getLogger("signoria.test")
    logger.info("A game %s.", "began", extra={"table": "t1", "user": None})
    logger.debug("not heard")
    logging.getLogger("elsewhere").info("not heard")
    logging.getLogger("uvicorn.access").error("not heard")
    (line,) = lines(stream)
    assert str(line.pop("time")).endswith("+00:00")
    assert line == {"level": "info", "message": "A game began.", "logger": "signoria.test", "table": "t1"}


def test_text_log_is_readable_on_a_terminal() -> None:
    stream = io.StringIO()
    start_logging("text", "info", stream)
    logging.getLogger("signoria.test").warning("Something.", extra={"table": "t1"})
    assert stream.getvalue()[8:] == " warning: Something.  table=t1\n"
    stream.isatty = lambda: True  # type: ignore[method-assign]
    start_logging("auto", "info", stream)
    logging.getLogger("signoria.test").info("Auto.")
    assert stream.getvalue().endswith(" Auto.\n")


def test_database_errors_are_logged_without_values() -> None:
    for form in ("json", "text"):
        stream = io.StringIO()
        start_logging(form, "info", stream)
        error = IntegrityError("INSERT INTO users", {"password": SECRET, "hand": [SECRET]}, Exception("UNIQUE failed"))
        logging.getLogger("signoria.test").error("It failed.", exc_info=error)
        assert SECRET not in stream.getvalue()
        assert "UNIQUE failed" in stream.getvalue()
        assert "INSERT INTO users" in stream.getvalue()


def test_requests_are_logged_by_route_and_never_by_url() -> None:
    stream = io.StringIO()
    start_logging("json", "debug", stream)
    metrics = Metrics()
    for path in (f"/invited/{SECRET}?token={SECRET}", "/api/v1/tables/t1", "/static/a.css", f"/nowhere/{SECRET}"):
        ask(an_app(metrics), path=path, headers={"Cookie": f"signoria={SECRET}", "Authorization": f"Bearer {SECRET}"})
    ask(an_app(metrics), SECRET.upper(), path="/invited/x")
    seen = [(line["method"], line["route"], line["status"], line.get("user")) for line in lines(stream)]
    assert seen == [
        ("GET", "/invited/{secret}", 200, "u1"),
        ("GET", "/api/v1/tables/{id}", 200, "u1"),
        ("GET", "/static", 200, None),
        ("GET", "(none)", 404, None),
        ("OTHER", "/invited/{secret}", 405, None),
    ]
    assert all(isinstance(line["ms"], float) for line in lines(stream))
    assert SECRET not in (stream.getvalue() + metrics.text().decode()).lower()
    assert (
        'signoria_requests_total{method="GET",route="/api/v1/tables/{id}",status="200"} 1.0' in metrics.text().decode()
    )
    assert 'signoria_request_seconds_count{route="/invited/{secret}"} 2.0' in metrics.text().decode()


def test_failed_requests_are_logged_too() -> None:
    metrics = Metrics()
    ask(an_app(metrics), path="/fails")
    assert 'route="/fails",status="499"' in metrics.text().decode()
