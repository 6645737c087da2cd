"""Sentences about what a choice would lead to. They name cities, families, roles and numbers."""

import pytest

from signoria.games.il_principe.rulebook.steps import Bid, Found
from signoria.games.il_principe.words.effects import (
    tell_bids,
    tell_crests,
    tell_lot,
    tell_next_crest,
    tell_offers,
    tell_plays,
)
from tests.games.il_principe.position import Cards, position

CITIES = ("padova", "siena", "venezia", "verona")


@pytest.mark.parametrize(
    ("hand", "lots", "ducats", "words"),
    [
        ({"green": 1, "white": 1, "red": 1}, {"white": 1}, 9, ("Padova", "at most 5")),
        ({"green": 1, "white": 2, "red": 1}, {"blue": 1}, 9, ("Siena", "at most 6")),
        ({"white": 2, "red": 1, "green": 1, "yellow": 1}, {"blue": 1}, 9, ("Siena, Venezia or Verona",)),
        ({"green": 1}, {"white": 1}, 9, ("2 cards short of Padova",)),
        ({"green": 1, "white": 1, "red": 1}, {"white": 1}, 3, ("Padova", "not the ducats")),
        ({"yellow": 3}, {"yellow": 2}, 9, ("no closer",)),
    ],
)
def test_what_a_lot_would_do(hand: Cards, lots: Cards, ducats: int, words: tuple[str, ...]) -> None:
    table = position(3, at="auction", lots=lots, hands={0: hand}, ducats=(ducats, 9, 9), display=CITIES)
    told = tell_lot(table.view(0))
    assert all(word in told for word in words), told


def test_what_a_lot_would_do_in_the_first_round() -> None:
    """I14"""
    hands = {0: {"white": 1, "red": 1}}
    table = position(3, at="auction", lots={"blue": 1}, hands=hands, ducats=(9, 9, 9), round_number=1)
    told = tell_lot(table.view(0))
    assert "cards for Siena" in told
    assert "this round" in told


def test_nothing_is_said_to_spectators_or_about_roles() -> None:
    assert tell_lot(position(3, at="auction", lots={"white": 1}, ducats=(9, 9, 9)).view()) == ""
    assert tell_lot(position(3, at="auction", lots={"white": 1}, ducats=(0, 9, 9)).view(0)) == ""
    role = position(3, at="roles", up={0: {"green": 2}, 1: {"green": 2}}, ducats=(2, 5, 5)).view(0)
    assert tell_lot(role) == ""
    assert [told.removesuffix(".") for told in tell_bids(role)] == ["Bid 1, keep 1", "Bid 2, keep 0"]


def test_what_a_bid_would_leave() -> None:
    hands = {0: {"green": 1, "white": 1, "red": 1}}
    table = position(3, at="auction", lots={"white": 1}, hands=hands, ducats=(7, 9, 9), display=CITIES)
    one, two, three, four, *_ = tell_bids(table.view(0))
    assert "Bid 3, keep 4" in three
    assert "Padova" not in one + two + three
    assert "Bid 4, keep 3" in four
    assert "too little for Padova" in four
    table.apply(Bid(5))
    assert "Bid 6, keep 3" in tell_bids(table.view(1))[0]


def test_which_cards_an_offer_can_spare() -> None:
    hands = {seat: {"white": 2, "red": 3, "blue": 1} for seat in range(3)}
    told = tell_offers(position(3, at="offer", hands=hands).view(0))
    assert "1 to spare" in told["white"]
    assert "second" in told["white"]
    assert "Siena and Orvieto" in told["white"]
    assert "No city" in told["red"]
    assert "Siena, Venezia and Verona" in told["blue"]


@pytest.mark.parametrize(
    ("own", "others", "words"),
    [
        (0, (1, 0), ("Play 2", "Signore")),
        (0, (3, 0), ("Play 3", "tie with Carraresi", "Signore")),
        (0, (5, 4), ("Not enough",)),
        (0, (5, 2), ("Play 3", "take", "Cavaliere")),
        (0, (5, 3), ("Play 3", "tie with Visconti", "Cavaliere")),
        (2, (1, 0), ("Signore without",)),
        (0, (4, 4), ("Not enough",)),
    ],
)
def test_which_role_buildings_would_bring(own: int, others: tuple[int, int], words: tuple[str, ...]) -> None:
    up = {seat: {"blue": count} for seat, count in enumerate((own, *others))}
    told = tell_plays(position(3, hands={0: {"blue": 3}}, up=up).view(0))["blue"]
    assert all(word in told for word in words), told


def test_whose_points_crests_would_change() -> None:
    """I40: with one crest a tie, with two alone in front."""
    hands = {0: {"green": 2, "white": 1, "yellow": 1}}
    crests = {0: {"green": 1}, 1: {"green": 2}, 2: {"violet": 3}}
    table = position(3, hands=hands, ducats=(4, 0, 0), crests=crests, display=("bologna",))
    table.apply(Found("bologna"))
    told, following = tell_crests(table.view(0)), tell_next_crest(table.view(0))
    assert "you 2 → 5, Carraresi 5 → 2" in told["green"]
    assert following["green"] == "you 2 → 5"
    assert told["violet"] == following["violet"] == "you 0 → 2"
    table = position(3, hands=hands, ducats=(4, 0, 0), crests={0: {"green": 3}}, display=("bologna",))
    table.apply(Found("bologna"))
    assert "no change" in tell_crests(table.view(0))["green"]
    assert set(tell_next_crest(table.view(0))) == {"violet"}
