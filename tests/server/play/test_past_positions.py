"""Past positions show a table exactly as the same viewer saw it then."""

import re
from random import Random
from typing import Any

import msgspec
import pytest

from signoria.server.lobby import opening, seating
from signoria.server.lobby.opening import SeatRequest, TableRequest
from signoria.server.play.page_models import table_page
from signoria.server.play.past_positions import KEPT, past_table_page
from signoria.server.play.room import Room
from signoria.server.play.service import TableService
from signoria.store.people import User
from tests.databases import in_loop
from tests.server.application import arrive, open_app
from tests.server.services import a_person, a_service, a_table, legal, make, make_step, play, turn_of, undo

SAME = ("seats", "seat", "my_seats", "hand_over", "turn", "asked", "chapter", "log", "told", "chat", "state")


def seen(page: Any, *fields: str) -> dict[str, Any]:
    """The content of a page without its choices."""
    shown = {name: getattr(page, name) for name in fields or SAME}
    return shown | {"view": msgspec.json.encode(msgspec.structs.replace(page.view, legal=()))}


def for_everybody(service: TableService, room: Room, people: list[User]) -> list[dict[str, Any]]:
    return [seen(table_page(service, room, user, None)) for user in (*people, None)]


@pytest.mark.parametrize(
    ("game", "options"), [("patrician", {"tokens": "hidden", "messengers": True}), ("il-principe", {"variant": True})]
)
@in_loop
async def test_past_position_equals_what_was_live_then(sqlite_url: str, game: str, options: dict[str, Any]) -> None:
    async with a_service(sqlite_url) as service:
        people, rng = [await a_person(service, name) for name in ("Anna", "Bruno", "Carla")], Random(3)
        room = await a_table(service, *people, game=game, options=options)
        live: dict[int, list[dict[str, Any]]] = {}
        while room.row.state == "playing":
            assert room.position is not None
            told = len(room.position.log)
            live = {k: looks for k, looks in live.items() if k < told} | {told: for_everybody(service, room, people)}
            may_undo = [user for user in people if table_page(service, room, user, None).may_undo]
            if may_undo and rng.random() < 0.1:
                await undo(service, room, room.seats_of(may_undo[0].id)[0], room.n)  # what is offered can be done
            else:
                await make(service, room, rng.choice(legal(room)))
        assert room.position is not None
        for k in (*live, *rng.sample(sorted(live), 10)):
            for viewer, then in zip((*people, None), live[k], strict=True):
                page = past_table_page(service, room, viewer, None, k)
                assert seen(page) == then
                assert page.past and not page.choices and not page.question and not page.view.legal
        assert len(room.replayed) == KEPT
        end = past_table_page(service, room, people[0], None, len(room.position.log))
        assert seen(end) == seen(table_page(service, room, people[0], None))


@in_loop
async def test_undone_steps_are_not_past_positions(sqlite_url: str) -> None:
    async with a_service(sqlite_url) as service:
        anna = await a_person(service)
        room = await a_table(service, anna, await a_person(service, "Bruno"))
        seat, steps = turn_of(room), legal(room)
        for step in steps[:2]:
            await make_step(service, room, seat, room.n, step)
            assert seen(past_table_page(service, room, anna, None, 1), "log") == seen(
                table_page(service, room, anna, None), "log"
            )
            await undo(service, room, seat, room.n)


@in_loop
async def test_shared_device_hides_hands_out_of_turn_in_past_positions(sqlite_url: str) -> None:
    async with a_service(sqlite_url) as service:
        anna = await a_person(service)
        chairs = (SeatRequest("me"), SeatRequest("device", name="Bianca"))
        row = await opening.open_table(service, anna, TableRequest(game="patrician", options={}, seats=chairs))
        room = await service.room(row.id)
        if room.row.state == "open":
            await seating.begin(service, room)
        await play(service, room, Random(1), 12)
        turn = turn_of(room)
        assert room.position is not None
        for k in range(len(room.position.log) + 1):
            for asked_for in (None, 1 - turn):
                page = past_table_page(service, room, anna, asked_for, k)
                assert (page.seat, page.hand_over, page.view.seat) == (None, turn, None)
            assert past_table_page(service, room, anna, turn, k).view.seat == turn


@in_loop
async def test_past_positions_are_fragments_and_end_at_the_present(sqlite_url: str) -> None:
    async with open_app(sqlite_url, pace=60_000) as (app, service):
        person, watcher = await arrive(app, "Anna"), await arrive(app, "Watcher")
        room = await service.room(
            (await person.send("/tables", game="patrician", seats=2, clock=0, **{"seat-0": "me", "seat-1": "open"}))
            .headers["location"]
            .rpartition("/")[2]
        )
        base = f"/tables/{room.row.id}/moments"
        assert (await person.look(f"{base}/0")).status_code == 409
        await watcher.send(f"/tables/{room.row.id}/sit", seat=1)
        await person.send(f"/tables/{room.row.id}/start")
        await play(service, room, Random(2), 9)
        assert room.position is not None
        last = len(room.position.log)
        for k in range(last + 1):
            text = (await person.look(f"{base}/{k}")).text
            assert text.startswith('<main id="table"') and f'data-told="{k}"' in text
            assert "is-past" in text and "my-turn" not in text and not re.search(r'class="[^"]*\bcan\b', text)
        beyond = await person.look(f"{base}/{last + 1}")
        assert beyond.status_code == 422 and f"0 to {last}" in beyond.text
        assert (await person.look(f"{base}/0?seat=x")).status_code == 422
