"""I30 to I32: last rounds, and how the game ends."""

import pytest

from signoria import IllegalStep
from signoria.games.il_principe.rulebook.steps import Bid, Crest, Decline, Found, Offer, Pass, Play
from signoria.games.il_principe.words.events import GameEnded, LotsTurnedUp, RoundBegan
from tests.games.il_principe.position import (
    PrincipeTable,
    all_pass,
    auction,
    do,
    player,
    players,
    position,
    roles,
    told,
)

THREE_CITIES = ("siena", "orvieto", "venezia")
LAST_ROUNDS = [(3, 12, 6), (4, 16, 8), (5, 20, 10)]
"""Players, the fewest cards of a round like any other, and the cards auctioned in a last round."""


def cards(count: int) -> list[str]:
    """This number of cards for a pile, colours in turn."""
    return [("green", "white", "red", "blue", "yellow")[i % 5] for i in range(count)]


def next_round(count: int = 3, **given: object) -> PrincipeTable:
    """The last player of phase 3 is about to pass, and no building lies face up."""
    return position(count, acted=count - 1, **given)  # type: ignore[arg-type]


# I30


@pytest.mark.parametrize(("count", "offers"), [(2, 3), (3, 2), (5, 2)])
def test_i30_fewer_than_four_cities_at_the_end_of_phase_one(count: int, offers: int) -> None:
    hands = {seat: {"green": offers} for seat in range(count)}
    table = position(count, at="offer", hands=hands, display=THREE_CITIES)
    do(table, *[Offer("green")] * (offers * count - 1))
    assert table.view().asked == "offer"
    events = table.apply(Offer("green"))
    assert table.over
    assert table.turn is None
    assert table.legal == ()
    assert events[-1] == GameEnded("I30")
    assert told(events, LotsTurnedUp) == []


def test_i30_four_cities_are_enough() -> None:
    table = position(at="offer", hands={seat: {"green": 2} for seat in range(3)})
    do(table, *[Offer("green")] * 6)
    assert not table.over
    assert auction(table).colour == "green"


def test_i30_round_with_a_missing_city_continues_into_phase_one_of_the_next() -> None:
    table = position(
        at="auction", lots={"red": 1}, hands={1: {"white": 1, "blue": 1}}, ducats=(5, 5, 5), pile=["yellow"] * 13
    )
    do(table, Pass(), Bid(1), Pass(), Found("siena"), Crest("red"))
    assert len(table.view().cities) == 3
    assert table.view().asked == "act"
    do(table, Pass(), Pass(), Pass())  # phase 3
    assert roles(table) == {"Vescovo": 1, "Magistrato": 1, "Signore": 1}
    table.apply(Crest("white"))
    assert (table.view().round, table.view().phase) == (3, 1)
    assert players(table, "ducats") == [10, 6, 10]
    do(table, *[Offer("yellow")] * 5)
    assert table.view().asked == "offer"
    table.apply(Offer("yellow"))
    assert table.over
    assert players(table, "cards") == [2, 3, 2]


def test_i30_nothing_can_be_done_when_the_game_is_over() -> None:
    table = position(at="over", hands={0: {"green": 2}})
    refusal = table.why_not(Play("green", 1))
    assert refusal is not None
    assert refusal.says == "The game is over."
    with pytest.raises(IllegalStep, match="The game is over"):
        table.apply(Pass())


# I31


@pytest.mark.parametrize(("count", "enough", "auctioned"), LAST_ROUNDS)
def test_i31_with_enough_cards_a_round_is_like_any_other(count: int, enough: int, auctioned: int) -> None:
    table = position(count, at="income", pile=cards(enough))
    view = table.view()
    assert (view.last_round, view.asked, view.phase, view.pile) == (False, "offer", 1, 0)
    assert players(table, "cards") == [4] * count


@pytest.mark.parametrize(("count", "enough", "auctioned"), LAST_ROUNDS)
def test_i31_last_round_has_ducats_only_and_lots_from_the_pile(count: int, enough: int, auctioned: int) -> None:
    table = position(count, at="income", pile=cards(enough - 1), ducats=[1] * count, principe=1)
    view = table.view()
    assert (view.last_round, view.asked, view.phase, table.turn) == (True, "bid", 2, 1)
    assert players(table, "cards") == [0] * count
    assert players(table, "ducats") == [6] * count
    assert sum(view.lots.values()) == auctioned
    assert view.pile == enough - 1 - auctioned
    for colour, number in view.lots.items():
        assert number == cards(auctioned).count(colour)


@pytest.mark.parametrize(("count", "enough", "auctioned"), LAST_ROUNDS)
def test_i31_game_ends_at_once_with_too_few_cards_for_the_auctions(count: int, enough: int, auctioned: int) -> None:
    just = position(count, at="income", pile=cards(auctioned))
    assert just.view().asked == "bid"
    assert just.view().pile == 0
    table = next_round(count, pile=cards(auctioned - 1), roles={"major red": 0})
    events = table.apply(Pass())
    assert table.over
    assert told(events, RoundBegan) == [RoundBegan("I31", 3, last=True, ducats=5, cards=0)]
    assert told(events, LotsTurnedUp) == []
    assert events[-1] == GameEnded("I31")
    assert players(table, "ducats") == [5] * count
    assert table.view().pile == auctioned - 1


def test_i31_cards_of_earlier_rounds_stay_in_hand() -> None:
    table = position(at="income", pile=cards(11), hands={0: {"green": 3}})
    assert players(table, "cards") == [3, 0, 0]
    assert players(table, "laid") == [0, 0, 0]


def test_i31_phases_three_and_four_as_always_and_then_the_game_is_over() -> None:
    pile = ["red"] * 2 + ["blue"] * 4 + ["yellow"] * 2
    table = position(at="income", pile=pile, hands={0: {"white": 1, "blue": 1}, 2: {"green": 3}})
    do(table, Pass(), Pass(), Bid(2))
    assert player(table, 2).hand == {"green": 3, "red": 2}
    all_pass(table)
    assert (table.turn, table.view().phase, table.view().asked) == (2, 3, "act")
    do(table, Play("green", 3), Pass())
    assert table.view().asked == "act"
    events = table.apply(Pass())
    assert roles(table) == {"Mastro": 2}
    assert player(table, 2).down == {"green": 2}
    assert table.over
    assert events[-1] == GameEnded("I31")


def test_i31_a_city_may_be_founded_after_a_lot_of_the_last_round() -> None:
    pile = ["red"] * 2 + ["blue"] * 4
    table = position(at="income", pile=pile, hands={0: {"white": 1, "blue": 1}})
    do(table, Bid(1), Pass(), Pass())
    assert set(table.legal) == {Found("siena"), Decline()}


def test_i31_a_round_that_is_not_the_last_is_followed_by_another() -> None:
    table = next_round(pile=cards(12))
    table.apply(Pass())
    assert (table.view().round, table.view().last_round, table.view().asked) == (3, False, "offer")


# I32


def test_i32_ten_cards_are_enough_for_two() -> None:
    table = position(2, at="income", pile=cards(10))
    assert (table.view().last_round, table.view().asked) == (False, "offer")
    assert players(table, "cards") == [5, 5]


@pytest.mark.parametrize("left", [9, 5, 1])
def test_i32_with_fewer_two_players_auction_all_that_is_left(left: int) -> None:
    table = position(2, at="income", pile=cards(left))
    view = table.view()
    assert (view.last_round, view.asked, view.pile) == (True, "bid", 0)
    assert sum(view.lots.values()) == left
    assert players(table, "cards") == [0, 0]
    assert players(table, "ducats") == [6, 6]


def test_i32_no_cards_left_nothing_to_auction_and_phase_three_follows() -> None:
    table = next_round(2)
    events = table.apply(Pass())
    assert told(events, LotsTurnedUp) == [LotsTurnedUp("I32", {})]
    assert (table.view().last_round, table.view().phase, table.view().asked) == (True, 3, "act")
    do(table, Pass(), Pass())
    assert table.over


def test_i32_the_game_is_over_after_the_last_round_of_two() -> None:
    table = position(2, at="income", pile=["red"] * 9)
    do(table, Bid(1), Pass(), Pass())
    assert table.view().asked == "act"
    table.apply(Pass())
    assert table.over


def test_i32_last_round_of_two_ends_the_game() -> None:
    table = position(2, at="income", pile=["red"] * 9)
    events = do(table, Bid(1), Pass(), Pass(), Pass())
    assert events[-1] == GameEnded("I32")


@pytest.mark.parametrize(("count", "left", "income"), [(2, 9, 6), (3, 11, 5), (4, 15, 5), (5, 19, 5)])
def test_i32_four_cities_are_needed_in_a_last_round_too(count: int, left: int, income: int) -> None:
    table = next_round(count, pile=cards(left), display=THREE_CITIES)
    events = table.apply(Pass())
    assert table.over
    assert told(events, RoundBegan) == [
        RoundBegan("I32" if count == 2 else "I31", 3, last=True, ducats=income, cards=0)
    ]
    assert told(events, LotsTurnedUp) == []
    assert players(table, "ducats") == [income] * count  # phase 1 has been
    assert table.view().pile == left


def test_i32_missing_city_ends_such_a_last_round() -> None:
    table = next_round(pile=cards(11), display=THREE_CITIES)
    events = table.apply(Pass())
    assert events[-1] == GameEnded("I30")
