"""What a bot is: it is shown a view, and says which step it makes."""

from random import Random
from typing import Any, Protocol


class Bot(Protocol):
    """Decides for one seat from what that seat sees, nothing else. Luck comes from `rng` alone."""

    def decide(self, view: Any, rng: Random) -> Any:
        """One of `view.legal`."""
