"""Every operation of `/api/v1`. Each subject lists its own operations below their handlers."""

from functools import cache
from typing import Any

from starlette.responses import Response
from starlette.routing import Route

from signoria.server.api import (
    blocks,
    friends,
    invitations,
    lobby,
    moderation,
    notifications,
    play,
    profiles,
    replays,
    seats,
    stream,
    vacations,
)
from signoria.server.api.calls import JSON, ApiCall
from signoria.server.api.openapi import document
from signoria.server.api.operations import ROOT, Operation, endpoint
from signoria.server.api.serializers import to_json


@cache
def _description() -> bytes:
    return to_json(document(OPERATIONS))


async def openapi(_call: ApiCall) -> Response:
    """The OpenAPI description."""
    return Response(_description(), media_type=JSON)


OPERATIONS = (
    Operation(
        method="GET",
        path=f"{ROOT}/openapi.json",
        handler=openapi,
        summary="This description (OpenAPI 3.1)",
        tag="server",
        answers=(dict[str, Any],),
    ),
    *lobby.OPERATIONS,
    *seats.OPERATIONS,
    *play.OPERATIONS,
    *stream.OPERATIONS,
    *replays.OPERATIONS,
    *blocks.OPERATIONS,
    *profiles.OPERATIONS,
    *friends.OPERATIONS,
    *moderation.OPERATIONS,
    *invitations.OPERATIONS,
    *notifications.OPERATIONS,
    *vacations.OPERATIONS,
)
"""In the order in which the reference lists them."""


def api_routes() -> list[Route]:
    """Every address of the API."""
    by_path: dict[str, dict[str, Operation]] = {}
    for operation in OPERATIONS:
        by_path.setdefault(operation.path, {})[operation.method] = operation
    return [Route(path, endpoint(operations), methods=list(operations)) for path, operations in by_path.items()]
