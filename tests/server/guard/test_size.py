"""Size limits of requests."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from starlette.middleware import Middleware

from signoria.server.guard.size import LONGEST_PATH, MOST_BYTES, SizeLimitMiddleware
from tests.server.guard.asgi import ask, asking, small_app

AN_APP = small_app(Middleware(SizeLimitMiddleware))


async def pieces(size: int) -> AsyncIterator[bytes]:
    for _ in range(size // 1024):
        yield b"x" * 1024


def test_normal_body_is_accepted() -> None:
    assert ask(AN_APP, "POST", content=b"x" * MOST_BYTES).text == f"hello {MOST_BYTES}"
    assert asking(AN_APP, lambda http: http.post("/", content=pieces(MOST_BYTES))).text == f"hello {MOST_BYTES}"


def test_body_that_never_ends_times_out() -> None:
    async def never_whole() -> AsyncIterator[bytes]:
        yield b"x"
        await asyncio.sleep(60)

    impatient = small_app(Middleware(SizeLimitMiddleware, patience=0.05))
    answer = asking(impatient, lambda http: http.post("/", content=never_whole()))
    assert answer.status_code == 408
    assert answer.headers["connection"] == "close"


def test_too_large_body_is_rejected() -> None:
    answer = ask(AN_APP, "POST", content=b"x" * (MOST_BYTES + 1))
    assert answer.status_code == 413
    assert "64 kB" in answer.text
    assert answer.headers["connection"] == "close"


def test_too_large_chunked_body_is_rejected() -> None:
    answer = asking(AN_APP, lambda http: http.post("/", content=pieces(MOST_BYTES + 1024)))
    assert answer.status_code == 413


@pytest.mark.parametrize("length", ["-1", "many", "1e9", "²"])
def test_content_length_must_be_a_number(length: str) -> None:
    answer = ask(AN_APP, "POST", content=b"x", headers={b"Content-Length": length.encode()})
    assert answer.status_code == 422
    assert "whole number" in answer.text


def test_huge_content_length_is_handled() -> None:
    assert ask(AN_APP, "POST", content=b"x", headers={"Content-Length": "9" * 5000}).status_code == 413


@pytest.mark.parametrize("path", ["/" + "x" * LONGEST_PATH, "/%00"])
def test_impossible_path_is_not_found(path: str) -> None:
    answer = ask(AN_APP, path=path)
    assert answer.status_code == 404
    assert "lobby" in answer.text
