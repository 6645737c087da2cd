"""I20 to I23: phase 4."""

from collections.abc import Sequence

import pytest

from signoria.games.il_principe.rulebook.components import COLOUR_IDS
from signoria.games.il_principe.rulebook.steps import Bid, Crest, Found, Pass, Play, Turn
from signoria.games.il_principe.words.events import AuctionOpened, Event, RoleLeft, RolesReturned, RoleTaken
from tests.games.il_principe.position import (
    PrincipeTable,
    all_pass,
    auction,
    clause,
    do,
    player,
    players,
    position,
    roles,
    says,
    told,
)

SIENA = {"white": 1, "red": 1, "blue": 1}


def phase_four(count: int = 3, **given: object) -> PrincipeTable:
    """The beginning of phase 4 of a last round: nothing comes after it."""
    return position(count, at="roles", **({"last": True} | given))  # type: ignore[arg-type]


def taken(events: Sequence[Event]) -> list[tuple[int, str, int, int, str]]:
    """Roles that were taken: by whom, which, for how many ducats, buildings turned down, and the ability."""
    return [
        (event.seat, event.role, event.ducats, event.turned_down, event.ability)
        for event in events
        if isinstance(event, RoleTaken)
    ]


# I20


def test_i20_all_roles_are_handed_back() -> None:
    """No building lies face up, so nobody gets a role again."""
    table = position(
        acted=2, last=True, roles={"major green": 0, "minor green": 1, "major yellow": 2}, down={0: {"green": 5}}
    )
    assert roles(table) == {"Mastro": 0, "Apprendista": 1, "Banchiere": 2}
    events = table.apply(Pass())
    assert table.view().phase == 4
    assert roles(table) == {}
    assert RolesReturned("I20", {"Mastro": 0, "Banchiere": 2, "Apprendista": 1}) in events


def test_i20_not_before_all_players_have_acted() -> None:
    table = position(acted=1, roles={"major green": 0})
    table.apply(Pass())
    assert roles(table) == {"Mastro": 0}


def test_i20_roles_are_given_out_again_in_the_order_of_colours() -> None:
    up = {seat: dict.fromkeys(COLOUR_IDS, 4 - seat) for seat in range(2)}
    table = position(
        acted=2, last=True, roles={"major white": 2}, hands={2: {"red": 5}}, up=up, crests_left={0: 0, 1: 0}
    )
    events = table.apply(Play("red", 5))
    given = [(role, seat) for seat, role, *_ in taken(events)]
    assert given == [
        ("Mastro", 0), ("Apprendista", 1),
        ("Vescovo", 0), ("Sacerdote", 1),
        ("Magistrato", 2), ("Notaio", 0),
        ("Signore", 0), ("Cavaliere", 1),
        ("Banchiere", 0), ("Mercante", 1),
    ]  # fmt: skip
    assert roles(table) == dict(given)


# I21


def test_i21_most_takes_the_major_and_second_most_the_minor() -> None:
    table = phase_four(4, up={0: {"white": 1}, 1: {"white": 4}, 2: {"white": 3}, 3: {"white": 2}})
    assert roles(table) == {"Vescovo": 1, "Sacerdote": 2}


@pytest.mark.parametrize(("has", "turned"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3), (7, 4)])
def test_i21_the_major_turns_half_rounded_up(has: int, turned: int) -> None:
    table = phase_four(up={1: {"white": has}}, down={1: {"white": 2}})
    assert player(table, 1).up.get("white", 0) == has - turned
    assert player(table, 1).down == {"white": 2 + turned}


def test_i21_the_minor_turns_none_and_nobody_else() -> None:
    table = phase_four(up={0: {"white": 5}, 1: {"white": 4}, 2: {"white": 3}})
    assert players(table, "up") == [{"white": 2}, {"white": 4}, {"white": 3}]
    assert players(table, "down") == [{"white": 3}, {}, {}]


def test_i21_only_buildings_of_the_colour_are_turned() -> None:
    table = phase_four(up={0: {"white": 2, "red": 1}, 1: {"red": 2}})
    assert player(table, 0).up == {"white": 1, "red": 1}


def test_i21_face_down_buildings_do_not_count() -> None:
    table = phase_four(up={0: {"white": 1}, 1: {"white": 2}}, down={0: {"white": 8}, 2: {"white": 8}})
    assert roles(table) == {"Vescovo": 1, "Sacerdote": 0}


def test_i21_at_least_one_face_up_card_for_the_minor() -> None:
    table = phase_four(up={1: {"white": 3}})
    assert roles(table) == {"Vescovo": 1}


def test_i21_at_least_one_face_up_card_for_the_major() -> None:
    assert roles(phase_four()) == {}
    assert roles(phase_four(down={0: {"white": 3}})) == {}


def test_i21_the_major_is_not_second_too() -> None:
    """The half that stays face up is more than anyone else has, but the minor role goes to another player."""
    table = phase_four(up={0: {"white": 9}, 2: {"white": 1}})
    assert player(table, 0).up == {"white": 4}
    assert roles(table) == {"Vescovo": 0, "Sacerdote": 2}


# I22


def test_i22_several_second_and_the_minor_is_auctioned_among_them_only() -> None:
    up = {0: {"white": 3}, 1: {"white": 2}, 2: {"white": 1}, 3: {"white": 2}, 4: {"white": 2}}
    table = phase_four(5, up=up, ducats=(9, 9, 9, 9, 9), principe=2)
    assert roles(table) == {"Vescovo": 0}
    assert (auction(table).what, auction(table).bidding) == ("Sacerdote", (1, 3, 4))
    seats = []
    for bid in range(1, 5):
        seats.append(table.turn)
        table.apply(Bid(bid))
    assert seats == [3, 4, 1, 3]  # from Il Principe clockwise
    events = do(table, Pass(), Pass())
    assert taken(events) == [(3, "Sacerdote", 4, 0, "scores 1 point")]
    assert roles(table) == {"Vescovo": 0, "Sacerdote": 3}
    assert players(table, "ducats") == [9, 9, 9, 5, 9]
    assert players(table, "points") == [1, 0, 0, 1, 0]
    assert table.view().principe == 3
    assert player(table, 3).up == {"white": 2}


def test_i22_auction_follows_the_usual_rules() -> None:
    table = phase_four(up={0: {"white": 3}, 1: {"white": 2}, 2: {"white": 2}}, ducats=(9, 4, 9))
    assert table.turn == 1
    assert set(table.legal) == {Bid(1), Bid(2), Bid(3), Bid(4), Pass()}
    assert clause(table, Bid(5)) == "I13"
    table.apply(Bid(2))
    assert "too low" in says(table, Bid(2))
    assert clause(table, Play("red", 1)) == "I16"
    refusal = table.why_not(Bid(3), seat=0)
    assert refusal is not None
    assert refusal.clause == "I22"


def test_i22_several_second_and_all_pass_the_minor_stays_out() -> None:
    table = phase_four(up={0: {"white": 3}, 1: {"white": 2}, 2: {"white": 2}}, ducats=(9, 9, 9))
    events = all_pass(table)
    assert told(events, RoleLeft) == [RoleLeft("I22", "Sacerdote")]
    assert roles(table) == {"Vescovo": 0}
    assert players(table, "points") == [1, 0, 0]
    assert table.view().principe == 0


def test_i22_last_player_may_still_bid() -> None:
    table = phase_four(up={0: {"white": 3}, 1: {"white": 2}, 2: {"white": 2}}, ducats=(9, 9, 9))
    do(table, Pass(), Bid(1))
    assert roles(table) == {"Vescovo": 0, "Sacerdote": 2}
    assert table.view().principe == 2


def tied_for_most(**more: object) -> PrincipeTable:
    """Seats 0 and 2 have most white buildings and seat 1 is second."""
    up = {0: {"white": 3}, 1: {"white": 1}, 2: {"white": 3}}
    return phase_four(**{"up": up, "ducats": (9, 9, 9), "principe": 1, **more})  # type: ignore[arg-type]


def test_i22_several_most_and_the_major_is_auctioned_among_them_the_minor_stays_out() -> None:
    table = tied_for_most()
    assert (auction(table).what, auction(table).bidding, table.turn) == ("Vescovo", (0, 2), 2)
    do(table, Bid(1), Bid(3), Pass())
    assert roles(table) == {"Vescovo": 0}
    assert players(table, "ducats") == [6, 9, 9]
    assert players(table, "points") == [1, 0, 0]
    assert table.view().principe == 0


def test_i22_several_most_and_all_pass_both_roles_stay_out() -> None:
    table = tied_for_most()
    events = all_pass(table)
    assert told(events, RoleLeft) == [RoleLeft("I22", "Vescovo")]
    assert roles(table) == {}
    assert table.over  # the minor is not auctioned after it
    assert players(table, "up") == [{"white": 3}, {"white": 1}, {"white": 3}]
    assert table.view().principe == 1


def test_i22_a_major_won_by_auction_turns_its_cards_too() -> None:
    table = tied_for_most()
    events = do(table, Bid(1), Pass())
    assert taken(events) == [(2, "Vescovo", 1, 2, "scores 1 point")]
    assert players(table, "up") == [{"white": 3}, {"white": 1}, {"white": 1}]
    assert players(table, "down") == [{}, {}, {"white": 2}]


def test_i22_the_winner_founds_no_city() -> None:
    table = tied_for_most(hands={2: SIENA}, last=False, pile=["green"] * 12)
    do(table, Bid(1), Pass())
    assert table.view().founded == {}
    assert (table.view().round, table.view().asked, table.turn) == (3, "offer", 2)
    assert clause(table, Found("siena")) == "I16"


def test_i22_the_winner_leads_the_next_auction_of_a_role() -> None:
    up = {0: {"white": 1, "red": 1}, 1: {"white": 1, "red": 1}, 2: {"white": 1, "red": 1}}
    table = phase_four(up=up, ducats=(9, 9, 9), principe=0)
    events = do(table, Pass(), Bid(1), Pass())
    assert told(events, AuctionOpened) == [AuctionOpened("I22", "red", 0, "Magistrato", (1, 2, 0))]
    assert table.turn == 1


def test_i22_two_players_tied() -> None:
    table = phase_four(2, up={0: {"white": 1}, 1: {"white": 1}}, ducats=(9, 9))
    do(table, Bid(1), Pass())
    assert roles(table) == {"Vescovo": 0}
    assert player(table, 0).down == {"white": 1}


def test_i22_lots_are_not_touched_by_the_auction_of_a_role() -> None:
    table = tied_for_most(hands={0: {"red": 1}})
    do(table, Bid(1), Pass())
    assert players(table, "cards") == [1, 0, 0]


# I23


def test_i23_green_turns_up_a_face_down_card_that_is_not_green() -> None:
    table = phase_four(up={0: {"green": 1}, 1: {"yellow": 2}}, down={0: {"green": 2, "white": 1, "yellow": 2}})
    assert (table.turn, table.view().asked) == (0, "turn")
    assert set(table.legal) == {Turn("white"), Turn("yellow")}
    assert clause(table, Turn("green")) == "I23"
    assert clause(table, Turn("red")) == "I23"
    assert clause(table, Turn("violet")) == "I2"
    assert clause(table, Pass()) == "I16"  # it is not optional
    table.apply(Turn("yellow"))
    assert player(table, 0).up == {"yellow": 1}
    assert player(table, 0).down == {"green": 3, "white": 1, "yellow": 1}
    assert roles(table) == {"Mastro": 0, "Banchiere": 1, "Mercante": 0}


def test_i23_green_minor_turns_one_up_too_after_the_major() -> None:
    table = phase_four(up={0: {"green": 1}, 1: {"green": 2}}, down={0: {"red": 1}, 1: {"blue": 1}}, pile=["green"] * 2)
    assert (table.turn, table.legal) == (1, (Turn("blue"),))
    refusal = table.why_not(Turn("red"), seat=0)
    assert refusal is not None
    assert refusal.clause == "I23"
    table.apply(Turn("blue"))
    assert (table.turn, table.legal) == (0, (Turn("red"),))
    table.apply(Turn("red"))
    assert roles(table) == {"Mastro": 1, "Apprendista": 0, "Magistrato": 0, "Signore": 1}


def test_i23_green_with_nothing_to_turn() -> None:
    """The green buildings that the Mastro turns down cannot be chosen."""
    table = phase_four(up={0: {"green": 3}, 1: {"green": 1}}, down={0: {"green": 1}, 2: {"red": 3}})
    assert table.over
    assert roles(table) == {"Mastro": 0, "Apprendista": 1}
    assert player(table, 0).down == {"green": 3}


def test_i23_card_turned_up_by_green_counts_in_the_same_phase() -> None:
    """Seats 0 and 1 would be tied for most white; with one more seat 0 has most and seat 1 second most."""
    up = {0: {"green": 1, "white": 1}, 1: {"white": 1}}
    turned = phase_four(up=up, down={0: {"white": 1, "red": 1}})
    turned.apply(Turn("white"))
    assert roles(turned) == {"Mastro": 0, "Vescovo": 0, "Sacerdote": 1}
    other = phase_four(up=up, down={0: {"white": 1, "red": 1}}, ducats=(1, 1, 1))
    other.apply(Turn("red"))
    assert auction(other).what == "Vescovo"
    all_pass(other)
    assert roles(other) == {"Mastro": 0, "Magistrato": 0}


def test_i23_green_won_by_auction_turns_a_card_up_before_white_is_given_out() -> None:
    table = phase_four(up={0: {"green": 1}, 1: {"green": 1}}, down={1: {"white": 1}}, ducats=(2, 2, 2))
    do(table, Pass(), Bid(1))
    assert (table.turn, table.view().asked) == (1, "turn")
    table.apply(Turn("white"))
    assert roles(table) == {"Mastro": 1, "Vescovo": 1}


def test_i23_white_takes_a_point_major_and_minor() -> None:
    table = phase_four(up={0: {"white": 2}, 1: {"white": 1}}, points=(3, 0, 1))
    assert players(table, "points") == [4, 1, 1]


def test_i23_red_draws_a_card_the_major_first() -> None:
    table = phase_four(up={2: {"red": 2}, 0: {"red": 1}}, pile=["blue", "yellow", "green"])
    assert players(table, "hand") == [{"yellow": 1}, {}, {"blue": 1}]
    assert players(table, "cards") == [1, 0, 1]
    assert table.open_view().pile == 1


def test_i23_red_with_one_card_left_only_the_major_draws() -> None:
    table = phase_four(up={2: {"red": 2}, 0: {"red": 1}}, pile=["blue"])
    assert players(table, "cards") == [0, 0, 1]
    assert roles(table) == {"Magistrato": 2, "Notaio": 0}


def test_i23_red_with_an_empty_pile_draws_nothing() -> None:
    table = phase_four(up={2: {"red": 2}, 0: {"red": 1}})
    assert players(table, "cards") == [0, 0, 0]
    assert roles(table) == {"Magistrato": 2, "Notaio": 0}


def test_i23_blue_puts_a_crest_on_any_region_the_major_first() -> None:
    table = phase_four(up={2: {"blue": 2}, 0: {"blue": 1}})
    assert (table.turn, table.view().asked, table.view().crests) == (2, "crest", 1)
    assert set(table.legal) == {Crest(region) for region in ("blue", "yellow", "green", "red", "violet", "white")}
    table.apply(Crest("violet"))
    assert table.turn == 0
    table.apply(Crest("white"))
    assert players(table, "crests") == [{"white": 1}, {}, {"violet": 1}]
    assert players(table, "crests_left") == [11, 12, 11]
    assert table.over


def test_i23_blue_without_a_crest_is_skipped() -> None:
    table = phase_four(up={2: {"blue": 2}, 0: {"blue": 1}}, crests_left={2: 0})
    assert table.turn == 0
    assert roles(table) == {"Signore": 2, "Cavaliere": 0}
    table.apply(Crest("white"))
    assert players(table, "crests") == [{"white": 1}, {}, {}]


def test_i23_yellow_takes_two_ducats_major_and_minor() -> None:
    table = phase_four(up={2: {"yellow": 2}, 1: {"yellow": 1}}, ducats=(1, 1, 1))
    assert players(table, "ducats") == [1, 3, 3]


def test_i23_yellow_won_by_auction_is_paid_first() -> None:
    table = phase_four(up={2: {"yellow": 1}, 1: {"yellow": 1}}, ducats=(1, 4, 1))
    assert clause(table, Bid(5)) == "I13"
    events = do(table, Bid(4), Pass())
    assert taken(events) == [(1, "Banchiere", 4, 1, "takes 2 ducats")]
    assert players(table, "ducats") == [1, 2, 1]
