"""Settings of the server: every one, its default, and where it is read from.

A setting is given on the command line (`--port 9000`) or in the environment (`SIGNORIA_PORT=9000`); the command line
wins. `docs/hosting.md` lists them in one table.
"""

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args, get_origin
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta

from signoria.kernel.errors import BadOption
from signoria.kernel.language import any_of, say

PREFIX = "SIGNORIA_"
PORT = 8420
"""The default port."""

Count = Annotated[int, Meta(ge=1)]
LOOPBACK = ("127.0.0.1", "localhost", "::1", "[::1]")
SECONDS = {"s": 1.0, "min": 60.0, "h": 3600.0}
RATE = re.compile(r"(?P<count>\d+)/(?P<unit>s|min|h)(?: up to (?P<burst>\d+))?")


class Rate(msgspec.Struct, frozen=True):
    """A rate limit: `burst` at once, then `per_second` in the long run."""

    per_second: float
    burst: float

    def __str__(self) -> str:
        return f"{self.per_second * 60:g}/min up to {self.burst:g}"


def rate(text: str) -> Rate:
    """Parse a rate: `20/s`, `30/min up to 10`, `60/h`, or `off` for no limit. Raises `BadOption`."""
    if text == "off":
        return Rate(float("inf"), float("inf"))
    found = RATE.fullmatch(text.strip())
    if found is None or int(found["count"]) == 0 or found["burst"] == "0":
        raise BadOption(say("{text!r} is not a rate; examples: 20/s, 30/min up to 10, 60/h, off.", text=text))
    count = int(found["count"])
    return Rate(count / SECONDS[found["unit"]], float(found["burst"] or count))


class Rates(msgspec.Struct, frozen=True, kw_only=True):
    """Rate limits. A person at a table does not come near them."""

    requests: Rate = rate("50/s up to 600")
    """Requests of any kind, per address."""
    steps: Rate = rate("20/s up to 200")
    """Steps, per person."""
    chat: Rate = rate("60/min up to 20")
    """Messages, and what is announced to others at a table, per person."""
    hints: Rate = rate("30/min up to 10")
    """Hints, per person."""
    hints_here: Rate = rate("60/min up to 30")
    """Hints, per address: a bot needs about a second for one."""
    tables: Rate = rate("10/min up to 30")
    """Tables opened, per person."""
    tables_here: Rate = rate("60/min up to 300")
    """Tables opened, per address: a whole school may share one."""
    sign_in: Rate = rate("10/min up to 20")
    """Passwords tried for a name, per address."""
    passwords: Rate = rate("60/min up to 60")
    """Passwords tried or set, per address."""
    guests: Rate = rate("10/min up to 200")
    """New guests, per address."""
    mails: Rate = rate("6/h up to 4")
    """E-mails to confirm an address or recover an account, per e-mail address."""
    mails_here: Rate = rate("60/h up to 20")
    """The same, per IP address."""
    invitations: Rate = rate("10/min up to 20")
    """Invitations by name, per person."""
    browsers_here: Rate = rate("10/min up to 200")
    """New browsers for push messages, per address: each names a server to which this one will send requests."""
    downloads: Rate = rate("10/h up to 10")
    """Downloads of all data of an account, per person."""
    reports_here: Rate = rate("20/h up to 20")
    """Reports to the host, per address: guests are easily made."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Settings of this server."""

    database: str | None = None
    """`postgresql://...`, or a file for SQLite; None for a file in the user's data folder."""
    host: str = "127.0.0.1"
    """The address to listen on."""
    port: Annotated[int, Meta(ge=0, le=65535)] = PORT
    """The port; 0 for any free one."""
    workers: Annotated[int, Meta(ge=1, le=64)] = 1
    """Number of processes; more than one needs PostgreSQL."""
    proxy: str | None = None
    """Addresses of trusted proxies, separated by commas: their information about clients is believed."""
    public_url: str | None = None
    """The public address of the server, if it is behind a proxy: `https://games.example.org`."""
    hosts: tuple[str, ...] = ()
    """Host names that the server answers to. Default: only local names if it listens locally, otherwise all."""
    secure: bool = False
    """Whether the server is only reached over HTTPS, for cookies and headers. On if `public_url` begins with https."""
    log_format: Literal["auto", "text", "json"] = "auto"
    """One JSON object per line, or text; auto is text on a terminal."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    metrics_open: bool = False
    """Whether `/metrics` answers everyone, and not only this machine."""
    metrics_token: str | None = None
    """`/metrics` also answers requests with this bearer token."""
    rates: Rates = Rates()
    pace: Annotated[int, Meta(ge=0, le=60_000)] = 700
    """Milliseconds before a bot's step, so that people can follow."""
    undo_wait: Annotated[int, Meta(ge=0, le=60_000)] = 2000
    """Milliseconds that a bot waits at least after a person's move that can be undone, so that there is time to undo it."""
    bot_threads: Annotated[int, Meta(ge=1, le=256)] = 2
    """Bots that think at the same time, per process."""
    most_tables: Count = 50
    """The most tables, open or in play, that one person may have opened or joined."""
    most_tables_here: Count = 1000
    """The most tables, open or in play, opened from one address since the server started."""
    most_requests: Count = 8
    """Requests of one address that a process handles at the same time; others wait."""
    most_streams: Count = 40
    """The most live pages per person, or per address for visitors without a name."""
    most_streams_in_all: Count = 20_000
    """The most live pages per process."""
    most_tokens: Count = 20
    """The most API tokens per person."""
    rest_after: Count = 300
    """Seconds after which a game without viewers leaves memory."""
    close_open_after: Count = 24
    """Hours after which a table that never started is closed."""
    guest_days: Count = 365
    """Days after which an inactive guest is deleted."""
    vacation_days: Annotated[int, Meta(ge=0, le=366)] = 30
    """Vacation days per person and year, for slow games."""
    smtp: str | None = None
    """The mail server: `smtps://USER:PASSWORD@HOST`, `smtp+starttls://...` or `smtp://HOST:25`; None for no e-mail."""
    mail_from: str | None = None
    """The sender of e-mail: `Signoria <games@example.org>`."""
    mails_per_day: Count = 20
    """The most e-mails per person and day, apart from those about the account."""
    vapid_key: str | None = None
    """The private key for push messages, from `signoria admin vapid-keys`; None for no push messages."""
    vapid_contact: str | None = None
    """Where push services can reach the host: `mailto:host@example.org`."""
    push_private: bool = False
    """Whether push messages may go to private addresses without HTTPS, for tests."""

    @property
    def public_origin(self) -> str | None:
        """`https://games.example.org`, as browsers write an origin."""
        return None if self.public_url is None else origin_of(self.public_url)

    @property
    def answers_to(self) -> tuple[str, ...]:
        """Host names that the server answers to; empty for all.

        If it listens only locally, this protects against DNS rebinding.
        """
        if self.hosts or self.proxy or self.host not in LOOPBACK:
            return self.hosts
        public = urlsplit(self.public_origin).hostname if self.public_origin else None
        return (*LOOPBACK, public) if public else LOOPBACK


def origin_of(url: str) -> str:
    """Scheme, host and port of an address, as browsers write an origin; raises `BadOption`."""
    not_a_site = say("{url!r} is not the address of a web site; example: https://games.example.org.", url=url)
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise BadOption(not_a_site) from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadOption(not_a_site)
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    usual = {"http": 80, "https": 443}[parts.scheme]
    return f"{parts.scheme}://{host}" + ("" if port in (None, usual) else f":{port}")


def read_settings(options: Mapping[str, Any], environment: Mapping[str, str]) -> Settings:
    """Settings from the given values (None means not given) and from the environment; raises `BadOption`."""
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
        raise BadOption(
            say(
                "{source}: {value!r} is not valid. {wanted}.",
                source=source,
                value=value,
                wanted=_wanted(field.type, error),
            )
        ) from None


def _wanted(kind: Any, error: msgspec.ValidationError) -> str:
    if get_origin(kind) is Literal:
        return say("Use {values}", values=any_of(get_args(kind)))
    if kind is bool:
        return say("Use on or off")
    return str(error).replace("`", "").replace("Expected int", "Use a whole number").partition(", got")[0]


def _taken_apart(field: msgspec.structs.FieldInfo, value: Any) -> Any:
    """Parse names and yes/no values."""
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
                raise BadOption(say("{name}: {error}", name=name, error=error)) from None
    return Rates(**rates)
