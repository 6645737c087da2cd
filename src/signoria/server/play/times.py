"""Times in words, for pages."""

from datetime import UTC, datetime

from signoria.kernel.language import day, per_language, say, say_count

MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000


def ago(milliseconds: int) -> str:
    """How long ago something was."""
    if milliseconds < MINUTE:
        return say("just now")
    if milliseconds < HOUR:
        return say_count("{n} minute ago", "{n} minutes ago", milliseconds // MINUTE)
    if milliseconds < DAY:
        return say_count("{n} hour ago", "{n} hours ago", milliseconds // HOUR)
    return say_count("{n} day ago", "{n} days ago", milliseconds // DAY)


@per_language(4096)
def day_words(at: int) -> str:
    """A date in words: `17 November 2026`."""
    return day(datetime.fromtimestamp(at / 1000, UTC))


def clock_time(at: int) -> str:
    """The time next to a message; the page's script converts it to local time."""
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%dT%H:%MZ")
