"""Databases of earlier releases: finished games stay readable, and games in play can be continued."""

import gzip
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import select
from starlette.applications import Starlette

from signoria import from_record
from signoria.games import GAMES
from signoria.server.play.service import TableService
from signoria.store.restoring import restore
from signoria.store.schema import tables
from tests.databases import in_loop, opened
from tests.server.application import Person, open_app
from tests.server.services import play

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
STORES = sorted(HERE.glob("*.db.gz"))
BACKUPS = sorted(HERE.glob("*.jsonl.gz"))
LATER = 100 * 365 * 24 * 3600 * 1000
"""Clocks do not run out while a test reads games of a year ago."""


@asynccontextmanager
async def served(url: str) -> AsyncIterator[tuple[Starlette, TableService]]:
    """A server on that database that does nothing automatically."""
    async with open_app(url, pace=60_000) as (app, service):
        async with service.database.write() as w:
            await w.db.execute(tables.update().where(tables.c.due_at.is_not(None)).values(due_at=LATER))
        yield app, service


async def check_all(app: Starlette, service: TableService) -> None:
    """Every finished game can be replayed and checked; every other one can be played to its end and then checked."""
    async with service.database.read() as db:
        known = (await db.execute(select(tables.c.id, tables.c.state))).all()
    assert {state for _, state in known} == {"open", "playing", "over"}
    watcher, rng = Person(app, None, None), Random(3)
    for table_id, state in known:
        room = await service.room(table_id)
        assert (await watcher.look(f"/tables/{table_id}")).status_code == 200
        if state == "open":
            continue
        before = room.row.result
        await play(service, room, rng)
        assert room.row.state == "over"
        assert room.row.result is not None
        if state == "over":
            assert room.row.result == before
        for page in ("log", "check", "replay/0", f"replay/{len(room.position.log)}"):  # type: ignore[union-attr]
            answer = await watcher.look(f"/tables/{table_id}/{page}")
            assert answer.status_code == 200, page
            assert page != "check" or 'class="fails"' not in answer.text
        record = (await watcher.look(f"/tables/{table_id}/record")).content
        assert from_record(record).over


@pytest.mark.parametrize("store", STORES, ids=lambda path: path.name)
@pytest.mark.parametrize("bumped", [False, True])
def test_games_of_earlier_releases_can_be_continued(
    store: Path, bumped: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even if the version of the rules was bumped and the earlier version is not listed."""
    file = tmp_path / "signoria.db"
    file.write_bytes(gzip.decompress(store.read_bytes()))
    if bumped:
        for game in GAMES.values():
            monkeypatch.setattr(type(game), "version", "next")

    @in_loop
    async def run() -> None:
        async with served(str(file)) as (app, service):
            await check_all(app, service)

    run()


@pytest.mark.slow  # the same games as above, on both databases
@pytest.mark.parametrize("backup", BACKUPS, ids=lambda path: path.name)
@in_loop
async def test_backups_of_earlier_releases_can_be_restored(backup: Path, bare_url: str) -> None:
    async with opened(bare_url) as database:
        await restore(database, backup)
    async with served(bare_url) as (app, service):
        await check_all(app, service)


def test_every_released_version_of_the_rules_is_supported() -> None:
    for game in GAMES.values():
        assert game.plays("1"), f"{game.title}: games of version 1 are kept in the wild"
