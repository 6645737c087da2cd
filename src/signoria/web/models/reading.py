"""Pages to read: rules, the API reference, and errors."""

from typing import Any

import msgspec

from signoria.web.models.common import GameModel, Page


class RulesPage(Page, frozen=True, kw_only=True):
    """The clauses of a game, each with an anchor."""

    game: GameModel
    clauses: tuple[Any, ...]
    """kernel.game.Clause"""
    rulings: tuple[Any, ...]


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
