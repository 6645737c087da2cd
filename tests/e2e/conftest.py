"""A browser, a house, and people who come to it."""

import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.e2e.houses import HouseProcess
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
    """Debian's chromium. It goes with the last test here: while it is open no other event loop can run."""
    if CHROMIUM is None:
        pytest.skip("chromium is not installed (Debian: apt install chromium), so nothing is tested in a browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HouseProcess]:
    """A house that everybody shares. It closes cleanly and had nothing to complain about."""
    yield from _open(HouseProcess(tmp_path_factory.mktemp("house")))


@pytest.fixture
def own_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HouseProcess]:
    """A house that a test may kill."""
    yield from _open(HouseProcess(tmp_path_factory.mktemp("house")))


def _open(house: HouseProcess) -> Iterator[HouseProcess]:
    house.open()
    try:
        yield house
    finally:
        status = house.close()
    assert status == 0
    assert [line for line in house.log.read_text().splitlines() if line.startswith("{")] == []


@pytest.fixture
def arrive(browser: Browser, house: HouseProcess) -> Iterator[Arrive]:
    """Somebody comes, with a browser of their own; at the end nothing was wrong on any of their pages."""
    yield from _arrivals(browser, house)


@pytest.fixture
def arrive_at_own(browser: Browser, own_house: HouseProcess) -> Iterator[Arrive]:
    """The same in a house that may be killed."""
    yield from _arrivals(browser, own_house)


def _arrivals(browser: Browser, house: HouseProcess) -> Iterator[Arrive]:
    came: list[Visitor] = []

    def arrive(**options: Any) -> Visitor:
        came.append(Visitor(browser, house.address, **options))
        return came[-1]

    yield arrive
    wrong = [sentence for visitor in came for sentence in visitor.wrong]
    for visitor in came:
        visitor.context.close()
    assert wrong == []
