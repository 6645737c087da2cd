"""What can go wrong, said to people: what was asked, which clause or field forbids it, what is possible instead."""


class SignoriaError(Exception):
    """Everything that Signoria refuses; its text is a sentence for people."""


class IllegalStep(SignoriaError):
    """A step that the rules forbid now: the sentence, the clause, and what is possible instead."""

    def __init__(self, sentence: str, clause: str, possible: str = "") -> None:
        super().__init__(f"{sentence} ({clause}){possible}")
        self.sentence = sentence
        self.clause = clause
        self.possible = possible.strip()


class NotYourTurn(IllegalStep):
    """A step by a seat that is not asked now."""


class NoUndo(SignoriaError):
    """A step that can no longer be taken back."""


class BadOption(SignoriaError):
    """A game, an option or a bot that does not exist, or a value that it cannot have."""


class BadDeck(SignoriaError):
    """A card list that the box cannot have held. The text names the constraint, the card and the line."""


class BadRecord(SignoriaError):
    """A game record that is broken or does not tell what happened. The text names the field."""


class NotOver(SignoriaError):
    """Something that exists only once the game is over: its record shows the seed."""
