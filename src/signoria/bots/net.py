"""The bot that learned: the search with a value network at its leaves. `net:1000` and `net:0.1s` as for `search`.

`net:0.1s@FOLDER` plays with the networks in another folder, so that two of them can meet.
Where no network was trained for a table (own decks, experiments, other games) it plays games to their end, as `search` does.
"""

from typing import Any

from signoria.bots.search import SearchBot
from signoria.bots.tree import Tree
from signoria.bots.weights import judgement_for
from signoria.kernel.language import say
from signoria.kernel.position import Position


class NetBot(SearchBot):
    """A search that asks a network what to expect. The same seed, iterations and threads give the same step."""

    def __init__(self, level: str | None = None) -> None:
        thinks, _, folder = (level or "").partition("@")
        super().__init__(thinks or (None if folder else level))
        self._folder = folder or None

    def tree(self, known: Position, seed: int) -> Tree:
        """A tree that uses the network for this table, if there is one."""
        return Tree(known, seed, judgement=judgement_for(known, self._folder))

    def certainty(self, view: Any) -> float:
        """What the card of the network says, see `signoria calibrate --note`."""
        judgement = judgement_for(view.known, self._folder)
        return super().certainty(view) if judgement is None else judgement.certainty

    def suggestion(self, view: Any, step: Any, chance: str, tries: int) -> str:
        """A sentence for players. A network plays no trial games, it estimates."""
        if judgement_for(view.known, self._folder) is None:
            return super().suggestion(view, step, chance, tries)
        return say("I suggest {step}: after it I estimate my chance to win at {chance}.", step=step, chance=chance)
