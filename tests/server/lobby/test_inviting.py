"""Inviting people by name."""

from tests.databases import in_loop
from tests.server.application import Person, arrive, open_app


async def a_table(host: Person, access: str = "open") -> str:
    chairs = {"seat-0": "me", "seat-1": "open", "seat-2": "open"}
    answer = await host.send("/tables", game="patrician", seats=3, clock=0, access=access, **chairs)
    return str(answer.headers["location"])


@in_loop
async def test_invited_person_finds_the_table_in_the_lobby_and_may_sit_down_without_the_link(database_url: str) -> None:
    async with open_app(database_url) as (app, _):
        anna, bruno, carla = [await arrive(app, name) for name in ("Anna", "Bruno", "Carla")]
        table = await a_table(anna, "invited")
        assert "Bruno is invited." in (await anna.send(f"{table}/invite", name="Bruno")).text
        assert "</a> invites you to a game of" in (await bruno.look("/")).text
        assert "</a> invites you to a game of" not in (await carla.look("/")).text
        assert "Sit here" in (await bruno.look(table)).text
        assert (await carla.send(f"{table}/sit", seat=1)).status_code == 403
        assert (await bruno.send(f"{table}/sit", seat=1)).status_code == 303
        assert "invites you" not in (await bruno.look("/")).text


@in_loop
async def test_invitation_can_be_declined_and_ends_when_the_table_closes(database_url: str) -> None:
    async with open_app(database_url) as (app, _):
        anna, bruno = [await arrive(app, name) for name in ("Anna", "Bruno")]
        table = await a_table(anna)
        await anna.send(f"{table}/invite", name="Bruno")
        found = (await bruno.look("/api/v1/invitations")).json()["invitations"]
        assert [(one["table"], one["by"]) for one in found] == [(table.rpartition("/")[2], "Anna")]
        assert (await bruno.send(f"{table}/decline")).status_code == 303
        assert (await bruno.look("/api/v1/invitations")).json() == {"invitations": []}
        assert (await bruno.send(f"{table}/decline")).status_code == 404
        await anna.send(f"{table}/invite", name="Bruno")
        await anna.send(f"{table}/close")
        assert (await bruno.look("/api/v1/invitations")).json() == {"invitations": []}


@in_loop
async def test_only_people_at_the_table_invite_and_nobody_twice(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, _):
        anna, bruno, carla = [await arrive(app, name) for name in ("Anna", "Bruno", "Carla")]
        table = await a_table(anna)
        assert (await bruno.send(f"{table}/invite", name="Carla")).status_code == 403
        assert (await anna.send(f"{table}/invite", name="Nobody")).status_code == 422
        assert (await anna.send(f"{table}/invite", name="Anna")).status_code == 409
        assert (await anna.send(f"{table}/invite", name="Carla")).status_code == 200
        assert (await anna.send(f"{table}/invite", name="Carla")).status_code == 409
        await carla.send("/account/blocks", name="Anna")
        await carla.send(f"{table}/decline")
        refused = await anna.send(f"{table}/invite", name="Carla")
        assert refused.status_code == 409 and "cannot be invited" in refused.text
