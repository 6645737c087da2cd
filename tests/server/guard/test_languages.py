"""The language of a response: the account, the cookie, or what the browser prefers."""

import pytest
from starlette.datastructures import Headers

from signoria.server.guard.languages import asked_for, language_cookie, preferred


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("", "en"),
        ("de-AT,de;q=0.9,en;q=0.5", "de"),
        ("fr-CH, fr;q=0.9, de;q=0.7", "fr"),
        ("pl, de;q=0.2, nl;q=0.4", "nl"),
        ("it;q=0, en;q=0.1", "en"),
        ("*", "en"),
        ("it;q=much, nl", "nl"),
        ("," * 5000, "en"),
    ],
)
def test_browser_is_answered_in_its_first_language_that_we_speak(accepted: str, language: str) -> None:
    assert preferred(accepted) == language


@pytest.mark.parametrize(("cookie", "language"), [("it", "it"), ("en-XA", "en-XA"), ("xx", "de"), ("", "de")])
def test_cookie_comes_before_the_browser_if_it_names_a_language(cookie: str, language: str) -> None:
    headers = Headers({"accept-language": "de", "cookie": f"a=b; language={cookie}"})
    assert asked_for(headers) == language


def test_cookie_is_kept_for_a_year_and_only_sent_to_this_site() -> None:
    assert language_cookie("it", secure=True).startswith(
        "language=it; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax"
    )
