"""A minimal game: take one to three coins from a heap; the last coin counts three more."""

from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
import numpy as np

from signoria.kernel.clauses import Clause, Refusal
from signoria.kernel.compiled import rule
from signoria.kernel.errors import IllegalStep
from signoria.kernel.game import Game, Options, Rules
from signoria.kernel.layout import Bytes, Records, Small, blank, layout
from signoria.kernel.luck import below
from signoria.kernel.position import Position
from signoria.kernel.ranking import marker
from signoria.kernel.scores import Outcome, Score, ScorePart
from signoria.kernel.shuffle import FairStream
from signoria.kernel.view import SeatView
from signoria.kernel.words import Naming, ToldEvent

SEATS, MOST, FEWEST_COINS = 4, 3, 9
TAKING = 1
COINS, LAST, TOTAL, WON = range(4)


class Box:
    """What never changes."""

    players: Small


class State:
    """What does."""

    asked: Small
    seat: Small
    heap: Small
    coins: Annotated[Bytes, np.int8, SEATS]
    last: Small


BOX, STATE = layout(Box), layout(State)


class Take(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="take"):
    """Take a number of coins (H2)."""

    coins: int

    def __str__(self) -> str:
        return f"take {self.coins}"


class Taken(ToldEvent, frozen=True):
    """Coins were taken."""

    seat: int
    coins: int

    def told(self, name: Naming) -> str:
        return f"{name(self.seat)} takes {self.coins}."


class View(SeatView, frozen=True, kw_only=True):
    """The view; nothing is hidden."""

    game: str = "heap"
    seat: int | None
    turn: int | None
    heap: int
    coins: tuple[int, ...]
    legal: tuple[Take, ...]


@rule
def begin(s: Any, box: Any, heap: int) -> None:
    s.asked, s.seat, s.heap, s.last = TAKING, 0, heap, -1
    for seat in range(SEATS):
        s.coins[seat] = 0


@rule
def deal(s: Any, box: Any, luck: Any) -> None:
    begin(s, box, FEWEST_COINS + below(luck, 6))


@rule
def refusal(s: Any, box: Any, step: int) -> int:
    if s.asked != TAKING:
        return 1
    return 0 if step < s.heap else 2


@rule
def apply(s: Any, box: Any, step: int) -> None:
    s.heap -= step + 1
    s.coins[s.seat] += step + 1
    if s.heap == 0:
        s.asked, s.last = 0, s.seat
    else:
        s.seat = (int(s.seat) + 1) % box.players


@rule
def legal_steps(s: Any, box: Any, steps: Any) -> int:
    count = min(MOST, int(s.heap)) if s.asked == TAKING else 0
    for step in range(count):
        steps[step] = step
    return count


@rule
def any_step(s: Any, box: Any, luck: Any) -> int:
    return below(luck, min(MOST, int(s.heap)))


@rule
def see(s: Any, box: Any, seat: int) -> None:
    pass


@rule
def redeal(s: Any, box: Any, luck: Any) -> None:
    pass


@rule
def beats(sheet: Any, seat: int, other: int) -> bool:
    return bool(sheet[seat, TOTAL] > sheet[other, TOTAL])


mark_winners = marker(beats, WON)


@rule
def score(s: Any, box: Any, sheet: Any) -> None:
    for seat in range(box.players):
        sheet[seat, COINS] = s.coins[seat]
        sheet[seat, LAST] = 3 if s.last == seat else 0
        sheet[seat, TOTAL] = sheet[seat, COINS] + sheet[seat, LAST]
    mark_winners(sheet, box.players)


class Heap(Game[Take, View, Taken]):
    """It has no words, no components, no options, no bot and no board."""

    name = "heap"
    title = "Heap"
    version = "1"
    shuffle_label = "tests/heap/1"
    clauses = (Clause("H1", "Two to four play."), Clause("H2", "Take one to three coins."), Clause("H3", "Most win."))
    rules = Rules(deal, refusal, apply, legal_steps, any_step, see, see, redeal, score)
    state = STATE
    steps = MOST
    most_legal = MOST
    kinds = 2
    columns = ("coins", "last", "total", "won")
    seats = range(2, SEATS + 1)
    step_type = Take
    view_type = View
    event_type = Taken

    def box(self, options: Options, components: msgspec.Struct) -> Records:
        boxes = blank(1, BOX)
        boxes[0].players = options.players
        return boxes

    def fair_deal(self, position: Position, stream: FairStream) -> dict[str, Any]:
        position.call(begin, FEWEST_COINS + stream.below(6))
        return {"heap": position.state.heap}

    def number_of(self, step: Take) -> int:
        if step.coins not in range(1, MOST + 1):
            raise IllegalStep(f"Nobody takes {step.coins}.", "H2")
        return step.coins - 1

    def step_of(self, number: int) -> Take:
        return Take(number + 1)

    def explain(self, reason: int, step: Take, position: Position) -> Refusal:
        return Refusal("H2", "The game is over." if reason == 1 else f"There are no {step.coins} coins left.")

    def asked(self, position: Position) -> str:
        return "take coins"

    def events(self, before: Position, after: Position, step: Take) -> tuple[Taken, ...]:
        return (Taken("H2", before.seat, step.coins),)

    def revealed(self, before: Position, after: Position) -> str | None:
        return None

    def view(
        self,
        known: Position,
        shown: Position,
        components: msgspec.Struct,
        seat: int,
        legal: Sequence[Take],
        memory_aid: bool,
    ) -> View:
        s, box = shown.in_lists()
        return View(
            seat=None if seat < 0 else seat,
            turn=s.seat if s.asked else None,
            heap=s.heap,
            coins=tuple(s.coins[: box.players]),
            legal=tuple(legal) if seat == s.seat else (),
        )

    def scores(self, position: Position) -> tuple[Score, ...]:
        return tuple(
            Score(
                seat,
                (ScorePart("coins", row[COINS], "H2", ""), ScorePart("last", row[LAST], "H3", "")),
                row[TOTAL],
                {},
            )
            for seat, row in enumerate(position.sheet().tolist())
        )

    def ahead(self, sheet: Any, seat: int, other: int) -> bool:
        return bool(sheet[seat, TOTAL] > sheet[other, TOTAL])

    def outcome(self, scores: Sequence[Score], winners: tuple[int, ...]) -> Outcome:
        return Outcome(winners, "most points (H3)")


HEAP = Heap()
