"""Short texts about what happened at a table: one line per turn, with the player's name only once."""

import time
from typing import Any

from signoria.cli.output import console, say
from signoria.games import AnyGame


class Narration:
    """Collects events and prints them line by line, with a pause after each line on a terminal."""

    def __init__(self, game: AnyGame, pause: float) -> None:
        self._game, self._pause = game, pause if console.is_terminal else 0
        self._chapter, self._actor, self._last, self._line = "", "", "", ""

    def begin(self, chapter: str) -> None:
        """Start a new chapter, after printing the events before it."""
        if chapter != self._chapter:
            self.tell()
        self._chapter = chapter

    def add(self, seat: int, events: tuple[Any, ...], note: str = "") -> None:
        """Add the events of one step, with a note after the first. A headline ends the line."""
        for event in events:
            self._join(str(event).removesuffix(".") + note, self._game.seat_name(seat))
            note = ""
            if event.clause in self._game.headlines:
                self.tell("bold")

    def _join(self, sentence: str, actor: str) -> None:
        if not self._line:
            self._line = sentence
        elif sentence == self._last:
            self._line += ", and another"
        elif actor == self._actor and sentence.startswith(f"{actor} "):
            self._line += f",{sentence.removeprefix(actor)}"
        else:
            self._line += f". {sentence}"
        self._last, self._actor = sentence, actor if sentence.startswith(f"{actor} ") else ""

    def tell(self, style: str = "") -> None:
        """Print the collected events."""
        if self._line:
            say(f"{self._line}.", style)
            self._line = ""
            time.sleep(self._pause)
