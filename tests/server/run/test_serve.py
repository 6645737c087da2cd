"""The server as a process: it starts, prints its address, and stops within five seconds."""

import asyncio
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.cookiejar import CookieJar, DefaultCookiePolicy
from pathlib import Path
from threading import Thread
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from uvicorn import Config
from uvicorn.server import ServerState

from signoria.kernel.errors import BadOption
from signoria.server.run import http_protocol, process
from signoria.server.run.lock import AlreadyRunning, single_server
from signoria.server.run.sockets import address_of, listen, port_of

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
PATIENCE = 120
"""Timeout in seconds for a busy machine; no tested behaviour depends on it."""
HTTP = httpx.Client(timeout=PATIENCE, cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])))
"""A client that does not keep cookies."""


def get(address: str, **how: Any) -> httpx.Response:
    """Send a request over a new connection, which may reach another process."""
    return HTTP.get(address, headers={"Connection": "close", **how.pop("headers", {})}, **how)


class ServerUnderTest:
    """A process that serves, and where."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process
        assert process.stdout is not None
        self.said = process.stdout.readline()
        found = re.search(r"http://\S+", self.said)
        self.address = found[0] if found else ""

    def stop(self, sig: int = signal.SIGTERM) -> int:
        """Stop it and return the exit status: 0, or 1 if it took longer than `process.PATIENCE` seconds."""
        self.process.send_signal(sig)
        return self.process.wait(PATIENCE)


@contextmanager
def serving(database: Path | str, port: int = 0, workers: int = 1) -> Iterator[ServerUnderTest]:
    with running("tests.server.small_server", str(port), str(database), str(workers)) as server:
        yield server


@contextmanager
def running(*command: str) -> Iterator[ServerUnderTest]:
    process = subprocess.Popen(
        [sys.executable, "-m", *command],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield ServerUnderTest(process)
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("sig", [signal.SIGTERM, signal.SIGINT])
def test_shutdown_ends_streams_with_retry_and_finishes_running_steps(tmp_path: Path, sig: int) -> None:
    with serving(tmp_path / "house.db") as server:
        assert server.said.endswith(f" {tmp_path / 'house.db'}.\n")
        steps: list[str] = []
        step = Thread(target=lambda: steps.append(HTTP.post(server.address + "step").text))
        with HTTP.stream("GET", server.address + "stream") as stream:
            events = stream.iter_text()
            assert next(events) == "data: hello\n\n"
            step.start()
            _wait_until_asked(server)
            status = server.stop(sig)
            assert list(events) == ["retry: 1000\n\n"]
        step.join()
        assert steps == ["kept"]
        assert status == 0


def test_server_starts_and_stops(tmp_path: Path) -> None:
    with running("signoria", "serve", "--port", "0", "--database", str(tmp_path / "house.db")) as server:
        assert get(server.address).status_code == 200
        assert get(server.address + "healthz").json()["status"] == "ok"
        origin = {"Origin": server.address.rstrip("/")}
        table = HTTP.post(server.address + "play-now", data={"game": "patrician"}, headers=origin).headers["location"]
        lines: list[list[str]] = [[], []]
        with (
            HTTP.stream("GET", server.address + "lobby/stream") as lobby,
            HTTP.stream("GET", server.address.rstrip("/") + table.partition("?")[0] + "/stream") as watched,
        ):
            readers = [
                Thread(target=lambda one=one, to=to: to.extend(one.iter_lines()))
                for one, to in zip((lobby, watched), lines, strict=True)
            ]
            for reader in readers:
                reader.start()
            while not all(lines):
                time.sleep(0.01)
            status = server.stop()
            for reader in readers:
                reader.join(PATIENCE)
        assert status == 0
        assert [one.count(": closing") for one in lines] == [1, 1]


@pytest.mark.slow
def test_server_stops_within_five_seconds_under_load(tmp_path: Path) -> None:
    with serving(tmp_path / "house.db") as server:
        Thread(target=lambda: _ask(server.address + "stubborn"), daemon=True).start()
        _wait_until_asked(server)
        assert server.stop() == 1
    assert process.PATIENCE < 5


def test_taken_port_is_reported_and_the_next_one_used(tmp_path: Path) -> None:
    with listen("127.0.0.1", 0, strict=True) as taken, serving(tmp_path / "house.db", port_of(taken)) as server:
        assert server.said.startswith(f"Port {port_of(taken)} is in use")
        assert server.process.stdout is not None
        assert "is running at http://127.0.0.1:" in server.process.stdout.readline()


def test_only_one_server_can_use_a_file(tmp_path: Path) -> None:
    with serving(tmp_path / "house.db") as first:
        with serving(tmp_path / "house.db") as second:
            assert f"already running at {first.address}" in second.said
            assert second.process.wait(PATIENCE) == 2
        first.stop(signal.SIGKILL)
        with serving(tmp_path / "house.db") as third:
            assert "Signoria is running at" in third.said


def test_only_configured_proxies_are_trusted(tmp_path: Path) -> None:
    told = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https"}
    for proxy, seen in (("", "http 127.0.0.1"), ("10.0.0.1", "http 127.0.0.1"), ("127.0.0.1", "https 203.0.113.9")):
        command = ("tests.server.small_server", "0", str(tmp_path / "house.db"), "1", *([proxy] if proxy else []))
        with running(*command) as server:
            assert get(server.address + "from", headers=told).text == seen
            server.stop()


def test_several_processes_need_postgresql(tmp_path: Path) -> None:
    with serving(tmp_path / "house.db", workers=2) as server:
        assert server.said.startswith("--workers: 2 processes need PostgreSQL")
        assert server.process.wait(PATIENCE) == 2


@pytest.mark.slow
def test_processes_share_an_address_and_are_replaced_when_they_die(postgres_url: str) -> None:
    with serving(postgres_url, workers=2) as server:
        first = _processes(server.address)
        assert len(first) == 2
        assert server.process.pid not in first
        with suppress(httpx.HTTPError):
            get(server.address + "dies")
        latest = time.monotonic() + PATIENCE
        while len(now := _processes(server.address)) < 2 or now == first:
            assert time.monotonic() < latest
        assert len(now & first) == 1
        counted = get(server.address + "metrics").text  # by all processes together
        asked = sum(1 for _ in range(5) if get(server.address).status_code == 200)
        later = get(server.address + "metrics").text
        assert _clocks(later) == _clocks(counted) + asked
        with HTTP.stream("GET", server.address + "stream") as stream:
            events = stream.iter_text()
            next(events)
            status = server.stop()
            assert list(events) == ["retry: 1000\n\n"]
        assert status == 0
        assert not any(_lives(process) for process in now)


@pytest.mark.slow
def test_worker_processes_end_with_their_parent(postgres_url: str) -> None:
    with serving(postgres_url, workers=2) as server:
        processes = _processes(server.address)
        server.stop(signal.SIGKILL)
        latest = time.monotonic() + PATIENCE
        while any(map(_lives, processes)):
            assert time.monotonic() < latest
            time.sleep(0.1)


def test_endless_request_is_refused(tmp_path: Path) -> None:
    with serving(tmp_path / "house.db") as server:
        port = int(server.address.rsplit(":", 1)[1].strip("/"))
        for head in (b"GET /" + b"x" * 2**20, b"GET / HTTP/1.1\r\n" + b"X-Fill: 1234567890\r\n" * 2**16):
            with socket.create_connection(("127.0.0.1", port)) as connection:
                connection.settimeout(PATIENCE)
                assert b"431" in _answer(connection, head)
        with httpx.Client() as http:  # what is reasonable passes, again and again
            for _ in range(3):
                assert http.get(server.address, headers={"X-Fill": "x" * 8000}).status_code == 200


def test_large_head_that_arrives_at_once_is_refused() -> None:
    async def run() -> None:
        async def app(_scope: Any, _receive: Any, send: Any) -> None:
            await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
            await send({"type": "http.response.body", "body": b""})

        config = Config(app, http=http_protocol.HttpProtocol, log_config=None)
        config.load()
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: http_protocol.HttpProtocol(config, ServerState(), {}), "127.0.0.1", 0)
        most = http_protocol.MOST_HEAD
        for size, status in ((most - 100, b"200"), (most + 1, b"431")):
            for head in (
                b"GET / HTTP/1.1\r\nX-Fill: %s\r\n\r\n" % (b"x" * size),
                b"GET /%s HTTP/1.1\r\n\r\n" % (b"x" * size),
            ):
                reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
                writer.write(head)
                answer = await asyncio.wait_for(reader.readline(), PATIENCE)
                assert answer.split()[1] == status
                writer.close()
        server.close()

    asyncio.run(run())


def test_connection_without_a_request_times_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_protocol, "PATIENCE", 0.1)

    async def run() -> None:
        config = Config(Starlette(), http=http_protocol.HttpProtocol, log_config=None)
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: http_protocol.HttpProtocol(config, ServerState(), {}), "127.0.0.1", 0)
        for sent in (b"", b"GET / HT"):
            reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
            writer.write(sent)
            assert (await asyncio.wait_for(reader.read(), PATIENCE)).startswith(b"HTTP/1.1 408 Request Timeout")
            writer.close()
        server.close()

    asyncio.run(run())


def test_a_client_that_never_waits_for_answers_is_cut_off() -> None:
    begun, told = [], asyncio.Event()

    async def never_answers(scope: Any, receive: Any, send: Any) -> None:
        begun.append(scope["path"])
        while (await receive())["type"] != "http.disconnect":
            pass
        told.set()

    async def run() -> None:
        config = Config(never_answers, http=http_protocol.HttpProtocol, log_config=None)
        config.load()
        state, loop = ServerState(), asyncio.get_running_loop()
        made: list[http_protocol.HttpProtocol] = []

        def connection() -> http_protocol.HttpProtocol:
            made.append(http_protocol.HttpProtocol(config, state, {}))
            return made[-1]

        server = await loop.create_server(connection, "127.0.0.1", 0)
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        writer.write(b"GET / HTTP/1.1\r\n\r\n" * 5000)
        assert (await asyncio.wait_for(reader.read(), PATIENCE)).startswith(b"HTTP/1.1 400 Bad Request")
        await asyncio.wait_for(told.wait(), PATIENCE)
        assert len(made[0].pipeline) < http_protocol.MOST_UNANSWERED
        assert begun == ["/"]
        writer.close()
        server.close()

    asyncio.run(run())


def test_listening_errors_name_the_cause_and_a_remedy() -> None:
    with listen("127.0.0.1", 0, strict=True) as taken:
        port = port_of(taken)
        with pytest.raises(BadOption, match=f"--port: {port} is in use"):
            listen("127.0.0.1", port, strict=True)
        with listen("127.0.0.1", port, strict=False) as other:
            assert port < port_of(other) < port + 50
    with pytest.raises(BadOption, match=r"--host: 192\.0\.2\.1 is not an address of this machine"):
        listen("192.0.2.1", 0, strict=True)


def test_printed_addresses_work_in_a_browser() -> None:
    assert address_of("0.0.0.0", 80) == "http://localhost:80/"
    assert address_of("::1", 80) == "http://[::1]:80/"
    assert address_of("10.0.0.1", 80) == "http://10.0.0.1:80/"


def test_lock_is_released_when_the_server_stops(tmp_path: Path) -> None:
    file = str(tmp_path / "new folder" / "house.db")
    with (
        single_server(file, "http://here/"),
        pytest.raises(AlreadyRunning, match="already running at http://here/") as refused,
        single_server(file),
    ):
        pass
    assert refused.value.address == "http://here/"
    with single_server(file), single_server(None), single_server(None):
        pass


def _answer(connection: socket.socket, sent: bytes) -> bytes:
    """The response; the server may stop reading before everything is sent."""
    with suppress(OSError):
        connection.sendall(sent)
    try:
        return connection.recv(1000)
    except ConnectionResetError:
        return b"431, and the connection is gone"


def _wait_until_asked(server: ServerUnderTest) -> None:
    """Wait until a slow request has reached the server."""
    while get(server.address + "waiting").text != "1":
        time.sleep(0.01)


def _ask(address: str) -> None:
    with suppress(httpx.HTTPError):
        get(address)


def _processes(address: str) -> set[int]:
    """The ids of the processes that answer."""
    found = set()
    for _ in range(60):
        with suppress(httpx.HTTPError):
            found.add(int(get(address).text))
    return found


def _lives(process: int) -> bool:
    stat = Path(f"/proc/{process}/stat")
    return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] != "Z"


def _clocks(metrics: str) -> float:
    found = re.search(r"^signoria_clocks_total (\S+)", metrics, re.M)
    assert found
    return float(found[1])
