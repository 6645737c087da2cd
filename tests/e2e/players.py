"""Players at a table, each with a browser or all with one, who play whole games by clicking on marked moves."""

import json
import random
from typing import Any

from tests.e2e.conftest import Arrive
from tests.e2e.visitors import PATIENCE, Visitor

NAMES = ("Anna", "Bianca", "Cosimo", "Dante", "Elena")
STEADY = 0.1
"""Allowed layout shift of a page per turn, as browsers measure it; up to this they call it good."""
TOGETHER = (10, 60, 99)
"""For games on one device: moves by clicking, moves made by a program in between, and repetitions."""
APART = {"patrician": (30, 80, 1), "il-principe": (30, 110, 1)}
"""The same for games with one browser per player: the beginning and the end are played by clicking."""
LOOK = """() => {
  if (!document.querySelector("#table.my-turn")) // the player to move closes scenes with a click
    for (const scene of document.querySelectorAll(".scene[open]")) scene.open = false;
  const table = document.querySelector("#table"), text = (part) => document.querySelector(part)?.innerText.trim() ?? "";
  return {
    n: Number(table.dataset.n), over: table.classList.contains("is-over"), mine: table.classList.contains("my-turn"),
    asked: text("#asked"), turn: text(".player.in-turn h3"), hands: document.querySelectorAll("#hand").length,
    covered: Boolean(document.querySelector("#hand-over")), title: document.title,
    steps: document.querySelectorAll("[name=step], [name=bid]").length,
    holds: [...document.querySelectorAll(".player dt")].filter((term) => term.innerText == "Holds").length,
    shifts: shifts(), beyond: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  };
}"""


class Party:
    """The players at a table by their browsers, and the spectators."""

    def __init__(self, people: list[Visitor], watchers: list[Visitor], pace: tuple[int, int, int]) -> None:
        self.people, self.watchers = people, watchers
        self._clicked, self._skipped, self._skips = pace
        self.everybody = [*people, *watchers]
        self.moved = dict.fromkeys(people, 0)
        """Number of clicks of each browser."""
        self._names = {visitor: visitor.name for visitor in people}
        self._turn = ""
        self._shifted: dict[Visitor, list[list[Any]]] = {}
        """Layout shifts on each page in this turn."""
        self._opened_at = 0
        """Number of steps when the pages were opened; shifts while a page opens do not count."""

    def play(self, dice: random.Random) -> None:
        """Play to the end. Check the page after each step, and add up the layout shifts of each turn."""
        n = 0
        while True:
            seen = {visitor: visitor.follows(n, LOOK) for visitor in self.everybody}
            for visitor, look in seen.items():
                assert look["n"] == n
                assert look["beyond"] <= 0
                if not (
                    look["covered"] or look["over"]
                ):  # the screen between turns and the final page are different screens
                    self._shifted.setdefault(visitor, []).extend(look["shifts"] if n != self._opened_at else [])
            over = [look["over"] for look in seen.values()]
            self._another_turn(seen[self.people[0]]["turn"])
            if any(over):
                assert all(over)
                return
            n = self._step(seen, dice)
            if self._skips and sum(self.moved.values()) % self._clicked == 0:
                n = self._skip(dice)
                self._skips -= 1

    def _step(self, seen: dict[Visitor, dict[str, Any]], dice: random.Random) -> int:
        if len(self.people) == 1:
            (asked,) = self.people
            if seen[asked]["covered"]:
                assert not seen[asked]["hands"]
                asked.press("Show my cards")
                asked.see("#hand")
        else:
            asked = next(visitor for visitor in self.people if seen[visitor]["mine"])
            self._says_whose_turn(seen, asked)
        self.moved[asked] += 1
        put_away(asked)
        return click(asked, dice)

    def _skip(self, dice: random.Random) -> int:
        """Make steps for all players without their pages, then open the pages again; return the number of steps."""
        table_id = self.people[0].table_id
        for visitor in self.everybody:
            visitor.go("/sign-in")  # a page that is not live
        n = random_steps(self.people, table_id, self._skipped, dice)
        for visitor in self.everybody:
            visitor.go(f"/tables/{table_id}")
            visitor.see("#table")
        self._opened_at, self._turn, self._shifted = n, "", {}
        return n

    def _says_whose_turn(self, seen: dict[Visitor, dict[str, Any]], asked: Visitor) -> None:
        name = self._names[asked]
        for visitor, look in seen.items():
            assert name in look["turn"]
            assert look["holds"] == 0
            assert look["mine"] == look["title"].startswith("● Your turn") == (visitor is asked)
            assert look["asked"].startswith("Your turn") if visitor is asked else name in look["asked"]
            assert look["hands"] == (visitor in self.people)
            assert visitor in self.people or not look["steps"]

    def _another_turn(self, turn: str) -> None:
        if turn == self._turn:
            return
        for shifts in self._shifted.values():
            assert sum(value for value, *_ in shifts) <= STEADY, (self._turn, shifts)
        self._turn, self._shifted = turn, {}


def apart(
    arrive: Arrive, game: str, players: int, watchers: int, options: dict[str, Any], screen: dict[str, Any]
) -> Party:
    """Each player has a browser; the last visitors are spectators. The game has started."""
    host, *guests = people = [arrive(**screen) for _ in range(players)]
    table_id = host.open_table(game, "me", *["open"] * (players - 1), **options)
    for number, guest in enumerate(guests, start=1):
        host.see("#asked", f"Waiting for {players - number} more player")
        guest.go(f"/tables/{table_id}")
        guest.press("Sit here")
        host.see("#waiting", guest.name)
    host.see("#asked", "Everyone is here")
    host.press("Start the game")
    for visitor in people:
        visitor.see("#table.is-playing #hand")
    watching = [arrive(**screen) for _ in range(watchers)]
    for watcher in watching:
        watcher.go(f"/tables/{table_id}")
    return Party(people, watching, APART[game])


def together(arrive: Arrive, game: str, players: int, options: dict[str, Any], screen: dict[str, Any]) -> Party:
    """All players share one device. The game has started."""
    device = arrive(**screen)
    names = {f"name-{seat}": NAMES[seat] for seat in range(1, players)}
    device.open_table(game, "me", *["device"] * (players - 1), **names, **options)
    device.see("#hand-over")
    return Party([device], [], TOGETHER)


def random_steps(people: list[Visitor], table_id: str, steps: int, dice: random.Random) -> int:
    """Make legal steps over HTTP for any seat whose turn it is; return the number of steps."""
    seat = 0
    while True:
        device = people[seat % len(people)]
        http = device.context.request
        answer = http.get(f"/api/v1/tables/{table_id}/legal?seat={seat}", timeout=PATIENCE).json()
        if answer["turn"] is None or steps == 0:
            return int(answer["n"])
        if answer["turn"] != seat:
            seat = answer["turn"]
            continue
        step = json.dumps(dice.choice(answer["legal"]))
        form = {"seat": seat, "n": answer["n"], "step": step}
        sent = http.post(
            f"/tables/{table_id}/steps",
            form=form,
            headers={"Origin": device.address, "HX-Request": "true"},
            timeout=PATIENCE,
        )
        assert sent.ok, sent.text()
        steps -= 1


def put_away(visitor: Visitor) -> None:
    """Close temporary pictures, such as scored cities."""
    scenes = visitor.page.locator(".scene[open]:not(.passing):visible")
    for _ in range(scenes.count()):
        visitor.hit(scenes.last)


def click(visitor: Visitor, dice: random.Random) -> int:
    """Click on a marked move, or bid with the number field; return the number of steps."""
    field = visitor.page.locator("#bid-field")
    if dice.random() < 0.3 and field.count() and visitor.page.locator("button[form=bid].can").count():
        least, most = (int(field.get_attribute(bound) or 0) for bound in ("min", "max"))
        n = visitor.n
        field.fill(str(dice.randint(least, (least + most) // 2)))
        visitor.hit(visitor.page.locator("button[form=bid]"))
        visitor.follows(n + 1)
        return visitor.n
    return visitor.step(dice)
