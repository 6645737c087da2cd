"""Middleware that chooses language and theme of a response: the reader's choice in cookies, or what their browser prefers.

`AuthenticationMiddleware` then prefers the language and theme of the reader's account, if they have chosen them there.
"""

import asyncio

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from signoria.games import GAMES
from signoria.kernel.language import ENGLISH, LANGUAGES, is_known, language, speak
from signoria.server.guard.themes import theme_in_cookie
from signoria.server.people.cookies import choice_cookie, cookie_in
from signoria.web.theme import choose_theme

COOKIE = "language"
LONGEST = 200
"""Characters of an Accept-Language header that are read."""


def language_cookie(name: str, *, secure: bool) -> str:
    """The Set-Cookie that keeps the choice of a language."""
    return choice_cookie(COOKIE, name, secure=secure)


def preferred(accepted: str) -> str:
    """The language that an Accept-Language header prefers; English if it names none that we speak.

    >>> preferred("fr-CH, fr;q=0.9, de;q=0.7")
    'fr'
    >>> preferred("pl, de;q=0.2, nl;q=0.4")
    'nl'
    """
    weighed: list[tuple[float, str]] = []
    for part in accepted[:LONGEST].split(","):
        name, _, weight = part.partition(";")
        try:
            share = float(weight.strip().removeprefix("q=")) if weight else 1.0
        except ValueError:
            continue
        weighed.append((share, name.strip().lower().partition("-")[0]))
    best = sorted((share for share, name in weighed if name in LANGUAGES and share > 0), reverse=True)[:1]
    return next((name for share, name in weighed if [share] == best and name in LANGUAGES), ENGLISH)


def asked_for(headers: Headers) -> str:
    """The language that a request asks for."""
    if is_known(chosen := cookie_in(headers, COOKIE) or ""):
        return chosen
    return preferred(headers.get("accept-language", ""))


def read_catalogues(name: str) -> None:
    """Read all texts in a language, which takes a moment."""
    for game in GAMES.values():
        game.texts.translations(name)


class LanguageMiddleware:
    """Speaks the language that a request asks for, names it in the response, and draws pages in the theme of the cookie."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._read = {ENGLISH}
        self._one = asyncio.Semaphore(1)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Choose language and theme, then pass the request on."""
        if scope["type"] != "http" or scope["path"].startswith("/static/"):
            await self.app(scope, receive, send)
            return
        asked = Headers(scope=scope)
        speak(asked_for(asked))
        if language() not in self._read:
            async with self._one:
                if language() not in self._read:  # another request may have asked for the same
                    await asyncio.to_thread(read_catalogues, language())
                    self._read.add(language())
        choose_theme(theme_in_cookie(asked))

        async def send_named(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["Content-Language"] = language()
                headers.add_vary_header("Accept-Language")
                headers.add_vary_header("Cookie")
            await send(message)

        await self.app(scope, receive, send_named)
