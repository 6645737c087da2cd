"""What is left of a game: its log, its fair deal, its positions."""

from typing import Any

from signoria.web.models.common import GameModel, LevelModel, Model, Page, SeatModel
from signoria.web.models.table import CourseTurn, FairDeal, LogLine, ScoreSheet


class LogPage(Page, frozen=True, kw_only=True):
    """Everything public that happened at a table."""

    id: str
    game: GameModel
    over: bool
    """Lines are linked to the replay once the game is over."""
    seats: tuple[SeatModel, ...]
    log: tuple[LogLine, ...]


class CheckLine(Model, frozen=True, kw_only=True):
    """Something that a fair deal promises, and whether it holds."""

    says: str
    holds: bool


class Check(Page, frozen=True, kw_only=True):
    """The fair deal of a finished game, checked."""

    id: str
    game: GameModel
    seats: tuple[SeatModel, ...]
    fair: FairDeal
    checks: tuple[CheckLine, ...]


class Replay(Page, frozen=True, kw_only=True):
    """A finished game at one of its positions."""

    id: str
    game: GameModel
    n: int
    last: int
    seat: int | None
    """Whose view; None for a spectator's or the open one."""
    open: bool
    """Everything is shown, every hand."""
    seats: tuple[SeatModel, ...]
    chapter: str
    asked: str
    view: Any
    happened: tuple[LogLine, ...]
    """What the step before this position brought about."""
    lately: tuple[Any, ...] = ()
    """What the turn brought about so far: the game's own events."""
    log: tuple[LogLine, ...]
    """The whole game, each line with its step."""
    sheet: ScoreSheet
    course: tuple[CourseTurn, ...] = ()
    """The score over the game."""
    levels: tuple[LevelModel, ...] = ()
    """Bots to play on against."""
