"""What the views of all games share: the position behind them, for bots that run compiled code."""

from typing import TYPE_CHECKING

import msgspec

from signoria.kernel.errors import BadOption

if TYPE_CHECKING:
    from signoria.kernel.position import Position


class SeatView(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A view from a table. Its fields are what people see; `known` is the same knowledge for the rules.

    `known` is not a field: it is not compared and not written to JSON, and a view read from JSON has none.
    """

    @property
    def known(self) -> "Position":
        """What this seat could remember, with everything else hidden; raises `BadOption` if the view did not come from a table."""
        known = self.__dict__.get("_known")
        if known is None:
            raise BadOption(
                "view: it has no position behind it because it was copied; use the one that `table.view` returns."
            )
        return known  # type: ignore[no-any-return]

    def _remember(self, known: "Position") -> None:
        self.__dict__["_known"] = known
