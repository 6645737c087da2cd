"""Times and counts in words: "5 minutes ago", "twice"."""

from datetime import UTC, datetime

from signoria.kernel.words import counted

MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000


def ago(milliseconds: int) -> str:
    """How long ago something was."""
    if milliseconds < MINUTE:
        return "just now"
    if milliseconds < HOUR:
        return f"{counted(milliseconds // MINUTE, 'minute')} ago"
    if milliseconds < DAY:
        return f"{counted(milliseconds // HOUR, 'hour')} ago"
    return f"{counted(milliseconds // DAY, 'day')} ago"


def clock_time(at: int) -> str:
    """The time next to a message; the page's script converts it to local time."""
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%dT%H:%MZ")


def times(number: int) -> str:
    """How often something happened."""
    return {1: "once", 2: "twice"}.get(number, f"{number} times")
