"""P1 to P6: what lies on the table before the first turn."""

from collections import Counter
from itertools import chain
from typing import Any

import pytest

from signoria import BadOption, open_table
from signoria.games.patrician.rulebook.components import printed, standard
from signoria.games.patrician.rulebook.steps import Move, Play, Take
from signoria.kernel.shuffle import FairStream
from tests.games.patrician.position import clause, position
from tests.settings import SETTINGS, setting_name


@pytest.mark.parametrize("players", [2, 3, 4])
def test_p1_pistoia_is_not_used_with_fewer_than_five_players(players: int) -> None:
    table = open_table("patrician", players=players, seed=1)
    view = table.view()
    assert [city.id for city in view.cities] == [city.id for city in standard().cities if city.id != "pistoia"]
    assert len(view.components.cards) == 48
    assert clause(table, Play("pistoia-1")) == "P1"


def test_p1_pistoia_is_used_with_five_players() -> None:
    view = open_table("patrician", players=5, seed=1).view()
    assert len(view.cities) == 10
    assert len(view.components.cards) == 55


def test_p1_unused_city_allows_no_step() -> None:
    table = position(hands={0: ["lucca-3"]}, towers={"roma": ("0", "")}, display={"lucca": "roma-3"})
    table.apply(Play("lucca-3"))
    table.apply(table.legal[0])
    assert clause(table, Move("pistoia", 0)) == "P1"
    assert clause(table, Take("pistoia")) == "P1"


@pytest.mark.parametrize("players", [1, 6, 0, "3", None])
def test_p1_two_to_five_players(players: int) -> None:
    with pytest.raises(BadOption, match="2 to 5"):
        open_table("patrician", players=players)


def test_p2_each_city_has_two_sites_and_two_tokens() -> None:
    for city in open_table("patrician", players=5, seed=1).view().cities:
        assert city.towers == ((), ())
        high, low = city.tokens
        assert high == city.floors
        assert low == high - 3


@pytest.mark.parametrize("setting", SETTINGS, ids=setting_name)
def test_p3_stars_are_dealt_and_a_card_lies_at_every_city(setting: dict[str, Any]) -> None:
    table = open_table("patrician", seed=5, **setting)
    setup = table.setup
    star = {card.id for card in standard().cards if card.start}
    assert [len(hand) for hand in setup["hands"]] == [3] * setting["players"]
    assert star.issuperset(card for hand in setup["hands"] for card in hand)
    assert list(setup["display"]) == [city.id for city in table.view().cities]
    everywhere = [*chain(*setup["hands"]), *setup["display"].values(), *setup["pile"]]
    assert Counter(everywhere) == Counter(card.id for card in table.view().components.cards)


def test_p3_remaining_stars_go_into_the_pile() -> None:
    setup = open_table("patrician", players=2, seed=5).setup
    star = {card.id for card in standard().cards if card.start}
    assert star.intersection(setup["pile"]) | star.intersection(setup["display"].values())


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_p4_the_supply_is_exactly_what_a_player_can_need(players: int) -> None:
    """Of the cards a player plays, three are stars with one crest; the others may have two."""
    table = open_table("patrician", players=players, seed=1)
    cards = table.view().components.cards
    plays = len(cards) // players
    two_crests = sum(card.crests == 2 for card in cards)
    needed = plays + min(two_crests, plays - 3)
    supply = printed()["game"]["supply"]["value"][players - 2]
    assert needed <= supply
    assert needed == supply or players == 5
    assert [player.floors_left for player in table.view().players] == [supply] * players


def test_p5_colours_of_the_seats() -> None:
    colours = [player.colour for player in open_table("patrician", players=5, seed=1).view().players]
    assert colours == ["black", "white", "red", "yellow", "blue"]
    assert [p.colour for p in open_table("patrician", players=2, seed=1).view().players] == ["black", "white"]


def test_p6_any_player_may_start_and_turns_go_clockwise() -> None:
    beginners = set()
    for seed in range(40):
        table = open_table("patrician", players=4, seed=seed)
        first = table.turn
        assert first is not None
        beginners.add(first)
        for turn in range(5):
            assert table.turn == (first + turn) % 4
            while table.turn == (first + turn) % 4:
                table.apply(table.legal[0])
    assert beginners == {0, 1, 2, 3}


def test_p3_p6_follow_the_fair_stream() -> None:
    """A second implementation of the deal, written from docs/fair-shuffles.md."""
    table = open_table("patrician", players=3, seed=b"\x07" * 32, salts=["a", "bé", ""])
    stream = FairStream(b"\x07" * 32, ["a", "bé", ""], "signoria/patrician/1")

    def shuffled(cards: list[str]) -> list[str]:
        for i in range(len(cards) - 1, 0, -1):
            j = stream.below(i + 1)
            cards[i], cards[j] = cards[j], cards[i]
        return cards

    cards = table.view().components.cards
    stars = shuffled([card.id for card in cards if card.start])
    dealt = stars[:9]
    rest = shuffled([card.id for card in cards if card.id not in dealt])
    assert table.setup["hands"] == [dealt[0:3], dealt[3:6], dealt[6:9]]
    assert list(table.setup["display"].values()) == rest[:9]
    assert table.setup["pile"] == rest[9:]
    assert table.setup["first"] == table.turn == stream.below(3)
