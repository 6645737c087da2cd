"""Past positions of a game: the table after some of its steps, as the same viewer saw it then."""

import msgspec

from signoria.games import AnyTable
from signoria.kernel.language import say
from signoria.server.errors import BadField, Conflict
from signoria.server.play.clocks import deadline
from signoria.server.play.page_models import table_page, whose_view
from signoria.server.play.recent_events import recent_steps
from signoria.server.play.room import LogEntry, Room, TablePosition, deal, decode_step
from signoria.server.play.service import TableService
from signoria.store.people import User
from signoria.web.models import TablePage

KEPT = 8
"""Recently viewed positions that a room caches; the next ones are a few steps away."""


def table_at(room: Room, k: int) -> AnyTable:
    """The table after `k` steps, not counting undone ones; raises `BadField` or `Conflict`."""
    position = room.position
    if position is None:
        raise Conflict(say("This game has not started yet."))
    if k not in range(len(position.log) + 1):
        raise BadField("n", say("There is no position {k}. Positions are 0 to {count}.", k=k, count=len(position.log)))
    at, table = max(_stands(room, position.log[:k]), default=(0, None), key=lambda known: known[0])
    table = table.copy() if table else deal(room.row)
    for entry in position.log[at:k]:
        table.make(decode_step(table.game, position.entries[entry.n][1]), entry.seat)
    room.replayed.pop(k, None)
    room.replayed[k] = position.log[k - 1] if k else None, table
    if len(room.replayed) > KEPT:
        del room.replayed[next(iter(room.replayed))]
    return table.copy()


def _stands(room: Room, log: tuple[LogEntry, ...]) -> list[tuple[int, AnyTable]]:
    """Cached positions on the way there, without any that was undone since."""
    return [
        (at, table)
        for at, (last, table) in (*room.checkpoints.items(), *room.replayed.items())
        if at <= len(log) and (at == 0 or log[at - 1] is last)
    ]


def final_position(room: Room) -> TablePosition:
    """The end of a game; raises `Conflict` while it is being played."""
    if room.row.state != "over" or room.position is None:
        raise Conflict(say("This is possible only when the game is over, because it shows hidden cards."))
    return room.position


def position_at(room: Room, n: int) -> AnyTable:
    """The table of a finished game after `n` steps; raises `BadField`."""
    final_position(room)
    return table_at(room, n)


def past_table_page(service: TableService, room: Room, user: User | None, wanted_seat: int | None, k: int) -> TablePage:
    """A table after `k` of its steps, without choices.

    Only hands that the viewer may see now are shown: on a shared device, no earlier hand comes back.
    """
    table = table_at(room, k)
    assert room.position is not None
    log, row = room.position.log[:k], room.row
    n = log[-1].n + 1 if log else 0
    if not table.over:
        row = msgspec.structs.replace(row, state="playing", turn=table.turn, result=None)
    position = TablePosition(table, room.position.entries[:n], log)
    past = Room(row, position, room.messages, room.ratings)
    seat, hand_over = whose_view(room, room.seats_of(user.id if user else None), wanted_seat)
    return msgspec.structs.replace(
        table_page(service, past, user, None),
        version=f"{n}.0.0",
        seat=seat,
        hand_over=hand_over,
        recent=recent_steps(position, seat),
        view=msgspec.structs.replace(table.view(seat), legal=()),
        deadline_ms=deadline(room.row),
        question="",
        choices=(),
        early=None,
        plans=(),
        may_undo=False,
        may_call_stand_in=False,
        past=True,
    )
