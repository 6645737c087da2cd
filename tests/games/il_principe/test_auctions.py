"""I10 to I15: income, offers, and the auctions of lots."""

import pytest

from signoria import IllegalStep, NotYourTurn, NoUndo
from signoria.games.il_principe.rulebook.steps import Bid, Crest, Decline, Found, Offer, Pass, Play, Turn
from signoria.games.il_principe.words.events import (
    AuctionOpened,
    BidMade,
    CardLaid,
    Declined,
    LotsTurnedUp,
    LotUnsold,
    LotWon,
)
from tests.games.il_principe.position import (
    PrincipeTable,
    all_pass,
    auction,
    clause,
    do,
    gone,
    player,
    players,
    position,
    says,
    told,
)

SIENA = {"white": 1, "red": 1, "blue": 1}


def bids(lowest: int, highest: int) -> set[Bid]:
    return {Bid(ducats) for ducats in range(lowest, highest + 1)}


# I10


def test_i10_four_cards_and_five_ducats_a_round_drawn_from_il_principe_clockwise() -> None:
    pile = ["green"] * 4 + ["white"] * 4 + ["red"] * 3 + ["blue", "yellow"]
    table = position(at="income", principe=1, pile=pile, ducats=(0, 1, 7), hands={0: {"blue": 2}})
    assert players(table, "hand") == [{"red": 3, "blue": 3}, {"green": 4}, {"white": 4}]
    assert players(table, "cards") == [6, 4, 4]
    assert players(table, "ducats") == [5, 6, 12]
    assert table.view().pile == 1
    assert table.view().phase == 1
    assert table.view().round == 2


def test_i10_five_cards_and_six_ducats_with_two_players() -> None:
    table = position(2, at="income", pile=["green"] * 5 + ["white"] * 5)
    assert players(table, "hand") == [{"green": 5}, {"white": 5}]
    assert players(table, "ducats") == [6, 6]


def test_i10_six_ducats_and_four_cards_with_the_variant() -> None:
    table = position(at="income", pile=["green"] * 12, variant=True)
    assert players(table, "ducats") == [6, 6, 6]
    assert players(table, "cards") == [4, 4, 4]
    two = position(2, at="income", pile=["green"] * 10, variant=True)
    assert players(two, "ducats") == [6, 6]
    assert players(two, "cards") == [5, 5]


def test_i10_ducats_and_hands_are_hidden_from_the_others() -> None:
    table = position(at="income", pile=["green"] * 12, memory_aid=False)
    assert [seen.ducats for seen in table.view(0).players] == [5, None, None]
    assert [seen.ducats for seen in table.view().players] == [None, None, None]
    assert [seen.hand for seen in table.view(0).players] == [{"green": 4}, None, None]
    assert [seen.cards for seen in table.view(0).players] == [4, 4, 4]
    assert table.view(0).remembered is None


# I11


def test_i11_everyone_lays_two_cards_from_il_principe_clockwise() -> None:
    table = position(at="offer", principe=1, hands={seat: {"green": 2, "red": 1} for seat in range(3)})
    seats = []
    while table.view().phase == 1:
        seats.append(table.turn)
        (event, *_) = table.apply(Offer("green"))
        assert isinstance(event, CardLaid)
    assert seats == [1, 1, 2, 2, 0, 0]
    assert players(table, "hand") == [{"red": 1}] * 3
    assert table.view().lots == {"green": 6}


def test_i11_three_cards_with_two_players() -> None:
    table = position(2, at="offer", hands={0: {"green": 3}, 1: {"white": 4}})
    do(table, *[Offer("green")] * 3)
    assert table.turn == 1
    do(table, *[Offer("white")] * 3)
    assert table.view().lots == {"green": 3, "white": 3}
    assert players(table, "cards") == [0, 1]


def test_i11_only_cards_from_your_own_hand() -> None:
    table = position(at="offer", hands={0: {"green": 1, "red": 1}, 1: {"blue": 2}, 2: {"blue": 2}})
    assert set(table.legal) == {Offer("green"), Offer("red")}
    assert clause(table, Offer("blue")) == "I11"
    table.apply(Offer("green"))
    assert table.legal == (Offer("red"),)
    assert clause(table, Offer("green")) == "I11"


def test_i11_older_cards_may_be_offered() -> None:
    table = position(at="income", pile=["green"] * 12, hands={0: {"yellow": 1}})
    assert set(table.legal) == {Offer("green"), Offer("yellow")}


def test_i11_no_hand_limit() -> None:
    table = position(at="income", pile=["green"] * 12, hands={0: {"yellow": 20, "blue": 20}})
    do(table, Offer("green"), Offer("green"))
    assert player(table, 0).hand == {"green": 2, "yellow": 20, "blue": 20}


def test_i11_cards_lie_face_down_until_all_are_laid() -> None:
    table = position(at="offer", hands={seat: {"green": 1, "red": 1} for seat in range(3)})
    do(table, Offer("green"), Offer("red"))
    assert table.view(1).players[0].offered is None
    assert table.view().players[0].offered is None
    assert table.view(1).players[0].laid == 2
    assert table.view(0).players[0].offered == {"green": 1, "red": 1}
    assert table.view().lots == {}


def test_i11_only_offers_are_legal_at_first() -> None:
    table = position(at="offer", hands={0: SIENA}, down={0: {"red": 1}}, ducats=[9])
    assert clause(table, Bid(1)) == "I13"
    assert clause(table, Pass()) == "I16"
    assert clause(table, Found("siena")) == "I16"
    assert clause(table, Decline()) == "I14"
    assert clause(table, Play("red", 1)) == "I16"
    assert clause(table, Crest("red")) == "I17"
    assert clause(table, Turn("red")) == "I23"


def test_i11_not_your_turn() -> None:
    table = position(at="offer", principe=2, hands={seat: {"green": 2} for seat in range(3)})
    refusal = table.why_not(Offer("green"), seat=0)
    assert refusal is not None
    assert str(refusal) == "It is the turn of Visconti, not of Medici. (I11)"
    with pytest.raises(NotYourTurn, match="turn of Visconti"):
        table.apply(Offer("green"), seat=0)
    table.apply(Offer("green"), seat=2)


# I12


def order(table: PrincipeTable) -> list[str]:
    """The colours of the lots in the order of their auctions, if nobody bids."""
    colours = []
    while table.view().phase == 2:
        colours.append(auction(table).colour)
        all_pass(table)
    return colours


def test_i12_offers_are_turned_up_and_grouped_by_colour() -> None:
    hands = {0: {"white": 2}, 1: {"white": 1, "red": 1}, 2: {"yellow": 1, "white": 1}}
    table = position(at="offer", hands=hands)
    do(table, Offer("white"), Offer("white"), Offer("white"), Offer("red"), Offer("white"))
    events = table.apply(Offer("yellow"))
    assert told(events, LotsTurnedUp) == [LotsTurnedUp("I12", {"white": 4, "red": 1, "yellow": 1})]
    assert table.view().phase == 2
    assert players(table, "cards") == players(table, "laid") == [0, 0, 0]


def test_i12_fewest_cards_first() -> None:
    assert order(position(at="auction", lots={"green": 3, "white": 1, "yellow": 2})) == ["white", "yellow", "green"]


def test_i12_lots_of_equal_size_go_in_the_order_of_colours() -> None:
    lots = {"yellow": 1, "blue": 1, "green": 1, "red": 2, "white": 2}
    assert order(position(at="auction", lots=lots)) == ["green", "blue", "yellow", "white", "red"]
    every = {"yellow": 2, "blue": 2, "red": 2, "white": 2, "green": 2}
    assert order(position(5, at="auction", lots=every)) == ["green", "white", "red", "blue", "yellow"]


def test_i12_a_lot_is_all_cards_of_its_colour() -> None:
    table = position(at="auction", lots={"green": 3, "red": 1}, ducats=(1, 0, 0))
    assert (auction(table).what, auction(table).colour, auction(table).cards) == ("lot", "red", 1)
    events = all_pass(table)
    assert told(events, AuctionOpened) == [AuctionOpened("I12", "green", 3, "", (0, 1, 2))]
    do(table, Bid(1), Pass(), Pass())
    assert player(table, 0).hand == {"green": 3}


# I13


@pytest.mark.parametrize("principe", [0, 1, 2, 3])
def test_i13_il_principe_bids_first_then_clockwise(principe: int) -> None:
    table = position(4, at="auction", lots={"red": 2}, ducats=[9] * 4, principe=principe)
    for turn in range(8):
        assert table.turn == (principe + turn) % 4
        table.apply(Bid(turn + 1))


def test_i13_bid_at_least_one_and_at_most_what_you_have_or_pass() -> None:
    table = position(at="auction", lots={"red": 2}, ducats=(4, 9, 9))
    assert set(table.legal) == bids(1, 4) | {Pass()}
    assert len(table.legal) == 5
    assert clause(table, Bid(0)) == "I13"
    assert clause(table, Bid(5)) == "I13"


def test_i13_bid_more_than_the_last_bid() -> None:
    table = position(at="auction", lots={"red": 2}, ducats=(9, 7, 9))
    table.apply(Bid(4))
    assert set(table.legal) == bids(5, 7) | {Pass()}
    assert "too low" in says(table, Bid(4))
    assert "too low" in says(table, Bid(3))
    with pytest.raises(IllegalStep, match="too low"):
        table.apply(Bid(4))
    assert table.apply(Bid(7)) == (BidMade("I13", 1, 7),)
    assert (auction(table).bid, auction(table).bidder) == (7, 1)


def test_i13_player_who_cannot_bid_more_must_pass() -> None:
    table = position(at="auction", lots={"red": 2}, ducats=(3, 3, 0))
    table.apply(Bid(3))
    assert table.turn == 1
    assert table.legal == (Pass(),)
    table.apply(Pass())
    assert table.turn == 2
    assert table.legal == (Pass(),)
    assert clause(table, Bid(4)) == "I13"


def test_i13_pass_is_final_in_this_auction() -> None:
    table = position(at="auction", lots={"red": 1, "blue": 2}, ducats=(9, 9, 9))
    do(table, Bid(1), Pass(), Bid(2))
    assert table.turn == 0
    assert auction(table).bidding == (0, 2)
    table.apply(Bid(3))
    assert table.turn == 2
    do(table, Bid(4), Pass())
    assert auction(table).colour == "blue"
    assert auction(table).bidding == (0, 1, 2)  # and in this auction only


def test_i13_first_bidder_may_pass_and_the_others_continue() -> None:
    table = position(at="auction", lots={"red": 1}, ducats=(9, 9, 9))
    do(table, Pass(), Bid(1), Bid(2))
    assert table.turn == 1
    events = table.apply(Pass())
    assert told(events, LotWon) == [LotWon("I14", 2, "red", 1, 2)]


def test_i13_over_when_all_but_the_highest_bidder_have_passed() -> None:
    table = position(at="auction", lots={"red": 1}, ducats=(9, 9, 9))
    do(table, Bid(2), Pass())
    assert auction(table).bidding == (0, 2)
    events = table.apply(Pass())  # the highest bidder is not asked again
    assert told(events, LotWon) == [LotWon("I14", 0, "red", 1, 2)]


def test_i13_last_player_may_still_bid_if_there_is_no_bid() -> None:
    table = position(at="auction", lots={"red": 1}, ducats=(9, 9, 3))
    do(table, Pass(), Pass())
    assert table.turn == 2
    assert set(table.legal) == bids(1, 3) | {Pass()}
    events = table.apply(Bid(1))
    assert told(events, LotWon) == [LotWon("I14", 2, "red", 1, 1)]


def test_i13_not_your_turn() -> None:
    table = position(at="auction", lots={"red": 1}, ducats=(9, 9, 9), principe=1)
    refusal = table.why_not(Bid(1), seat=0)
    assert refusal is not None
    assert (refusal.clause, refusal.says) == ("I13", "It is the turn of Carraresi, not of Medici.")
    with pytest.raises(NotYourTurn):
        table.apply(Pass(), seat=2)


def test_i13_only_bids_are_legal_in_an_auction() -> None:
    table = position(at="auction", lots={"red": 1}, ducats=(9, 9, 9), hands={0: SIENA})
    assert clause(table, Play("red", 1)) == "I16"
    assert clause(table, Found("siena")) == "I16"
    assert clause(table, Offer("red")) == "I11"
    assert clause(table, Decline()) == "I14"


# I14


def test_i14_the_winner_pays_takes_the_cards_and_becomes_il_principe() -> None:
    table = position(at="auction", lots={"red": 2}, ducats=(9, 9, 9), hands={1: {"red": 1, "green": 1}})
    do(table, Bid(1), Bid(4), Pass(), Pass())
    assert players(table, "ducats") == [9, 5, 9]
    assert player(table, 1).hand == {"green": 1, "red": 3}
    assert players(table, "cards") == [0, 4, 0]
    assert players(table, "up") == [{}, {}, {}]
    assert table.view().principe == 1
    assert table.view().lots == {}


def test_i14_all_players_know_what_the_winner_took() -> None:
    table = position(at="auction", lots={"red": 2}, ducats=(9, 9, 9), hands={1: {"red": 1}})
    do(table, Pass(), Bid(1), Pass())
    remembered = table.view(0).remembered
    assert remembered is not None
    assert remembered.known == ({}, {"red": 2}, {})
    assert remembered.ducats == (9, 8, 9)
    assert table.view(0).players[1].hand is None


def test_i14_the_winner_leads_the_next_auction_and_phase_three() -> None:
    table = position(at="auction", lots={"red": 1, "blue": 2}, ducats=(9, 9, 9))
    do(table, Pass(), Pass(), Bid(1))
    assert (table.turn, auction(table).colour) == (2, "blue")
    do(table, Pass(), Pass(), Bid(1))
    assert (table.turn, table.view().asked) == (1, "act")


def winner_of_red(**more: object) -> PrincipeTable:
    """Seat 1 wins a red card for 1 ducat and had a white and a blue one; Siena asks for all three."""
    given: dict[str, object] = {"hands": {1: {"white": 1, "blue": 1}}, "ducats": (5, 5, 5), "lots": {"red": 1}}
    table = position(at="auction", **(given | more))  # type: ignore[arg-type]
    do(table, Pass(), Bid(1), Pass())
    return table


def test_i14_the_winner_may_found_a_city_at_once_with_the_cards_won() -> None:
    table = winner_of_red(lots={"red": 1, "yellow": 2})
    assert (table.turn, table.view().asked) == (1, "found")
    assert set(table.legal) == {Found("siena"), Decline()}
    do(table, Found("siena"), Crest("red"))
    assert table.view().founded == {"siena": 1}
    assert player(table, 1).hand == {}
    assert player(table, 1).up == SIENA
    assert players(table, "ducats") == [5, 5 - 1 - 3, 5]
    assert players(table, "points") == [0, 4, 0]
    assert (table.turn, auction(table).colour) == (1, "yellow")


def test_i14_the_winner_may_decline() -> None:
    table = winner_of_red(lots={"red": 1, "yellow": 2})
    (event, *_) = table.apply(Decline())
    assert event == Declined("I14", 1)
    assert table.view().founded == {}
    assert player(table, 1).hand == SIENA
    assert (table.turn, auction(table).colour) == (1, "yellow")


def test_i14_no_city_in_round_one() -> None:
    table = winner_of_red(round_number=1)
    assert table.view().asked == "act"
    assert clause(table, Found("siena")) == "I16"


def test_i14_in_round_one_with_the_variant() -> None:
    table = winner_of_red(round_number=1, variant=True)
    assert Found("siena") in table.legal


def test_i14_winner_is_asked_only_if_a_city_is_affordable_after_paying_for_the_lot() -> None:
    assert winner_of_red(ducats=(5, 4, 5)).view().asked == "found"
    assert winner_of_red(ducats=(5, 3, 5)).view().asked == "act"
    assert winner_of_red(hands={1: {"white": 1}}).view().asked == "act"
    assert winner_of_red(display=("milano", "orvieto", "venezia", "verona")).view().asked == "act"


def test_i14_only_the_winner_is_asked() -> None:
    table = winner_of_red(hands={0: {**SIENA}, 1: {"white": 1, "blue": 1}})
    assert table.turn == 1
    with pytest.raises(NotYourTurn, match="turn of Carraresi"):
        table.apply(Found("siena"), seat=0)
    refusal = table.why_not(Found("siena"), seat=0)
    assert refusal is not None
    assert refusal.clause == "I14"


def test_i14_winner_can_only_found_or_decline() -> None:
    table = winner_of_red()
    assert clause(table, Pass()) == "I16"
    assert clause(table, Play("red", 1)) == "I16"
    assert clause(table, Bid(1)) == "I13"
    assert clause(table, Found("milano")) == "I17"
    assert clause(table, Found("orvieto")) == "I17"


def test_i14_one_city_per_lot_and_another_in_phase_three() -> None:
    """Twice in a round: after a lot, and in phase 3."""
    hand = {"white": 2, "red": 1, "blue": 2, "green": 1}
    table = winner_of_red(hands={1: hand}, ducats=(9, 9, 9))
    do(table, Found("siena"), Crest("red"))
    assert (table.turn, table.view().asked) == (1, "act")  # not a second one for the same lot
    do(table, Found("orvieto"), Crest("white"))
    assert table.view().founded == {"siena": 1, "orvieto": 1}
    assert players(table, "points") == [0, 8, 0]
    assert players(table, "ducats") == [9, 9 - 1 - 3 - 3, 9]


def test_i14_a_city_after_each_lot() -> None:
    hand = {"white": 2, "red": 1, "green": 1, "blue": 1}
    table = position(at="auction", lots={"red": 1, "yellow": 2}, hands={0: hand}, ducats=(12, 0, 0))
    do(table, Bid(1), Pass(), Pass(), Found("siena"), Crest("red"))
    do(table, Bid(1), Pass(), Pass())
    assert set(table.legal) == {Found("orvieto"), Decline()}
    do(table, Found("orvieto"), Crest("white"))
    assert table.view().founded == {"siena": 0, "orvieto": 0}
    assert (table.turn, table.view().asked) == (0, "act")


# I15


def test_i15_all_pass_and_the_cards_leave_the_game() -> None:
    table = position(at="auction", lots={"red": 2, "blue": 3}, ducats=(9, 9, 9), principe=1)
    before = gone(table, "red")
    events = do(table, Pass(), Pass(), Pass())
    assert told(events, LotUnsold) == [LotUnsold("I15", "red", 2)]
    assert gone(table, "red") == before + 2
    assert players(table, "cards") == [0, 0, 0]
    assert players(table, "ducats") == [9, 9, 9]
    assert table.view().principe == 1
    assert (table.turn, auction(table).colour) == (1, "blue")


def test_i15_no_city_is_founded_after_an_unsold_lot() -> None:
    table = position(at="auction", lots={"red": 2}, ducats=(9, 9, 9), hands={0: SIENA, 1: SIENA, 2: SIENA})
    do(table, Pass(), Pass(), Pass())
    assert table.view().asked == "act"


def test_i14_final_pass_cannot_be_undone_once_it_showed_whether_the_winner_can_pay() -> None:
    """Otherwise the last player to pass would learn something about the winner's hand and could bid after all."""
    paid = {0: {"white": 1, "red": 1, "blue": 1}}
    for round_number, refused in ((2, True), (1, False)):
        table = position(
            at="auction", lots={"green": 1, "red": 2}, ducats=[9, 9, 9], hands=paid, round_number=round_number
        )
        table.apply(Bid(1))
        table.apply(Pass())
        table.apply(Pass())
        if refused:
            with pytest.raises(NoUndo, match=r"\(I14\)"):
                table.undo()
        else:
            assert table.undo() == Pass()
