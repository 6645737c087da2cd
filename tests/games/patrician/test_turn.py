"""P10 to P17: a turn, step by step, and the end."""

from random import Random

import pytest

from signoria import IllegalStep, open_table
from signoria.games.patrician.rulebook.state import MOVING
from signoria.games.patrician.rulebook.steps import Build, Keep, Messenger, Move, Play, Stay, Take
from signoria.games.patrician.words.events import CardLaidOut, CardTaken, CityScored, FloorMoved, GameEnded
from tests.games.patrician.position import clause, position, tower, winners


def test_p10_any_card_of_the_hand_and_no_other() -> None:
    table = position(hands={0: ["roma-1", "siena-2", "lucca-4"], 1: ["milano-2"]})
    assert table.legal == (Play("roma-1"), Play("siena-2"), Play("lucca-4"))
    assert clause(table, Play("milano-2")) == "P10"
    assert clause(table, Play("paris-1")) == "P10"


def test_p10_only_playing_a_card_is_legal_at_first() -> None:
    table = position(hands={0: ["roma-1"]}, towers={"siena": ("0", "")}, display={"roma": "roma-3"})
    assert clause(table, Build(0)) == "P11"
    for step in (Move("siena", 0), Stay()):
        refusal = table.why_not(step)
        assert refusal is not None
        assert refusal.clause == "P10"
        assert "Play a card first" in refusal.says
    assert clause(table, Take("roma")) == "P15"
    assert clause(table, Messenger(("roma", "siena"))) == "M1"
    assert clause(table, Keep()) == "M1"


def test_p10_others_see_the_top_of_a_stack_and_the_owner_sees_all() -> None:
    table = position(played={0: ["roma-1", "siena-2"], 1: ["lucca-1"]}, turn=3, hands={0: ["roma-3"]})
    assert table.view(0).players[0].stack == ("roma-1", "siena-2")
    assert table.view(1).players[0].stack == (None, "siena-2")
    assert table.view().players[0].stack == (None, "siena-2")
    assert table.view(2).players[1].stack == ("lucca-1",)


def test_p10_a_played_card_leaves_the_hand() -> None:
    table = position(hands={0: ["roma-1", "siena-2"]})
    table.apply(Play("roma-1"))
    assert table.view(0).players[0].hand == ("siena-2",)
    assert table.view(0).players[0].places == (None, "siena-2", None)
    assert table.view(1).players[0].places == ()
    assert table.view().players[0].stack == ("roma-1",)
    assert clause(table, Play("siena-2")) == "P10"


def test_p11_floor_may_be_built_on_either_site() -> None:
    for site in (0, 1):
        table = position(hands={0: ["roma-1"]}, towers={"roma": ("12", "1")})
        table.apply(Play("roma-1"))
        assert table.legal == (Build(0), Build(1))
        table.apply(Build(site))
        assert tower(table, "roma", site) == ("120", "10")[site]


@pytest.mark.parametrize(("sites", "towers"), [((0, 0), ("00", "")), ((0, 1), ("0", "0")), ((1, 1), ("", "00"))])
def test_p11_two_crests_go_on_one_site_or_on_both(sites: tuple[int, int], towers: tuple[str, str]) -> None:
    table = position(hands={0: ["roma-6"]})
    table.apply(Play("roma-6"))
    for site in sites:
        table.apply(Build(site))
    assert (tower(table, "roma", 0), tower(table, "roma", 1)) == towers
    assert table.turn == 1


def test_p11_a_tower_elsewhere_is_refused_with_the_city_of_the_card() -> None:
    table = position(hands={0: ["bologna-1"]}, towers={"siena": ("0", "")})
    table.apply(Play("bologna-1"))
    refusal = table.why_not(Move("siena", 0))
    assert refusal is not None
    assert refusal.clause == "P11"
    assert "builds in Bologna" in refusal.says


def test_p14_after_building_it_is_too_late_for_floors() -> None:
    table = position(hands={0: ["roma-1"]}, towers={"siena": ("0", "")}, display={"roma": "roma-3"})
    table.apply(Play("roma-1"))
    table.apply(Build(0))
    refusal = table.why_not(Move("siena", 0))
    assert refusal is not None
    assert refusal.clause == "P14"
    assert "take a card" in refusal.says


def test_p11_unknown_site_is_refused() -> None:
    table = position(hands={0: ["roma-1"]})
    table.apply(Play("roma-1"))
    assert clause(table, Build(2)) == "P2"


def test_p12_the_last_floor_goes_to_the_empty_site() -> None:
    table = position(hands={0: ["verona-1"]}, towers={"verona": ("0121", "")})
    table.apply(Play("verona-1"))
    assert table.legal == (Build(1),)
    assert clause(table, Build(0)) == "P12"


def test_p12_does_not_apply_before_the_last_floor_or_with_two_towers() -> None:
    early = position(hands={0: ["verona-1"]}, towers={"verona": ("012", "")})
    early.apply(Play("verona-1"))
    assert early.legal == (Build(0), Build(1))
    both = position(hands={0: ["verona-1"]}, towers={"verona": ("012", "1")})
    both.apply(Play("verona-1"))
    assert both.legal == (Build(0), Build(1))


def test_p12_applies_only_to_the_last_floor_of_a_two_crest_card() -> None:
    table = position(hands={0: ["verona-4"]}, towers={"verona": ("012", "")})
    table.apply(Play("verona-4"))
    assert set(table.legal) == {Build(0), Build(1)}
    table.apply(Build(0))
    assert table.legal == (Build(1),)
    other = position(hands={0: ["verona-4"]}, towers={"verona": ("012", "")})
    other.apply(Play("verona-4"))
    other.apply(Build(1))
    assert other.legal == (Build(0), Build(1))


def test_p12_after_a_move_emptied_a_site() -> None:
    table = position(
        hands={0: ["lucca-3"], 1: ["verona-1"]},
        towers={"verona": ("012", "1")},
        turn=0,
    )
    table.apply(Play("lucca-3"))
    table.apply(Build(0))
    table.apply(Move("verona", 1))
    assert (tower(table, "verona", 0), tower(table, "verona", 1)) == ("0121", "")
    table.apply(Play("verona-1"))
    assert table.legal == (Build(1),)
    assert clause(table, Build(0)) == "P12"


def test_p13_full_city_is_scored_before_the_turn_continues() -> None:
    table = position(
        hands={0: ["parma-3"]}, towers={"parma": ("01", "22"), "siena": ("0", "")}, display={"roma": "roma-3"}
    )
    table.apply(Play("parma-3"))
    events = table.apply(Build(0))
    assert any(isinstance(event, CityScored) for event in events)
    assert winners(table, "parma") == (0, 2)
    assert (table.turn, table.position.asked) == (0, MOVING)


def test_p14_a_move_takes_the_top_floor_of_any_colour_to_the_other_site() -> None:
    table = position(hands={0: ["lucca-3"]}, towers={"milano": ("01", "2")})
    table.apply(Play("lucca-3"))
    table.apply(Build(0))
    assert table.legal == (Move("milano", 0), Move("milano", 1), Stay())
    (event,) = table.apply(Move("milano", 0))
    assert event == FloorMoved("P14", 0, "milano", 0, owner=1, left=2, level=2)
    assert (tower(table, "milano", 0), tower(table, "milano", 1)) == ("0", "21")


def test_p14_may_be_declined() -> None:
    table = position(hands={0: ["lucca-3"]}, towers={"milano": ("01", "2")})
    table.apply(Play("lucca-3"))
    table.apply(Build(0))
    assert table.apply(Stay()) == ()
    assert (tower(table, "milano", 0), tower(table, "milano", 1)) == ("01", "2")
    assert table.turn == 1


def test_p14_only_in_another_unscored_city_with_an_own_floor() -> None:
    table = position(
        hands={0: ["lucca-3"]},
        towers={"lucca": ("0", "1"), "parma": ("1", "2"), "verona": ("001", "22"), "siena": ("0", "")},
        won={"verona": (0, 2)},
    )
    table.apply(Play("lucca-3"))
    table.apply(Build(0))
    assert table.legal == (Move("siena", 0), Stay())
    why = {city: table.why_not(Move(city, 0)) for city in ("lucca", "parma", "verona")}
    assert all(refusal and refusal.clause == "P14" for refusal in why.values())
    assert len({refusal.says for refusal in why.values() if refusal}) == 3
    empty = table.why_not(Move("siena", 1))
    assert empty is not None
    assert "empty" in empty.says


def test_p14_is_skipped_when_no_move_is_possible() -> None:
    table = position(hands={0: ["lucca-3"]}, towers={"milano": ("1", "2")}, display={"lucca": "roma-1"})
    table.apply(Play("lucca-3"))
    table.apply(Build(0))
    assert table.legal == (Take("lucca"),)


def test_p14_needs_the_symbol() -> None:
    table = position(hands={0: ["lucca-2"]}, towers={"milano": ("0", "2")}, display={"lucca": "roma-1"})
    table.apply(Play("lucca-2"))
    table.apply(Build(0))
    assert clause(table, Move("milano", 0)) == "P14"
    assert table.legal == (Take("lucca"),)


def test_p14_a_move_may_empty_a_site() -> None:
    table = position(hands={0: ["lucca-3"]}, towers={"siena": ("0", "1")})
    table.apply(Play("lucca-3"))
    table.apply(Build(0))
    table.apply(Move("siena", 0))
    assert (tower(table, "siena", 0), tower(table, "siena", 1)) == ("", "10")


def test_p15_the_card_at_the_city_built_in() -> None:
    table = position(hands={0: ["roma-1"]}, display={"roma": "siena-2", "siena": "roma-3"})
    table.apply(Play("roma-1"))
    table.apply(Build(0))
    assert table.legal == (Take("roma"),)
    assert clause(table, Take("siena")) == "P15"
    assert clause(table, Take("milano")) == "P15"
    assert clause(table, Take("paris")) == "P1"
    (taken,) = table.apply(Take("roma"))
    assert taken == CardTaken("P15", 0, "roma", "siena-2")
    assert table.view(0).players[0].hand == ("siena-2",)


def test_p15_any_card_with_the_question_mark() -> None:
    table = position(hands={0: ["roma-5"]}, display={"roma": "siena-2", "siena": "roma-3"}, pile=["lucca-1"])
    table.apply(Play("roma-5"))
    table.apply(Build(0))
    assert table.legal == (Take("roma"), Take("siena"))


def test_p15_the_question_mark_when_the_pile_is_gone() -> None:
    table = position(hands={0: ["roma-5"]}, display={"siena": "roma-3", "parma": "siena-2"})
    table.apply(Play("roma-5"))
    table.apply(Build(0))
    assert table.legal == (Take("siena"), Take("parma"))
    assert clause(table, Take("roma")) == "P15"


def test_p15_any_card_if_none_lies_at_the_city_built_in() -> None:
    table = position(hands={0: ["roma-1"]}, display={"siena": "roma-3", "parma": "siena-2"})
    table.apply(Play("roma-1"))
    table.apply(Build(0))
    assert table.legal == (Take("siena"), Take("parma"))


def test_p15_is_skipped_when_no_card_lies_anywhere() -> None:
    table = position(hands={0: ["roma-1", "roma-3"], 1: ["siena-1"]})
    table.apply(Play("roma-1"))
    table.apply(Build(0))
    assert table.turn == 1
    assert table.view(0).players[0].hand == ("roma-3",)


def test_p16_the_next_card_of_the_pile_lies_where_the_taken_card_lay() -> None:
    table = position(hands={0: ["roma-1"]}, display={"roma": "siena-2"}, pile=["lucca-1", "lucca-2"])
    table.apply(Play("roma-1"))
    table.apply(Build(0))
    _, laid = table.apply(Take("roma"))
    assert laid == CardLaidOut("P16", "roma", "lucca-1")
    view = table.view()
    assert view.pile == 1
    assert view.cities[0].card == "lucca-1"


def test_p16_an_empty_pile_leaves_the_place_empty() -> None:
    table = position(hands={0: ["roma-1"]}, display={"roma": "siena-2"})
    table.apply(Play("roma-1"))
    table.apply(Build(0))
    table.apply(Take("roma"))
    assert table.view().cities[0].card is None


@pytest.mark.parametrize(("players", "turns"), [(2, 24), (3, 16), (4, 12), (5, 11)])
def test_p17_game_ends_when_all_have_played_the_same_number_of_cards(players: int, turns: int) -> None:
    table, rng = open_table("patrician", players=players, messengers=True, seed=players), Random(players)
    while not table.over:
        table.apply(rng.choice(table.legal))
    assert [len(player.stack) for player in table.view().players] == [turns] * players
    assert all(not player.hand for player in table.view().players)
    assert table.events[-1] == GameEnded("P17")
    assert table.legal == ()
    assert clause(table, Stay()) == "P17"
    with pytest.raises(IllegalStep, match="over"):
        table.apply(Play("roma-1"))
