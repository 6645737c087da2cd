"""`greedy`: one address sends one request as often as it may, for every route of the server in turn."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from random import Random
from typing import Any, NamedTuple

from starlette.routing import Route

from signoria.server.api.routes import api_routes
from signoria.server.app import page_routes
from signoria.server.bench.client import Answer
from signoria.soak.bystander import LONGER, Bystander, percentile
from signoria.soak.client import Client, NoAnswer, until_up
from signoria.soak.context import Context
from signoria.soak.games import LAST, NAMES, words_of
from signoria.soak.players import BOT, Person, Refused
from signoria.soak.server import LIMITED, Server
from signoria.soak.watching import watch

ADDRESS = "127.0.66.6"
PERSONS = 12
"""Guests at that address, who take turns: limits per person apply twelve times."""
SECONDS = 20.0
"""For each route; at least `LEAST`. A route that fails in a shorter time is measured again for the whole time, and that counts."""
LEAST, NORMAL = 3.0, 10.0
"""A third of both with wider limits, which need no exact figures."""
OTHERS = 5
"""People who play meanwhile. Together they ask some 300 times in three seconds, enough for a p99."""
BURST, RATE = 600, 50.0
"""Requests that an address may send at once, and per second after that (SIGNORIA_RATE_REQUESTS)."""
AT_ONCE = 40
MOST_WAIT = 0.25
MOST_SLOWER = 3.0
PACE = "100"
LEAST_BOT_WAIT = 0.3
"""A bot's turn shorter than this many seconds never counts as slow."""
MUST_HOLD = "others p99 < 250 ms, bot turns < 3 times normal"
ALL_ROUTES = 0.05
"""From this scale on every route is tried, below it only some."""
STREAMS = ("/stream", "/events")
ENDS = ("/account/delete", "/sign-out", "/sign-in", "/resign", "/leave", "/close")
"""Routes that change the greedy guests themselves; they come last."""


class Request(NamedTuple):
    """A request with all its parameters filled in."""

    method: str
    path: str
    fields: Mapping[str, Any]

    @property
    def is_stream(self) -> bool:
        """Whether its response is a stream."""
        return self.method == "GET" and self.path.partition("?")[0].endswith(STREAMS)


async def run(context: Context, database: str) -> None:
    """Try every route in turn, while normal users play."""
    settings = LIMITED | {"SIGNORIA_PACE": PACE}
    del settings["SIGNORIA_MOST_TABLES"], settings["SIGNORIA_MOST_TABLES_HERE"]
    routes = all_routes()
    least, usual = (LEAST, NORMAL) if context.slack == 1.0 else (LEAST / 3, NORMAL / 3)
    row = context.row("greedy", database, MUST_HOLD, len(routes), "routes")
    rng, seconds = context.rng(f"greedy {database}"), max(least, SECONDS * context.scale)
    server = await context.server(database, settings)
    worst_wait, worst_bot, where = 0.0, 0.0, ""
    chosen = (
        routes if context.scale >= ALL_ROUTES else rng.sample(routes, max(3, round(len(routes) * 10 * context.scale)))
    )
    with context.progress(f"greedy, {database}", len(chosen)) as tick, server:
        others = [Bystander(f"soak-other-{place}", server.port, f"127.0.5.{place + 1}") for place in range(OTHERS)]
        for other in others:
            await other.arrive()
        await _measure(others, seconds)  # the first visitors warm the server up
        normal = await _measure(others, max(usual, seconds))
        greedy = Greedy(server, rng)
        await greedy.arrive()
        for method, path in chosen:
            if context.out_of_time:
                break
            asked, measured = await greedy.ask(method, path, others, seconds)
            if seconds < SECONDS and measured.misses(normal, context.slack):
                await greedy.rest()
                asked, measured = await greedy.ask(method, path, others, SECONDS)
            row.done += 1
            tick()
            what = f"{method} {path} ({asked.answered} answers)"
            if not await _answers(server):
                row.fail(f"{what}: the server {'no longer answers' if server.alive else 'is gone'}.")
                break
            if measured.p99 > worst_wait:
                worst_wait, where = measured.p99, f"{method} {path}"
            worst_bot = max(worst_bot, measured.slower_than(normal))
            for sentence in measured.misses(normal, context.slack):
                row.fail(f"{what}: {sentence}")
            for status in asked.wrong:
                row.fail(f"{what}: answered with {status}.")
            for sentence in {sentence for other in others for sentence in other.errors}:
                row.fail(f"{what}: for others, {sentence}.")
            for other in others:
                other.errors.clear()
            await greedy.rest()
    row.figures = {
        "others p99 at most": f"{1000 * worst_wait:.0f} ms, with {where} ({1000 * normal.p99:.0f} ms normally)",
        "bot turns at most": f"{worst_bot:.1f} times normal",
    }


def all_routes() -> list[tuple[str, str]]:
    """Every method and path of the server except static files; destructive ones last."""
    found = []
    for route in (*page_routes(), *api_routes()):
        if isinstance(route, Route):
            found += [(method, route.path) for method in sorted(route.methods or ()) if method != "HEAD"]
    return sorted(set(found), key=lambda route: (route[1].endswith(ENDS), route))


class Measured(NamedTuple):
    """What other users notice."""

    p99: float
    bot: float
    """Median time of a bot's turn, in seconds."""

    def slower_than(self, normal: "Measured") -> float:
        """How many times longer a bot's turn takes."""
        return self.bot / max(normal.bot, LEAST_BOT_WAIT)

    def misses(self, normal: "Measured", slack: float) -> list[str]:
        """What does not hold, in sentences."""
        missed = []
        if self.p99 >= MOST_WAIT * slack:
            missed.append(f"others' p99 is {1000 * self.p99:.0f} ms ({1000 * normal.p99:.0f} ms normally).")
        if self.slower_than(normal) >= MOST_SLOWER * slack:
            missed.append(f"a bot's turn takes {self.bot:.1f} s ({normal.bot:.1f} s normally).")
        return missed


async def _measure(others: list[Bystander], seconds: float) -> Measured:
    for other in others:
        other.waits.clear()
        other.bot_waits.clear()
    await asyncio.gather(*(other.for_a_while(seconds, for_a_bot=True) for other in others))
    waits = [wait for other in others for wait in other.waits]
    bots = [wait for other in others for wait in other.bot_waits]
    return Measured(percentile(waits, 0.99), percentile(bots, 0.5) if bots else seconds + LONGER)


async def _answers(server: Server) -> bool:
    """Whether the server answers at all."""
    with suppress(NoAnswer):
        await until_up(server.port)
        return True
    return False


class Asked(NamedTuple):
    """The responses to the greedy address."""

    answered: int
    wrong: set[int]
    """Statuses that it should never get."""


class Greedy:
    """One address with several guests, who send requests as often as they may."""

    def __init__(self, server: Server, rng: Random) -> None:
        self._server, self._rng = server, rng
        self._people = [Person(f"soak-greedy-{place}", server.port, ADDRESS) for place in range(PERSONS)]
        self._tables: list[str] = []

    async def arrive(self) -> None:
        """Sign up, and sit down at tables against bots."""
        for person in self._people:
            await person.arrive()
            self._tables.append(await person.open_table(self._rng.choice(NAMES), "me", BOT))

    async def rest(self) -> None:
        """Wait until the address has part of its burst again: a tenth of it is enough to be noticed."""
        await asyncio.sleep(BURST / RATE / 10)

    async def ask(self, method: str, path: str, others: list[Bystander], seconds: float) -> tuple[Asked, Measured]:
        """Request one route at the full rate for this long, and measure other users meanwhile."""
        measuring = asyncio.create_task(_measure(others, seconds))
        answered, wrong = 0, set[int]()
        pages = []
        numbers = iter(range(10_000_000))

        async def work() -> None:
            nonlocal answered
            while not measuring.done():
                request = self._request(method, path, next(numbers))
                client = self._people[next(numbers) % PERSONS].client
                with suppress(NoAnswer, OSError, Refused):
                    if request.is_stream:
                        pages.append(await watch(client, request.path))
                        answered += 1
                        await asyncio.sleep(0.2)
                        continue
                    answer = await send(client, request)
                    answered += 1
                    if answer.status >= 500:
                        wrong.add(answer.status)
                    if answer.status == 429:
                        await asyncio.sleep(AT_ONCE / RATE)

        await asyncio.gather(*(work() for _ in range(AT_ONCE)))
        for page in pages:
            page.close()
        for person in self._people:
            person.client.hang_up()
        return Asked(answered, wrong), await measuring

    def _request(self, method: str, path: str, number: int) -> Request:
        """A request that uses the route as intended, as far as possible without knowing the game."""
        place = number % PERSONS
        values = words_of(NAMES[number % len(NAMES)]) | {
            "{id}": self._tables[place],
            "{n:int}": str(number % 7),
            "{n}": str(number % 7),
            "{secret}": "x" * 22,
            "{part:path}": "x",
            "{token}": "x",
            "{block}": "x" * 12,
            "{kind}-{language}": "rules-en",
            "{name}": f"soak-greedy-{place}",
            "{browser}": "x" * 12,
            "{report}": "1",
            "{format}": "svg",
        }
        for name, value in values.items():
            path = path.replace(name, value)
        filled = path + ("?seat=0" if path.endswith(("/legal", "/sealed", "/orders")) and method == "GET" else "")
        return Request(method, filled, FIELDS | {"name": f"soak{number}", "salt": str(number)})


FIELDS: dict[str, Any] = {
    "seat": 0, "n": 0, "level": BOT, "text": "Good evening.", "game": LAST, "seats": 5, "clock": 0,
    "seat-0": "me", "seat-1": "architetto", "seat-2": "architetto", "seat-3": "architetto", "seat-4": "architetto",
    "password": "a long password", "old": "another", "step": '{"do":"pass"}', "lot": "green", "most": 3, "unasked": "on",
}  # fmt: skip
KNOWN: dict[str, dict[str, Any]] = {
    "tables": {"game": LAST, "seats": [{"kind": "me"}, *[{"kind": "bot", "bot": "architetto"}] * 4]},
    "sit": {"seat": 1}, "stand": {"seat": 0}, "bot": {"seat": 1, "level": BOT}, "salt": {"seat": 0, "salt": "a word"},
    "fill": {"level": "architetto"}, "leave": {"seat": 0}, "return": {"seat": 0}, "resign": {"seat": 4},
    "stand-in": {"seat": 1}, "chat": {"text": "Good evening."}, "undo": {"seat": 0, "n": 0},
    "sealed": {"seat": 0, "lot": "green", "most": 3}, "orders": {"seat": 0, "choice": "offer", "steps": []},
    "play-on": {"seat": 0, "level": "architetto"},
    "remove": {"seat": 0}, "block": {"seat": 0}, "blocks": {"name": "soak-greedy-0"},
    "invite": {"name": "soak-greedy-0"}, "profile": {"shown_to": "everyone"}, "report": {"text": "Good evening."},
    **{tie: {"name": "soak-greedy-0"} for tie in ("follow", "unfollow", "mute", "unmute")}, "vacation": {"days": 1},
    "browsers/remove": {"endpoint": "https://push.example.org/x"},
    "browsers": {"endpoint": "https://push.example.org/x", "p256dh": "x", "auth": "x"},
    "steps": {"seat": 0, "n": 0, "step": {"do": "pass"}}, "why-not": {"seat": 0, "step": {"do": "pass"}},
}  # fmt: skip


def body_for(path: str) -> dict[str, Any]:
    """A valid body for a route of the API, by the last part of its path, or by two where one is ambiguous."""
    *_, before, last = path.split("/")
    if "/moderation/" in path:
        return {"how_long": "off"} if last == "mute" else {}
    return KNOWN.get(f"{before}/{last}") or KNOWN.get(last, {})


async def send(client: Client, request: Request) -> Answer:
    """Send a request as pages or programs do: a form, or JSON for the API."""
    if request.method == "GET":
        return await client.get(request.path)
    if request.path.startswith("/api/"):
        body = body_for(request.path) if request.method == "POST" else None
        return await client.send_json(request.path, body, request.method)
    return await client.form(request.path, request.fields)
