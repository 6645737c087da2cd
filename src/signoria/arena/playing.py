"""One game of an arena; it depends only on the setting and the fixture."""

import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from random import Random
from time import perf_counter
from types import FrameType
from typing import Any

import msgspec

from signoria.arena.matches import Fixture, Key
from signoria.arena.setting import Setting
from signoria.bots import BOTS, Seated, find_bot, runner
from signoria.bots.random import RandomBot
from signoria.games import AnyTable
from signoria.kernel.errors import BadOption

Asking = Callable[[int | None], None]
"""Called with the seat whose bot is asked, and with None when it has answered."""
MICROSECOND = 6


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """A finished game, everything by seat. All fields except `seconds` are the same wherever it is played."""

    match: str
    deal: int
    rotation: int
    bots: tuple[str, ...]
    points: tuple[int, ...]
    shares: tuple[float, ...]
    """Shares of the win: 1 for the winner, 1/k if k share it, 0 for the others and for bots that forfeited."""
    places: tuple[int, ...] = ()
    """Places as the game ranks the seats, from 1; bots that forfeited are last. Empty in results of earlier versions."""
    forfeits: tuple[str | None, ...]
    """Why a bot forfeited, in a sentence."""
    decisions: tuple[int, ...]
    """Decisions with a choice; forced steps are made without asking the bot."""
    seconds: tuple[float, ...]
    """Time spent on these decisions."""

    @property
    def key(self) -> Key:
        """Identifies the game."""
        return self.match, self.deal, self.rotation


class DecisionTimeout(BaseException):
    """A decision took longer than the patience. Not an `Exception`, so that a bot's own error handling ignores it."""


def play_game(
    setting: Setting,
    fixture: Fixture,
    asking: Asking = lambda _seat: None,
    forfeits: Mapping[int, str] | None = None,
) -> Played:
    """Play a game to its end.

    A bot that fails, returns an illegal step or takes too long forfeits: from then on, any legal step is made in its
    place. `forfeits` holds bots that have already forfeited by crashing their process.
    """
    table = setting.open(fixture.deal)
    lost_before = forfeits or {}
    entrants = [
        Entrant(_seat(setting, fixture, seat, asking, lost_before.get(seat)), seat, setting.patience, asking)
        for seat in range(setting.players)
    ]
    runner.play_out(table, dict(enumerate(entrants)))
    lost = [entrant.bot.forfeit and f"{entrant.bot.forfeit} {entrant.bot.detail}".strip() for entrant in entrants]
    playing = [seat for seat, sentence in enumerate(lost) if sentence is None]
    return Played(
        match=fixture.match,
        deal=fixture.deal,
        rotation=fixture.rotation,
        bots=fixture.bots,
        points=tuple(score.total for score in table.scores),
        shares=shares(table, playing),
        places=table.game.places(table.sheet(), playing),
        forfeits=tuple(lost),
        decisions=tuple(entrant.decisions for entrant in entrants),
        seconds=tuple(round(entrant.seconds, MICROSECOND) for entrant in entrants),
    )


class Entrant:
    """A bot in its seat of an arena. Its decisions are counted and timed, and limited by the patience."""

    def __init__(self, bot: Seated, seat: int, patience: float, asking: Asking) -> None:
        self.bot, self._seat, self._patience, self._asking = bot, seat, patience, asking
        self.decisions, self.seconds = 0, 0.0

    def decide(self, view: Any) -> Any:
        """One of `view.legal`, even if the bot fails."""
        if self.bot.forfeit is None:
            self.decisions += 1
            started = perf_counter()
            try:
                with patience(self._patience):
                    self._asking(self._seat)
                    return self.bot.decide(view)
            except DecisionTimeout:
                self.bot.forfeit = f"{self.bot.name} forfeits: no step within {self._patience:g} seconds."
            finally:
                self.seconds += perf_counter() - started
                self._asking(None)
        return self.bot.decide(view)


def _seat(setting: Setting, fixture: Fixture, seat: int, asking: Asking, lost: str | None) -> Seated:
    """A new bot in its seat, with its own random generator; a bot that cannot be created forfeits.

    A bot that has already forfeited is not created again: creating it may be what crashed the process.
    """
    name = fixture.bots[seat]
    line_up = ",".join(fixture.bots)
    rng = Random(f"signoria/arena/{setting.seed}/{fixture.deal}/{fixture.rotation}/{line_up}/{seat}")
    absent = Seated(name, RandomBot(), rng)
    absent.forfeit = lost
    if lost is not None:
        return absent
    asking(seat)
    try:
        return Seated(name, find_bot(name), rng)
    except BadOption as error:
        absent.forfeit = f"{name} forfeits: {error}"
        return absent
    finally:
        asking(None)


def shares(table: AnyTable, playing: list[int]) -> tuple[float, ...]:
    """The share of the win of each seat, among the bots that did not forfeit."""
    places = table.game.places(table.sheet(), playing)
    best = [seat for seat in playing if places[seat] == 1]
    return tuple(1 / len(best) if seat in best else 0.0 for seat in range(table.options.players))


@contextmanager
def patience(seconds: float) -> Iterator[None]:
    """Raise `DecisionTimeout` after that time, if the system can interrupt the main thread.

    Compiled code cannot be interrupted; the parent process ends this one then.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, _too_slow)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _too_slow(_signal: int, _frame: FrameType | None) -> None:
    raise DecisionTimeout


def warm_up(setting: Setting) -> None:
    """Compile or load the rules and our own bots, so that this does not count as thinking time.

    What is wrong with the bots of others shows, and is told, in a game.
    """
    runner.warm_up(setting.open(0), [name for name in setting.bots if name.partition(":")[0] in BOTS])
