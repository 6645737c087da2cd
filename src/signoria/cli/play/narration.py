"""What happened at a table, told in short: a line a turn, the name of whoever acts only once."""

import time
from typing import Any

from signoria.cli.output import console, say
from signoria.games import AnyGame


class Narration:
    """Gathers events and tells them a line at a time, with a pause after each on a terminal."""

    def __init__(self, game: AnyGame, pause: float) -> None:
        self._game, self._pause = game, pause if console.is_terminal else 0
        self._chapter, self._actor, self._last, self._line = "", "", "", ""

    def begin(self, chapter: str) -> None:
        """A new chapter: what happened before it is told."""
        if chapter != self._chapter:
            self.tell()
        self._chapter = chapter

    def add(self, seat: int, events: tuple[Any, ...], note: str = "") -> None:
        """One step, with a note behind what it did; a headline ends a line."""
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
        """Tell what has been gathered."""
        if self._line:
            say(f"{self._line}.", style)
            self._line = ""
            time.sleep(self._pause)
