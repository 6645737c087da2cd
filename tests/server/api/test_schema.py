"""The server follows its API description for valid and invalid requests generated from it."""

import asyncio
import random
import re
import threading
from collections.abc import Iterator
from typing import Any, NamedTuple, get_args
from zlib import crc32

import jsonschema_rs
import msgspec
import pytest
import schemathesis
import uvicorn
from hypothesis import settings
from schemathesis.checks import CHECKS
from schemathesis.config import GenerationConfig, SchemathesisConfig
from schemathesis.core.parameters import ParameterLocation
from starlette.applications import Starlette

from signoria.bots.levels import LEVELS, OLDER_NAMES
from signoria.games import GAMES
from signoria.server.api.openapi import document
from signoria.server.api.requests import Clock, GameName, Increment, Level, NoticeKind, TotalTime
from signoria.server.api.routes import OPERATIONS
from signoria.server.pages.api_reference import PARTS
from signoria.server.people.notifications.kinds import KINDS
from signoria.server.play.clocks import CLOCKS, TOTAL_CLOCKS
from tests.databases import in_loop
from tests.server.api.clients import BOT, ME, Listener, new_app, play, program_at, served
from tests.volume import repeated

DOCUMENT = msgspec.json.decode(msgspec.json.encode(document(OPERATIONS)))
EXAMPLES = repeated(6)
"""Random requests per operation, in addition to those that cover its description."""
HELD = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "negative_data_rejection",
    "missing_required_header",
    "unsupported_method",
    "allow_header_conformance",
    "ignored_auth",
)


def described() -> Any:
    """The description to generate requests from, without the stream, which has its own tests."""
    schema = schemathesis.openapi.from_dict(DOCUMENT, config=SchemathesisConfig(seed=1))
    generation: GenerationConfig = schema.config.generation
    generation.deterministic, generation.max_examples, generation.database = True, EXAMPLES, "none"
    generation.with_security_parameters = False  # the token is valid
    return schema.exclude(path_regex="/events$")


schema = described()
pytestmark = [pytest.mark.xdist_group("schema"), pytest.mark.slow]


class Asked(NamedTuple):
    """A listening server, a token, and tables: one open, two in play, two finished."""

    address: str
    token: str
    tables: tuple[str, ...]


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asked]:
    app = new_app(str(tmp_path_factory.mktemp("schema") / "x.db"), most_tables=100_000)
    ready, found = threading.Event(), []

    class Server(uvicorn.Server):
        async def startup(self, sockets: Any = None) -> None:
            await super().startup(sockets)
            port = self.servers[0].sockets[0].getsockname()[1]
            found.append(await prepare(app, f"http://127.0.0.1:{port}"))
            ready.set()

    server = Server(uvicorn.Config(app, port=0, log_config=None, lifespan="on"))
    thread = threading.Thread(target=lambda: asyncio.run(server.serve()))
    thread.start()
    try:
        assert ready.wait(60)
        yield found[0]
    finally:
        server.should_exit = True
        thread.join(20)


async def prepare(app: Starlette, address: str) -> Asked:
    anna = await program_at(app, "Anna")
    tables = [await anna.open(seats=(ME, {"kind": "open"}, BOT)), await anna.open(seats=(ME, ME), rated=False)]
    tables.append(await anna.open("il-principe", (ME, BOT, BOT)))
    for game in GAMES:
        tables.append(await anna.open(game))
        await play(anna, tables[-1], 0, random.Random(1))
    await anna.http.aclose()
    return Asked(address, anna.token, tuple(tables))


@schema.parametrize()  # type: ignore[untyped-decorator]
@settings(max_examples=EXAMPLES, derandomize=True, database=None, deadline=None)
def test_every_response_matches_the_description(case: Any, asked: Asked) -> None:
    path = case.meta.components.get(ParameterLocation.PATH) if case.meta else None
    if "id" in case.path_parameters and path is not None and path.mode.is_positive:
        made_up = f"{case.path_parameters} {case.query} {case.body}"
        case.path_parameters["id"] = asked.tables[crc32(made_up.encode("utf-8", "replace")) % len(asked.tables)]
    case.call_and_validate(
        base_url=asked.address, headers={"Authorization": f"Bearer {asked.token}"}, checks=CHECKS.get_by_names(HELD)
    )


@pytest.mark.parametrize("game", ["patrician", "il-principe"])
@in_loop
async def test_stream_events_match_the_description(game: str, sqlite_url: str) -> None:
    title = "Patrician" if game == "patrician" else "IlPrincipe"
    named = {
        "table": "TableInfo",
        "chat": "ChatMessage",
        "undo": "UndoEvent",
        "step": f"{title}StepEvent",
        "turn": f"{title}TurnEvent",
    }
    validators = {
        name: jsonschema_rs.Draft202012Validator({"$ref": f"#/components/schemas/{schema}", **DOCUMENT})
        for name, schema in named.items()
    }
    async with served(new_app(sqlite_url)) as program:
        anna = await program("Anna")
        table = await anna.open(game, (ME, BOT))
        await anna.post(f"/tables/{table}/chat", {"text": "Ciao"})
        listener = Listener(anna, f"/tables/{table}/events", query="seat=0")
        await play(anna, table, 0, random.Random(1))
        heard = await listener.until(lambda all_: all_[-1:] != [] and all_[-1].data.get("state") == "over")
        assert {event.name for event in heard} == {"table", "chat", "step", "turn"}
        for event in heard:
            validators[event.name].validate(event.data)
            assert not validators[event.name].is_valid({})


def test_description_is_complete() -> None:
    names = [operation.id for operation in OPERATIONS]
    assert len(set(names)) == len(names)
    text = msgspec.json.encode(DOCUMENT).decode()
    assert set(re.findall(r"#/components/schemas/([\w.-]+)", text)) <= set(DOCUMENT["components"]["schemas"])
    for schema_ in DOCUMENT["components"]["schemas"].values():
        assert schema_["description"]
    assert {operation.tag for operation in OPERATIONS} == set(PARTS)  # the page for programs lists all of them
    for operation in OPERATIONS:
        described_as = DOCUMENT["paths"][operation.path][operation.method.lower()]
        assert described_as["summary"] and all(parameter["description"] for parameter in described_as["parameters"])
        assert operation.example is None or msgspec.convert(operation.example, operation.body[0])
        assert bool(operation.body) == (operation.example is not None)


def test_described_games_levels_and_clocks_are_those_that_exist() -> None:
    assert get_args(GameName) == tuple(GAMES)
    assert get_args(Level) == (*(level.id for level in LEVELS), *OLDER_NAMES)
    assert get_args(Clock) == tuple(dict(CLOCKS))
    assert (get_args(TotalTime), get_args(Increment)) == tuple(zip((0, 0), *TOTAL_CLOCKS, strict=True))
    assert get_args(NoticeKind) == tuple(KINDS)
