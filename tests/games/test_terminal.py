"""The tables drawn as text stay in their columns in every language."""

import pytest

from signoria.games.il_principe.texts import say as say_principe
from signoria.games.il_principe.texts import say_count
from signoria.games.il_principe.words.drawing import draw as draw_principe
from signoria.games.patrician.rulebook.components import ROADS
from signoria.games.patrician.texts import say as say_patrician
from signoria.games.patrician.words.drawing import draw_low
from signoria.games.patrician.words.names import seat_name
from signoria.kernel.language import LANGUAGES, speaking
from tests.games.il_principe.position import position as principe_position
from tests.games.patrician.position import position as patrician_position


def column(text: str, words: str) -> int:
    """Where the first line with these words has them."""
    return next(line.index(words) for line in text.splitlines() if words in line)


@pytest.mark.parametrize("language", LANGUAGES)
def test_il_principe_has_names_buildings_and_the_hand_below_each_other(language: str) -> None:
    view = principe_position(2, hands={0: {"white": 3}}, up={1: {"red": 2}}).view(0)
    with speaking(language):
        text = draw_principe(view).plain
        begins = column(text, "3W")
        assert begins == column(text, "2R") == column(text, say_principe("no buildings"))
        assert begins == column(text, say_count("{n} point", "{n} points", 0))


@pytest.mark.parametrize("language", LANGUAGES)
def test_patrician_has_a_space_after_every_name_and_label(language: str) -> None:
    roads = {ROADS[0]: 0}
    won = {"verona": (0, 0)}
    view = patrician_position(hands={0: ["roma-1"]}, display={"milano": "roma-2"}, messengers=roads, won=won).view(0)
    with speaking(language):
        text = draw_low(view).plain
        begins = column(text, "roma-1")
        assert begins == column(text, say_patrician("no cards in hand"))
        assert all(f" {seat_name(seat)} " in text for seat in range(3))
        assert f"{say_patrician('Messengers:')} " in text
        assert column(text, "roma-2 ") == column(text, f" {say_patrician('card')} ") + 1
