"""A crawl through the whole site: every text is marked for translation."""

import re
import tomllib
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import date
from html import unescape
from importlib.resources import files

import httpx
import pytest

from signoria.bots.levels import LEVELS
from signoria.games import GAMES
from signoria.kernel.language import ENGLISH, LANGUAGES, PSEUDO, day
from tests.databases import in_loop
from tests.language.names_of_controls import Names
from tests.language.reading import WORD, glued_signs, outside_brackets
from tests.server.application import Person, arrive, open_app
from tests.server.people.test_account_deletion import until_over
from tests.web.html_reader import Reader

pytestmark = pytest.mark.slow
LINK = re.compile(r'href="(/[^"#]*)')
MANY = re.compile(r"(/replay/|/embed/[^/]+/|/clause/[A-Z]|/moments/)\d+|\?seat=\w+|&after=[^&]*")
"""Only one position and one clause are looked at."""
NOT_PAGES = re.compile(r"^/(static|api|tables/[^/]*/record|account/data|.*\.pdf$|app\.webmanifest|.*/picture\.png)")
NAMES = {"Signoria", "Anna", "API", "OpenAPI", "SHA", "Il", "Principe", "atrician", "rincipe", "JavaScript"}
"""Names that are the same in every language, besides those of the games."""
NUMERAL = re.compile("[IVX]+")


def names() -> set[str]:
    """Words of names that no language translates: games, cities, regions, families, roles, bots. Also names of months, which
    come from another library.
    """
    texts = [game.title for game in GAMES.values()] + [level.title for level in LEVELS]
    for game in GAMES.values():
        printed = game.components(game.options({"players": game.seats[0]}))
        texts += re.findall(r"'([A-Za-zàèéìòù' -]+)'", repr(printed))
        texts += [word for _, words in _printed_names(game.name) for word in words]
    texts += [day(date(2026, month, 1)) for month in range(1, 13)]
    return NAMES | {word for text in texts for word in WORD.findall(text)}


def _printed_names(game: str) -> list[tuple[str, list[str]]]:
    """The names in a game's list of printed figures."""
    printed = tomllib.loads(files(GAMES[game].package).joinpath("components.toml").read_text("utf-8"))
    found = [(name, [city["name"]]) for name, city in printed.get("cities", {}).items()]
    return found + [
        (part, printed[part][name]["value"])
        for part in ("regions", "families", "roles")
        for name in ("names", "major", "minor")
        if name in printed.get(part, {})
    ]


def is_name(text: str, known: set[str]) -> bool:
    """Whether a text has only names and numerals."""
    return all(word in known or NUMERAL.fullmatch(word) for word in WORD.findall(text))


async def tables_of(anna: Person, game: str) -> tuple[str, str]:
    """A finished game and one that is being played, after a few moves."""
    finished = await anna.send("/play-now", game=game, seats=2)
    await anna.send(f"{finished.headers['location']}/resign")
    playing = await anna.send("/play-now", game=game, seats=3)
    return finished.headers["location"], playing.headers["location"]


async def look(anna: Person, path: str) -> httpx.Response:
    """A page, read with exactly the cookies of her headers."""
    anna.client.cookies.clear()
    answer = await anna.client.get(path)
    return await look(anna, answer.headers["location"].partition("#")[0]) if answer.is_redirect else answer


async def all_pages(anna: Person, start: list[str]) -> dict[str, str]:
    """Every page that can be reached from these."""
    to_see, seen = deque(start), dict[str, str]()
    known = set(start)
    while to_see:
        path = to_see.popleft()
        answer = await look(anna, path)
        assert answer.status_code in (200, 404), path
        seen[path] = answer.text
        for found in map(unescape, LINK.findall(answer.text)):
            kind = MANY.sub(r"\1", found)
            if kind not in known and not NOT_PAGES.match(found):
                known.add(kind)
                to_see.append(found)
    return seen


def speak(anna: Person, language: str) -> None:
    """Read in this language from now on."""
    session = anna.headers["cookie"].partition(";")[0]
    anna.client.headers["cookie"] = f"{session}; language={language}"


@asynccontextmanager
async def whole_site(database: str) -> AsyncIterator[tuple[Person, dict[str, str]]]:
    """A person with tables of every kind, and all pages in English."""
    async with open_app(database) as (app, service):
        anna = await arrive(app, "Anna")
        start = ["/", "/nowhere", "/tables?of=mine", "/account", "/sign-in", "/offline"]
        for game in GAMES:
            finished, playing = await tables_of(anna, game)
            await until_over(service, finished.rpartition("/")[2])
            lesson = await anna.send("/learn", game=game)
            opened = await anna.send("/tables", game=game, seats=2, clock=0, **{"seat-0": "me"}, access="invited")
            start.append(f"/embed/{finished.rpartition('/')[2]}/1")
            start += [finished, playing, lesson.headers["location"], opened.headers["location"]]
            await anna.send(f"{playing}/leave")
        speak(anna, ENGLISH)
        yield anna, await all_pages(anna, start)


@in_loop
async def test_every_text_of_every_page_is_marked(sqlite_url: str) -> None:
    """In the pseudo-language, every translated text is in brackets. In all others, every control still has its name. In
    French, no sign is glued to the word before it.
    """
    async with whole_site(sqlite_url) as (anna, english):
        known, unmarked = names(), set[str]()
        speak(anna, PSEUDO)
        for path in english:
            page = (await look(anna, path)).text
            assert f'<html lang="{PSEUDO}">' in page or "<html" not in page
            unmarked |= {text for text in outside_brackets(page) if not is_name(text, known)}
        assert unmarked == set()
        for language in (name for name in LANGUAGES if name != ENGLISH):
            speak(anna, language)
            for path in english:
                page = (await look(anna, path)).text
                if "<html" in page:
                    found = Names(page)
                    assert (language, path, found.unnamed, found.headings) == (language, path, [], 1)
                    assert Reader(page).faults == []
                    assert language != "fr" or (path, glued_signs(page)) == (path, [])
