"""What is played: a game with options, components and bots. The same experiment gives the same games on every machine."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import msgspec
import numpy as np

from signoria.batch.counting import CountedSeries, count_replay
from signoria.batch.statistics import Statistics, empty_statistics, statistics_of
from signoria.bots import find_bot
from signoria.bots.bot import FREE, Bot, Quick
from signoria.bots.finding import BOTS
from signoria.games import AnyGame, find_game, split_own
from signoria.kernel.errors import BadOption, IllegalStep
from signoria.kernel.game import Options
from signoria.kernel.layout import Records
from signoria.kernel.luck import sow
from signoria.kernel.options import Option
from signoria.kernel.position import Position
from signoria.kernel.printed import ChangedFigure, read_changed, read_own
from signoria.kernel.table import view_of

STANDARD = "standard"
"""The name of the components and options we play with, in a comparison."""


class Experiment(msgspec.Struct, frozen=True):
    """A game with its options and components, the bot of each seat, and a seed. It can be sent to other machines."""

    game: str
    options: dict[str, Any]
    bots: tuple[str, ...]
    seed: int
    own: str | None = None
    """The text of an owner's own list of components; None for the list we play with."""
    figures: dict[str, Any] | None = None
    """A changed `components.toml`; None for the one we play with."""
    title: str = STANDARD
    changes: tuple[ChangedFigure, ...] = ()
    """The figures that were changed."""

    @property
    def players(self) -> int:
        """How many play."""
        return int(self.options["players"])

    def with_players(self, players: int) -> "Experiment":
        """The same with another number of players and the first seat's bot in every seat; raises `BadDeck`."""
        options = self.options | {"players": players}
        return checked(msgspec.structs.replace(self, options=options, bots=self.bots[:1] * players))

    def with_bots(self, bot: str) -> "Experiment":
        """The same with another bot in every seat."""
        return checked(msgspec.structs.replace(self, bots=(bot,) * self.players))

    @property
    def compiled(self) -> bool:
        """Whether all bots are compiled, so that millions of games can be played."""
        return set(self.bots) <= BOTS.keys() and all(isinstance(find_bot(bot), Quick) for bot in self.bots)


class SetUp(NamedTuple):
    """An experiment ready to be played."""

    game: AnyGame
    options: Options
    components: msgspec.Struct
    boxes: Records


@lru_cache(64)
def _set_up(told: bytes) -> SetUp:
    return set_up(msgspec.json.decode(told, type=Experiment))


def set_up(experiment: Experiment) -> SetUp:
    """The game, its options and its components; raises `BadOption` or `BadDeck`."""
    game = find_game(experiment.game)
    options = game.options(experiment.options)
    if experiment.figures is not None:
        return SetUp(game, options, *game.redesigned(options, experiment.figures))
    if experiment.own is None:
        components = game.components(options)
    else:
        with TemporaryDirectory() as folder:
            path = Path(folder) / experiment.title
            path.write_text(experiment.own, "utf-8")
            components = game.components(options, path)
    return SetUp(game, options, components, game.box(options, components))


def checked(experiment: Experiment) -> Experiment:
    """The same experiment, if it can be played; raises `BadOption` or `BadDeck`."""
    set_up(experiment)
    for bot in experiment.bots:
        find_bot(bot)
    return experiment


def experiment_of(game: AnyGame, options: Options, own: Path | None, bots: Sequence[str], seed: int) -> Experiment:
    """An experiment with these options; `own` is a file with an owner's own list of components."""
    text, title = (None, STANDARD) if own is None else (read_own(own), own.name)
    return checked(Experiment(game.name, msgspec.to_builtins(options), tuple(bots), seed, own=text, title=title))


def variant_of(base: Experiment, told: str) -> Experiment:
    """A variant for a comparison: `standard`, a changed `components.toml`, another list of components, or options such
    as `name` or `name=value,other`. Raises `BadOption` or `BadDeck`.
    """
    if told == STANDARD:
        return base
    game, path = find_game(base.game), Path(told)
    if path.suffix == ".toml":
        figures, changes = read_changed(path, game.package)
        return checked(msgspec.structs.replace(base, figures=figures, title=path.name, changes=changes))
    if path.is_file() and game.own_components is not None:
        return checked(msgspec.structs.replace(base, own=read_own(path), title=path.name))
    given, _ = split_own(game, dict(_read_option(one) for one in told.split(",")))
    options = msgspec.to_builtins(game.options(base.options | given))
    return checked(msgspec.structs.replace(base, options=options, title=told))


def _read_option(told: str) -> tuple[str, Option]:
    name, _, value = told.strip().replace("-", "_").partition("=")
    if name == "players" or not name.isidentifier():
        raise BadOption(f"compare: {told!r} is neither a file nor an option in which variants can differ.")
    known: dict[str, Option] = {"": True, "true": True, "false": False}
    return name, known.get(value, int(value) if value.isdecimal() else value)


def play(experiment: Experiment, start: int, count: int) -> Statistics:
    """Play games `start`, `start + 1`, ... of an experiment on one core, and add them up."""
    there = _set_up(msgspec.json.encode(experiment))
    statistics = empty_statistics(there.game, there.options.players)
    bots = [find_bot(name) for name in experiment.bots]
    if experiment.compiled:
        choosers = [bot.chooser(there.game) for bot in bots if isinstance(bot, Quick)]
        series = CountedSeries(there.game, there.boxes, choosers, experiment.seed)
        for done in range(0, count, TOGETHER):
            statistics.add(statistics_of(there.game, series.play(start + done, min(TOGETHER, count - done))))
    else:
        for number in range(start, start + count):
            statistics.add(_play_at_table(there, bots, experiment.seed, number))
    return statistics


TOGETHER = 500
"""Games that are counted before they are added up; few enough to stay in the CPU cache."""


def _play_at_table(there: SetUp, bots: Sequence[Bot], seed: int, number: int) -> Statistics:
    """Play one game between any bots: each gets the view of its seat."""
    position, luck = Position(there.game, there.boxes), np.empty(1, np.uint64)
    sow(luck, seed, number)
    position.call(there.game.rules.deal, luck)
    dealt, steps = position.copy(), []
    chances = [Random(f"{seed}/{number}/{seat}") for seat in range(len(bots))]
    while not position.over:
        seat = position.seat
        view: Any = view_of(position, there.components, seat)
        step = bots[seat].decide(view, chances[seat], FREE)
        if step not in view.legal:
            raise IllegalStep(f"The bot in seat {seat} chose {step}.", there.game.clauses[0].id)
        steps.append(there.game.number_of(step))
        position.apply(steps[-1])
    return statistics_of(there.game, count_replay(dealt, steps))
