"""Translates steps between their names and their numbers in the rules."""

from typing import Generic, TypeVar

Step = TypeVar("Step")


class Numbering(Generic[Step]):
    """All steps of a game, each at the index of its number."""

    def __init__(self, *steps: Step) -> None:
        self.steps = steps
        self._numbers = {step: number for number, step in enumerate(steps)}

    def step(self, number: int) -> Step:
        """The step with a number."""
        return self.steps[number]

    def number(self, step: Step) -> int | None:
        """The number of a step; None if it names something that does not exist."""
        try:
            return self._numbers.get(step)
        except TypeError:  # for example a list where a name is expected
            return None
