"""Quiet hours in a person's time zone."""

from datetime import UTC, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from signoria.kernel.language import say
from signoria.server.errors import BadField
from signoria.store.notifications import SettingsRow

MINUTES = 24 * 60


@cache
def zones() -> frozenset[str]:
    """All time zones."""
    return frozenset(available_timezones())


def check_zone(name: str) -> str:
    """A time zone; raises `BadField`."""
    if name not in zones():
        raise BadField("zone", say("There is no time zone {zone!r}. Example: Europe/Rome.", zone=name[:60]))
    return name


def _zone(name: str) -> ZoneInfo:
    return ZoneInfo(name if name in zones() else "UTC")


def quiet_until(settings: SettingsRow, now: int) -> int | None:
    """When the quiet hours end that a person has now, in milliseconds since 1970; None outside of quiet hours."""
    begin, end = settings.quiet_from, settings.quiet_until
    if begin is None or end is None or begin == end:
        return None
    local = datetime.fromtimestamp(now / 1000, UTC).astimezone(_zone(settings.zone))
    minute = local.hour * 60 + local.minute
    if not (begin <= minute < end if begin < end else minute >= begin or minute < end):
        return None
    day = local.date() + timedelta(days=1 if minute >= end else 0)
    ends = datetime(day.year, day.month, day.day, end // 60, end % 60, tzinfo=local.tzinfo)
    return max(now + 1, int(ends.timestamp() * 1000))


def day_of(settings: SettingsRow, now: int) -> int:
    """The person's day, in days since 1970."""
    local = datetime.fromtimestamp(now / 1000, UTC).astimezone(_zone(settings.zone))
    return local.date().toordinal() - datetime(1970, 1, 1, tzinfo=UTC).toordinal()


def next_day(settings: SettingsRow, now: int) -> int:
    """When the person's next day begins."""
    local = datetime.fromtimestamp(now / 1000, UTC).astimezone(_zone(settings.zone))
    tomorrow = local.date() + timedelta(days=1)
    begins = datetime(tomorrow.year, tomorrow.month, tomorrow.day, tzinfo=local.tzinfo)
    return max(now + 1, int(begins.timestamp() * 1000))
