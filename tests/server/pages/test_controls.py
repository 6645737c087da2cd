"""Table pages: confirmation, reasons for illegal moves, enlarged cards."""

from typing import Any

from signoria.games.il_principe.rulebook.steps import Offer
from signoria.games.patrician.rulebook.components import standard
from signoria.server.play.room import Room, encode_step
from tests.databases import in_loop
from tests.server.application import Person, arrive, open_app
from tests.server.services import a_table, legal, turn_of


async def step(person: Person, room: Room, step: Any, **more: str) -> Any:
    seat = turn_of(room)
    here = f"/tables/{room.row.id}/steps"
    return await person.send(here, script=True, seat=seat, n=room.n, step=encode_step(step), **more)


@in_loop
async def test_confirmation_is_asked_only_before_moves_that_cannot_be_undone(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, service):
        people = [await arrive(app, "Anna"), await arrive(app, "Bruno")]
        room = await a_table(service, *(person.user for person in people if person.user))
        seat, asked = turn_of(room), []
        while turn_of(room) == seat:
            n, made = room.n, legal(room)[0]
            answer = await step(people[seat], room, made, unsure="on")
            assert answer.status_code == 200
            if room.n == n:
                assert 'class="notice unsure"' in answer.text
                assert "Press again to confirm." in answer.text
                asked.append(made)
                await step(people[seat], room, made)
            assert room.n > n
        assert [type(made).__name__ for made in asked] == ["Take"]


@in_loop
async def test_another_card_is_played_instead_in_one_request(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, service):
        people = [await arrive(app, "Anna"), await arrive(app, "Bruno")]
        room = await a_table(service, *(person.user for person in people if person.user))
        seat = turn_of(room)
        first, second = legal(room)[:2]
        await step(people[seat], room, first)
        form = {"seat": seat, "n": room.n, "instead": encode_step(second)}
        for _ in range(2):  # sent twice, made once
            answer = await people[seat].send(f"/tables/{room.row.id}/steps", script=True, **form)
            assert answer.status_code == 200
            assert 'id="notice"' not in answer.text
            assert room.n == 3
        assert room.position is not None
        assert room.position.table.view(seat).card == second.card
        assert room.position.table.view(seat).asked == "build"
        other = await people[1 - seat].send(f"/tables/{room.row.id}/steps", script=True, **form | {"n": room.n})
        assert other.status_code >= 400
        assert room.n == 3


@in_loop
async def test_waiting_player_sees_whose_turn_it_is(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, service):
        people = [await arrive(app, "Anna"), await arrive(app, "Bruno")]
        room = await a_table(service, *(person.user for person in people if person.user))
        other, who = people[1 - turn_of(room)], ("Anna", "Bruno")[turn_of(room)]
        form = {"seat": 1 - turn_of(room), "n": room.n, "step": encode_step(legal(room)[0])}
        answer = await other.send(f"/tables/{room.row.id}/steps", script=True, **form)
        assert f"{who} (" in answer.text
        assert "/rules/clause/P6" in answer.text


@in_loop
async def test_cards_are_laid_together_or_not_at_all(sqlite_url: str) -> None:
    """I11: three each, with two players."""
    async with open_app(sqlite_url) as (app, service):
        people = [await arrive(app, "Anna"), await arrive(app, "Bruno")]
        room = await a_table(service, *(person.user for person in people if person.user), game="il-principe")
        seat = turn_of(room)
        assert room.position is not None
        hand = room.position.table.view(seat).players[seat].hand
        cards = [encode_step(Offer(colour)) for colour, count in hand.items() for _ in range(count)]

        async def lay(*steps: str) -> str:
            answer = await people[seat].send(
                f"/tables/{room.row.id}/steps", script=True, seat=seat, n=0, step=list(steps)
            )
            return str(answer.text)

        assert "Select a card" in await lay()
        assert "Nothing was played: your first 3 moves end your turn. Send only those." in await lay(*cards[:4])
        assert room.n == 0
        for _ in range(2):
            assert 'id="notice"' not in await lay(*cards[:3])
            assert room.n == 3
        assert turn_of(room) != seat


@in_loop
async def test_every_card_can_be_enlarged(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, _):
        guest = await arrive(app)
        for card in standard().cards:
            shown = (await guest.look(f"/cards/patrician/{card.id}")).text
            assert f'data-card="{card.id}"' in shown
            assert ("/rules/clause/P22" in shown) == bool(card.portrait)
            assert ("/rules/clause/P14" in shown) == (card.symbol == "move")
            assert ("/rules/clause/P15" in shown) == (card.symbol == "any")
            assert "/rules/clause/M2" not in shown
            if card.start:
                shown = (await guest.look(f"/cards/patrician/{card.id}-star")).text
                assert f'data-card="{card.id}-star"' in shown
                assert "/rules/clause/M2" in shown
        for name in ("siena", "green", "mastro", "mercante"):
            assert "/rules/clause/I" in (await guest.look(f"/cards/il-principe/{name}")).text
        for nothing in ("patrician/roma-99", "il-principe/roma", "patrician/%3Cb%3E", "chess/king"):
            assert (await guest.look(f"/cards/{nothing}")).status_code == 404
