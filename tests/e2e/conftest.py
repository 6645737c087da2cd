"""Fixtures: a browser, a server and visitors."""

import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.e2e.servers import ServerProcess
from tests.e2e.visitors import PATIENCE, Visitor

CHROMIUM = shutil.which("chromium")
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

Arrive = Callable[..., Visitor]
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Debian's chromium. It closes after the last test here, because no other event loop can run while it is open."""
    if CHROMIUM is None:
        pytest.skip("chromium is not installed (Debian: apt install chromium), so nothing is tested in a browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server shared by all tests. At the end it must stop cleanly without logged errors."""
    yield from _open(ServerProcess(tmp_path_factory.mktemp("server")))


@pytest.fixture
def own_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server that a test may kill."""
    yield from _open(ServerProcess(tmp_path_factory.mktemp("server")))


def _open(server: ServerProcess) -> Iterator[ServerProcess]:
    server.open()
    try:
        yield server
    finally:
        status = server.close()
    assert status == 0
    assert [line for line in server.log.read_text().splitlines() if line.startswith("{")] == []


@pytest.fixture
def arrive(browser: Browser, server: ServerProcess) -> Iterator[Arrive]:
    """Creates visitors with their own browser. At the end, no page may have had an error."""
    yield from _arrivals(browser, server)


@pytest.fixture
def arrive_at_own(browser: Browser, own_server: ServerProcess) -> Iterator[Arrive]:
    """The same for a server that may be killed."""
    yield from _arrivals(browser, own_server)


def _arrivals(browser: Browser, server: ServerProcess) -> Iterator[Arrive]:
    came: list[Visitor] = []

    def arrive(**options: Any) -> Visitor:
        came.append(Visitor(browser, server.address, **options))
        return came[-1]

    yield arrive
    wrong = [sentence for visitor in came for sentence in visitor.wrong]
    for visitor in came:
        visitor.context.close()
    assert wrong == []
