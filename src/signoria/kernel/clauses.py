"""Clauses of the rules, and why they forbid a step."""

from typing import NamedTuple

import msgspec


class Clause(NamedTuple):
    """A clause of the rules in our words; `ruling` is what we decided where the rulebooks are silent."""

    id: str
    says: str
    title: str = ""
    ruling: str = ""


class Note(NamedTuple):
    """A sentence about the rules, and the clause it comes from."""

    says: str
    clause: str


class Reason(NamedTuple):
    """Why a step can be refused: the clause, and a sentence with gaps for what was asked."""

    clause: str
    says: str


class Refusal(msgspec.Struct, frozen=True):
    """Why a step cannot be made: the clause that forbids it, and a sentence."""

    clause: str
    says: str

    def __str__(self) -> str:
        return f"{self.says} ({self.clause})"
