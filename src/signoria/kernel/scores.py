"""Scores in words, and how a game ended."""

import msgspec

from signoria.kernel.words import Sentence


class ScoreItem(msgspec.Struct, frozen=True):
    """One thing that points come from: a token, a set of cards."""

    says: str
    points: int
    sign: str
    """What it is drawn with: the id of a picture."""
    count: int = 1


class ScorePart(msgspec.Struct, frozen=True):
    """A line of a score sheet: where points come from, and the clause that gives them."""

    name: str
    points: int
    clause: str
    detail: str
    items: tuple[ScoreItem, ...] = ()
    """The same thing by thing; empty where there is nothing to tell apart."""


class Score(msgspec.Struct, frozen=True):
    """What a seat has: as it stands, and final once the game is over."""

    seat: int
    parts: tuple[ScorePart, ...]
    total: int
    also: dict[str, int]
    """What decides a tie, by its name in records."""

    @property
    def row(self) -> dict[str, int]:
        """The score as a record carries it."""
        return {part.name: part.points for part in self.parts} | {"total": self.total} | self.also


class Outcome(msgspec.Struct, frozen=True):
    """How a game ended: who won (several, if shared), and by which clause."""

    winners: tuple[int, ...]
    reason: str
    told: Sentence = Sentence()
    """A tie and what decided it; empty where points did."""
