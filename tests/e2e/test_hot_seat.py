"""Three people on one device never see each other's hands."""

import random

from tests.e2e.conftest import Arrive
from tests.e2e.visitors import Visitor

NAMES = ["Zeno", "Quirina"]  # names that are never given to guests


def test_hands_are_hidden_between_the_turns_of_a_whole_round(arrive: Arrive) -> None:
    device, dice = arrive(), random.Random(5)
    fields: dict[str, str | bool] = {"name-1": NAMES[0], "name-2": NAMES[1], "messengers": True}
    device.open_table("patrician", "me", "device", "device", **fields)
    names = [device.name, *NAMES]
    device.see("#hand-over")
    first = names.index(_whose(device, names))
    for seat in (first, (first + 1) % 3, (first + 2) % 3, first):
        assert _whose(device, names) == names[seat]
        _nothing_of_a_hand(device)
        device.page.reload()
        _nothing_of_a_hand(device)
        device.press("Show my cards")
        device.see("#hand")
        device.see("#asked", "Your turn")
        while device.page.locator("#hand-over").count() == 0:
            device.step(dice)
    device.page.go_back()
    device.see("#hand-over")
    _nothing_of_a_hand(device)


def _whose(device: Visitor, names: list[str]) -> str:
    """The player who has to take the device."""
    said = device.see("#hand-over").inner_text()
    (name,) = [name for name in names if name in said]
    return name


def _nothing_of_a_hand(device: Visitor) -> None:
    device.see("#hand-over")
    assert device.page.locator("#hand, #choices, [name=step], [name=bid]").count() == 0
    assert '"do":"play"' not in device.page.content().replace("&quot;", '"')
