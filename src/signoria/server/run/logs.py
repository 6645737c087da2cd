"""Logging: one line an event, as JSON for machines or as text for the terminal.

Fields are what is given as `extra`. No line ever holds a token, a cookie, a password, or what is in a hand:
requests are named by their route, never by their address, and values that were sent to the database are cut out of its
errors.
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
"""Others that write into our log, and from where on they are heard."""

USUAL = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message"}
"""What every record has."""


class JsonLines(logging.Formatter):
    """One JSON object a line: time, level, message, logger, and the fields of the event."""

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
    """One short line; what went wrong below it."""

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
    """Send every line to standard error, in this form and from this level on."""
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
    """Whether a line of uvicorn is worth a line here: any stranger can send nonsense, as often as they like."""
    return not str(record.msg).startswith(NONSENSE)


def without_values(text: str) -> str:
    """A text without the values that a statement to the store had."""
    return VALUES.sub("", text)


def _fields(record: logging.LogRecord) -> dict[str, Any]:
    """What was noted besides; what others keep there for themselves begins with an underscore."""
    return {name: value for name, value in vars(record).items() if name not in USUAL and name[0] != "_"}


def _time(record: logging.LogRecord) -> datetime:
    return datetime.fromtimestamp(record.created, UTC)
