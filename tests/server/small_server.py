"""A small server in its own process: `python -m tests.server.small_server PORT DATABASE WORKERS [PROXY]`."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import suppress

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from signoria.kernel.errors import SignoriaError
from signoria.server.guard.limits import client_address
from signoria.server.run import process
from signoria.server.run.metrics import Metrics, metrics_page
from signoria.server.run.serve import serve
from signoria.server.settings import Settings

process.warm_up = lambda: None  # type: ignore[attr-defined]  # nobody plays here, and it takes a second


def build(settings: Settings) -> Starlette:
    closing = asyncio.Event()
    metrics = Metrics()
    waiting: list[Request] = []

    async def number(_request: Request) -> Response:
        metrics.clocks.inc()
        return PlainTextResponse(str(os.getpid()))

    async def how_many_wait(_request: Request) -> Response:
        return PlainTextResponse(str(len(waiting)))

    async def where_from(request: Request) -> Response:
        return PlainTextResponse(f"{request.url.scheme} {client_address(request.scope)}")

    async def stream(_request: Request) -> Response:
        async def events() -> AsyncIterator[str]:
            yield "data: hello\n\n"
            await closing.wait()
            yield "retry: 1000\n\n"

        return StreamingResponse(events(), media_type="text/event-stream")

    async def step(request: Request) -> Response:
        waiting.append(request)
        await closing.wait()
        await asyncio.sleep(0.1)
        return PlainTextResponse("kept")

    async def stubborn(request: Request) -> Response:
        waiting.append(request)
        while True:
            with suppress(asyncio.CancelledError):
                await asyncio.sleep(100)

    async def dies(_request: Request) -> Response:
        os._exit(7)

    routes = [
        Route("/", number),
        Route("/waiting", how_many_wait),
        Route("/from", where_from),
        Route("/stream", stream),
        Route("/step", step, methods=["POST"]),
        Route("/stubborn", stubborn),
        Route("/dies", dies),
        Route("/metrics", metrics_page(metrics, settings)),
    ]
    app = Starlette(routes=routes)
    app.state.closing = closing
    return app


def main(port: str, database: str, workers: str, proxy: str | None = None) -> int:
    settings = Settings(port=int(port), database=database, workers=int(workers), proxy=proxy, log_format="json")
    try:
        return serve(settings, build, say=lambda sentence: print(sentence, flush=True), port_given=False)
    except SignoriaError as error:
        print(error, flush=True)
        return 2


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
