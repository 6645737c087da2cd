"""Sentences refer to seats: nowhere in their text is a seat called by its name."""

import re
from functools import partial

import pytest

from signoria.games import GAMES
from signoria.kernel.words import Sentence, sentence
from tests.web.page_models import random_game


def test_a_sentence_keeps_its_references() -> None:
    told = sentence(lambda name: f"{name(1)} gives {name(0)} and {name(12)} {{2}}.")
    assert told == Sentence((1, " gives ", 0, " and ", 12, " {2}."))
    assert told.named(lambda seat: f"<{seat}>") == "<1> gives <0> and <12> {2}."
    assert sentence(lambda name: "Nobody.").parts == ("Nobody.",)
    assert sentence(lambda name: "").parts == ()
    assert Sentence().named(str) == ""


@pytest.mark.parametrize("name", GAMES)
def test_events_refer_to_seats_instead_of_naming_them(name: str) -> None:
    game = GAMES[name]
    titles = re.compile(rf"\b({'|'.join(game.seat_name(seat) for seat in range(game.seats[-1]))})\b")
    for table in random_game(name, {"players": 4}, 7):
        for event in table.events:
            retell = partial(game.words.retell, table.components, event)
            told = sentence(retell)
            assert told.named(game.seat_name) == retell(game.seat_name)
            assert not [part for part in told.parts if isinstance(part, str) and titles.search(part)]
            assert getattr(event, "seat", None) in (None, *told.parts)
            assert str(event) == event.told(game.seat_name)
