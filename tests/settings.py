"""The sixteen settings of Patrician: 2 to 5 players, with and without each mini-expansion."""

from itertools import product
from typing import Any

SETTINGS: list[dict[str, Any]] = [
    {"players": players, "messengers": messengers, "ambassadors": ambassadors}
    for players, messengers, ambassadors in product((2, 3, 4, 5), (False, True), (False, True))
]


def setting_name(setting: dict[str, Any]) -> str:
    """As in the names of golden games: `3-messengers-ambassadors`."""
    return "-".join([str(setting["players"]), *(name for name in ("messengers", "ambassadors") if setting[name])])
