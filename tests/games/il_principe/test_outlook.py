"""What a view derives from a position: regions, candidates for roles, the order of lots, what a city still needs."""

from random import Random
from typing import Any

import pytest

from signoria.games import open_table
from signoria.games.il_principe.rulebook.steps import Bid, Found, Offer, Pass
from signoria.games.il_principe.view import Lack
from tests.games.il_principe.position import position
from tests.settings import PRINCIPE_SETTINGS, setting_name


def test_region_gives_points_for_most_and_second_most_crests() -> None:
    """I40: tied for most take 5 each and nobody the 2; tied for second take 2 each."""
    table = position(
        4, crests={0: {"red": 2, "blue": 1}, 1: {"red": 2}, 2: {"red": 1, "blue": 1, "white": 3}, 3: {"white": 1}}
    )
    majorities = table.view(1).majorities
    assert majorities["red"] == (5, 5, 0, 0)
    assert majorities["blue"] == (5, 0, 5, 0)
    assert majorities["white"] == (0, 0, 5, 2)
    assert majorities["green"] == (0, 0, 0, 0)


def test_view_lists_lots_in_the_order_of_their_auctions() -> None:
    """I12: fewest cards first; equal: in the order of colours."""
    table = position(3, at="auction", lots={"yellow": 1, "green": 3, "red": 1, "blue": 2})
    assert list(table.view(0).lots.items()) == [("red", 1), ("yellow", 1), ("blue", 2), ("green", 3)]


def test_view_shows_who_would_get_the_roles() -> None:
    """I21, I22: several would bid, and where several have most the minor role stays out."""
    up = {0: {"green": 3, "white": 2, "red": 1}, 1: {"green": 1, "white": 2}, 2: {"green": 1, "blue": 1}}
    claims = position(3, up=up).view(2).claims
    assert (claims["Mastro"], claims["Apprendista"]) == ((0,), (1, 2))
    assert (claims["Vescovo"], claims["Sacerdote"]) == ((0, 1), ())
    assert (claims["Magistrato"], claims["Notaio"]) == ((0,), ())
    assert (claims["Signore"], claims["Banchiere"]) == ((2,), ())


def test_view_for_two_players_has_no_minor_roles() -> None:
    """I4"""
    claims = position(2, up={0: {"green": 2}, 1: {"green": 1}}).view(0).claims
    assert list(claims) == ["Mastro", "Vescovo", "Magistrato", "Signore", "Banchiere"]
    assert claims["Mastro"] == (0,)


def test_role_given_out_this_round_has_no_candidates() -> None:
    """I20: colour by colour; the blue crest is asked for when green, white and red are done."""
    table = position(3, at="roles", up={0: {"white": 1, "blue": 2}, 1: {"yellow": 1}})
    view = table.view(0)
    assert view.asked == "crest"
    assert view.claims["Vescovo"] == view.claims["Signore"] == ()
    assert view.claims["Banchiere"] == (1,)


def test_view_shows_what_is_missing_for_a_city_and_what_others_would_score() -> None:
    """I17, I18: Siena asks for white, red, blue and 3 ducats."""
    table = position(3, hands={0: {"white": 1, "blue": 1}}, ducats=(2, 9, 9), roles={"major red": 1, "minor white": 2})
    mine, other = table.view(0), table.view(1)
    assert mine.lacks["siena"] == Lack({"red": 1}, 1)
    assert mine.gains["siena"] == (0, 2, 1)
    assert other.gains["siena"] == (0, 0, 1)
    assert table.view().lacks == {}
    assert mine.payable == table.view().payable == ()


def test_i17_cities_that_could_be_founded() -> None:
    """I5: in a round in which cities are founded at all."""
    hands, ducats = {0: {"white": 1, "red": 1, "blue": 1, "yellow": 1}, 1: {"green": 1}}, (3, 3, 3)
    for at in ("act", "auction"):
        table = position(3, at=at, hands=hands, ducats=ducats, lots={"green": 1} if at == "auction" else None)
        assert table.view(0).payable == ("siena", "verona")
        assert table.view(1).payable == ()
    assert position(3, hands=hands, ducats=(2, 3, 3)).view(0).payable == ()
    assert position(3, hands=hands, ducats=ducats, round_number=1).view(0).payable == ()


def test_i11_cards_that_are_still_to_be_laid() -> None:
    table = position(3, at="offer", hands={seat: {"red": 2} for seat in range(3)})
    assert [table.view(seat).to_lay for seat in (0, 1, 2, None)] == [2, 2, 2, 0]
    table.apply(Offer("red"))
    assert [table.view(seat).to_lay for seat in (0, 1, 2, None)] == [1, 2, 2, 0]
    assert position(3, at="act").view(0).to_lay == 0


def test_i16_who_has_acted() -> None:
    table = position(4, principe=2)
    assert table.view().acted == ()
    for acted in ((2,), (2, 3), (0, 2, 3)):
        table.apply(Pass())
        assert table.view().acted == acted
    assert position(4, at="auction", lots={"red": 1}).view().acted == ()


@pytest.mark.parametrize(("players", "cards"), [(2, 10), (3, 12), (4, 16), (5, 20)])
def test_i31_when_the_last_round_comes(players: int, cards: int) -> None:
    assert position(players).view().last_round_below == cards


@pytest.mark.parametrize(("round_number", "variant", "may"), [(1, False, False), (2, False, True), (1, True, True)])
def test_view_shows_whether_cities_may_be_founded(round_number: int, variant: bool, may: bool) -> None:
    """I5, I16"""
    table = position(3, at="act", round_number=round_number, variant=variant)
    assert table.view(0).may_found is may
    assert ("found a city" in table.asks) is may


def test_view_lists_bids_in_order() -> None:
    """I13"""
    table = position(3, at="auction", lots={"red": 1, "blue": 2}, ducats=(9, 9, 9))
    for step in (Bid(2), Pass(), Bid(4)):
        table.apply(step)
    auction = table.view(1).auction
    assert auction is not None
    assert (auction.spoken, auction.bidding) == ((2, 0, 4), (0, 2))
    table.apply(Pass())
    again = table.view(1).auction
    assert again is not None
    assert (again.colour, again.spoken) == ("blue", (0, 0, 0))


@pytest.mark.parametrize("setting", PRINCIPE_SETTINGS, ids=setting_name)
def test_outlook_agrees_with_the_rules(setting: dict[str, Any]) -> None:
    table, dice = open_table("il-principe", seed=5, **setting), Random(5)
    while not table.over:
        view = table.view(table.turn)
        regions = [sum(points[seat] for points in view.majorities.values()) for seat in range(setting["players"])]
        assert regions == [score.parts[1].points for score in table.scores]
        if view.asked in ("found", "act") and view.may_found:
            assert view.payable == tuple(city for city, lack in view.lacks.items() if lack == Lack({}, 0))
            assert set(view.payable) == {step.city for step in view.legal if isinstance(step, Found)}
        if view.auction and view.auction.cards:
            assert next(iter(view.lots)) == view.auction.colour
        table.apply(dice.choice(table.legal))
