"""A table as one line of a list."""

from collections.abc import Mapping

from signoria.server.lobby.catalogue import chosen_options, game_model
from signoria.server.play.clocks import clock_words
from signoria.server.play.room import bot_of
from signoria.server.play.seat_models import seat_models
from signoria.server.play.times import ago
from signoria.store.people import User
from signoria.store.tables import TableRow
from signoria.web.models import TableLine


def table_line(row: TableRow, user: User | None, now: int, hosts: Mapping[str, str]) -> TableLine:
    """A table in a list."""
    since = {"open": row.created_at, "playing": row.turn_at, "over": row.ended_at}.get(row.state) or row.touched_at
    return TableLine(
        id=row.id,
        game=row.game,
        title=game_model(row.game).title,
        state=row.state,  # type: ignore[arg-type]
        options=chosen_options(row),
        clock=clock_words(row),
        invited=row.invitation is not None,
        seats=seat_models(row, user),
        turn=row.turn,
        my_turn=row.state == "playing" and any(seat in row.awaited for seat in _played_by(row, user)),
        since=ago(now - since),
        since_ms=since,
        host=hosts.get(row.host_id or "", ""),
    )


def _played_by(row: TableRow, user: User | None) -> list[int]:
    """The seats that a person plays now; if several share a device, they choose one after another, in turn."""
    mine = [seat for seat in row.seats if user and seat.user_id == user.id]
    return [seat.seat for seat in mine if bot_of(row, seat) is None and (len(mine) == 1 or seat.seat == row.turn)]
