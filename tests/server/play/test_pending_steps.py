"""Steps sent together are tried on a copy and reveal nothing before they are saved."""

from random import Random

import msgspec
import pytest

from signoria.kernel.errors import IllegalStep
from signoria.server.errors import BadField, NotSure
from signoria.server.play.pending_steps import PendingSteps
from signoria.server.play.room import Room
from signoria.server.play.service import TableService
from tests.databases import in_loop
from tests.server.services import a_person, a_service, a_step, a_table, legal, turn_of


def refusal(room: Room, *steps: msgspec.Struct, sure: bool = True) -> str:
    """The error for steps sent together; None if they are legal."""
    assert room.position is not None
    pending = PendingSteps(room, room.position, 0)
    try:
        pending.make_all(steps, turn_of(room), "person")
        if not sure:
            pending.check_confirmed(turn_of(room))
    except (BadField, IllegalStep, NotSure) as error:
        return str(error)
    return ""


def reveals(room: Room, step: msgspec.Struct) -> bool:
    """Whether this step reveals something hidden."""
    assert room.position is not None
    ahead = room.position.table.copy()
    ahead.make(step)
    return ahead.may_undo is None


async def positions(
    service: TableService, game: str, rng: Random
) -> list[tuple[Room, msgspec.Struct, set[msgspec.Struct]]]:
    """Positions with a legal step that reveals something, and the steps that were legal so far."""
    people = [await a_person(service, name) for name in ("Anna", "Bruno", "Carla")]
    room, past, found = await a_table(service, *people, game=game), set(), []
    while room.row.state == "playing":
        past |= set(legal(room))
        step = a_step(room, rng)
        if reveals(room, step):
            found.append((Room(room.row, room.position, [], {}), step, set(past)))
        await service.make_step(room, turn_of(room), room.n, step)
    return found


@pytest.mark.parametrize("game", ["patrician", "il-principe"])
@in_loop
async def test_refusal_does_not_depend_on_what_the_first_of_several_steps_reveals(sqlite_url: str, game: str) -> None:
    async with a_service(sqlite_url) as service:
        rng = Random(8)
        found = await positions(service, game, rng)
        assert len(found) > 10
        for room, step, past in found:
            seconds = rng.sample(sorted(past, key=repr), min(6, len(past)))
            answers = {refusal(room, step, second) for second in seconds}
            answers |= {refusal(room, step, second, third) for second in seconds[:2] for third in seconds[:2]}
            assert answers == {"Nothing was played: your first move reveals something new. Send it alone."}
            assert refusal(room, step, sure=False) == "You cannot undo this. Press again to confirm."
            assert refusal(room, step) == ""
