"""Reading forms: valid encodings, and requests that are rejected."""

from collections.abc import Iterable
from typing import Any
from urllib.parse import quote_plus, urlencode

import pytest
from starlette.exceptions import HTTPException
from starlette.requests import Request

from signoria.server.errors import BadField
from signoria.server.guard.size import MOST_BYTES
from signoria.server.pages.common import MOST_FIELDS, PLAIN_FORM, read_form
from tests.databases import in_loop

MULTIPART = "multipart/form-data; boundary=x"
STEP = '{"do":"play","card":"L*;&=+ %é"}'


async def read(*chunks: bytes, kind: str = PLAIN_FORM) -> list[tuple[str, Any]]:
    """The fields of a form received in these pieces."""
    left = list(chunks)

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": left.pop(0), "more_body": bool(left)}

    headers = [(b"content-type", kind.encode())]
    request = Request({"type": "http", "method": "POST", "headers": headers, "app": None}, receive)
    async with read_form(request) as form:
        return form.multi_items()


def parts(fields: Iterable[tuple[str, str]], file: str = "") -> bytes:
    """Fields as a browser sends them beside files."""
    name = f'; filename="{file}"' if file else ""
    sent = [
        f'--x\r\nContent-Disposition: form-data; name="{field}"{name}\r\n\r\n{value}\r\n' for field, value in fields
    ]
    return "".join([*sent, "--x--\r\n"]).encode()


@in_loop
async def test_form_fields_are_the_same_in_every_encoding() -> None:
    fields = [("step", STEP), ("card", "a"), ("card", "b"), ("unsure", ""), ("name", "Zoë 彦")]
    body = urlencode(fields).encode()
    assert await read(body) == fields
    assert await read(body, kind="Application/X-WWW-Form-Urlencoded; charset=UTF-8") == fields
    assert await read(*(body[place : place + 1] for place in range(len(body)))) == fields
    assert await read(parts(fields), kind=MULTIPART) == fields
    assert await read(body, kind="text/plain") == []


@in_loop
async def test_field_without_a_value_is_empty() -> None:
    assert await read(b"aid&name=&&=x") == [("aid", ""), ("name", ""), ("", "x")]


@in_loop
async def test_form_with_too_many_fields_is_rejected() -> None:
    fields = [(f"f{number}", "x") for number in range(MOST_FIELDS)]
    assert await read(urlencode(fields).encode()) == fields
    assert await read(parts(fields), kind=MULTIPART) == fields
    for body in (urlencode([*fields, ("more", "x")]).encode(), b"&" * MOST_BYTES, b"a=1&" * (MOST_BYTES // 4)):
        with pytest.raises(BadField) as refused:
            await read(body)
        assert refused.value.field == "form"
        assert str(MOST_FIELDS) in str(refused.value)
    with pytest.raises(HTTPException):
        await read(parts([*fields, ("more", "x")]), kind=MULTIPART)


@in_loop
async def test_field_may_be_as_long_as_a_request() -> None:
    for value in ("x" * (MOST_BYTES - 2), "=" * (MOST_BYTES - 2), ";" * (MOST_BYTES - 2)):
        assert await read(b"a=" + value.encode()) == [("a", value)]


@in_loop
async def test_uploaded_files_are_rejected() -> None:
    with pytest.raises(HTTPException):
        await read(parts([("text", "x")], file="x.txt"), kind=MULTIPART)


@in_loop
async def test_characters_that_are_not_percent_encoded_are_rejected() -> None:
    for letters in ("é".encode(), "é".encode("latin-1"), b"\xff\xfe"):
        with pytest.raises(BadField) as refused:
            await read(b"name=" + letters)
        assert refused.value.field == "form"


@in_loop
async def test_characters_that_cannot_be_stored_are_rejected_with_the_field_name() -> None:
    for sign in ("%00", "a%00b"):
        with pytest.raises(BadField) as refused:
            await read(f"text=ok&name={sign}".encode())
        assert refused.value.field == "name"
    assert await read(f"name={quote_plus(bytes([0xFF]))}".encode()) == [("name", "�")]
