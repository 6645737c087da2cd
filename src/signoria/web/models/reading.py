"""Pages to read: rules, the API reference, and errors."""

from typing import Any

import msgspec

from signoria.kernel.calculator import EntryFault, EntryGrid
from signoria.kernel.clauses import Note
from signoria.web.models.common import GameModel, OptionModel, Page, SeatModel
from signoria.web.models.table import ScoreSheet


class RulesPage(Page, frozen=True, kw_only=True):
    """A page of the rules of a game."""

    game: GameModel


class RulesSearch(RulesPage, frozen=True, kw_only=True):
    """What a search in the rules has found."""

    query: str
    hits: tuple[Any, ...]
    """web.rules.Hit"""


class CalculatorPage(Page, frozen=True, kw_only=True):
    """The form of a score calculator, and the score sheet of what was entered."""

    game: GameModel
    options: tuple[OptionModel, ...]
    """Those that change what counts."""
    chosen: frozenset[str]
    """The names of the options that are chosen."""
    seats: tuple[SeatModel, ...]
    grids: tuple[EntryGrid, ...]
    given: dict[str, str]
    """What was entered, by the names of the fields."""
    faults: tuple[EntryFault, ...]
    notes: tuple[Note, ...]
    sheet: ScoreSheet | None
    """None if nothing was counted."""


class HelpPage(Page, frozen=True, kw_only=True):
    """What everything on a table is, and what it does now."""

    id: str
    game: GameModel
    view: Any


class OperationModel(msgspec.Struct, frozen=True, kw_only=True):
    """An operation of the API."""

    method: str
    path: str
    summary: str
    says: tuple[str, ...]
    """The description, in paragraphs."""
    example: str
    """An example request as JSON; empty if there is no body."""
    refuses: tuple[tuple[int, str], ...]
    """Possible errors: status and reason."""


class ProgramsPage(Page, frozen=True, kw_only=True):
    """The API reference."""

    parts: tuple[tuple[str, tuple[OperationModel, ...]], ...]
    """Groups of operations with their titles."""


class Wrong(Page, frozen=True, kw_only=True):
    """An error page."""

    status: int
    title: str
    says: str
