"""Requests that are almost valid: mutated copies of valid ones."""

from collections.abc import Mapping
from random import Random
from typing import Any, NamedTuple
from urllib.parse import quote, quote_plus

import msgspec

from signoria.soak.client import HOME
from signoria.soak.games import FIRST, NAMES

METHODS = ("GET", "POST", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW")
TEXTS = (
    "", " ", "0", "-1", "1", "2", "7", "99", "2147483648", "9" * 30, "1e999", "NaN", "0x10", "٣", "１", "1.5", "+1", "1_0",
    "null", "true", "on", "me", "open", "device", "muratore", "architetto", *NAMES, "../../etc/passwd",
    "<script>", "'; DROP TABLE tables; --", "%00", "%", "%zz", "\x00", "\ud7ff", "\u202e", "é" * 100, "a" * 300, "a" * 20000,
    '{"do":"undo"}', '{"do":"pass"}', '{"do":"bid","amount":99999999999999999999}', "[" * 500, '{"a":' * 300, "\r\nX: y",
    "🙂", "０", "İ", "ß", "x.y.z", "1.2.3.4", "999999999.1.1.1", "1.1.1", "....", "-", "_", "c0000000",
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 4, 5, 2**31, 2**63, 2**64, 10**40, 0.5, 1e308, "", "x", [], {}, [[]], {"": None},
    [None] * 50, {"do": "undo"}, {"do": "pass"}, "muratore", FIRST, [{"kind": "me"}] * 6, {"kind": "me"},
)  # fmt: skip
RAW = (
    b"", b"{", b"[", b"nul", b'"\\ud800"', b"\xff\xfe{}", b'{"seat":0,"seat":1}', b"[" * 20000, b'{"a":' * 9000, b"1e999",
    b'{"seat":NaN}', b"\x00", b'{"seat":0}x', b"a=%ff%fe&b=\xff", b"&&&&", b"=", b"a&b&c", b"a=1&" * 2000, b"\xc0\xaf",
    b'--x\r\nContent-Disposition: form-data; name="seat"\r\n\r\n0\r\n--x--\r\n',
    b'--x\r\nContent-Disposition: form-data; name="f"; filename="g"\r\n\r\n' + b"z" * 500 + b"\r\n--x--\r\n",
    b"--x\r\n\r\n--x",
)  # fmt: skip
TYPES = (
    "application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "multipart/form-data",
    "text/plain", "", "application/json; charset=utf-16", "application/x-www-form-urlencoded; charset=latin-1",
    "multipart/form-data; boundary=" + "x" * 100,
)  # fmt: skip
HEADERS = (
    "Last-Event-ID", "Accept", "Accept-Encoding", "Accept-Language", "Cookie", "Authorization", "If-None-Match", "Range",
    "If-Modified-Since", "X-Forwarded-For", "Sec-Fetch-Site", "Origin", "HX-Request", "Expect", "Upgrade", "TE", "Referer",
)  # fmt: skip
STREAM_IDS = (
    "0.0.0.0",
    "1.1.1",
    "5.0.0.0",
    "99999.0.0.0",
    "1.99999999.9.9",
    "abc",
    "-1.-1.-1.-1",
    "1",
    "1." * 40,
    "٣.0.0.0",
)


class Sample(NamedTuple):
    """A valid request."""

    method: str
    path: str
    body: Mapping[str, Any] | None = None
    """Fields of a form or a JSON message; None for a request without a body."""

    @property
    def is_json(self) -> bool:
        """Whether its body is JSON rather than a form."""
        return self.path.startswith("/api/")


class Mutated(NamedTuple):
    """A request to send."""

    method: str
    head: str
    """The first line and the headers, except those that identify the sender."""
    body: bytes


def mutated(sample: Sample, rng: Random, port: int) -> Mutated:
    """A copy of a request with something changed; sometimes unchanged."""
    method, path, headers = sample.method, sample.path, {"Host": f"{HOME}:{port}", "Origin": f"http://{HOME}:{port}"}
    body, kind = _body(sample, rng)
    if kind:
        headers["Content-Type"] = kind
    if sample.method == "POST" and not sample.is_json and rng.random() < 0.7:
        headers["HX-Request"] = "true"
    if rng.random() < 0.4:
        path = _path(path, rng)
    if rng.random() < 0.03:
        method = rng.choice(METHODS)
    while rng.random() < 0.15:
        name = rng.choice(HEADERS)
        value = rng.choice(STREAM_IDS) if name == "Last-Event-ID" else rng.choice(TEXTS)[:2000]
        headers[name] = "".join(letter for letter in value if letter.isprintable())
    if sample.path.endswith(("/stream", "/events")):
        headers["Last-Event-ID"] = rng.choice(STREAM_IDS)
    if method == "POST" or body:
        headers["Content-Length"] = str(len(body))
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return Mutated(method, f"{method} {path} HTTP/1.1\r\n{lines}", body)


def _body(sample: Sample, rng: Random) -> tuple[bytes, str]:
    """The body and its content type."""
    if sample.body is None:
        return b"", ""
    kind = "application/json" if sample.is_json else "application/x-www-form-urlencoded"
    if rng.random() < 0.05:
        kind = rng.choice(TYPES)
    if rng.random() < 0.08:
        return rng.choice(RAW), kind
    if sample.is_json:
        packed = msgspec.json.encode(_json(dict(sample.body), rng))
        return (packed[: rng.randrange(len(packed) + 1)] if rng.random() < 0.03 else packed), kind
    return _form(dict(sample.body), rng), kind


def _form(fields: dict[str, Any], rng: Random) -> bytes:
    """A form with fields left out, repeated, added or filled in wrongly."""
    pairs = [
        (name, value if isinstance(value, str) else msgspec.json.encode(value).decode())
        for name, value in fields.items()
    ]
    while pairs and rng.random() < 0.6:
        place = rng.randrange(len(pairs))
        match rng.randrange(8):
            case 0:
                del pairs[place]
            case 1:
                pairs.append(pairs[place])
            case 2:
                pairs.append((rng.choice(TEXTS), rng.choice(TEXTS)))
            case 3:
                rng.shuffle(pairs)
            case _:
                pairs[place] = (pairs[place][0], rng.choice(TEXTS))
    written = (f"{quote_plus(name, errors='replace')}={quote_plus(value, errors='replace')}" for name, value in pairs)
    return "&".join(written).encode()[:90_000]


def _json(value: Any, rng: Random) -> Any:
    """A message with some parts replaced, left out or added."""
    if isinstance(value, dict):
        value = {key: _json(part, rng) if rng.random() < 0.3 else part for key, part in value.items()}
        if value and rng.random() < 0.15:
            del value[rng.choice(sorted(value))]
        if value and rng.random() < 0.3:
            value[rng.choice(sorted(value))] = rng.choice(VALUES + TEXTS)
        if rng.random() < 0.08:
            value[rng.choice(TEXTS)] = rng.choice(VALUES)
        return value
    if isinstance(value, list):
        return [*value, *value] if rng.random() < 0.3 else value[:1]
    return rng.choice(VALUES + TEXTS)


def _path(path: str, rng: Random) -> str:
    """A similar path."""
    before, _, query = path.partition("?")
    parts = before.split("/")
    match rng.randrange(8):
        case 0:
            parts[rng.randrange(len(parts))] = quote(rng.choice(TEXTS)[:600], safe="", errors="replace")
        case 1:
            parts.insert(rng.randrange(len(parts) + 1), rng.choice(["", ".", "..", "%2e%2e", "%2f", "%ff"]))
        case 2:
            query = f"{query}&seat={quote(rng.choice(TEXTS)[:600], errors='replace')}"
        case 3:
            names = ("seat", "after", "limit", "state", "game", "player", "of", "back", "n", rng.choice(TEXTS)[:50])
            name, value = quote(rng.choice(names), errors="replace"), quote(rng.choice(TEXTS)[:600], errors="replace")
            query = f"{name}={value}&{query}"
        case 4:
            query = f"after={rng.choice(STREAM_IDS)}"
        case 5 | 6 if query:
            name = query.partition("=")[0]
            query = f"{name}={quote(rng.choice(TEXTS)[:600], errors='replace')}"
        case _:
            parts.pop()
    address = "/".join(parts) + (f"?{query}" if query else "")
    return address.replace(" ", "%20") if address.startswith("/") else f"/{address}".replace(" ", "%20")
