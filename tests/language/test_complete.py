"""Every language is complete: no message without a translation, and no English sentence on any page."""

import re

import pytest

from signoria.web.board import boards
from tests.databases import in_loop
from tests.language.messages import all_catalogues, languages
from tests.language.reading import pieces
from tests.language.test_catalogues import forms, messages, sources
from tests.language.test_crawl import is_name, look, names, speak, whole_site

SENTENCE = re.compile(r"[a-z]+ [a-z]+ [a-z]+")


@pytest.mark.parametrize("language", languages())
def test_every_message_is_translated(language: str) -> None:
    missing = [
        f"{package.name}: {sources(one)[-1]!r}"
        for package, other, found in all_catalogues()
        if other == language
        for one in messages(found)
        if not all(forms(one))
    ]
    assert missing == []


@pytest.mark.slow
@in_loop
async def test_no_page_has_an_english_sentence_in_another_language(sqlite_url: str) -> None:
    async with whole_site(sqlite_url) as (anna, english):
        known = names() | {board.title for board in boards().values()}
        for language in languages():
            speak(anna, language)
            left = set[str]()
            for path in english:
                told = {text.strip() for text, _ in pieces((await look(anna, path)).text) if SENTENCE.search(text)}
                same = told & {text.strip() for text, _ in pieces(english[path])}
                left |= {text for text in same if not is_name(text, known)}
            assert (language, left) == (language, set())
