"""Checks every table in the database, which is read directly and not through the server."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from signoria.games import from_record
from signoria.kernel.errors import SignoriaError
from signoria.server.people.sessions import now_ms
from signoria.server.play.claims import LEASE
from signoria.server.play.room import UNDO, bot_of, deal, fold
from signoria.soak.players import Kept, Witness
from signoria.store import steps, tables
from signoria.store.database import Database
from signoria.store.steps import StepRow
from signoria.store.tables import TableRow


async def wrong_tables(
    store: Database, witness: Witness, table_ids: Iterable[str], now: Callable[[], int] = now_ms
) -> list[str]:
    """All errors in these tables, as sentences; empty if there are none. Play may continue meanwhile.

    Acknowledged steps are in their place; there are no steps that nobody sent; steps are numbered without a gap; the
    game replays from its steps to the state in its row; the record of a finished game verifies; a bot's turn is due
    soon.
    """
    found = []
    for table_id in list(table_ids):
        acknowledged = {n: step for (table, n), step in witness.acknowledged.items() if table == table_id}
        refused = [(n, step) for (table, n), step in witness.refused if table == table_id]
        async with store.snapshot() as db:
            row = await tables.find_table(db, table_id)
            kept = await steps.steps_of(db, table_id)
        if row is None:
            found.append(f"Table {table_id} is gone.")
            continue
        found += _wrong_steps(row, kept, acknowledged, refused, witness)
        found += _wrong_game(row, kept, now())
    return found


def _wrong_steps(
    row: TableRow,
    kept: Sequence[StepRow],
    acknowledged: Mapping[int, Kept],
    refused: Sequence[tuple[int, Kept]],
    witness: Witness,
) -> list[str]:
    found = []
    if [step.n for step in kept] != list(range(row.n)):
        found.append(
            f"Table {row.id} has n = {row.n}, but its {len(kept)} steps are not numbered from 0 without a gap."
        )
    told = {step.n: (step.seat, step.step) for step in kept}
    for n, step in acknowledged.items():
        if told.get(n) != step:
            found.append(f"Table {row.id}: step {n} {step} was acknowledged, but the database has {told.get(n)}.")
    for n, step in refused:
        if told.get(n) == step and acknowledged.get(n) != step:
            found.append(f"Table {row.id}: step {n} {step} was refused, but the database has it.")
    for place, one in enumerate(kept):
        if one.step == UNDO and place and kept[place - 1].step == UNDO:
            continue  # one undo also undoes forced moves
        if one.by == "person" and (one.seat, one.step) not in witness.sent.get((row.id, one.n), set()):
            found.append(
                f"Table {row.id}: nobody sent step {one.n} {(one.seat, one.step)}; it was made twice or by another."
            )
    return found


def _wrong_game(row: TableRow, kept: Sequence[StepRow], now: int) -> list[str]:
    try:
        position = fold(deal(row), kept)
    except SignoriaError as error:
        return [f"Table {row.id} cannot be replayed from its steps: {error}"]
    found = []
    if position.table.turn != row.turn or (row.state == "over") != position.table.over:
        found.append(
            f"Table {row.id} says {row.state}, turn {row.turn}; its steps say over: {position.table.over}, "
            f"turn {position.table.turn}."
        )
    if row.turn is not None and bot_of(row, row.seats[row.turn]) and (row.due_at is None or row.due_at > now + LEASE):
        found.append(f"Table {row.id}: it is a bot's turn, but that is due at {row.due_at}, and now is {now}.")
    if row.state == "over":
        record = position.table.record
        try:
            from_record(record)
        except SignoriaError as error:
            found.append(f"The record of table {row.id} does not verify: {error}")
        if {**(row.result or {}), **record.result} != row.result:
            found.append(f"Table {row.id} has the result {row.result}, but its steps lead to {record.result}.")
    return found
