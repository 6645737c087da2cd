"""Writes a database as this release does: `python -m tests.corpus.make 0.4.0`, once a release, just before its tag.

Later releases have to read it (`test_corpus.py`): finished games, games in play, open tables, people, messages.
"""

import asyncio
import gzip
import shutil
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

from signoria.kernel.errors import NoUndo
from signoria.server.lobby import opening
from signoria.server.lobby.opening import SeatRequest, TableRequest
from signoria.server.play.ordered_steps import lots_of
from signoria.server.play.orders import seal
from signoria.server.play.service import TableService
from signoria.store.backup import backup
from signoria.store.people import User, set_password
from tests.server.services import a_person, a_service, a_table, play, turn_of, undo

HERE = Path(__file__).parent
GAMES: tuple[tuple[str, dict[str, Any], int], ...] = (
    ("patrician", {}, 2),
    ("patrician", {"messengers": True, "ambassadors": True, "tokens": "hidden"}, 4),
    ("il-principe", {}, 3),
    ("il-principe", {"variant": True}, 2),
)
STOPS = (0, 9, 40)
"""Number of steps after which games in play are left."""


async def fill(service: TableService) -> None:
    """People, and games in every state."""
    people = [await a_person(service, name) for name in ("Anna", "Bruno", "Carla", "Dino")]
    async with service.database.write() as w:
        await set_password(w.db, people[0].id, "$argon2id$v=19$m=8,t=1,p=1$c2lnbm9yaWE$7w6rCVUTGyGOhSBXlX8xVQ")
    rng = Random(1)
    for game, options, players in GAMES:
        seats: list[User | str] = [*people[: players - 1], "muratore"]
        room = await a_table(service, *seats, game=game, options=options)
        await play(service, room, rng)
        await service.say(room, "Well played!", "Anna", 0, people[0].id)
        for stop in STOPS:
            room = await a_table(service, *people[:players], game=game, options=options, clock=600)
            await play(service, room, rng, stop)
            if stop:
                with suppress(NoUndo):
                    await undo(service, room, room.position.log[-1].seat, room.n)  # type: ignore[union-attr]
            if game == "il-principe" and room.position and (lots := lots_of(room.position.table.view(turn_of(room)))):
                seat = turn_of(room)
                await seal(service, room, people[seat], seat, lots[0].name, 0)
    chairs = (SeatRequest("me"), SeatRequest("open"), SeatRequest("bot", bot="garzone"))
    await opening.open_table(service, people[1], TableRequest(game="patrician", options={}, seats=chairs, invited=True))


async def make(release: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "signoria.db"
        async with a_service(str(file)) as service:
            await fill(service)
            (HERE / f"{release}.jsonl.gz").unlink(missing_ok=True)
            await backup(service.database, HERE / f"{release}.jsonl.gz")
        with file.open("rb") as plain, gzip.GzipFile(HERE / f"{release}.db.gz", "wb", mtime=0) as packed:
            shutil.copyfileobj(plain, packed)


if __name__ == "__main__":
    asyncio.run(make(sys.argv[1]))
