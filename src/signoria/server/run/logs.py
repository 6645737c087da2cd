"""Logging: one line per event, as JSON for machines or as text for the terminal.

Fields are given as `extra`. No line ever contains a token, a cookie, a password or a hand of cards: requests are named
by route, never by address, and values sent to the database are removed from its errors.
"""

import logging
import re
import sys
from datetime import UTC, datetime
from typing import Any, Literal, TextIO

import msgspec

VALUES = re.compile(
    r"\[(?:cached since .*? ago|generated in .*?)\] |\[parameters: .*?\]$|^DETAIL: .*$", re.DOTALL | re.M
)
NONSENSE = (
    "Invalid HTTP request received.",
    "Unsupported upgrade request.",
    "No supported WebSocket library detected.",
)
QUIET = {"uvicorn": logging.WARNING, "uvicorn.error": logging.WARNING, "uvicorn.access": logging.CRITICAL}
"""Other loggers that write to our log, with their levels."""

USUAL = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message"}
"""Attributes of every record."""


class JsonLines(logging.Formatter):
    """One JSON object per line: time, level, message, logger and the event's fields."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        line: dict[str, Any] = {
            "time": _time(record).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "message": without_values(record.getMessage()),
            "logger": record.name,
        }
        line |= {name: value for name, value in _fields(record).items() if value is not None}
        if record.exc_info:
            line["exception"] = without_values(self.formatException(record.exc_info))
        return msgspec.json.encode(line, enc_hook=str).decode()


class TextLines(logging.Formatter):
    """One short line, with errors below it."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, or lines."""
        level = "" if record.levelno == logging.INFO else f"{record.levelname.lower()}: "
        fields = "".join(f"  {name}={value}" for name, value in _fields(record).items() if value is not None)
        line = f"{_time(record).astimezone():%H:%M:%S} {level}{without_values(record.getMessage())}{fields}"
        if record.exc_info:
            line += "\n" + without_values(self.formatException(record.exc_info))
        return line


def start_logging(
    form: Literal["auto", "text", "json"] = "auto", level: str = "info", stream: TextIO | None = None
) -> None:
    """Send every line to standard error, in this format and from this level on."""
    stream = sys.stderr if stream is None else stream
    handler = logging.StreamHandler(stream)
    text = form == "text" or (form == "auto" and stream.isatty())
    handler.setFormatter(TextLines() if text else JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("signoria").setLevel(level.upper())
    logging.getLogger("uvicorn.error").addFilter(_is_no_noise)
    for name, least in QUIET.items():
        logging.getLogger(name).setLevel(least)
    logging.captureWarnings(True)


def _is_no_noise(record: logging.LogRecord) -> bool:
    """Whether a line of uvicorn is logged: anyone can send invalid requests as often as they like."""
    return not str(record.msg).startswith(NONSENSE)


def without_values(text: str) -> str:
    """A text without the values of database statements."""
    return VALUES.sub("", text)


def _fields(record: logging.LogRecord) -> dict[str, Any]:
    """Additional fields; those of other libraries begin with an underscore."""
    return {name: value for name, value in vars(record).items() if name not in USUAL and name[0] != "_"}


def _time(record: logging.LogRecord) -> datetime:
    return datetime.fromtimestamp(record.created, UTC)
