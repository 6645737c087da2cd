"""Errors for people: what was asked, which clause or field forbids it, and what is possible instead."""


class SignoriaError(Exception):
    """Base class of all errors that Signoria reports; the message is a sentence for people."""


class IllegalStep(SignoriaError):
    """A step that the rules forbid now: the sentence, the clause, and what is possible instead."""

    def __init__(self, sentence: str, clause: str, possible: str = "") -> None:
        super().__init__(f"{sentence} ({clause}){possible}")
        self.sentence = sentence
        self.clause = clause
        self.possible = possible.strip()


class NotYourTurn(IllegalStep):
    """A step by a seat whose turn it is not."""


class NoUndo(SignoriaError):
    """A step that can no longer be undone."""


class BadOption(SignoriaError):
    """A game, option or bot that does not exist, or an invalid value."""


class BadDeck(SignoriaError):
    """An invalid card list. The message names the constraint, the card and the line."""


class BadRecord(SignoriaError):
    """A game record that is damaged or wrong. The message names the field."""


class NotOver(SignoriaError):
    """Something that is available only after the game, such as the record, which shows the seed."""
