"""What a view derives from a position: regions, candidates for roles, the order of lots, what a city still needs."""

from random import Random
from typing import Any

import pytest

from signoria.games import open_table
from signoria.games.il_principe.rulebook.components import COLOUR_IDS, REGION_IDS
from signoria.games.il_principe.rulebook.steps import Bid, Crest, Found, Offer, Pass, Play
from signoria.games.il_principe.view import NOTHING, BidEffect, Lack, RoleClaims
from signoria.games.il_principe.words.names import ROLE_NAMES
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


def test_what_if_a_lot_is_won() -> None:
    """I14, I17: Padova asks for green, two white, red and 4 ducats. Only what is left after the bid can pay for it."""
    display = ("padova", "siena", "venezia", "verona")
    hands = {0: {"green": 1, "white": 1, "red": 1}}
    table = position(3, at="auction", lots={"white": 1, "blue": 2}, hands=hands, ducats=(9, 8, 7), display=display)
    effects = table.view(0).what_if
    assert table.view(0).payable == ()
    assert effects.lot["padova"] == Lack({}, 0)
    assert effects.lot["siena"] == Lack({"blue": 1}, 0)
    assert [effect.ducats for effect in effects.bids] == list(range(1, 10))
    assert effects.bids[4:6] == (BidEffect(5, 4, ("padova",)), BidEffect(6, 3, ()))
    assert [effect.ducats for effect in table.view(1).what_if.bids] == list(range(1, 9))  # out of turn, too
    table.apply(Bid(7))
    assert [effect.ducats for effect in table.view(1).what_if.bids] == [8]
    table.apply(Pass())
    assert table.view(1).what_if == table.view(None).what_if == NOTHING


def test_what_if_a_lot_is_won_in_the_first_round() -> None:
    """I14: no city can be founded then."""
    hands = {0: {"white": 1, "red": 1}}
    first: dict[str, Any] = {"round_number": 1, "ducats": (9, 9, 9)}
    effects = position(3, at="auction", lots={"blue": 1}, hands=hands, **first).view(0).what_if
    assert effects.lot["siena"] == Lack({}, 0)
    assert not any(effect.cities for effect in effects.bids)
    effects = position(3, at="auction", lots={"blue": 1}, hands=hands, variant=True, **first).view(0).what_if
    assert effects.bids[0].cities == ("siena",)


def test_what_if_a_role_is_won() -> None:
    """I22: among the tied only, and no city follows."""
    table = position(3, at="roles", up={0: {"green": 2}, 1: {"green": 2}}, ducats=(2, 5, 5), hands={0: {"red": 1}})
    assert table.view(0).auction
    assert table.view(0).what_if.bids == (BidEffect(1, 1, ()), BidEffect(2, 0, ()))
    assert table.view(0).what_if.lot == {}
    assert table.view(2).what_if == NOTHING


def test_what_if_cards_are_offered() -> None:
    """I11, I17: one white card is needed for Siena and Orvieto, so a second one can be spared."""
    hands = {seat: {"white": 2, "red": 3, "blue": 1} for seat in range(3)}
    table = position(3, at="offer", hands=hands)
    offers = {"white": ((), ("siena", "orvieto")), "red": ((), ()), "blue": (("siena", "venezia", "verona"),)}
    assert table.view(0).what_if.offers == offers
    table.apply(Offer("red"))
    assert table.view(0).what_if.offers["white"] == ((),)
    assert position(3, at="act", hands=hands).view(0).what_if.offers == {}


def test_what_if_buildings_are_played() -> None:
    """I16, I21, I22: behind, tied and ahead of the most buildings."""
    table = position(3, hands={0: {"blue": 3}}, up={1: {"blue": 2}, 2: {"blue": 1}})
    assert table.view(0).what_if.plays == {
        "blue": (RoleClaims((1,), (0, 2)), RoleClaims((0, 1), ()), RoleClaims((0,), (1,)))
    }
    assert table.view(1).what_if == NOTHING


def test_what_if_crests_are_placed() -> None:
    """I17, I40: Bologna touches Emilia and Romagna and has two crests."""
    hands = {0: {"green": 2, "white": 1, "yellow": 1}}
    crests = {0: {"green": 1}, 1: {"green": 2, "violet": 1, "red": 1}}
    table = position(3, hands=hands, ducats=(4, 0, 0), crests=crests, display=("bologna",))
    table.apply(Found("bologna"))
    assert table.view(0).what_if.crests == {"green": ((5, 5, 0), (5, 2, 0)), "violet": ((5, 5, 0), (5, 2, 0))}
    assert table.view(1).what_if == NOTHING
    table.apply(Crest("green"))
    assert table.view(0).what_if.crests == {"green": ((5, 2, 0),), "violet": ((5, 5, 0),)}


def test_what_if_a_crest_is_placed_anywhere() -> None:
    """I23: for a blue role on any region."""
    table = position(3, at="roles", up={0: {"blue": 1}})
    assert table.view(0).what_if.crests == dict.fromkeys(REGION_IDS, ((5, 0, 0),))


@pytest.mark.parametrize("setting", PRINCIPE_SETTINGS, ids=setting_name)
def test_what_if_agrees_with_what_happens(setting: dict[str, Any]) -> None:
    table, dice = open_table("il-principe", seed=6, **setting), Random(6)
    while not table.over:
        seat, step = table.turn, dice.choice(table.legal)
        assert seat is not None
        before = table.view(seat)
        table.apply(step)
        after = table.view(seat)
        match step:
            case Bid(ducats):
                effect = next(effect for effect in before.what_if.bids if effect.ducats == ducats)
                won = after.auction is None or after.auction.what != before.auction.what
                if won and after.asked == "found":
                    assert after.payable == effect.cities
                    assert after.players[seat].ducats == effect.keeps
            case Crest(region):
                assert after.majorities[region] == before.what_if.crests[region][0]
            case Play(colour, count) if after.phase == 3:
                claims = before.what_if.plays[colour][count - 1]
                roles = [names[COLOUR_IDS.index(colour)] for names in ROLE_NAMES]
                assert [after.claims.get(role, ()) for role in roles] == [claims.major, claims.minor]
            case Offer(colour) if after.lacks and after.phase == 1:
                further = [
                    c for c in after.lacks if sum(after.lacks[c].cards.values()) > sum(before.lacks[c].cards.values())
                ]
                assert tuple(further) == before.what_if.offers[colour][0]
            case _:
                pass


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
