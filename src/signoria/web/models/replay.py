"""Finished games: log, shuffle check and replay."""

from typing import Any

from signoria.web.models.common import GameModel, LevelModel, Model, Page, SeatModel
from signoria.web.models.table import CourseTurn, FairDeal, LogLine, ScoreSheet


class LogPage(Page, frozen=True, kw_only=True):
    """All public events of a table."""

    id: str
    game: GameModel
    over: bool
    """Lines are linked to the replay once the game is over."""
    seats: tuple[SeatModel, ...]
    log: tuple[LogLine, ...]


class CheckLine(Model, frozen=True, kw_only=True):
    """One check of a fair shuffle, and whether it passed."""

    says: str
    holds: bool


class Check(Page, frozen=True, kw_only=True):
    """The check of a finished game's fair shuffle."""

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
    turn_back: int
    """The end of the last turn before this position."""
    turn_forward: int
    """The end of the turn that is being played, or of the next one."""
    seat: int | None
    """The seat whose view is shown; None for a spectator's view or all cards."""
    open: bool
    """Whether all cards are shown."""
    seats: tuple[SeatModel, ...]
    chapter: str
    asked: str
    view: Any
    happened: tuple[LogLine, ...]
    """Events of the step before this position."""
    events: tuple[Any, ...] = ()
    """The same as the game's own event objects."""
    lately: tuple[Any, ...] = ()
    """Events of the current turn so far: the game's own event objects."""
    recap: tuple[Any, ...] = ()
    """Events of the section that ended with the last step; empty if none did."""
    log: tuple[LogLine, ...]
    """The whole game, each line with its step."""
    sheet: ScoreSheet
    course: tuple[CourseTurn, ...] = ()
    """The points over the game."""
    levels: tuple[LevelModel, ...] = ()
    """Bots to play against from this position."""
