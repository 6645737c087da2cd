"""What views of all games share: the records behind them, for whoever thinks in compiled code."""

from typing import NamedTuple

import msgspec

from signoria.kernel.errors import BadOption
from signoria.kernel.layout import Records


class Known(NamedTuple):
    """What a seat knows, as the rules read it: one state in which all else is hidden (`Rules.see`), and its box."""

    states: Records
    boxes: Records


class SeatView(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A view as a table gives it. Its fields are what people see; `known` is the same knowledge for the rules.

    `known` is no field: it is not compared, not written to JSON, and a view read from JSON has none.
    """

    @property
    def known(self) -> Known:
        """What this seat could remember, as records; raises `BadOption` on a view that no table made."""
        known = self.__dict__.get("_known")
        if known is None:
            raise BadOption(
                "view: only one that comes straight from `table.view` has records behind it; this was copied."
            )
        return known  # type: ignore[no-any-return]

    def _remember(self, known: Known) -> None:
        self.__dict__["_known"] = known
