"""What there is to read: rules, what programs can do, and what went wrong."""

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
    """Something that a program can ask for."""

    method: str
    path: str
    summary: str
    says: tuple[str, ...]
    """The rest of what there is to say, in paragraphs."""
    example: str
    """A message as JSON; empty where nothing is sent."""
    refuses: tuple[tuple[int, str], ...]
    """By status, why it may be refused."""


class ProgramsPage(Page, frozen=True, kw_only=True):
    """What programs can do here, as people read it."""

    parts: tuple[tuple[str, tuple[OperationModel, ...]], ...]
    """What belongs together, with its title."""


class Wrong(Page, frozen=True, kw_only=True):
    """Something cannot be done: a page that says what, and what is possible instead."""

    status: int
    title: str
    says: str
