"""What the laboratory counts in a game: things that players hold, and clauses that come into play."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from signoria.kernel.compiled import rule


class Thing(NamedTuple):
    """Something that a player can hold once or several times: a card, a token, a role."""

    id: str
    label: str


class ThingGroup(NamedTuple):
    """Things of one kind."""

    title: str
    says: str
    """What holding one means, and how a player comes to hold it: by choice or by chance."""
    things: tuple[Thing, ...]


class Happening(NamedTuple):
    """Something that can happen in a game, and the clause that it comes from."""

    clause: str
    says: str


class ReportedResult(NamedTuple):
    """The result of a real game that people have reported."""

    players: int
    column: str
    """The column of the score sheet that it is about."""
    values: tuple[int, ...]
    """The values of the players, highest first."""


class Counters(NamedTuple):
    """What is counted in every game. `held` has a row for each seat with a number for each thing; `counts` has a number
    for each happening. Both are all 0 when a game begins.
    """

    groups: tuple[ThingGroup, ...]
    happenings: tuple[Happening, ...]
    watch: Callable[[Any, Any, Any, int, Any, Any], None]
    """watch(before, s, box, step, held, counts): count what a step has changed."""
    finish: Callable[[Any, Any, Any, Any, Any], None]
    """finish(s, box, sheet, held, counts): count what can be seen at the end; `sheet` is the score sheet."""
    parts: Mapping[str, str] = MappingProxyType({})
    """Labels of columns of the score sheet, where their names do not say enough."""
    details: Callable[[Any], Mapping[str, str]] = lambda _: {}
    """details(components): what is printed on things, by their ids."""
    reported: tuple[ReportedResult, ...] = ()

    @property
    def things(self) -> tuple[Thing, ...]:
        """All things, in the order of their numbers."""
        return tuple(thing for group in self.groups for thing in group.things)


def ties_counter(total: int, won: int, shared: int, tiebreak: int) -> Callable[[Any, int, Any], None]:
    """The rule that counts how a game was decided: count_ties(sheet, players, counts).

    `total` and `won` are columns of the score sheet. Happening `shared` is counted if several players won, and `tiebreak`
    if a player with as many points as the winners did not win.
    """

    @rule
    def count_ties(sheet: Any, players: int, counts: Any) -> None:
        winners, level, most = 0, 0, 0
        for seat in range(players):
            winners += int(sheet[seat, won])
            if sheet[seat, won] == 1:
                most = int(sheet[seat, total])
        for seat in range(players):
            if sheet[seat, total] == most:
                level += 1
        if winners > 1:
            counts[shared] += 1
        if level > winners:
            counts[tiebreak] += 1

    return count_ties


@rule
def _watch_nothing(before: Any, s: Any, box: Any, step: int, held: Any, counts: Any) -> None:
    pass


@rule
def _finish_nothing(s: Any, box: Any, sheet: Any, held: Any, counts: Any) -> None:
    pass


NO_COUNTERS = Counters((), (), _watch_nothing, _finish_nothing)
"""For a game without counters of its own: only its score sheets are added up."""
