"""What the views of all games share: the position behind them, for bots that run compiled code."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from signoria.kernel.errors import BadOption
from signoria.kernel.language import say

if TYPE_CHECKING:
    from signoria.kernel.position import Position

Step = TypeVar("Step")


def only_step(legal: Sequence[Step]) -> Step | None:
    """The only legal step, which is forced; None if there is a choice, or no legal step."""
    return legal[0] if len(legal) == 1 else None


class SeatView(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A view from a table. Its fields are what people see; `known` is the same knowledge for the rules.

    `known` is not a field: it is not compared and not written to JSON, and a view read from JSON has none.
    """

    @property
    def forced(self) -> Any | None:
        """The step to make where this seat has only one."""
        return only_step(self.legal)  # type: ignore[attr-defined]  # a field of every game's view

    @property
    def known(self) -> "Position":
        """What this seat could remember, with everything else hidden; raises `BadOption` if the view did not come from a table."""
        known = self.__dict__.get("_known")
        if known is None:
            raise BadOption(
                say("view: it has no position behind it because it was copied; use the one that `table.view` returns.")
            )
        return known  # type: ignore[no-any-return]

    def _remember(self, known: "Position") -> None:
        self.__dict__["_known"] = known
