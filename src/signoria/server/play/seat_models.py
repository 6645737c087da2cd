"""Page models of seats: who sits there, their rating and their time."""

from collections.abc import Mapping

import msgspec

from signoria.games import GAMES
from signoria.kernel.language import say
from signoria.server.lobby.catalogue import bot_name, level_title
from signoria.server.play.clocks import is_on_vacation, time_for
from signoria.server.play.room import Room, bot_of
from signoria.server.play.times import day_words
from signoria.store.people import User
from signoria.store.ratings import RatingRow
from signoria.store.tables import SeatRow, TableRow
from signoria.web.models import RatingChangeModel, RatingModel, SeatModel

Z95 = 1.96
"""Standard deviations on each side of a mean that hold 95% of cases."""


def rating_model(row: RatingRow) -> RatingModel:
    """A rating with its uncertainty."""
    return RatingModel(mean=row.mu, reach=margin_of_error(row.sigma), games=row.games)


def margin_of_error(sigma: float) -> float:
    """How far a rating may be from its mean (95%)."""
    return Z95 * sigma


def seat_models(
    row: TableRow, user: User | None, ratings: Mapping[str, RatingRow] | None = None, now: int = 0
) -> tuple[SeatModel, ...]:
    """The seats of a table; `now` is needed to say who is on vacation."""
    return tuple(_seat_model(row, seat, user, ratings or {}, now) for seat in row.seats)


def _seat_model(
    row: TableRow, seat: SeatRow, user: User | None, ratings: Mapping[str, RatingRow], now: int
) -> SeatModel:
    scores, winners = (row.result["scores"], row.result["winners"]) if row.result else (None, ())
    changes = row.result.get("ratings") if row.result else None
    mine = user is not None and seat.user_id == user.id
    gone = row.state != "open" and not seat.bot and not seat.user_id
    rated = ratings.get(seat.bot or seat.user_id or "")
    return SeatModel(
        seat=seat.seat,
        title=GAMES[row.game].seat_name(seat.seat),
        colour=f"seat-{seat.seat}",
        kind="bot" if seat.bot else "person" if seat.user_id or gone else "empty",
        name=player_name(row, seat) if seat.bot or seat.user_id or gone else "",
        mine=mine,
        away=not seat.bot and row.state == "playing" and bot_of(row, seat) is not None,
        resigned=seat.resigned,
        rating=rating_model(rated) if rated else None,
        points=scores[seat.seat]["total"] if scores else None,
        won=seat.seat in winners,
        change=msgspec.convert(changes[seat.seat], RatingChangeModel)
        if changes and not gone and (seat.shows_rating or mine)
        else None,
        profile=_profile(row, seat),
        time_left=_time_left(row, seat),
        vacation=day_words(seat.vacation_until)
        if now and is_on_vacation(row, seat, now) and seat.vacation_until
        else "",
        may_block=may_block(seat.user_id, user),
        blocked=user is not None and seat.user_id in user.blocked,
    )


def _time_left(row: TableRow, seat: SeatRow) -> str:
    """What a seat has left of its total time, unless its clock is running: `9:30`."""
    if not row.total_time or row.state != "playing" or row.awaits(seat.seat):
        return ""
    seconds = (time_for(row, seat.seat) or 0) // 1000
    return f"{seconds // 60}:{seconds % 60:02}"


def _profile(row: TableRow, seat: SeatRow) -> str:
    """The account of the person in a seat, unless several people use it at this table."""
    shared = sum(other.user_id == seat.user_id for other in row.seats) > 1
    return seat.account or "" if seat.user_id and not shared else ""


def may_block(user_id: str | None, viewer: User | None) -> bool:
    """Whether a viewer may block a person: another person whom they have not blocked yet."""
    return user_id is not None and viewer is not None and user_id != viewer.id and user_id not in viewer.blocked


def player_name(row: TableRow, seat: SeatRow) -> str:
    """The name of the player in a seat; after the game also who played for them."""
    if seat.bot:
        return bot_name(row, seat)
    name = seat.name or say("someone")
    if row.state == "over" and bot_of(row, seat):
        # Translators: The subject of sentences such as "{bot} for {player} builds a floor."
        return say("{bot} for {player}", player=name, bot=level_title(row.stand_in))
    return name


def seat_label(room: Room, seat: int) -> str:
    """A seat in a sentence: the player and the game's name for the seat."""
    return f"{player_name(room.row, room.row.seats[seat])} ({room.game.seat_name(seat)})"
