"""A game that Signoria knows nothing of, in a browser: on the generic table, from the lobby to the replay."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.e2e.axe import check, errors_on
from tests.e2e.conftest import Arrive, _arrivals, _open
from tests.e2e.screens import DARK, LIGHT, PHONE
from tests.e2e.servers import ServerProcess
from tests.e2e.visitors import Visitor
from tests.examples.third_game import NAME, Installed

pytestmark = [pytest.mark.xdist_group("third_game_in_a_browser"), pytest.mark.slow]
WIDE: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return Installed(tmp_path_factory.mktemp("third_game"))


@pytest.fixture(scope="module")
def third_house(installed: Installed, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server beside which the third game is installed."""
    yield from _open(ServerProcess(tmp_path_factory.mktemp("house"), installed.environment))


@pytest.fixture
def arrive_there(browser: Browser, third_house: ServerProcess) -> Iterator[Arrive]:
    yield from _arrivals(browser, third_house)


def test_it_is_in_the_lobby_in_the_rules_and_in_the_api(arrive_there: Arrive) -> None:
    visitor = arrive_there(**WIDE)
    visitor.go("/")
    visitor.see(f".play-now form.{NAME} h2", "Lampioni")
    visitor.go(f"/rules/{NAME}")
    visitor.see("#L4", "the highest number first")
    http = visitor.context.request
    (game,) = [game for game in http.get("/api/v1/games").json()["games"] if game["name"] == NAME]
    assert [option["name"] for option in game["options"]] == ["long"]
    openapi = http.get("/api/v1/openapi.json").json()
    assert any(name.startswith("Lampioni") for name in openapi["components"]["schemas"])


@pytest.mark.parametrize("screen", [WIDE | LIGHT, PHONE | DARK], ids=["desk", "phone"])
def test_it_is_played_to_its_end(
    arrive_there: Arrive, installed: Installed, tmp_path: Path, screen: dict[str, Any]
) -> None:
    player, dice = arrive_there(**screen), random.Random(1)
    table_id = player.open_table(NAME, "me", "garzone", "muratore", long=True)
    player.see("#head .agreed" if screen["viewport"]["width"] > 1000 else "#head")
    for turn in range(100):
        player.see("#table.my-turn, #table.is-over")
        if player.page.locator("#table.is-over").count():
            break
        _is_drawn(player)
        if turn == 0:
            _is_explained(player)
        if turn == 4:
            assert list(errors_on(player.page)) == []
            player.page.set_viewport_size(screen["viewport"])
        # Half of the moves by the list of buttons, half on the cards.
        player.step(dice) if turn % 2 else _press_in_words(player, dice)
    player.see("#over .sheet .total")
    player.see("#over .sheet", "Matching")
    with player.page.expect_download() as downloading:
        player.press("Download game record")
    record = tmp_path / "record.json"
    downloading.value.save_as(record)
    assert json.loads(record.read_bytes())["options"]["long"] is True
    player.go(f"/tables/{table_id}/replay/7?seat=open")
    player.see("#board", "Rounds left")
    if not screen.get("is_mobile"):  # neither depends on the screen of the game; axe looks at both screens itself
        assert "1 game verified" in installed.signoria("verify", str(record), NUMBA_DISABLE_JIT="1")
        check(player, f"/tables/{table_id}", f"/tables/{table_id}/replay/7?seat=open")


def _is_drawn(player: Visitor) -> None:
    """Everything is in words and cards, none is wider than the screen, and hidden cards are hidden."""
    page = player.page
    assert "{" not in page.locator("#table").inner_text()
    assert page.locator("#hand .tile.card").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    for seat in (1, 2):
        hand = page.locator(f"#player-{seat} .held").filter(has_text="Hand")
        assert hand.locator(".tile:not(.card)").count() == 0
    on_cards = {json.dumps(step) for step in player.targets("#steps :is(#hand, #board)")}
    assert on_cards == {json.dumps(step) for step in player.targets("#choices")}


def _is_explained(player: Visitor) -> None:
    """The rules say what a card and a place are, and the table what can be done now; all of it is in the list."""
    page, card = player.page, player.page.locator("#hand button.tile").first
    name = json.loads(card.get_attribute("value") or "")["card"]
    if player.page.viewport_size == WIDE["viewport"]:
        card.hover()
        player.see("#large .meaning", f"You can do this now: play {name}")
        page.locator("#board .fields > div", has_text="Street").hover()
        player.see("#large .meaning", "In a round everybody in turn plays a card onto the street.")
        page.mouse.move(1, 1)
    page.locator("#ask-help").click()
    topics = player.see("#help-beside .topics")
    topics.locator("summary", has_text=name).click()
    player.see("#help-beside details[open]", f"You can do this now: play {name}")
    player.see("#help-beside .topics", "Rounds left")
    page.keyboard.press("Escape")


def _press_in_words(player: Visitor, dice: random.Random) -> None:
    before, buttons = player.n, player.page.locator("#choices button.can")
    player.hit(buttons.nth(dice.randrange(buttons.count())))
    player.follows(before + 1)
