"""The example bot plays whole games on a real server."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from signoria.server.people.cookies import hashed, new_secret
from signoria.store import people
from tests.databases import in_loop, opened

BOT = Path(__file__).parents[3] / "examples" / "bot.py"
HANDBOOK = Path(__file__).parents[3] / "docs" / "api.md"
SIGNORIA = (sys.executable, "-m", "signoria")
PATIENCE = 120
pytestmark = [pytest.mark.xdist_group("example"), pytest.mark.slow]


class Served(NamedTuple):
    """A server at an address, and the tokens of two people there."""

    address: str
    tokens: tuple[str, str]

    def ask(self, path: str, message: Any = None, token: int = 0) -> bytes:
        request = urllib.request.Request(f"{self.address}/api/v1{path}")
        request.add_header("Authorization", f"Bearer {self.tokens[token]}")
        if message is not None:
            request.data = json.dumps(message).encode()
            request.add_header("Content-Type", "application/json")
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            body: bytes = answer.read()
        return body


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """`signoria serve` without bot delays and rate limits."""
    folder = tmp_path_factory.mktemp("served")
    database = str(folder / "signoria.db")
    tokens = make_tokens(database)
    free = {f"SIGNORIA_RATE_{kind}": "off" for kind in ("STEPS", "REQUESTS", "TABLES", "TABLES_HERE")}
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [*SIGNORIA, "serve", "--port", "0", "--database", database],
            env=os.environ | free | {"SIGNORIA_PACE": "0", "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
        assert process.stdout is not None
        try:
            said = ""
            while (found := re.search(r"http://[\w.:\[\]]+", said)) is None:
                said = process.stdout.readline()
                assert said, (folder / "log").read_text()
            yield Served(found[0].rstrip("."), tokens)
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=20)
    assert process.returncode == 0, (folder / "log").read_text()


def make_tokens(database: str) -> tuple[str, str]:
    """Two people, with a token each."""
    tokens = new_secret(), new_secret()

    @in_loop
    async def make() -> None:
        async with opened(database) as store, store.write() as w:
            for name, token in zip(("Anna", "Bruno"), tokens, strict=True):
                user = await people.add_user(w.db, name, 1)
                await people.add_token(w.db, user.id, "a program", hashed(token), 1)

    make()
    return tokens


def start(served: Served, token: int, table: str, seat: int) -> "subprocess.Popen[str]":
    command = [sys.executable, str(BOT), served.address, served.tokens[token], table, str(seat)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["patrician", "il-principe"])
def test_two_example_bots_and_a_server_bot_play_to_the_end(game: str, served: Served, tmp_path: Path) -> None:
    seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "bot", "bot": "muratore"}]
    table = json.loads(served.ask("/tables", {"game": game, "seats": seats}))["id"]
    playing = [start(served, token, table, token) for token in (0, 1)]
    told = [one.communicate(timeout=PATIENCE)[0] for one in playing]
    assert [one.returncode for one in playing] == [0, 0], told
    assert all("Winners: [" in text for text in told)
    assert told[0].splitlines()[-2:] == told[1].splitlines()[-2:]
    record = tmp_path / "record.jsonl"
    record.write_bytes(served.ask(f"/tables/{table}/record"))
    verified = subprocess.run([*SIGNORIA, "verify", str(record)], capture_output=True, text=True, timeout=PATIENCE)
    assert verified.returncode == 0 and "1 game verified, all right" in verified.stdout, verified


@pytest.mark.skipif(not shutil.which("curl"), reason="the handbook asks with curl, which is not installed")
def test_commands_in_the_api_document_work(served: Served) -> None:
    blocks = re.findall(r"```sh\n(.*?)```", HANDBOOK.read_text(), re.DOTALL)
    assert blocks
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", "\n".join(blocks)],
        env=os.environ | {"SERVER": served.address, "TOKEN": served.tokens[0]},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done
    assert '"legal":' in done.stdout


def test_example_needs_only_python() -> None:
    imported = re.findall(r"^(?:import|from) (\w+)", BOT.read_text(), re.MULTILINE)
    assert set(imported) <= set(sys.stdlib_module_names)
    assert len(BOT.read_text().splitlines()) <= 50
