"""Plays many games and counts what happens in them, for the laboratory: the counters of a game, on every target."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from signoria.batch.playing import Chooser
from signoria.batch.series import among
from signoria.kernel.compiled import rule
from signoria.kernel.game import OVER, Game
from signoria.kernel.layout import Records, blank
from signoria.kernel.luck import sow
from signoria.kernel.position import Position


class Counted(NamedTuple):
    """Games that were played together, and what was counted in each."""

    sheets: NDArray[np.int16]
    """A score sheet per game: seats by columns."""
    first: NDArray[np.int8]
    """The first player of each game."""
    decisions: NDArray[np.int32]
    held: NDArray[np.int16]
    """What each seat held: games by seats by things."""
    counts: NDArray[np.int16]
    """What happened: games by happenings."""


def empty_counts(game: Game[Any, Any, Any], players: int, games: int) -> Counted:
    """Arrays for the counts of some games."""
    counters = game.counters
    return Counted(
        np.zeros((games, players, len(game.columns)), np.int16),
        np.zeros(games, np.int8),
        np.zeros(games, np.int32),
        np.zeros((games, players, len(counters.things)), np.int16),
        np.zeros((games, len(counters.happenings)), np.int16),
    )


@cache
def watched(game: Game[Any, Any, Any], choose: Callable[[Any, Any, Any], int]) -> Callable[..., int]:
    """The rule that plays a dealt game to its end, counts what happens, and returns the number of decisions.

    play(s, before, box, given, sheet, held, counts): `given` is passed to `choose`, and `before` is a spare state.
    """
    apply, score, (watch, finish) = game.rules.apply, game.rules.score, game.counters[2:4]

    @rule
    def play_watched(s: Any, before: Any, box: Any, given: Any, sheet: Any, held: Any, counts: Any) -> int:
        decisions = 0
        while s.asked != OVER:
            before[0] = s
            step = choose(s, box, given)
            apply(s, box, step)
            watch(before[0], s, box, step, held, counts)
            decisions += 1
        score(s, box, sheet)
        finish(s, box, sheet, held, counts)
        return decisions

    return play_watched


@cache
def counter(game: Game[Any, Any, Any], choosers: tuple[Chooser, ...]) -> Callable[..., None]:
    """The rule that deals and plays games `start`, `start + 1`, ... of a series; each seat uses rule `who[seat]`."""
    choose, deal = among(choosers), game.rules.deal

    @rule
    def choose_for_seat(s: Any, box: Any, given: Any) -> int:
        luck, who = given
        return choose(s, box, luck, who)

    play = watched(game, choose_for_seat)

    @rule
    def count_series(
        states: Any,
        boxes: Any,
        seed: int,
        start: int,
        who: Any,
        sheets: Any,
        first: Any,
        decisions: Any,
        held: Any,
        counts: Any,
    ) -> None:
        luck = np.empty(1, np.uint64)
        for k in range(sheets.shape[0]):
            sow(luck, seed, start + k)
            deal(states[0], boxes[0], luck)
            first[k] = states[0].seat
            decisions[k] = play(states[0], states[1:], boxes[0], (luck, who), sheets[k], held[k], counts[k])

    return count_series


@cache
def replayer(game: Game[Any, Any, Any]) -> Callable[..., None]:
    """The rule that replays the steps of one dealt game, as at a table."""

    @rule
    def next_step(s: Any, box: Any, steps: Any) -> int:
        steps[0] += 1
        return steps[steps[0]]  # type: ignore[no-any-return]

    play = watched(game, next_step)

    @rule
    def replay(
        s: Any,
        box: Any,
        before: Any,
        steps: Any,
        sheets: Any,
        first: Any,
        decisions: Any,
        held: Any,
        counts: Any,
    ) -> None:
        first[0] = s.seat
        decisions[0] = play(s, before, box, steps, sheets[0], held[0], counts[0])

    return replay


class CountedSeries:
    """Games between compiled bots, given by the rule of each seat. A game depends only on its number, the seed and the
    bots.
    """

    def __init__(self, game: Game[Any, Any, Any], boxes: Records, choosers: Sequence[Chooser], seed: int) -> None:
        self._game, self._boxes, self._seed = game, boxes, seed
        different = tuple(dict.fromkeys(choosers))
        self._who = np.array([different.index(choose) for choose in choosers], np.int8)
        self._play = counter(game, different)

    def play(self, start: int, count: int) -> Counted:
        """Play games `start`, `start + 1`, ... on one core."""
        counted = empty_counts(self._game, len(self._who), count)
        self._play(blank(2, self._game.state), self._boxes, self._seed, start, self._who, *counted)
        return counted


def count_replay(dealt: Position, steps: Sequence[int]) -> Counted:
    """Count one game, given by its position after the deal and its steps."""
    game = dealt.game
    counted = empty_counts(game, int(dealt.box.players), 1)
    dealt.copy().call(replayer(game), blank(1, game.state), np.array([0, *steps], np.int32), *counted)
    return counted
