"""A study: an experiment, the same with other numbers of players and other bots, and a variant to compare with."""

from collections.abc import Callable
from typing import NamedTuple

from signoria.games import find_game
from signoria.kernel.errors import BadDeck
from signoria.lab.experiment import Experiment
from signoria.lab.figures import Results
from signoria.lab.playing import Player, run

STRENGTHS = ("random", "greedy")
"""Bots of different strength; all are compiled."""
USUAL = "greedy"
"""The bot that plays with other numbers of players, if the chosen bots are not compiled."""
SIDE_SHARE = 10
"""Each of the other experiments has the tenth part of the games."""
LEAST = 1000
"""But no fewer than this."""


class Side(NamedTuple):
    """Results with the same components."""

    main: Results
    by_players: tuple[Results, ...]
    """With every number of players."""
    by_strength: tuple[Results, ...]
    """With bots of different strength."""


class Study(NamedTuple):
    """All results of a report."""

    base: Side
    other: Side | None
    """The variant that the base is compared with."""


class _Plan(NamedTuple):
    main: Experiment
    players: tuple[Experiment, ...]
    strengths: tuple[Experiment, ...]


def _plan(experiment: Experiment, *, sides: bool) -> _Plan:
    if not sides:
        return _Plan(experiment, (), ())
    same = len(set(experiment.bots)) == 1 and experiment.compiled
    usual = experiment if same else experiment.with_bots(USUAL)
    players = []
    for number in find_game(experiment.game).seats:
        try:
            players.append(usual.with_players(number))
        except BadDeck:  # a changed file may be possible only with some numbers of players
            continue
    strengths = [experiment.with_bots(bot) for bot in STRENGTHS]
    if len(set(experiment.bots)) == 1 and experiment not in strengths:
        strengths.append(experiment)
    return _Plan(experiment, tuple(players), tuple(strengths))


def study(
    player: Player,
    base: Experiment,
    other: Experiment | None,
    games: int,
    progress: Callable[[int, int], None],
    *,
    sides: bool = True,
) -> Study:
    """Play everything; `progress` is called with the games played so far and the number of all. With `sides`, also
    play with other numbers of players and other bots.
    """
    plans = [_plan(one, sides=sides) for one in (base, other) if one is not None]
    side_games = min(games, max(LEAST, games // SIDE_SHARE))
    wanted: dict[int, int] = {}
    for plan in plans:
        for one in (*plan.players, *plan.strengths):
            wanted[id(one)] = 0 if one == plan.main else side_games
    total = sum(wanted.values()) + games * len(plans)
    done = 0

    def tell(more: int) -> None:
        nonlocal done
        done += more
        progress(done, total)

    def side_of(plan: _Plan) -> Side:
        main = Results(plan.main, run(player, plan.main, games, tell))

        def beside(one: Experiment) -> Results:
            return main if one == plan.main else Results(one, run(player, one, side_games, tell))

        return Side(main, tuple(map(beside, plan.players)), tuple(map(beside, plan.strengths)))

    sides_played = [side_of(plan) for plan in plans]
    return Study(sides_played[0], sides_played[1] if other is not None else None)
