"""Middleware that limits the size of a request and the time it may take to arrive."""

import asyncio

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from signoria.kernel.language import say
from signoria.server.errors import BadField, NotFound, RequestTimeout, TooLarge
from signoria.server.guard.origin import SAFE

MOST_BYTES = 64 * 1024
PATIENCE = 20.0
"""Seconds that a body may take to arrive."""
LONGEST_PATH = 500
"""The longest path; our longest is a fifth of that."""


class SizeLimitMiddleware:
    """Raises `TooLarge` for a body over the limit, and `RequestTimeout` for one that does not arrive in time.

    A path that no page can have, and that not every part of the server could handle, raises `NotFound`.
    """

    def __init__(self, app: ASGIApp, *, most: int = MOST_BYTES, patience: float = PATIENCE) -> None:
        self.app = app
        self.most = most
        self.patience = patience

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, counting its bytes."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        if len(scope["path"]) > LONGEST_PATH or "\0" in scope["path"]:
            raise NotFound(say("There is no page at this address. You can find all tables in the lobby."))
        announced = Headers(scope=scope).get("content-length", "0")
        if not (announced.isascii() and announced.isdigit()):
            raise BadField("Content-Length", say("Content-Length must be a whole number of bytes."))
        if len(announced) > 18 or int(announced) > self.most:
            raise self._too_large()
        read, latest = 0, None if scope["method"] in SAFE else asyncio.get_running_loop().time() + self.patience

        async def receive_counted() -> Message:
            nonlocal read, latest
            try:
                async with asyncio.timeout_at(latest):
                    message = await receive()
            except TimeoutError:
                raise RequestTimeout(say("The rest of the request did not arrive in time. Send it again.")) from None
            if not message.get("more_body"):
                latest = None  # from here on, receiving waits for the client to disconnect
            read += len(message.get("body", b""))
            if read > self.most:
                raise self._too_large()
            return message

        await self.app(scope, receive_counted, send)

    def _too_large(self) -> TooLarge:
        return TooLarge(say("A request may have at most {most} kB.", most=self.most // 1024))


async def whole_request(receive: Receive) -> Receive:
    """Receive a whole request, to be received again; `SizeLimitMiddleware` limits its size and time."""
    messages: list[Message] = []
    while True:
        messages.append(await receive())
        if not messages[-1].get("more_body"):
            break
    left = iter(messages)

    async def receive_again() -> Message:
        return next(left, None) or await receive()

    return receive_again
