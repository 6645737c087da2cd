"""Two people in two browsers play a whole game by clicking, and a third one watches."""

import random
from pathlib import Path
from typing import Any

import pytest

from signoria.games import from_record
from signoria.kernel.record import Record, read_record
from tests.e2e.conftest import Arrive
from tests.e2e.visitors import Visitor

LOOK = """() => {
  const table = document.querySelector("#table"), text = (part) => document.querySelector(part)?.innerText.trim() ?? "";
  return {
    n: Number(table.dataset.n), over: table.classList.contains("is-over"), mine: table.classList.contains("my-turn"),
    asked: text("#asked"), turn: text(".player.in-turn h3"), hands: document.querySelectorAll("#hand").length,
    steps: document.querySelectorAll("[name=step], [name=bid]").length, title: document.title,
    holds: [...document.querySelectorAll(".player dt")].filter((term) => term.innerText == "Holds").length,
  };
}"""


@pytest.mark.parametrize(
    ("game", "options"), [("patrician", {"messengers": True, "ambassadors": True}), ("il-principe", {})]
)
def test_two_people_play_and_a_third_watches(
    arrive: Arrive, tmp_path: Path, game: str, options: dict[str, bool]
) -> None:
    host, guest, watcher = arrive(), arrive(), arrive()
    watcher.go(f"/tables/{_begin(host, guest, game, options)}")
    _play(host, guest, watcher, random.Random(game))
    record = _record(host, tmp_path)
    assert [record.game, len(record.salts)] == [game, 2]
    for visitor in (host, guest, watcher):
        _see_the_end(visitor, record)
    _meet_again(host, guest)


def _begin(host: Visitor, guest: Visitor, game: str, options: dict[str, bool]) -> str:
    table_id = host.open_table(game, "me", "open", **options)
    host.see("#asked", "Waiting for 1 more player")
    guest.go(f"/tables/{table_id}")
    guest.press("Sit down here")
    host.see("#asked", "Everybody is here")
    host.see("#waiting", guest.name)
    host.press("Start the game")
    for visitor in (host, guest):
        visitor.see("#table.is-playing #hand")
    return table_id


def _play(host: Visitor, guest: Visitor, watcher: Visitor, dice: random.Random) -> None:
    n, names, moved = 0, {host: host.name, guest: guest.name}, {host: 0, guest: 0}
    while True:
        seen = {visitor: visitor.follows(n, LOOK) for visitor in (host, guest, watcher)}
        assert {look["n"] for look in seen.values()} == {n}
        if seen[host]["over"]:
            assert seen[guest]["over"]
            assert seen[watcher]["over"]
            break
        asked, waits = (host, guest) if seen[host]["mine"] else (guest, host)
        _says_whose_turn(seen[asked], seen[waits], seen[watcher], names[asked])
        n = _click(asked, dice)
        moved[asked] += 1
    assert min(moved.values()) > 20


def _says_whose_turn(asked: dict[str, Any], waits: dict[str, Any], watches: dict[str, Any], name: str) -> None:
    assert asked["mine"]
    assert asked["asked"].startswith("Your turn")
    assert asked["title"].startswith("● Your turn")
    assert asked["hands"] == waits["hands"] == 1
    assert not waits["mine"]
    for look in (waits, watches):
        assert look["asked"].startswith(f"{name} (")
        assert not look["title"].startswith("●")
    for look in (asked, waits, watches):
        assert name in look["turn"]
        assert look["holds"] == 0
    assert watches["hands"] == watches["steps"] == 0


def _click(visitor: Visitor, dice: random.Random) -> int:
    """On something possible, or bid with the number field."""
    field = visitor.page.locator("#bid-field")
    if dice.random() < 0.3 and field.count() and visitor.page.locator("button[form=bid].can").count():
        least, most = (int(field.get_attribute(bound) or 0) for bound in ("min", "max"))
        n = visitor.n
        field.fill(str(dice.randint(least, (least + most) // 2)))
        visitor.page.locator("button[form=bid]").click()
        visitor.follows(n + 1)
        return visitor.n
    return visitor.step(dice)


def _record(visitor: Visitor, folder: Path) -> Record:
    """The record, downloaded; every step in it is checked."""
    with visitor.page.expect_download() as downloading:
        visitor.press("Download the record")
    path = folder / "record.json"
    downloading.value.save_as(path)
    record = read_record(path.read_bytes())
    from_record(record)
    return record


def _see_the_end(visitor: Visitor, record: Record) -> None:
    visitor.see("#asked", "The game is over")
    totals = visitor.page.locator("#over .sheet .total td").all_inner_texts()
    assert [int(total) for total in totals] == [score["total"] for score in record.result["scores"]]
    visitor.press("Seed of this deal")
    visitor.see("#fair code", record.seed)
    visitor.press("Check the fair deal")
    visitor.see(".checks .holds")
    assert visitor.page.locator(".checks li").count() == visitor.page.locator(".checks .holds").count() == 2
    visitor.press("Back to the table")
    visitor.see("#over")


def _meet_again(host: Visitor, guest: Visitor) -> None:
    host.press("Rematch")
    host.see("#waiting", host.name)
    guest.press("To the rematch")
    guest.see("#waiting", guest.name)
    host.press("Start the game")
    for visitor in (host, guest):
        visitor.see("#table.is-playing #hand")
    assert host.table_id == guest.table_id
