"""Every setting of both games: 2 to 5 players, with and without each option."""

from itertools import product
from typing import Any, TypeVar

import pytest

Setting = dict[str, Any]
AnySetting = TypeVar("AnySetting", Setting, tuple[str, Setting])

SETTINGS: list[Setting] = [
    {"players": players, "messengers": messengers, "ambassadors": ambassadors}
    for players, messengers, ambassadors in product((2, 3, 4, 5), (False, True), (False, True))
]
"""Patrician's sixteen."""

PRINCIPE_SETTINGS: list[Setting] = [
    {"players": players, "variant": variant} for players, variant in product((2, 3, 4, 5), (False, True))
]
"""Il Principe's eight."""

ALL_SETTINGS: list[tuple[str, Setting]] = [
    *(("patrician", setting) for setting in SETTINGS),
    *(("il-principe", setting) for setting in PRINCIPE_SETTINGS),
]


def setting_name(setting: Setting) -> str:
    """The name used for golden games: `3-messengers-ambassadors`."""
    return "-".join([str(setting["players"]), *(name for name, value in setting.items() if value is True)])


def full_name(game_and_setting: tuple[str, Setting]) -> str:
    """The name with the game: `il-principe-3-variant`."""
    game, setting = game_and_setting
    return f"{game}-{setting_name(setting)}"


def quick_for_two_and_five(settings: list[AnySetting]) -> list[Any]:
    """The same settings as parameters of a test; those for three and four players are marked slow."""
    return [
        pytest.param(setting, marks=pytest.mark.slow) if _players(setting) in (3, 4) else setting
        for setting in settings
    ]


def _players(setting: Setting | tuple[str, Setting]) -> int:
    chosen = setting[1] if isinstance(setting, tuple) else setting
    return int(chosen["players"])
