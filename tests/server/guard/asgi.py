"""A small application with middleware, called over HTTP without a network."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

import httpx
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from signoria.server.guard.error_responses import ErrorMiddleware, exception_handlers
from signoria.web.models import Wrong

HERE = "http://house.test"
Result = TypeVar("Result")


def draw(page: Wrong) -> str:
    """A minimal error page."""
    return f"<h1>{page.title}</h1><p>{page.says}</p><p>{page.viewer.name if page.viewer else 'nobody'}</p>"


async def hello(request: Request) -> Response:
    return PlainTextResponse(f"hello {len(await request.body())}")


ROUTES = (Route("/", hello, methods=["GET", "POST", "DELETE"]), Route("/api/v1/hello", hello, methods=["GET", "POST"]))


def small_app(*middleware: Middleware, routes: Sequence[Route] = ROUTES) -> Starlette:
    """These routes behind this middleware, with error responses."""
    return Starlette(
        routes=routes,
        middleware=[Middleware(ErrorMiddleware, draw=draw), *middleware],
        exception_handlers=exception_handlers(draw),
    )


def asking(app: Any, do: Callable[[httpx.AsyncClient], Awaitable[Result]], **client: Any) -> Result:
    """Send requests to this application."""

    async def run() -> Result:
        transport = httpx.ASGITransport(
            app=app, raise_app_exceptions=False, client=client.pop("address", ("1.2.3.4", 5))
        )
        async with httpx.AsyncClient(transport=transport, base_url=HERE, **client) as http:
            return await do(http)

    return asyncio.run(run())


def ask(app: Any, method: str = "GET", path: str = "/", **request: Any) -> httpx.Response:
    """The answer to one request."""
    address = request.pop("address", ("1.2.3.4", 5))
    return asking(app, lambda http: http.request(method, path, **request), address=address)
