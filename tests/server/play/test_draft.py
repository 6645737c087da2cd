"""Drafts: steps tried on a copy of the game, without a database and without a clock."""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from signoria.games.patrician.rulebook.steps import Play
from signoria.kernel.errors import IllegalStep, NotYourTurn, NoUndo
from signoria.server.bench.rooms import rooms
from signoria.server.errors import BadField, NotSure
from signoria.server.people.preferences import set_unasked
from signoria.server.play.draft import Draft, NoOrder
from signoria.server.play.ordered_steps import answer, lots_of, may_answer, orders_of
from signoria.server.play.room import UNDO, Room
from signoria.server.play.service import TableService
from signoria.store.orders import OrdersRow
from signoria.store.tables import SeatRow
from tests.databases import in_loop
from tests.server.services import a_person, a_service, a_step, a_table, legal, looks, make_step, turn_of


def refusal(room: Room, *steps: msgspec.Struct, sure: bool = True) -> str:
    """The error for steps sent together; None if they are legal."""
    assert room.position is not None
    draft = Draft(room.row, room.position, room.orders, 0, Random(0))
    try:
        draft.make_all(steps, turn_of(room), "person")
        if not sure:
            draft.check_confirmed(turn_of(room))
    except (BadField, IllegalStep, NotSure) as error:
        return str(error)
    return ""


def reveals(room: Room, step: msgspec.Struct) -> int:
    """1 if something hidden is shown after this step, 2 if whoever made it is then asked again; otherwise 0."""
    assert room.position is not None
    ahead = room.position.table.copy()
    ahead.make(step)
    return 1 + (ahead.turn == turn_of(room)) if ahead.may_undo is None else 0


async def positions(
    service: TableService, game: str, options: dict[str, Any], rng: Random
) -> list[tuple[Room, msgspec.Struct, set[msgspec.Struct]]]:
    """Positions with a legal step that reveals something, and the steps that were legal so far."""
    people = [await a_person(service, name) for name in ("Anna", "Bruno", "Carla")]
    room, past, found = await a_table(service, *people, game=game, options=options), set(), []
    while room.row.state == "playing":
        past |= set(legal(room))
        step = max(legal(room), key=lambda step: reveals(room, step))
        if reveals(room, step):
            found.append((Room(room.row, room.position, [], {}), step, set(past)))
        await make_step(service, room, turn_of(room), room.n, a_step(room, rng))
    return found


@pytest.mark.parametrize(("game", "options"), [("patrician", {"messengers": True}), ("il-principe", {})])
@in_loop
async def test_refusal_does_not_depend_on_what_the_first_of_several_steps_reveals(
    sqlite_url: str, game: str, options: dict[str, Any]
) -> None:
    async with a_service(sqlite_url) as service:
        rng = Random(8)
        found = await positions(service, game, options, rng)
        assert len(found) > 10
        assert any(reveals(room, step) == 2 for room, step, _ in found), "a second step was never possible"
        for room, step, past in found:
            seconds = rng.sample(sorted(past, key=repr), min(6, len(past)))
            answers = {refusal(room, step, second) for second in seconds}
            answers |= {refusal(room, step, second, third) for second in seconds[:2] for third in seconds[:2]}
            assert len(answers) == 1
            assert "reveals something new" in answers.pop()
            assert "confirm" in refusal(room, step, sure=False)
            assert refusal(room, step) == ""


@in_loop
async def test_confirmation_of_a_step_instead_does_not_depend_on_what_it_reveals(sqlite_url: str) -> None:
    """Whether a move is forced after the step shows what the step would reveal."""
    async with a_service(sqlite_url) as service:
        people = [await a_person(service, name) for name in ("Anna", "Bruno", "Carla")]
        for person in people:
            await set_unasked(service, person, True)
        room, rng = await a_table(service, *people, game="il-principe"), Random(5)
        answers = Counter[str]()
        while room.row.state == "playing":
            seat = turn_of(room)
            for step in [step for step in legal(room) if reveals(room, step)][:4]:
                with pytest.raises(NotSure) as refused:
                    await service.make_instead(room, str(room.seat(seat).user_id), seat, room.n, step, sure=False)
                answers[str(refused.value)] += 1
            await make_step(service, room, seat, room.n, a_step(room, rng))
        assert list(answers) == ["You cannot undo this. Press again to confirm."]
        assert answers.total() > 20


def test_step_made_instead_undoes_as_little_as_it_must() -> None:
    swapped = 0
    for room, step in played("patrician"):
        assert room.position is not None
        seat, table = turn_of(room), room.position.table
        if table.view(seat).asked != "build":
            continue
        others = [Play(card) for card in table.view(seat).players[seat].hand if card]
        for other in others:
            draft = a_draft(room, turn_at=NOW - 5000, used_before=10)
            draft.make_instead(other, seat)
            update = draft.update()
            undone = [row.step for row in update.rows].count(UNDO)
            assert undone == sum(entry.seat == seat for entry in room.position.log[-undone:])
            assert [(row.seat, row.by) for row in update.rows] == [(seat, "person")] * (undone + 1)
            assert len(update.position.log) == len(room.position.log) - undone + 1
            assert update.position.table.view(seat).card == other.card
            assert (update.row.turn_at, update.row.used_before) == (NOW - 5000, 10), "the clock of the turn goes on"
            swapped += 1
        draft = a_draft(room)
        draft.make_instead(step, seat)
        assert len(draft.update().rows) == 1, "a legal step needs no undo"
    assert swapped > 10


def test_step_that_was_never_legal_is_refused_and_undoes_nothing() -> None:
    for room, _ in played("patrician"):
        assert room.position is not None
        seat, view = turn_of(room), room.position.table.view(turn_of(room))
        own = {*view.players[seat].hand, view.card}
        strange = next(Play(card.id) for card in view.components.cards if card.id not in own)
        draft = a_draft(room)
        with pytest.raises(IllegalStep):
            draft.make_instead(strange, seat)
        with pytest.raises(NotYourTurn):
            draft.make_instead(strange, (seat + 1) % 3)
        assert draft.update().rows == ()


NOW = 1_000_000
SEED = "1" * 64
GAMES = ("patrician", "il-principe")


def a_draft(room: Room, now: int = NOW, **fields: Any) -> Draft:
    """A draft for a room that no server and no database knows."""
    assert room.position is not None
    return Draft(msgspec.structs.replace(room.row, **fields), room.position, room.orders, now, Random(3))


def played(game: str, players: int = 3) -> Iterator[tuple[Room, msgspec.Struct]]:
    """Every position of a game that is not over, with a legal step."""
    rng = Random(5)
    for room in rooms(game, {"players": players}, SEED, lambda table: rng.choice(table.legal)):
        if room.row.state == "playing":
            assert room.position is not None
            yield room, rng.choice(room.position.table.legal)


@pytest.mark.parametrize("game", GAMES)
def test_a_draft_leaves_its_position_alone_and_says_what_keeping_it_changes(game: str) -> None:
    for room, step in played(game):
        assert room.position is not None
        seat, n, before = turn_of(room), room.n, looks(room.position.table)
        draft = a_draft(room)
        draft.make(step, seat, "person")
        draft.make_forced_steps()
        update = draft.update()
        assert (room.n, looks(room.position.table)) == (n, before)
        assert [row.n for row in update.rows] == list(range(n, update.row.n))
        assert {row.at for row in update.rows} == {NOW}
        assert (update.rows[0].seat, update.rows[0].by) == (seat, "person")
        assert {row.by for row in update.rows[1:]} <= {"house"}
        assert (update.n_before, update.row.n) == (n, update.position.n)
        assert update.row.turn == update.position.table.turn
        over = update.position.table.over
        assert (update.row.state, update.row.ended_at) == (("over", NOW) if over else ("playing", None))
        assert (update.row.due_at is None) == over


@pytest.mark.parametrize("game", GAMES)
def test_the_same_draft_comes_to_the_same_update(game: str) -> None:
    for room, step in played(game):
        updates = []
        for _ in range(2):
            draft = a_draft(room)
            draft.make(step, turn_of(room), "person")
            draft.make_forced_steps()
            updates.append(draft.update())
        one, other = updates
        assert one._replace(position=other.position) == other
        assert looks(one.position.table) == looks(other.position.table)


def test_a_step_cannot_be_taken_back_once_the_time_for_it_is_up() -> None:
    tried = 0
    for room, step in played("il-principe"):
        seat, draft = turn_of(room), a_draft(room, clock=60, turn_at=NOW)
        draft.make(step, seat, "person")
        after = draft.update()
        if after.position.table.may_undo != seat or after.row.turn == seat:
            continue
        tried += 1
        assert (after.row.turn_at, after.row.used_before) == (NOW, 0)
        row = msgspec.structs.replace(after.row, used_before=50_000)
        in_time = Draft(row, after.position, {}, NOW + 9_999, Random(3))
        in_time.undo(seat)
        assert (in_time.update().row.turn, in_time.update().row.turn_at) == (seat, NOW - 50_000)
        late = Draft(row, after.position, {}, NOW + 10_000, Random(3))
        with pytest.raises(NoUndo, match="time for that move is up"):
            late.undo(seat)
    assert tried > 3


def test_bots_wait_after_a_move_that_a_person_can_undo() -> None:
    waited, at_once = 0, 0
    for room, step in played("il-principe"):
        seat = turn_of(room)
        bots = tuple(
            s if s.seat == seat else msgspec.structs.replace(s, user_id=None, bot="muratore") for s in room.row.seats
        )
        row = msgspec.structs.replace(room.row, seats=bots, pace=100)
        assert room.position is not None
        draft = Draft(row, room.position, {}, NOW, Random(3), undo_wait=3000)
        draft.make(step, seat, "person")
        draft.make_forced_steps()
        after = draft.update()
        if after.row.turn in (None, seat):
            continue
        assert after.row.due_at is not None
        can_undo = after.position.table.may_undo == seat
        assert (after.row.due_at - NOW >= 3000) == can_undo
        waited, at_once = waited + can_undo, at_once + (not can_undo)
        nobody = Draft(
            msgspec.structs.replace(row, seats=_all_bots(row.seats)), room.position, {}, NOW, Random(3), 3000
        )
        nobody.make(step, seat, "bot")
        assert (nobody.update().row.due_at or NOW) - NOW <= 100, "nobody can undo a bot's move"
    assert waited > 3
    assert at_once > 0


def _all_bots(seats: tuple[SeatRow, ...]) -> tuple[SeatRow, ...]:
    return tuple(msgspec.structs.replace(seat, user_id=None, bot="muratore") for seat in seats)


def test_the_server_answers_for_a_sealed_bid_only_as_long_as_it_is_the_one_that_was_drafted_for() -> None:
    answered = 0
    for room, step in played("il-principe"):
        seat, draft = turn_of(room), a_draft(room, pace=1000)
        draft.make(step, seat, "person")
        without = draft.update()
        if without.row.turn is None or not may_answer(without.position.table):
            assert without.relies_on == {}
            continue
        turn = without.row.turn
        assert without.relies_on == {turn: None}, "somebody may give an order in another process meanwhile"
        assert not without.act_soon
        view = without.position.table.view(turn)
        most = {lot.name: 0 for lot in lots_of(view)}
        sealed = OrdersRow("t", turn, str(turn), orders_of(view).round_of(view.known), most)
        if answer(without.position.table, turn, sealed).step is None:
            continue
        room.orders = {turn: sealed}
        draft = a_draft(room, pace=1000)
        draft.make(step, seat, "person")
        update = draft.update()
        assert update.act_soon
        assert update.relies_on == {turn: sealed}
        assert update.row.due_at is not None
        assert 1000 <= update.row.due_at - NOW <= 3000, "not always after the same time"
        answering = Draft(update.row, update.position, update.orders, NOW, Random(3))
        answering.make_ordered(turn)
        assert answering.update().relies_on[turn] == sealed
        nobody = Draft(update.row, update.position, {}, NOW, Random(3))
        with pytest.raises(NoOrder):
            nobody.make_ordered(turn)
        answered += 1
    assert answered > 3
