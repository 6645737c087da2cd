"""Who may write: pages of this server, and programs with a token."""

import pytest
from starlette.middleware import Middleware

from signoria.server.guard.origin import LONGEST, OriginMiddleware, known_plain
from tests.server.guard.asgi import ask, small_app

AN_APP = small_app(Middleware(OriginMiddleware))
PUBLIC = small_app(Middleware(OriginMiddleware, public_origin="https://games.example.org"))


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://house.test"},
        {"Origin": "http://house.test:80"},
        {"Origin": "HTTP://HOUSE.TEST"},
        {"Sec-Fetch-Site": "same-origin"},
        {"Sec-Fetch-Site": "none"},
        {"Authorization": "Bearer abc"},
        {"Authorization": "bearer abc", "Cookie": "other=1"},
        {"Origin": "http://house.test", "Cookie": "signoria=x"},
    ],
)
def test_requests_from_own_pages_are_accepted(headers: dict[str, str]) -> None:
    assert ask(AN_APP, "POST", headers=headers).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.test"},
        {"Origin": "https://house.test"},
        {"Origin": "http://house.test:8080"},
        {"Origin": "http://house.test.evil.test"},
        {"Origin": "null"},
        {"Origin": ""},
        {"Origin": "http://[broken"},
        {"Origin": "http://evil.test", "Authorization": "Bearer abc"},
        {"Origin": "http://evil.test", "Sec-Fetch-Site": "same-origin"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "cross-site", "Authorization": "Bearer abc"},
        {"Authorization": "Bearer abc", "Cookie": "signoria=x"},
        {"Authorization": "Bearer abc", "Cookie": "__Host-signoria=x"},
        {"Authorization": "Basic abc"},
        {},
    ],
)
@pytest.mark.parametrize("method", ["POST", "DELETE"])
def test_requests_from_other_sites_are_refused_with_a_reason(method: str, headers: dict[str, str]) -> None:
    answer = ask(AN_APP, method, headers=headers)
    assert answer.status_code == 403
    assert "page" in answer.text


def test_reading_is_allowed_from_any_page() -> None:
    assert ask(AN_APP, headers={"Origin": "http://evil.test"}).status_code == 200


def test_public_address_counts_as_own_behind_a_proxy() -> None:
    assert ask(PUBLIC, "POST", headers={"Origin": "https://games.example.org"}).status_code == 200
    assert ask(PUBLIC, "POST", headers={"Origin": "https://games.example.com"}).status_code == 403


@pytest.mark.parametrize(
    ("host", "status"),
    [("house.test", 200), ("HOUSE.test:8420", 200), ("[::1]:8420", 200), ("[::1]", 200), ("evil.test", 404), ("", 404)],
)
def test_only_listed_host_names_are_accepted(host: str, status: int) -> None:
    an_app = small_app(Middleware(OriginMiddleware, hosts=("house.test", "[::1]")))
    assert ask(an_app, headers={"Host": host}).status_code == status


@pytest.mark.parametrize("header", ["Origin", "Host"])
def test_long_origins_and_hosts_are_not_kept_in_memory(header: str) -> None:
    known_plain.cache_clear()
    for number in range(5):
        sent = {"Origin": "http://house.test", header: f"http://house.test{number}" + LONGEST * "x"}
        assert ask(AN_APP, "POST", headers=sent).status_code == 403
    assert known_plain.cache_info().currsize <= 2
