"""Examples of clauses: real positions in which a step is legal, is refused by the clause, or points are counted.

A game lists its examples in the package `examples` of its folder. The rules say what an example shows: which steps are legal,
what they lead to, and why others are refused. So an example cannot differ from the rules, and `check` proves it.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from signoria.kernel.clauses import Refusal
from signoria.kernel.table import Table

AnyExampleTable = Table[Any, Any, Any]
DIGIT = re.compile(r"\d")


def no_facts(view: Any) -> Mapping[str, object]:
    """A caption without values."""
    return {}


class Example(NamedTuple):
    """A position that shows what a clause means.

    Example(
        "L4",
        to_say("{p0} has {cards} cards and may take any of them."),
        setup(hands={0: ["red-1", "blue-2"]}),
        refused=(Take("green-3"),),
        legal=(Take("red-1"),),
        draws=("hand 0",),
        facts=lambda view: {"cards": len(view.players[0].hand)},
    )
    """

    clause: str
    says: str
    """The caption, marked for translation. Its numbers are values: `facts` takes them from the view. `{p0}` is the name of
    seat 0."""
    position: Callable[[], AnyExampleTable]
    """Makes the table at its position."""
    draws: tuple[str, ...]
    """The parts of the table that matter, as the board of the game names them."""
    before: tuple[Any, ...] = ()
    """Legal steps that lead from the position to the picture."""
    legal: tuple[Any, ...] = ()
    """Steps that are legal in the picture."""
    refused: tuple[Any, ...] = ()
    """Steps that this clause refuses in the picture."""
    refused_to: int | None = None
    """The seat that tries the refused steps; None for the seat in turn."""
    event: str = ""
    """The clause of an event that the first legal step causes; the clause itself if empty."""
    scores: bool = False
    """Whether the lines of the score sheet for this clause are shown."""
    outcome: bool = False
    """Whether the winner is shown, and why."""
    after: bool = False
    """Whether the position after the first legal step is drawn too."""
    facts: Callable[[Any], Mapping[str, object]] = no_facts
    """The values of the caption, from the open view of the picture."""
    points_from: str = ""
    """The clause whose lines of the score sheet are shown; the clause itself if empty."""


class Tried(NamedTuple):
    """A step that an example tries: what it leads to, or why it is refused."""

    step: Any
    refusal: Refusal | None
    events: tuple[Any, ...] = ()


class CountedPoints(NamedTuple):
    """A line of the score sheet: points of a seat, and where they come from."""

    seat: int
    name: str
    points: int
    detail: str


class ShownExample(NamedTuple):
    """An example as the rules see it, in the language that is spoken now."""

    clause: str
    says: str
    draws: tuple[str, ...]
    view: Any
    """The position with nothing hidden."""
    after: Any
    """The position after the first legal step; None if it is not drawn."""
    tried: tuple[Tried, ...]
    lines: tuple[CountedPoints, ...]
    winners: tuple[int, ...]
    reason: str
    """Why they win; empty if the example does not show it."""


def show(example: Example) -> ShownExample:
    """Ask the rules what an example shows."""
    table = example.position()
    for step in example.before:
        table.apply(step)
    view = table.open_view()
    names = {f"p{seat}": table.game.seat_name(seat) for seat in range(table.options.players)}
    says = table.game.texts.say(example.says, **names, **example.facts(view))
    tried: list[Tried] = []
    after: Any = None
    for step in example.legal:
        ahead = table.copy()
        tried.append(Tried(step, None, _until(ahead.apply(step), example.event or example.clause)))
        if example.after and after is None:
            after = ahead.open_view()
    tried += [Tried(step, table.why_not(step, example.refused_to)) for step in example.refused]
    outcome = table.outcome if example.outcome else None
    return ShownExample(
        example.clause,
        says,
        example.draws,
        view,
        after,
        tuple(tried),
        _lines(table, example.points_from or example.clause) if example.scores else (),
        outcome.winners if outcome else (),
        outcome.reason if outcome else "",
    )


def _until(events: tuple[Any, ...], clause: str) -> tuple[Any, ...]:
    """The events up to the last one of a clause; all events if none belongs to it."""
    last = max((place for place, event in enumerate(events) if event.clause == clause), default=len(events) - 1)
    return events[: last + 1]


def _lines(table: AnyExampleTable, clause: str) -> tuple[CountedPoints, ...]:
    return tuple(
        CountedPoints(score.seat, part.name, part.points, part.detail)
        for score in table.scores
        for part in score.parts
        if part.clause == clause
    )


def faults(example: Example) -> list[str]:
    """What is wrong with an example: steps that the rules judge differently, or a clause that it does not show."""
    found = []
    if DIGIT.search(re.sub(r"\{[^}]*\}", "", example.says)):
        found.append("the caption has a number that does not come from the position")
    shown = show(example)
    for step, refusal, _ in shown.tried:
        if step in example.refused and (refusal is None or refusal.clause != example.clause):
            found.append(f"{step} is not refused by {example.clause} but {refusal}")
    if example.legal and not example.refused:
        told = {event.clause for event in shown.tried[0].events}
        if (example.event or example.clause) not in told:
            found.append(f"{example.legal[0]} causes {sorted(told)}")
    if example.scores and not any(line.points for line in shown.lines):
        found.append("nobody scores points for the clause")
    if example.outcome and example.clause not in shown.reason:
        found.append(f"the win is decided otherwise: {shown.reason}")
    return found
