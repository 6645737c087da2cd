"""Cookies in a request, also hostile ones."""

import httpx
import pytest
from starlette.datastructures import Headers

from signoria.server.people.cookies import cookie_in
from tests.databases import in_loop
from tests.server.application import BASE, open_app


@pytest.mark.parametrize(
    "line, value",
    [
        ("theme=dark", "dark"),
        ("a=b; theme = dark ;c", "dark"),
        ("theme=; a=b", None),
        ("theme=light; theme=dark", "dark"),
        ("other=dark", None),
        ('theme="da\\162k"', '"da\\162k"'),
        ("", None),
        (";;=;", None),
    ],
)
def test_cookie_is_found_by_its_name_and_taken_as_it_is(line: str, value: str | None) -> None:
    assert cookie_in(Headers({"cookie": line}), "theme") == value


def test_cookie_may_be_in_any_of_several_headers() -> None:
    headers = Headers(raw=[(b"cookie", b"a=b; theme="), (b"cookie", b"theme=dark")])
    assert cookie_in(headers, "theme") == "dark"


@in_loop
async def test_no_cookie_is_unquoted(sqlite_url: str) -> None:
    """Before Python 3.11.10 this takes time that grows with the square of the length: half a minute for 60 kB."""

    def unquote(_: str) -> str:
        raise AssertionError("a cookie is unquoted")

    cookies = "; ".join(f'{name}="{chr(92) * 4000}"' for name in ("language", "theme", "signoria", "another"))
    async with (
        open_app(sqlite_url) as (app, _),
        httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=BASE) as client,
    ):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("http.cookies._unquote", unquote)
            for path in ("/", "/offline", "/api/v1/games", "/lost"):
                assert (await client.get(path, headers={"cookie": cookies})).status_code in (200, 404)
            form = await client.post("/sign-out", headers={"cookie": cookies, "origin": BASE})
            assert form.status_code == 303
