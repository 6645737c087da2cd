"""What an operation of the API is: what it does, what it reads, what it answers and what it refuses."""

from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from signoria.server.api.asking import JSON, Asked, read_query
from signoria.server.api.given import Nothing
from signoria.server.api.writing import encoded

Handler = Callable[[Asked], Awaitable[Any]]


class Operation(msgspec.Struct, frozen=True, kw_only=True):
    """Something that a program can ask for."""

    method: str
    path: str
    handler: Handler
    """Answers with a struct, or with a response of its own."""
    summary: str
    """One line; the rest is the handler's docstring and `more`."""
    more: str = ""
    tag: str
    answers: tuple[Any, ...] = ()
    """Types of the answer: more than one where each game has its own."""
    status: int = 200
    body: tuple[Any, ...] = ()
    """Types of the message."""
    query: type[msgspec.Struct] = Nothing
    in_person: bool = False
    """Whether the house has to know who asks."""
    media_type: str = JSON
    refuses: dict[int, str] = {}
    """Beyond what every operation may refuse."""
    example: Any = None
    """A message."""

    @property
    def id(self) -> str:
        """Its name."""
        return self.handler.__name__


def answering(operations: dict[str, Operation]) -> Callable[[Request], Awaitable[Response]]:
    """What answers the requests to one path, by method."""

    async def answer(request: Request) -> Response:
        operation = operations["GET" if request.method == "HEAD" else request.method]
        asked = Asked(request, read_query(request.query_params.multi_items(), operation.query))
        if operation.in_person:
            _ = asked.person
        answered = await operation.handler(asked)
        if isinstance(answered, Response):
            return answered
        return Response(encoded(answered), operation.status, media_type=JSON)

    return answer
