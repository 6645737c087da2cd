"""Clauses of the rules, and why they forbid a step."""

from typing import NamedTuple

import msgspec

from signoria.kernel.language import Texts, Told


class Clause(NamedTuple):
    """A clause of the rules in our words; `ruling` is what we decided where the rulebooks are silent."""

    id: str
    says: str
    title: str = ""
    ruling: str = ""

    def told(self, texts: Texts) -> "Clause":
        """The same in the language that is spoken now."""
        return Clause(self.id, texts.say(self.says), texts.say(self.title), texts.say(self.ruling))


class Ruling(NamedTuple):
    """What the rulebooks leave open or say differently: the question, how we play it, and why."""

    id: str
    """Its anchor: the clause, with a letter if the clause has several rulings."""
    asks: str
    says: str
    why: str
    editions: bool = False
    """Whether the editions of the rulebook differ; otherwise they are silent or unclear."""

    @property
    def clause(self) -> str:
        """The clause that it belongs to."""
        return self.id.rstrip("abcdefgh")

    def told(self, texts: Texts) -> "Ruling":
        """The same in the language that is spoken now."""
        return Ruling(self.id, texts.say(self.asks), texts.say(self.says), texts.say(self.why), self.editions)


class Note(NamedTuple):
    """A sentence about the rules, and the clause it comes from."""

    says: Told
    clause: str

    def told(self, texts: Texts) -> "Note":
        """The same in the language that is spoken now."""
        return Note(texts.tell(self.says), self.clause)


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
