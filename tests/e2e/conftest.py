"""Fixtures: a browser, a server and visitors."""

import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Playwright, expect, sync_playwright

from tests.e2e.servers import ServerProcess
from tests.e2e.visitors import PATIENCE, Visitor

CHROMIUM = shutil.which("chromium")
HEADLESS_SHELL = shutil.which("chromium-headless-shell")
"""Chromium without any window: the same pages for three quarters of the processor time, but it shows no notifications."""
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
def playwright() -> Iterator[Playwright]:
    """It stops after the last test here, because no other event loop can run before."""
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="package")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """Debian's Chromium, without windows if that is installed."""
    yield from _launch(playwright, HEADLESS_SHELL or CHROMIUM)


@pytest.fixture
def notifying_browser(playwright: Playwright) -> Iterator[Browser]:
    """Debian's Chromium with everything, for what the one without windows cannot do."""
    yield from _launch(playwright, CHROMIUM)


def _launch(playwright: Playwright, executable: str | None) -> Iterator[Browser]:
    if executable is None:
        pytest.skip("chromium is not installed (Debian: apt install chromium), so nothing is tested in a browser")
    browser = playwright.chromium.launch(executable_path=executable, args=QUIET)
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
def arrive_notified(notifying_browser: Browser, server: ServerProcess) -> Iterator[Arrive]:
    """The same in a browser that shows notifications."""
    yield from _arrivals(notifying_browser, server)


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
