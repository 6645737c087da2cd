"""Serializers: tables, seats, ratings and messages as response models, and these as JSON."""

from collections.abc import Mapping

import msgspec

from signoria.server.api.event_ids import latest_event_id
from signoria.server.api.responses.common import Rating
from signoria.server.api.responses.tables import ChatMessage, Result, SeatInfo, TableInfo, TableSummary
from signoria.server.people.sessions import now_ms
from signoria.server.play.clocks import deadline, is_on_vacation
from signoria.server.play.page_models import fair_deal, message_text
from signoria.server.play.room import Room
from signoria.server.play.seat_models import seat_models
from signoria.server.play.status import status_sentence
from signoria.store.messages import MessageRow
from signoria.store.people import User
from signoria.store.ratings import RatingRow
from signoria.store.tables import TableRow
from signoria.web.models import RatingModel

_encoder = msgspec.json.Encoder()


def to_json(answer: object) -> bytes:
    """A response as JSON."""
    return _encoder.encode(answer)


def rating_info(model: RatingModel) -> Rating:
    """A rating with its uncertainty."""
    return msgspec.convert(model, Rating, from_attributes=True)


def seat_infos(
    row: TableRow, user: User | None, ratings: Mapping[str, RatingRow] | None = None
) -> tuple[SeatInfo, ...]:
    """The seats of a table."""
    now = now_ms()
    return tuple(
        SeatInfo(
            seat=model.seat,
            title=model.title,
            kind=model.kind,
            name=model.name,
            bot=seat.bot,
            mine=model.mine,
            away=model.away,
            resigned=model.resigned,
            time_left=seat.time_left,
            vacation_until=seat.vacation_until if is_on_vacation(row, seat, now) else None,
            rating=rating_info(model.rating) if model.rating else None,
        )
        for model, seat in zip(seat_models(row, user, ratings), row.seats, strict=True)
    )


def table_summary(row: TableRow, user: User | None, ratings: Mapping[str, RatingRow] | None = None) -> TableSummary:
    """A table in a list."""
    return TableSummary(
        id=row.id,
        game=row.game,
        options=row.options,
        state=row.state,  # type: ignore[arg-type]
        seats=seat_infos(row, user, ratings),
        n=row.n,
        turn=row.turn,
        choosing=tuple(seat.seat for seat in row.seats if row.choosing >> seat.seat & 1),
        turn_at=row.turn_at,
        clock=row.clock,
        total_time=row.total_time,
        increment=row.increment,
        deadline=deadline(row),
        stand_in=row.stand_in,
        rated=row.counts,
        invited=row.invitation is not None,
        created_at=row.created_at,
        started_at=row.started_at,
        ended_at=row.ended_at,
    )


def table_info(room: Room, user: User | None) -> TableInfo:
    """A table for the caller."""
    row, fair = room.row, fair_deal(room.row)
    mine = room.seats_of(user.id if user else None)
    host = user is not None and row.host_id == user.id
    line = table_summary(row, user, room.ratings)
    return TableInfo(
        **{name: getattr(line, name) for name in line.__struct_fields__},
        asked=status_sentence(room, mine),
        event=str(latest_event_id(room)),
        invitation=row.invitation if row.state == "open" and (mine or host) else None,
        commitment=fair.commitment,
        seed=fair.seed,
        salts=fair.salts if fair.seed else None,
        result=None if row.result is None else msgspec.convert(row.result, Result),
        rematch=row.rematch_id,
    )


def chat_message(message: MessageRow) -> ChatMessage:
    """A chat message."""
    return ChatMessage(id=message.id, seat=message.seat, name=message.name, text=message_text(message), at=message.at)
