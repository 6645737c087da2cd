"""Our process supervisor and HTTP protocol beside uvicorn's, in one run: what they do when something goes wrong.

    python -m tests.bench.uvicorn_parts

Both supervisors run the same application with two workers, in three ways: the supervisor is killed, every worker dies
soon after it has started, and a worker hangs when it is told to stop. All protocols get two requests: one whose headers
never end, and one that stops in its first line.
"""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.supervisors import Multiprocess

from signoria.server.run.http_protocol import HttpProtocol
from signoria.server.run.workers import Supervisor
from signoria.server.settings import Settings

WORKERS = 2
PATIENCE = 60.0
WATCHED = 10.0
"""Seconds for which it is watched what happens."""
STARTS, TROUBLE = "BENCH_STARTS", "BENCH_TROUBLE"
"""Where each start of a worker is noted, and what goes wrong then."""


@asynccontextmanager
async def lifespan(app: Starlette) -> AsyncIterator[None]:
    """Note the start of a worker, and let go wrong what is to."""
    with Path(os.environ[STARTS]).open("a", encoding="ascii") as starts:
        starts.write(f"{os.getpid()}\n")
    if os.environ[TROUBLE] == "dies":
        asyncio.get_running_loop().call_later(0.2, os._exit, 1)
    yield
    if os.environ[TROUBLE] == "hangs":
        time.sleep(2 * PATIENCE)  # nothing else can interrupt it either


def build(_settings: Settings | None = None) -> Starlette:
    """An application that answers nothing."""
    app = Starlette(lifespan=lifespan)
    app.state.closing = asyncio.Event()
    return app


def supervise(kind: str) -> None:
    """Be the supervisor."""
    listening = socket.create_server(("127.0.0.1", 0))
    if kind == "ours":
        Supervisor(Settings(workers=WORKERS), build, listening, lambda: None).run()
    else:
        config = uvicorn.Config(
            "tests.bench.uvicorn_parts:build", factory=True, workers=WORKERS, log_level="critical",
            timeout_graceful_shutdown=2,
        )  # fmt: skip
        Multiprocess(config, sockets=[listening]).run()


def started(kind: str, trouble: str, folder: str) -> tuple[subprocess.Popen[bytes], Callable[[], list[int]]]:
    """A supervisor whose workers have started, and a way to ask which were started so far."""
    noted = Path(folder) / f"{kind}-{trouble}"
    noted.touch()
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.bench.uvicorn_parts", kind],
        env=os.environ | {STARTS: str(noted), TROUBLE: trouble},
        stderr=subprocess.DEVNULL,
    )

    def workers() -> list[int]:
        return [int(line) for line in noted.read_text("ascii").split()]

    until = time.monotonic() + PATIENCE
    while len(workers()) < WORKERS and time.monotonic() < until:
        time.sleep(0.05)
    time.sleep(1)
    return process, workers


def alive(pid: int) -> bool:
    """Whether a process runs."""
    try:
        return Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def killed(kind: str, folder: str) -> str:
    """How many workers go on without their supervisor."""
    process, workers = started(kind, "nothing", folder)
    process.kill()
    process.wait()
    time.sleep(WATCHED)
    left = [pid for pid in workers() if alive(pid)]
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    return f"{len(left)} of {WORKERS} workers still serve {WATCHED:g} s after it was killed"


def dying(kind: str, folder: str) -> str:
    """How often workers are started that die at once."""
    process, workers = started(kind, "dies", folder)
    before = len(workers())
    time.sleep(WATCHED)
    often = len(workers()) - before
    process.terminate()
    process.wait()
    return f"{often} starts in {WATCHED:g} s of workers that die at once"


def hanging(kind: str, folder: str) -> str:
    """How long it takes to stop when a worker does not."""
    process, workers = started(kind, "hangs", folder)
    began = time.monotonic()
    process.terminate()
    try:
        process.wait(WATCHED)
        took = f"stops in {time.monotonic() - began:.1f} s with workers that hang"
    except subprocess.TimeoutExpired:
        took = f"has not stopped after {WATCHED:g} s with workers that hang"
    for pid in workers():
        if alive(pid):
            os.kill(pid, signal.SIGKILL)
    process.wait()
    return took


PROTOCOLS: dict[str, Any] = {"uvicorn, httptools": HttpToolsProtocol, "uvicorn, h11": H11Protocol, "ours": HttpProtocol}
ENDLESS = 4 * 1024 * 1024
"""Bytes of headers that are sent to see whether they are refused."""


async def read_by(name: str) -> str:
    """What becomes of requests without an end."""

    async def app(_scope: Any, _receive: Any, _send: Any) -> None:
        raise AssertionError("No request of these is ever whole.")

    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(app, http=PROTOCOLS[name], lifespan="off", log_config=None)
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve([listening]))
    while not server.started:
        await asyncio.sleep(0.05)
    port: int = listening.getsockname()[1]
    endless, silent = await asyncio.gather(_send_headers(port), _send_half_a_line(port))
    server.should_exit = True
    await serving
    return f"{name}: {endless}, {silent}"


async def _send_headers(port: int) -> str:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET / HTTP/1.1\r\nhost: x\r\n")
    sent = 0
    try:
        while sent < ENDLESS and not reader.at_eof():
            writer.write(b"x-more: " + b"x" * 1000 + b"\r\n")
            sent += 1010
            await writer.drain()
            await asyncio.sleep(0)
    except ConnectionError:
        pass
    writer.close()
    return "headers without end are read on" if sent >= ENDLESS else f"headers are refused after {sent // 1024} kB"


async def _send_half_a_line(port: int) -> str:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET / HT")
    began = time.monotonic()
    try:
        await asyncio.wait_for(reader.read(), 3 * WATCHED)
        says = f"half a line is refused after {time.monotonic() - began:.0f} s"
    except TimeoutError:
        says = f"half a line is waited for, at least {3 * WATCHED:g} s"
    writer.close()
    return says


def main(arguments: list[str]) -> None:
    """Be a supervisor, or compare everything."""
    if arguments:
        supervise(arguments[0])
        return
    measures: list[Callable[[str, str], Any]] = [killed, dying, hanging]
    with tempfile.TemporaryDirectory(prefix="signoria-bench-") as folder:
        for measure in measures:
            print(f"uvicorn: {measure('uvicorn', folder)}; ours: {measure('ours', folder)}", flush=True)
    for name in PROTOCOLS:
        print(asyncio.run(read_by(name)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
