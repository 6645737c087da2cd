"""What something on the table means, for whoever looks at it closely."""

from typing import NamedTuple


class Meaning(NamedTuple):
    """Something that is shown, and what it does."""

    symbol: str
    """The drawing of it."""
    says: str
    clause: str
