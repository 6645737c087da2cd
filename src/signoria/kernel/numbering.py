"""Steps as people name them and as rules number them."""

from typing import Generic, TypeVar

Step = TypeVar("Step")


class Numbering(Generic[Step]):
    """Every step of a game at the place of its number."""

    def __init__(self, *steps: Step) -> None:
        self.steps = steps
        self._numbers = {step: number for number, step in enumerate(steps)}

    def step(self, number: int) -> Step:
        """The step of a number."""
        return self.steps[number]

    def number(self, step: Step) -> int | None:
        """The number of a step; None when it names something that does not exist."""
        try:
            return self._numbers.get(step)
        except TypeError:  # a list or the like where a name belongs
            return None
