"""`disk`: every write, commit and open of the database fails once, in turn; then a disk is really full."""

import asyncio
import os
import re
import resource
import subprocess
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import cycle
from pathlib import Path
from random import Random
from typing import NamedTuple

import msgspec

from signoria.server.bench.client import Answer
from signoria.soak.client import PATIENCE, NoAnswer
from signoria.soak.context import Context
from signoria.soak.control import Control
from signoria.soak.disk_faults import ERRORS, KINDS, OF_KIND, OPEN, WRITE
from signoria.soak.games import FIRST, LAST, NAMES
from signoria.soak.players import Legal, Person, Witness, insist, open_pair
from signoria.soak.report import FaultRow
from signoria.soak.server import FREE, Server
from signoria.soak.verify import wrong_tables
from signoria.store.database import opened

STEPS = 900
"""Number of steps: about a whole game for each kind of failure."""
MOST_CALLS = 60
"""More calls of one kind than any request makes."""
USABLE = 5.0
"""Seconds within which the same request must succeed once the disk works again."""
MUST_HOLD = "saved or 503; usable again without a restart"
FULL_DISK = 16
"""Size in megabytes of the disk that becomes full."""


SAYS = re.compile(r'id="says">([^<]*)|"detail":"([^"]*)"')
FULL_DISKS = 100
MANY = 0.01
"""From this scale on, requests other than steps fail with all errors instead of some."""
FILLING = 400
"""Steps after which the disk is full, regardless of the remaining space."""
GIVES_UP = 2
"""The index in `ERRORS` of an error after which a connection is abandoned."""


class Failure(NamedTuple):
    """A kind of call, and the error with which it fails."""

    name: str
    kind: int
    error: int


FAILURES = tuple(Failure(name, kind, error) for name, kind in KINDS.items() for error in OF_KIND[kind])


class Action(NamedTuple):
    """One request of the script."""

    name: str
    send: Callable[[], Awaitable[Answer]]
    good: tuple[int, ...] = (200, 303)


async def run(context: Context, database: str) -> None:
    """Run the script with single failures, then with a full disk."""
    for case in context.each((_single_failures, _full_disk)):
        await case(context, database)


async def _single_failures(context: Context, database: str) -> None:
    """A game in which every call of a step fails before the step succeeds, with one error after another."""
    row = context.row("disk", database, MUST_HOLD, STEPS, "steps, every call of each failing once", "single failures")
    began = time.monotonic()
    rng, witness = context.rng("disk"), Witness()
    server = await context.server(database, FREE | {"SIGNORIA_MOST_TOKENS": "100000"})
    steps, failures = context.times(STEPS, len(FAILURES)), cycle(FAILURES)
    with context.progress("disk, single failures", steps) as tick, server:
        pid = server.pid
        people = [Person(f"soak-disk-{seat}", server.port) for seat in range(2)]
        for person in people:
            await person.arrive()
        table, game = "", cycle(NAMES)
        async with opened(server.database) as store:
            while row.done < steps and not context.out_of_time:
                if not table:
                    table = await people[0].open_table(next(game), "me", "open")
                    for action in _opening(people, table):
                        await _fail_every_call(row, server, action, next(failures))
                if not await _next_step(row, server, people, table, witness, next(failures), rng):
                    table = ""
                    continue
                row.done += 1
                tick()
                for sentence in await wrong_tables(store, witness, [table]):
                    row.fail(sentence)
            for failure in FAILURES if context.scale >= MANY else FAILURES[::3]:
                for action in _others(people[0], table):
                    if not context.out_of_time:
                        await _fail_every_call(row, server, action, failure)
            if not server.alive or server.pid != pid:
                row.fail("The server had to be restarted.")
        failed = server.control["failed"]
    row.seconds = time.monotonic() - began
    row.figures = {"calls failed": f"{failed:,}", "sent again": f"{witness.again:,}"}


def _opening(people: list[Person], table: str) -> list[Action]:
    """The actions before the first step."""
    host, guest = people
    return [
        Action("chat", lambda: host.do(table, "chat", text="Good evening.")),
        Action("sit", lambda: guest.do(table, "sit", seat=1, name=guest.name), (200, 303, 409)),  # 409: it was saved
        Action("start", lambda: host.do(table, "start"), (200, 303, 409)),
    ]


def _others(person: Person, table: str) -> list[Action]:
    """All other actions that write."""
    stranger = Person("soak-disk-stranger", person.client.port)
    new = {"game": FIRST, "seats": 2, "clock": 0, "seat-0": "me", "seat-1": "open", "name": "soak"}
    return [
        Action("open a table", lambda: person.client.form("/tables", new)),
        Action("arrive", lambda: stranger.client.form("/learn", {"game": FIRST, "name": "soak-stranger"})),
        Action("preferences", lambda: person.client.form("/account/unasked", {"unasked": "on"})),
        Action("rename", lambda: person.client.form("/account/name", {"name": "soak-renamed"})),
        Action("token", lambda: person.client.form("/account/tokens", {"name": "soak"})),
        Action("leave", lambda: person.do(table, "leave", seat=0), (200, 303, 409)),
        Action("return", lambda: person.do(table, "return", seat=0), (200, 303, 409)),
    ]


async def _fail_every_call(row: FaultRow, server: Server, action: Action, failure: Failure) -> None:
    """Repeat a request, each time with the next of its calls failing, until no call is left to fail."""
    for call in range(1, MOST_CALLS):
        if not await _fail_once(row, server, action, failure, call):
            break
    await _well_again(row, server, action)


async def _fail_once(row: FaultRow, server: Server, action: Action, failure: Failure, call: int) -> bool:
    """Send one request with one failing call; False if it made fewer calls than that."""
    control, before = server.control, server.control["failed"]
    what = f"{ERRORS[failure.error].name} in {failure.name} {call}"
    if failure.kind == OPEN:  # the file is opened only after a connection was abandoned, so abandon one
        _arm(control, Failure("write", WRITE, GIVES_UP), 1)
        with suppress(NoAnswer):
            await action.send()
        before = control["failed"]
    _arm(control, failure, call)
    try:
        answer = await action.send()
        if answer.status not in (*action.good, 503):
            row.fail(f"{action.name}, with {what}: answered with {answer.status}, not 503. {_problem(answer)}")
    except NoAnswer as error:
        row.fail(f"{action.name}, with {what}: {error}.")
    control["fail_in"] = 0
    return control["failed"] > before


def _arm(control: Control, failure: Failure, call: int) -> None:
    control["fail_in"] = 0
    control["fail_kind"], control["fail_error"] = failure.kind, failure.error
    control["fail_in"] = call


def _problem(answer: Answer) -> str:
    """The error message of a response."""
    with suppress(UnicodeDecodeError, OSError, EOFError):
        found = SAYS.search(answer.text)
        return found[1] or found[2] if found else ""
    return ""


async def _well_again(row: FaultRow, server: Server, action: Action) -> None:
    """The same request must succeed now."""
    server.control["fail_in"] = 0
    latest, status = time.monotonic() + USABLE, 0
    while time.monotonic() < latest:
        with suppress(NoAnswer):
            status = (await action.send()).status
            if status in action.good:
                return
        await asyncio.sleep(0.1)
    row.fail(f"{action.name}: still answered with {status or 'nothing'} {USABLE:.0f} s after the disk worked again.")


async def _next_step(
    row: FaultRow, server: Server, people: list[Person], table: str, witness: Witness, failure: Failure, rng: Random
) -> bool:
    """Make one step of the game, with each of its calls failing first; False if the game is over."""
    asked = await _asked(people, table)
    if asked is None:
        return False
    seat, legal = asked
    person, step = people[seat], rng.choice(legal.steps)
    witness.sent.setdefault((table, legal.n), set()).add((seat, msgspec.json.encode(step).decode()))
    action = Action("step", lambda: person.do(table, "steps", seat=seat, n=legal.n, step=step))
    for call in range(1, MOST_CALLS):
        if not await _fail_once(row, server, action, failure, call):
            break
    try:
        async with asyncio.timeout(USABLE):
            await insist(person, witness, table, seat, legal.n, step, rng)
    except TimeoutError:
        row.fail(f"Step {legal.n} was still not accepted {USABLE:.0f} s after the disk worked again.")
    return True


async def _asked(people: list[Person], table: str) -> tuple[int, Legal] | None:
    """The seat whose turn it is, and its legal steps; None if the game is over."""
    async with asyncio.timeout(PATIENCE):
        while True:
            for seat, person in enumerate(people):
                with suppress(NoAnswer):
                    legal = await person.legal(table, seat)
                    if legal.over:
                        return None
                    if legal.steps:
                        return seat, legal
            await asyncio.sleep(0.05)


# A disk that is really full


async def _full_disk(context: Context, database: str) -> None:
    """Fill the disk for a moment, again and again, each time leaving a different amount of space."""
    row = context.row("disk", database, MUST_HOLD, FULL_DISKS, "times full", "full disk")
    began = time.monotonic()
    rng, witness, times = context.rng("full disk"), Witness(), context.times(FULL_DISKS, 3)
    with context.progress("disk, full", times) as tick, small_disk(context.folder) as disk:
        server = Server(str(disk.folder / "signoria.db"), context.folder)
        put_off = 0
        with server:
            people = [Person(f"soak-full-{seat}", server.port) for seat in range(2)]
            for person in people:
                await person.arrive()
            table = ""
            async with opened(server.database) as store:
                while row.done < times and not context.out_of_time:
                    asked = await _asked(people, table) if table else None
                    if asked is None:
                        table = await open_pair(people[0], people[1], LAST)
                        continue
                    disk.fill(server, 4096 * rng.choice([0, 0, 1, 2, 4, 8]))
                    put_off += await _play_on(row, people, table, witness, rng)
                    disk.clear(server)
                    row.done += 1
                    tick()
                    asked = await _asked(people, table)
                    if asked is not None:
                        seat, legal = asked
                        try:
                            async with asyncio.timeout(USABLE):
                                await insist(people[seat], witness, table, seat, legal.n, legal.steps[0], rng)
                        except TimeoutError:
                            row.fail(f"A step was still not accepted {USABLE:.0f} s after there was space again.")
                    for sentence in await wrong_tables(store, witness, [table]):
                        row.fail(sentence)
        row.note = disk.note
    row.seconds = time.monotonic() - began
    row.figures = {"steps put off": f"{put_off:,}"}
    if row.done and not put_off:
        row.fail("The disk was never full: no step was put off.")


async def _play_on(row: FaultRow, people: list[Person], table: str, witness: Witness, rng: Random) -> int:
    """Make steps on a disk that becomes full, until one is put off; return how many were."""
    for _ in range(FILLING):
        asked = await _asked(people, table)
        if asked is None:
            return 0
        seat, legal = asked
        step = rng.choice(legal.steps)
        place, kept = (table, legal.n), (seat, msgspec.json.encode(step).decode())
        witness.sent.setdefault(place, set()).add(kept)
        try:
            answer = await people[seat].do(table, "steps", seat=seat, n=legal.n, step=step)
        except NoAnswer as error:
            row.fail(f"A step on a full disk: {error}.")
            return 1
        if answer.status == 200:
            await witness.noted(place, kept, 0.0)
            continue
        if answer.status != 503:
            row.fail(f"A step on a full disk was answered with {answer.status}, not 503. {_problem(answer)}")
        return 1
    return 0


class SmallDisk(NamedTuple):
    """A disk that can be filled: a small mounted one, or a limit on the size of the server's files."""

    folder: Path
    mounted: bool
    note: str

    def fill(self, server: Server, room: int) -> None:
        """Leave this many bytes free."""
        if self.mounted:
            ballast = self.folder / "ballast"
            with ballast.open("ab", buffering=0) as file, suppress(OSError):
                while True:
                    file.write(bytes(4096))
            size = ballast.stat().st_size
            os.truncate(ballast, max(0, size - room))
        else:
            size = max(file.stat().st_size for file in self.folder.iterdir() if file.is_file())
            resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (size + room, resource.RLIM_INFINITY))

    def clear(self, server: Server) -> None:
        """Free the space again."""
        if self.mounted:
            (self.folder / "ballast").unlink(missing_ok=True)
        else:
            resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


@contextmanager
def small_disk(folder: Path) -> Iterator[SmallDisk]:
    """A small disk if one can be mounted (as root), otherwise a folder whose files cannot grow."""
    place = folder / "small-disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={FULL_DISK}m", "signoria-soak", str(place)]
    try:
        mounted = os.geteuid() == 0 and not subprocess.run(mount, capture_output=True, check=False).returncode
    except OSError:
        mounted = False
    try:
        yield SmallDisk(place, mounted, f"a disk of {FULL_DISK} MB" if mounted else "files kept from growing")
    finally:
        if mounted:
            subprocess.run(["umount", "--lazy", str(place)], capture_output=True, check=False)
