"""Short texts about what happened at a table: one line per turn, with the player's name only once."""

import time

from signoria.cli.output import console, say
from signoria.games import AnyGame
from signoria.kernel.language import say as translate
from signoria.kernel.words import Sentence, ToldEvent, sentence


class Narration:
    """Collects events and prints them line by line, with a pause after each line on a terminal."""

    def __init__(self, game: AnyGame, pause: float) -> None:
        self._game, self._pause = game, pause if console.is_terminal else 0
        self._chapter, self._line = "", ""
        self._last = Sentence()

    def begin(self, chapter: str) -> None:
        """Start a new chapter, after printing the events before it."""
        if chapter != self._chapter:
            self.tell()
        self._chapter = chapter

    def add(self, events: tuple[ToldEvent, ...], note: str = "") -> None:
        """Add the events of one step, with a note after the first. A headline ends the line."""
        for event in events:
            self._join(sentence(event.told), note)
            note = ""
            if event.clause in self._game.headlines:
                self.tell("bold")

    def _join(self, told: Sentence, note: str) -> None:
        """Add a sentence; a player who is the subject of the one before it, too, is not named again."""
        subject, *rest = told.parts
        if self._line and told == self._last:
            self._line += f"{translate(', and another')}{note}"
        elif self._line and isinstance(subject, int) and subject == self._last.parts[0]:
            self._line += f",{self._text(Sentence(tuple(rest)))}{note}"
        else:
            self._line += f"{'. ' if self._line else ''}{self._text(told)}{note}"
        self._last = told

    def _text(self, told: Sentence) -> str:
        return told.named(self._game.seat_name).removesuffix(".")

    def tell(self, style: str = "") -> None:
        """Print the collected events."""
        if self._line:
            say(f"{self._line}.", style)
            self._line = ""
            time.sleep(self._pause)
