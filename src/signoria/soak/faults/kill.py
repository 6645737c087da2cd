"""`kill`: all processes of the server are killed in the middle of play, again and again."""

import asyncio
from random import Random

from signoria.soak.client import RESTART
from signoria.soak.context import Context
from signoria.soak.games import NAMES
from signoria.soak.players import BOT, Person, Witness, again, open_pair, play_seat
from signoria.soak.report import FaultRow
from signoria.soak.server import Server
from signoria.soak.verify import wrong_tables
from signoria.store.database import Database, opened

KILLS = 100
"""On each database."""
PAIRS = 4
"""Tables played at the same time, each by two people."""
MUST_HOLD = "no acknowledged step lost or doubled; every table verifies"


async def run(context: Context, database: str) -> None:
    """Kill the server repeatedly while people play, and check the database after each time."""
    row = context.row("kill", database, MUST_HOLD, KILLS, "kills")
    server = await context.server(database)
    witness, crowd = Witness(), Crowd(context.rng(f"kill {database}"))
    kills = context.times(KILLS)
    with context.progress(f"kill, {database}", kills) as tick, server:
        async with opened(server.database) as store:
            playing = asyncio.create_task(crowd.play(server, witness))
            try:
                for _ in range(kills):
                    if context.out_of_time:
                        break
                    more = crowd.rng.randrange(5, 40)
                    striking = asyncio.create_task(witness.until_struck(more, server.kill, RESTART))
                    await asyncio.wait({striking, playing}, return_when=asyncio.FIRST_COMPLETED)
                    if playing.done():
                        await playing
                    await striking
                    row.done += 1
                    await _check(row, store, witness, list(crowd.live))
                    await asyncio.to_thread(server.start)
                    tick()
            finally:
                playing.cancel()
                await asyncio.gather(playing, return_exceptions=True)
            await _check(row, store, witness, crowd.tables)
    row.figures = {
        "acknowledged steps": f"{len(witness.acknowledged):,}",
        "sent again": f"{witness.again:,}",
        "tables": f"{len(crowd.tables):,}",
        "games finished": f"{crowd.finished:,}",
    }


async def _check(row: FaultRow, store: Database, witness: Witness, tables: list[str]) -> None:
    for sentence in await wrong_tables(store, witness, tables):
        row.fail(sentence)


class Crowd:
    """People at several tables; when a game is over they start another."""

    def __init__(self, rng: Random, pairs: int = PAIRS, pause: float = 0.0) -> None:
        self.rng, self.pairs, self.pause = rng, pairs, pause
        self.tables: list[str] = []
        self.live: set[str] = set()
        self.finished = 0

    async def play(self, server: Server, witness: Witness) -> None:
        """Play until cancelled; raises unexpected errors."""
        async with asyncio.TaskGroup() as group:
            for place in range(self.pairs):
                group.create_task(self._pair(server, witness, place, Random(self.rng.random())))

    async def _pair(self, server: Server, witness: Witness, place: int, rng: Random) -> None:
        people = [
            Person(f"soak-{place}-{seat}", server.port, f"127.0.{place + 1}.{seat + 1}", by_api=(place + seat) % 2 == 1)
            for seat in range(2)
        ]
        for person in people:
            await again(person.arrive, server.port)
        for number in range(1_000_000):
            game = NAMES[(place + number) % len(NAMES)]
            bots = (BOT,) * ((place + number // 2) % 2)
            clock = 60 if rng.random() < 0.3 else 0
            host, guest = people if number % 2 == 0 else reversed(people)
            table = await again(lambda: open_pair(host, guest, game, *bots, clock=clock), server.port)  # noqa: B023
            self.tables.append(table)
            self.live.add(table)
            async with asyncio.TaskGroup() as both:
                for seat, person in enumerate((host, guest)):
                    both.create_task(play_seat(person, witness, table, seat, Random(rng.random()), self.pause))
            self.finished += 1
            self.live.discard(table)
