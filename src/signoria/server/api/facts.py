"""What is told of a table: all that is public, and for whoever may pass it on its invitation."""

from collections.abc import Mapping

import msgspec

from signoria.server.api.answers import Rating, Result, Said, SeatFacts, Table, TableLine
from signoria.server.api.marks import mark_of
from signoria.server.clocks import deadline
from signoria.server.room import Room
from signoria.server.showing import asked_sentence, fair_deal, seat_models
from signoria.store.messages import MessageRow
from signoria.store.people import User
from signoria.store.ratings import RatingRow
from signoria.store.tables import TableRow
from signoria.web.models import RatingModel


def rating(model: RatingModel) -> Rating:
    """A rating with its uncertainty."""
    return Rating(mean=model.mean, reach=model.reach, games=model.games)


def seat_facts(
    row: TableRow, user: User | None, ratings: Mapping[str, RatingRow] | None = None
) -> tuple[SeatFacts, ...]:
    """Who sits where."""
    return tuple(
        SeatFacts(
            seat=model.seat,
            title=model.title,
            kind=model.kind,
            name=model.name,
            bot=seat.bot,
            mine=model.mine,
            away=model.away,
            resigned=model.resigned,
            rating=rating(model.rating) if model.rating else None,
        )
        for model, seat in zip(seat_models(row, user, ratings), row.seats, strict=True)
    )


def table_line(row: TableRow, user: User | None, ratings: Mapping[str, RatingRow] | None = None) -> TableLine:
    """A table in a list."""
    return TableLine(
        id=row.id,
        game=row.game,
        options=row.options,
        state=row.state,  # type: ignore[arg-type]
        seats=seat_facts(row, user, ratings),
        n=row.n,
        turn=row.turn,
        turn_at=row.turn_at,
        clock=row.clock,
        deadline=deadline(row),
        stand_in=row.stand_in,
        rated=row.counts,
        invited=row.invitation is not None,
        created_at=row.created_at,
        started_at=row.started_at,
        ended_at=row.ended_at,
    )


def table_facts(room: Room, user: User | None) -> Table:
    """A table for whoever asks."""
    row, fair = room.row, fair_deal(room.row)
    mine = room.seats_of(user.id if user else None)
    host = user is not None and row.host_id == user.id
    line = table_line(row, user, room.ratings)
    return Table(
        **{name: getattr(line, name) for name in line.__struct_fields__},
        asked=asked_sentence(room, mine),
        event=str(mark_of(room)),
        invitation=row.invitation if row.state == "open" and (mine or host) else None,
        commitment=fair.commitment,
        seed=fair.seed,
        salts=fair.salts if fair.seed else None,
        result=None if row.result is None else msgspec.convert(row.result, Result),
        rematch=row.rematch_id,
    )


def said(message: MessageRow) -> Said:
    """Something that was said."""
    return Said(id=message.id, seat=message.seat, name=message.name, text=message.text, at=message.at)
