"""Live pages end when their person is no longer who they were, even where this process was not told of it."""

import asyncio

from sqlalchemy import delete
from starlette.applications import Starlette
from starlette.datastructures import Headers

from signoria.server.gate.who import Who
from signoria.server.house import House
from signoria.store.schema import sessions, tokens
from tests.databases import in_loop
from tests.server.house_of_tests import Person, arrive, open_house


def listening(person: Person) -> "asyncio.Task[bytes]":
    """A lobby page that stays open until the server ends it."""
    return asyncio.create_task(person.first_event("/lobby/stream", until_ended=True))


async def opened(app: Starlette, count: int) -> None:
    async with asyncio.timeout(30):
        while len(app.state.holds) != count:
            await asyncio.sleep(0.002)


async def miss(house: House, *, of: Person) -> None:
    """Somebody signs out in another process while this one cannot listen; then it can again."""
    assert of.user is not None
    async with house.database.write() as w:
        for credentials in (sessions, tokens):
            await w.db.execute(delete(credentials).where(credentials.c.user_id == of.user.id))
    house.database._tell_of_others("*")


@in_loop
async def test_after_a_gap_only_pages_of_people_who_signed_out_end(sqlite_url: str) -> None:
    async with open_house(sqlite_url) as (app, house):
        anna, bruno = await arrive(app, "Anna"), await arrive(app, "Bruno")
        program = Person(app, anna.user, None)
        _, secret = await app.state.accounts.make_token(await who(app, anna), "bot")
        program.headers["authorization"] = f"Bearer {secret}"
        pages = [listening(person) for person in (anna, program, bruno, Person(app, None, None))]
        await opened(app, 4)
        await miss(house, of=anna)
        await asyncio.wait_for(asyncio.gather(*pages[:2]), 30)
        await opened(app, 2)
        assert not any(page.done() for page in pages[2:])
        house.close()
        await asyncio.gather(*pages[2:])


async def who(app: Starlette, person: Person) -> Who:
    found: Who = (await app.state.visits._people.ask(Headers(person.headers))).who
    return found
