"""`secrets`: two servers that differ only in information hidden from a viewer give the same responses.

The comparison is the one used in the tests (`tests/server/test_secrets.py`), so this fault needs the source code.
"""

import asyncio
import importlib
import sys
import time
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

from signoria.kernel.game import SPECTATOR
from signoria.server.play.room import encode_step
from signoria.soak.context import Context
from signoria.soak.games import NAMES
from signoria.soak.report import FaultRow

POSITIONS = 1_000
"""Of each game."""
EVERY = 12
"""One in this many positions of a game is compared."""
REHEARSED = 4
"""One in this many positions in which a step reveals something and the same player goes on: several are sent together."""
MUST_HOLD = "0 differing bytes"
ROOT = Path(__file__).parents[4]
"""The folder of the sources, if there is one."""


async def run(context: Context, database: str) -> None:
    """Positions of whole games, each compared for one player or spectator."""
    comparing = load()
    for game in context.each(NAMES):
        row = context.row("secrets", database, MUST_HOLD, POSITIONS, "positions", game)
        if comparing is None:
            row.note = "needs the sources: run it from a checkout"
            continue
        settings = [one for one in comparing.GAMES if one[0] == game]
        if not settings:
            row.note = "the comparison has no settings of this game"
            continue
        began, positions = time.monotonic(), context.times(POSITIONS)
        with context.progress(f"secrets, {game}", positions) as tick:
            differed = rehearsed = number = 0
            while row.done < positions and not context.out_of_time:
                _, options, players = settings[number % len(settings)]
                folder = context.folder / f"secrets-{game}-{number}"
                folder.mkdir()
                rng = context.rng(f"secrets {game} {number}")
                found = await _game(comparing, context, row, folder, game, options, players, positions, rng, tick)
                differed, rehearsed = differed + found[0], rehearsed + found[1]
                number += 1
        row.seconds = time.monotonic() - began
        row.figures = {
            "games": f"{number}",
            "positions where something hidden did differ": f"{differed:,}",
            "with several steps sent together": f"{rehearsed:,}",
        }
        if row.done and not differed and not row.failed:
            row.fail("Nothing hidden ever differed, so nothing was tested.")


def load() -> ModuleType | None:
    """The comparison used in the tests; None if this package is installed without them."""
    if not (ROOT / "tests" / "server" / "test_secrets.py").exists():
        return None
    if str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))
    return importlib.import_module("tests.server.test_secrets")


async def _game(
    comparing: ModuleType, context: Context, row: FaultRow, folder: Path, game: str, options: Any, players: int, positions: int, rng: Random,
    tick: Any,
) -> tuple[int, int]:  # fmt: skip
    """Play one game and compare some of its positions.

    Return at how many of them something hidden differed, and at how many several steps were sent together.
    """
    url, differed, rehearsed, past = str(folder / "true.db"), 0, 0, ["{}"]
    async with comparing.open_app(url, pace=comparing.PACE) as (app, service):
        comparing.stop_the_clock(service)
        people = [await comparing.arrive(app, f"Person {seat}") for seat in range(players)]
        watchers = [comparing.Person(app, None, None), await comparing.arrive(app, "Watcher")]
        room = await service.room(await comparing.open_for(service, people, game, options))
        while room.row.state == "playing" and row.done < positions and not context.out_of_time:
            turn, table = room.row.turn, room.position.table
            step = rng.choice(table.legal)
            firsts = [one for one in table.legal if room.n and comparing.reveals(table, one)]
            rehearse = bool(firsts) and rng.randrange(REHEARSED) == 0
            if (rehearse or rng.randrange(EVERY) == 0) and (ahead := comparing.next_steps(room, step)):
                seat = turn if rehearse else rng.choice([SPECTATOR, turn, *range(players)])
                person = rng.choice(watchers) if seat == SPECTATOR else people[seat]
                others = sorted(set(past) - {encode_step(one) for one in table.legal})
                steps = [*rng.sample(others, min(2, len(others))), encode_step(step)]
                only, together = "", list[list[str]]()
                if rehearse:  # what comes next is hidden too
                    only, together, ahead, steps = (
                        "/steps",
                        comparing.rehearsals(room, firsts, rng),
                        (),
                        [comparing.NONSENSE],
                    )
                rehearsed += rehearse
                try:
                    differed += await comparing.compare(
                        url, room, person, seat, steps, ahead, rng, together=together, only=only
                    )
                except AssertionError as error:
                    row.fail(f"{game} {options}, step {room.n}, seat {seat}: {' '.join(str(error).split())[:300]}")
                row.done += 1
                tick()
                for copy in folder.glob("*-*-*.db*"):
                    copy.unlink()
                await asyncio.sleep(0)
            past += [encode_step(one) for one in table.legal]
            await service.make_step(room, room.seat(turn).user_id, turn, room.n, step)
    return differed, rehearsed
