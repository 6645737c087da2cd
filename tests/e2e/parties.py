"""People around a table, each with a browser or all with one, who play a whole game by clicking on what is marked."""

import json
import random
from typing import Any

from tests.e2e.conftest import Arrive
from tests.e2e.visitors import PATIENCE, Visitor

NAMES = ("Anna", "Bianca", "Cosimo", "Dante", "Elena")
STEADY = 0.02
"""How much of a page may shift in a turn, as browsers measure it: the share that moved times how far."""
CLICKED = 16
SKIPPED = 40
"""Where not all of a game is played by clicking: steps that are, and steps that a program makes before the next."""
LOOK = """() => {
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
    """Whoever sits at a table, by the browsers they have, and whoever watches."""

    def __init__(self, people: list[Visitor], watchers: list[Visitor], *, skips: bool = False) -> None:
        self.people, self.watchers, self._skips = people, watchers, skips
        self.everybody = [*people, *watchers]
        self.moved = dict.fromkeys(people, 0)
        """Clicks that each of the browsers made."""
        self._names = {visitor: visitor.name for visitor in people}
        self._turn = ""
        self._shifted: dict[Visitor, list[list[Any]]] = {}
        """What moved on each page in this turn."""
        self._opened_at = 0
        """How many steps there were when the pages were opened; what moves while a page is opened does not count."""

    def play(self, dice: random.Random) -> None:
        """Play to the end. With every step the page is looked at, with every turn what has shifted is added up."""
        n = 0
        while True:
            seen = {visitor: visitor.follows(n, LOOK) for visitor in self.everybody}
            for visitor, look in seen.items():
                assert look["n"] == n
                assert look["beyond"] <= 0
                if not (look["covered"] or look["over"]):  # handing over the device, and the end, are other screens
                    self._shifted.setdefault(visitor, []).extend(look["shifts"] if n != self._opened_at else [])
            over = [look["over"] for look in seen.values()]
            self._another_turn(seen[self.people[0]]["turn"])
            if any(over):
                assert all(over)
                return
            n = self._step(seen, dice)
            if self._skips and sum(self.moved.values()) % CLICKED == 0:
                n = self._skip(dice)

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
        """Make steps for everybody on this device without its page, then open it again; how many there are then."""
        (device,) = self.people
        table_id = device.table_id
        device.go("/sign-in")  # a page that does not follow the table
        n = random_steps(device, table_id, SKIPPED, dice)
        device.go(f"/tables/{table_id}")
        device.see("#table")
        self._opened_at, self._turn, self._shifted = n, "", {}
        return n

    def _says_whose_turn(self, seen: dict[Visitor, dict[str, Any]], asked: Visitor) -> None:
        name = self._names[asked]
        for visitor, look in seen.items():
            assert name in look["turn"]
            assert look["holds"] == 0
            assert look["mine"] == look["title"].startswith("● Your turn") == (visitor is asked)
            assert look["asked"].startswith("Your turn" if visitor is asked else f"{name} (")
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
    """Everybody has a browser of their own; the last who come only watch. The game has begun."""
    host, *guests = people = [arrive(**screen) for _ in range(players)]
    table_id = host.open_table(game, "me", *["open"] * (players - 1), **options)
    for number, guest in enumerate(guests, start=1):
        host.see("#asked", f"Waiting for {players - number} more player")
        guest.go(f"/tables/{table_id}")
        guest.press("Sit down here")
        host.see("#waiting", guest.name)
    host.see("#asked", "Everybody is here")
    host.press("Start the game")
    for visitor in people:
        visitor.see("#table.is-playing #hand")
    watching = [arrive(**screen) for _ in range(watchers)]
    for watcher in watching:
        watcher.go(f"/tables/{table_id}")
    return Party(people, watching)


def together(arrive: Arrive, game: str, players: int, options: dict[str, Any], screen: dict[str, Any]) -> Party:
    """Everybody plays on one device. The game has begun."""
    device = arrive(**screen)
    names = {f"name-{seat}": NAMES[seat] for seat in range(1, players)}
    device.open_table(game, "me", *["device"] * (players - 1), **names, **options)
    device.see("#hand-over")
    return Party([device], [], skips=True)


def random_steps(device: Visitor, table_id: str, steps: int, dice: random.Random) -> int:
    """Make legal steps over HTTP, for whichever seat of this device is asked; how many steps the game has then."""
    http, seat = device.context.request, 0
    while True:
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
    """Close what is shown for a while: cities that were scored."""
    scenes = visitor.page.locator(".scene[open]:not(.passing):visible")
    for _ in range(scenes.count()):
        visitor.hit(scenes.last)


def click(visitor: Visitor, dice: random.Random) -> int:
    """On something that is marked, or bid with the number field; how many steps there are then."""
    field = visitor.page.locator("#bid-field")
    if dice.random() < 0.3 and field.count() and visitor.page.locator("button[form=bid].can").count():
        least, most = (int(field.get_attribute(bound) or 0) for bound in ("min", "max"))
        n = visitor.n
        field.fill(str(dice.randint(least, (least + most) // 2)))
        visitor.hit(visitor.page.locator("button[form=bid]"))
        visitor.follows(n + 1)
        return visitor.n
    return visitor.step(dice)
