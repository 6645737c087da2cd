"""Documents to print: rules, score sheets and player aids as PDF."""

import asyncio

from starlette.requests import Request
from starlette.responses import Response

from signoria.kernel.language import LANGUAGES, say, speaking
from signoria.server.errors import NotFound
from signoria.server.pages.common import game_of
from signoria.web.printing.documents import can_print, make_pdf, printable


class Documents:
    """Makes each document once. There are few, so all of them are kept."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str, str], bytes] = {}
        self._one = asyncio.Semaphore(1)
        """Held while a document is made, because that takes computing time."""

    async def pdf(self, game: str, kind: str, language: str) -> bytes:
        """A document of a game in a language."""
        key = game, kind, language
        if key not in self._kept:
            async with self._one:
                if key not in self._kept:  # another request may have wanted the same
                    with speaking(language):
                        self._kept[key] = await asyncio.to_thread(make_pdf, game, kind)
        return self._kept[key]


async def document(request: Request) -> Response:
    """Rules, a score sheet or a player aid as PDF."""
    game, kind, language = game_of(request).name, request.path_params["kind"], request.path_params["language"]
    if not can_print() or language not in LANGUAGES or kind not in printable(game):
        raise NotFound(say("There is no such document."))
    documents: Documents = request.app.state.documents
    name = f'inline; filename="{game}-{kind}-{language}.pdf"'
    headers = {"Content-Disposition": name, "Cache-Control": "public, max-age=3600"}
    return Response(await documents.pdf(game, kind, language), media_type="application/pdf", headers=headers)
