"""Settings of the server: every one, its default, and where it is read from.

A setting is given at the command line (`--port 9000`) or in the environment (`SIGNORIA_PORT=9000`); the command line
wins. `docs/hosting.md` explains them in one table.
"""

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args, get_origin
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta

from signoria.kernel.errors import BadOption

PREFIX = "SIGNORIA_"
PORT = 8420
"""The usual port."""

Count = Annotated[int, Meta(ge=1)]
LOOPBACK = ("127.0.0.1", "localhost", "::1", "[::1]")
SECONDS = {"s": 1.0, "min": 60.0, "h": 3600.0}
RATE = re.compile(r"(?P<count>\d+)/(?P<unit>s|min|h)(?: up to (?P<burst>\d+))?")


class Rate(msgspec.Struct, frozen=True):
    """How often something may be done: `burst` at once, then `per_second` in the long run."""

    per_second: float
    burst: float

    def __str__(self) -> str:
        return f"{self.per_second * 60:g}/min up to {self.burst:g}"


def rate(text: str) -> Rate:
    """A rate as it is typed: `20/s`, `30/min up to 10`, `60/h`; `off` for none. Raises `BadOption`."""
    if text == "off":
        return Rate(float("inf"), float("inf"))
    found = RATE.fullmatch(text.strip())
    if found is None or int(found["count"]) == 0 or found["burst"] == "0":
        raise BadOption(f"{text!r} is not a rate; examples: 20/s, 30/min up to 10, 60/h, off.")
    count = int(found["count"])
    return Rate(count / SECONDS[found["unit"]], float(found["burst"] or count))


class Rates(msgspec.Struct, frozen=True, kw_only=True):
    """How often things may be done. A person at a table does not come near these."""

    requests: Rate = rate("50/s up to 600")
    """Requests of any kind, from an address."""
    steps: Rate = rate("20/s up to 200")
    """Steps, by a person."""
    chat: Rate = rate("60/min up to 20")
    """Messages, by a person."""
    hints: Rate = rate("30/min up to 10")
    """Hints, by a person."""
    hints_here: Rate = rate("60/min up to 30")
    """Hints, from an address: a bot takes about a second for one."""
    tables: Rate = rate("10/min up to 30")
    """Tables opened, by a person."""
    tables_here: Rate = rate("60/min up to 300")
    """Tables opened, from an address: a school sits behind one."""
    sign_in: Rate = rate("10/min up to 20")
    """Passwords tried for a name, from an address."""
    passwords: Rate = rate("60/min up to 60")
    """Passwords tried or set, from an address."""
    guests: Rate = rate("10/min up to 200")
    """New guests, from an address."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How this server is kept."""

    database: str | None = None
    """`postgresql://...`, or a file for SQLite; None for one in the user's data folder."""
    host: str = "127.0.0.1"
    """The address that is listened at."""
    port: Annotated[int, Meta(ge=0, le=65535)] = PORT
    """0 for any free one."""
    workers: Annotated[int, Meta(ge=1, le=64)] = 1
    """Processes; more than one on PostgreSQL only."""
    proxy: str | None = None
    """Addresses of the proxies in front, separated by commas: what they say about a client is believed."""
    public_url: str | None = None
    """How people reach the server, where a proxy stands in front: `https://games.example.org`."""
    hosts: tuple[str, ...] = ()
    """Names that the server answers to. Without any: this machine's own where only it is listened to, else all."""
    secure: bool = False
    """Only reached over HTTPS: cookies and browsers are told so. On when `public_url` begins with https."""
    log_format: Literal["auto", "text", "json"] = "auto"
    """One JSON object a line, or text; auto is text on a terminal."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    metrics_open: bool = False
    """Whether `/metrics` answers anybody, and not this machine alone."""
    metrics_token: str | None = None
    """`/metrics` also answers whoever shows this as a bearer token."""
    rates: Rates = Rates()
    pace: Annotated[int, Meta(ge=0, le=60_000)] = 700
    """Milliseconds before a bot's step, so that people can follow."""
    bot_threads: Annotated[int, Meta(ge=1, le=256)] = 2
    """Bots that think at the same time, in a process."""
    most_tables: Count = 50
    """Tables, open or in play, that one person may have opened or sit at."""
    most_tables_here: Count = 1000
    """Tables, open or in play, that may have been opened from one address since the server opened."""
    most_requests: Count = 8
    """Requests of one address that a process answers at the same time; the others wait for their turn."""
    most_streams: Count = 40
    """Live pages that one person, or one address without a name, may have open."""
    most_streams_in_all: Count = 20_000
    """Live pages that a process serves."""
    most_tokens: Count = 20
    """Tokens for programs that one person may have."""
    rest_after: Count = 300
    """Seconds after which a game that nobody looks at leaves memory."""
    close_open_after: Count = 24
    """Hours after which a table that never started closes itself."""
    guest_days: Count = 365
    """Days after which a guest who was not seen again is forgotten."""

    @property
    def public_origin(self) -> str | None:
        """`https://games.example.org`, as a browser names it."""
        return None if self.public_url is None else origin_of(self.public_url)

    @property
    def answers_to(self) -> tuple[str, ...]:
        """Names that the server answers to; none for all.

        On this machine alone a page elsewhere whose name leads here all of a sudden gets nothing.
        """
        if self.hosts or self.proxy or self.host not in LOOPBACK:
            return self.hosts
        public = urlsplit(self.public_origin).hostname if self.public_origin else None
        return (*LOOPBACK, public) if public else LOOPBACK


def origin_of(url: str) -> str:
    """Scheme, host and port of an address, as browsers write an origin; raises `BadOption`."""
    parts = urlsplit(url)
    try:
        port = parts.port
    except ValueError:
        port = -1
    if parts.scheme not in ("http", "https") or not parts.hostname or port == -1:
        raise BadOption(f"{url!r} is not the address of a web site; example: https://games.example.org.")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    usual = {"http": 80, "https": 443}[parts.scheme]
    return f"{parts.scheme}://{host}" + ("" if port in (None, usual) else f":{port}")


def read_settings(options: Mapping[str, Any], environment: Mapping[str, str]) -> Settings:
    """Settings from what was given (those that are None were not) and from the environment; raises `BadOption`."""
    values: dict[str, Any] = {}
    for field in msgspec.structs.fields(Settings):
        if field.name == "rates":
            values["rates"] = _read_rates(environment)
        elif options.get(field.name) is not None:
            values[field.name] = _read(field, options[field.name], f"--{field.name.replace('_', '-')}")
        elif text := environment.get(PREFIX + field.name.upper()):
            values[field.name] = _read(field, text, PREFIX + field.name.upper())
    if url := values.get("public_url"):
        values.setdefault("secure", origin_of(url).startswith("https:"))
    return Settings(**values)


def _read(field: msgspec.structs.FieldInfo, value: Any, source: str) -> Any:
    try:
        return msgspec.convert(_taken_apart(field, value), field.type, strict=False)
    except msgspec.ValidationError as error:
        raise BadOption(f"{source}: {value!r} is not valid. {_wanted(field.type, error)}.") from None


def _wanted(kind: Any, error: msgspec.ValidationError) -> str:
    if get_origin(kind) is Literal:
        *others, last = map(str, get_args(kind))
        return f"Use {', '.join(others)} or {last}"
    if kind is bool:
        return "Use on or off"
    return str(error).replace("`", "").replace("Expected int", "Use a whole number").partition(", got")[0]


def _taken_apart(field: msgspec.structs.FieldInfo, value: Any) -> Any:
    """What people write for names and for yes and no."""
    if not isinstance(value, str):
        return value
    if field.name == "hosts":
        return tuple(filter(None, (host.strip().lower() for host in value.split(","))))
    if field.type is bool:
        return {"on": "true", "yes": "true", "off": "false", "no": "false"}.get(value.lower(), value)
    return value


def _read_rates(environment: Mapping[str, str]) -> Rates:
    rates = {}
    for kind in Rates.__struct_fields__:
        name = f"{PREFIX}RATE_{kind.upper()}"
        if text := environment.get(name):
            try:
                rates[kind] = rate(text)
            except BadOption as error:
                raise BadOption(f"{name}: {error}") from None
    return Rates(**rates)
