"""Security headers of every response."""

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from signoria.server.guard.error_responses import ErrorMiddleware
from signoria.server.guard.headers import SecurityHeadersMiddleware
from tests.server.guard.asgi import ask, draw, hello


async def static(_request: Request) -> Response:
    return PlainTextResponse("body{}", headers={"Cache-Control": "public, max-age=31536000, immutable"})


async def fails(_request: Request) -> Response:
    raise RuntimeError


def an_app(secure: bool = False) -> Starlette:
    return Starlette(
        routes=[Route("/", hello), Route("/static/a.css", static), Route("/fails", fails)],
        middleware=[Middleware(SecurityHeadersMiddleware, secure=secure), Middleware(ErrorMiddleware, draw=draw)],
    )


@pytest.mark.parametrize(("path", "status"), [("/", 200), ("/nowhere", 404), ("/fails", 500)])
def test_every_response_has_strict_security_headers(path: str, status: int) -> None:
    answer = ask(an_app(), path=path)
    assert answer.status_code == status
    policy = answer.headers["content-security-policy"]
    assert policy == (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        "connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "same-origin"
    assert answer.headers["cross-origin-opener-policy"] == "same-origin"
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"
    assert "camera=()" in answer.headers["permissions-policy"]
    assert answer.headers["cache-control"] == "no-store"
    assert "strict-transport-security" not in answer.headers


def test_static_files_keep_their_own_cache_headers() -> None:
    assert "immutable" in ask(an_app(), path="/static/a.css").headers["cache-control"]


def test_https_responses_have_a_strict_transport_header() -> None:
    assert ask(an_app(secure=True)).headers["strict-transport-security"] == "max-age=31536000"
