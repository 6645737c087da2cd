"""The page that lists every operation of the API."""

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from signoria.kernel.language import per_language, say, to_say
from signoria.server.api.operations import Operation
from signoria.server.api.routes import OPERATIONS
from signoria.server.pages.common import html, user_of
from signoria.server.people.sessions import viewer_model
from signoria.web import pages
from signoria.web.models import OperationModel, ProgramsPage

PARTS = {
    "server": to_say("Server"),
    "tables": to_say("Tables"),
    "seats": to_say("Seats"),
    "play": to_say("Playing"),
    "afterwards": to_say("After the game"),
    "people": to_say("People"),
    "moderation": to_say("Moderation"),
}
"""Titles of groups of operations, by tag."""


async def programs(request: Request) -> Response:
    """Every operation of the API."""
    return html(pages.programs(ProgramsPage(viewer=viewer_model(user_of(request)), parts=_parts())))


@per_language()
def _parts() -> tuple[tuple[str, tuple[OperationModel, ...]], ...]:
    return tuple(
        (say(title), tuple(_operation(operation) for operation in OPERATIONS if operation.tag == tag))
        for tag, title in PARTS.items()
    )


def _operation(operation: Operation) -> OperationModel:
    return OperationModel(
        method=operation.method,
        path=operation.path,
        summary=operation.summary,
        says=tuple(
            " ".join(paragraph.replace("`", "").split()) for paragraph in operation.more.split("\n\n") if paragraph
        ),
        example=msgspec.json.encode(operation.example).decode() if operation.example else "",
        refuses=tuple(operation.refuses.items()),
    )
