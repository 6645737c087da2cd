"""An operation of the API: its path, inputs, outputs and errors."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from signoria.server.api.calls import JSON, ApiCall, read_query
from signoria.server.api.requests import NoParameters
from signoria.server.api.serializers import to_json

Handler = Callable[[ApiCall], Awaitable[Any]]
ROOT = "/api/v1"
TABLE = f"{ROOT}/tables/{{id}}"


class Operation(msgspec.Struct, frozen=True, kw_only=True):
    """An operation of the API."""

    method: str
    path: str
    handler: Handler
    """Returns a struct or a response."""
    summary: str
    """One line; the rest is the handler's docstring and `more`."""
    more: str = ""
    tag: str
    answers: tuple[Any, ...] = ()
    """Types of the response; more than one if each game has its own."""
    status: int = 200
    body: tuple[Any, ...] = ()
    """Types of the request body."""
    query: type[msgspec.Struct] = NoParameters
    needs_user: bool = False
    """Whether the caller must be signed in."""
    media_type: str = JSON
    refuses: dict[int, str] = {}
    """Errors in addition to those that every operation may return."""
    example: Any = None
    """An example body."""

    @property
    def id(self) -> str:
        """Its name."""
        return self.handler.__name__


account_operation = partial(Operation, tag="people", needs_user=True)
"""An operation about the caller's own account, or by which the caller reaches other people."""


def endpoint(operations: dict[str, Operation]) -> Callable[[Request], Awaitable[Response]]:
    """The endpoint of one path, by method."""

    async def answer(request: Request) -> Response:
        operation = operations["GET" if request.method == "HEAD" else request.method]
        call = ApiCall(request, read_query(request.query_params.multi_items(), operation.query))
        if operation.needs_user:
            _ = call.signed_in_user
        answered = await operation.handler(call)
        if isinstance(answered, Response):
            return answered
        return Response(to_json(answered), operation.status, media_type=JSON)

    return answer
