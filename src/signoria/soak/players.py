"""Scripted people and API bots that keep playing during faults and remember what the server acknowledged."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from random import Random
from time import perf_counter
from typing import Any, NamedTuple, TypeVar

import msgspec

from signoria.server.bench.client import Answer
from signoria.server.play.room import UNDO
from signoria.soak.client import HOME, PATIENCE, RESTART, Client, NoAnswer, until_up
from signoria.soak.games import FIRST

TOKEN = re.compile(r'id="fresh" readonly value="([^"]+)"')
BOT = "muratore"
TRY_AGAIN = (429, 502, 503)
"""Responses that mean "not now"."""
Result = TypeVar("Result")
Kept = tuple[int, str]
"""The seat and the step as saved in the database."""
Place = tuple[str, int]
"""A table, and its number of steps when the step was made."""


class Refused(RuntimeError):
    """The server gave a response that the script cannot explain."""


class Legal(NamedTuple):
    """The legal steps of a seat; empty if it is not its turn."""

    n: int
    over: bool
    steps: list[dict[str, Any]]


class Person:
    """A person with a browser, or a program with a token: the same game, by forms or by the API."""

    def __init__(self, name: str, port: int, address: str = HOME, *, by_api: bool = False, pause: float = 0.02) -> None:
        self.name, self.by_api = name, by_api
        self._pause = pause
        """Seconds between checks of whose turn it is."""
        self.client = Client(port, address)

    async def arrive(self) -> None:
        """Become known to the server; a program gets a token."""
        expect(await self.client.form("/learn", {"game": FIRST, "name": self.name}), 303)
        if self.by_api:
            page = expect(await self.client.form("/account/tokens", {"name": "soak"}), 200)
            found = TOKEN.search(page.text)
            if found is None:
                raise Refused("The account page did not show a token.")
            self.client.token = found[1]

    async def open_table(self, game: str, *chairs: str, clock: int = 0) -> str:
        """Open a table; the game starts at once if no seat is open."""
        if self.by_api:
            seats = [{"kind": c} if c in ("me", "open") else {"kind": "bot", "bot": c} for c in chairs]
            body = {"game": game, "seats": seats, "clock": clock}
            made = expect(await self.client.send_json("/api/v1/tables", body), 201)
            return str(msgspec.json.decode(made.text)["id"])
        seats_ = {f"seat-{place}": chair for place, chair in enumerate(chairs)}
        fields = {"game": game, "seats": len(chairs), "clock": clock, "name": self.name, **seats_}
        answer = expect(await self.client.form("/tables", fields), 303)
        return answer.header("location").removeprefix("/tables/").partition("?")[0]

    async def do(self, table: str, what: str, **fields: Any) -> Answer:
        """Do something at a table (sit, start, leave, chat, steps, undo) by form or by API."""
        if self.by_api:
            return await self.client.send_json(f"/api/v1/tables/{table}/{what}", fields)
        fields = {k: msgspec.json.encode(v).decode() if isinstance(v, dict) else v for k, v in fields.items()}
        return await self.client.form(f"/tables/{table}/{what}", fields)

    async def sit(self, table: str, seat: int) -> None:
        """Take a seat."""
        expect(await self.do(table, "sit", seat=seat, name=self.name), 200)

    async def start(self, table: str) -> None:
        """Start the game."""
        if self.by_api:
            expect(await self.client.ask(self.client.head("POST", f"/api/v1/tables/{table}/start", EMPTY)), 200)
        else:
            expect(await self.do(table, "start"), 200)

    async def legal(self, table: str, seat: int) -> Legal:
        """The legal steps of this seat. Raises `NoAnswer` if the server cannot answer."""
        answer = await self.client.get(f"/api/v1/tables/{table}/legal?seat={seat}")
        found = msgspec.json.decode(expect(answer, 200).text)
        return Legal(found["n"], found["turn"] is None, found["legal"])

    async def asked(self, table: str, seat: int, patience: float = PATIENCE) -> Legal:
        """The legal steps of this seat, as soon as it is its turn or the game is over."""
        try:
            async with asyncio.timeout(patience):
                while True:
                    legal = await self.legal(table, seat)
                    if legal.steps or legal.over:
                        return legal
                    await asyncio.sleep(self._pause)
        except TimeoutError:
            raise NoAnswer(f"seat {seat} of {table} was not asked within {patience:.0f} s") from None

    async def facts(self, table: str) -> dict[str, Any]:
        """The public data of a table."""
        found: dict[str, Any] = msgspec.json.decode(expect(await self.client.get(f"/api/v1/tables/{table}"), 200).text)
        return found


EMPTY = {"Content-Length": "0"}


def expect(answer: Answer, *statuses: int) -> Answer:
    """Return the response if it has one of these statuses; otherwise raise `NoAnswer` ("not now") or `Refused`."""
    if answer.status in TRY_AGAIN and answer.status not in statuses:
        raise NoAnswer(f"answered {answer.status}")
    if answer.status not in statuses:
        raise Refused(f"answered {answer.status} instead of {statuses}: {answer.text[-300:]}")
    return answer


class Witness:
    """Remembers every step sent and its result."""

    def __init__(self) -> None:
        self.sent: dict[Place, set[Kept]] = {}
        self.acknowledged: dict[Place, Kept] = {}
        self.refused: list[tuple[Place, Kept]] = []
        """Steps that came too late; they must not be in the database."""
        self.again = 0
        """Number of requests that failed or were put off, and were sent again."""
        self.waits: list[float] = []
        """Seconds from the first attempt to send each step until it was acknowledged."""
        self.strike: Callable[[], None] | None = None
        """Called in the middle of the next step, while it is unanswered."""
        self.enough = asyncio.Condition()

    async def until_struck(self, more: int, strike: Callable[[], None], patience: float) -> None:
        """After this many more acknowledged steps, call `strike` in the middle of the next one."""
        struck, wanted = asyncio.Event(), len(self.acknowledged) + more

        def do() -> None:
            strike()
            struck.set()

        async with asyncio.timeout(patience):
            async with self.enough:
                await self.enough.wait_for(lambda: len(self.acknowledged) >= wanted)
            self.strike = do
            await struck.wait()

    async def noted(self, place: Place, kept: Kept, seconds: float) -> None:
        """Note that a step was acknowledged."""
        if self.acknowledged.get(place, kept) != kept:
            raise Refused(f"Two different steps were acknowledged as step {place[1]} of table {place[0]}.")
        self.acknowledged[place] = kept
        self.waits.append(seconds)
        async with self.enough:
            self.enough.notify_all()


async def insist(
    person: Person, witness: Witness, table: str, seat: int, n: int, step: Mapping[str, Any], rng: Random
) -> bool:
    """Send a step until it is answered, sometimes with a double click; False if it came too late."""
    text = msgspec.json.encode(step).decode()
    place, kept = (table, n), (seat, text)
    what, fields = ("undo", {}) if text == UNDO else ("steps", {"step": dict(step)})
    double, began = rng.random() < 0.3, perf_counter()
    witness.sent.setdefault(place, set()).add(kept)
    while True:
        sent = [asyncio.create_task(person.do(table, what, seat=seat, n=n, **fields)) for _ in range(1 + double)]
        if witness.strike:
            await asyncio.sleep(0.003 * rng.random())
        if witness.strike and not any(task.done() for task in sent):
            strike, witness.strike = witness.strike, None
            strike()
        answers = await asyncio.gather(*sent, return_exceptions=True)
        statuses = set()
        for answer in answers:
            if isinstance(answer, BaseException):
                if not isinstance(answer, NoAnswer):
                    raise answer
            else:
                statuses.add(answer.status)
        if 200 in statuses:
            await witness.noted(place, kept, perf_counter() - began)
            return True
        if statuses == {409}:
            witness.refused.append((place, kept))
            return False
        if statuses - set(TRY_AGAIN) - {409}:
            raise Refused(f"A step at {table} (n {n}, seat {seat}, {text}) was answered with {statuses}.")
        witness.again += 1
        await until_up(person.client.port, RESTART)


async def play_seat(
    person: Person,
    witness: Witness,
    table: str,
    seat: int,
    rng: Random,
    pause: float = 0.0,
    until: Callable[[], bool] = lambda: False,
) -> None:
    """Play random legal steps to the end of the game or until `until` says so, undoing some; ignore failures."""
    while not until():
        try:
            legal = await person.legal(table, seat)
            if legal.over:
                return
            if not legal.steps:
                await asyncio.sleep(0.02)
                continue
            await insist(person, witness, table, seat, legal.n, rng.choice(legal.steps), rng)
            if rng.random() < 0.1:  # perhaps undo is possible
                legal = await person.legal(table, seat)
                await insist(person, witness, table, seat, legal.n, msgspec.json.decode(UNDO), rng)
        except NoAnswer:
            await until_up(person.client.port, RESTART)
        if pause:
            await asyncio.sleep(pause * rng.random())


async def open_pair(host: Person, guest: Person, game: str, *bots: str, clock: int = 0) -> str:
    """A table with two people and perhaps bots, started."""
    table = await host.open_table(game, "me", "open", *bots, clock=clock)
    await guest.sit(table, 1)
    await host.start(table)
    return table


async def again(do: Callable[[], Awaitable[Result]], port: int) -> Result:
    """Repeat something that may be done twice, until it succeeds completely."""
    while True:
        try:
            return await do()
        except NoAnswer:
            await until_up(port, RESTART)
