"""I16 to I19: phase 3, and what a founding brings."""

import pytest

from signoria import IllegalStep, NotYourTurn
from signoria.games.il_principe.rulebook.steps import Bid, Crest, Decline, Found, Offer, Pass, Play, Step, Turn
from signoria.games.il_principe.words.events import BuildingsPlayed, CityFounded, CityTurnedUp, Passed, RolePoints
from tests.games.il_principe.position import PrincipeTable, clause, do, player, players, position, says, told

SIENA = {"white": 1, "red": 1, "blue": 1}
MILANO = {"red": 1, "blue": 2, "yellow": 1}
FIRENZE = {"green": 2, "red": 1, "blue": 1, "yellow": 1}
BOLOGNA = {"green": 2, "white": 1, "yellow": 1}
BIG = ("milano", "bologna", "firenze", "siena")


# I16


@pytest.mark.parametrize("principe", [0, 1, 2, 3])
def test_i16_everyone_acts_once_clockwise_from_il_principe(principe: int) -> None:
    table = position(4, principe=principe, last=True)
    seats = []
    while not table.over:
        seats.append(table.turn)
        table.apply(Pass())
    assert seats == [(principe + turn) % 4 for turn in range(4)]


def test_i16_il_principe_leads_after_the_last_auction() -> None:
    table = position(at="auction", lots={"red": 1}, ducats=(1, 1, 1))
    do(table, Pass(), Pass(), Bid(1))
    assert (table.turn, table.view().asked, table.view().phase) == (2, "act", 3)


def test_i16_found_a_city_or_play_cards_of_one_colour_or_pass() -> None:
    table = position(hands={0: {"white": 2, "red": 1, "blue": 1}}, ducats=[3])
    assert set(table.legal) == {
        *(Pass(), Found("siena")),
        *(Play("white", 1), Play("white", 2), Play("red", 1), Play("blue", 1)),
    }
    assert len(table.legal) == 6


def test_i16_every_step_exists_once_when_places_are_empty() -> None:
    table = position(hands={0: {"white": 1, "red": 1, "blue": 1}}, ducats=[3], display=("siena",))
    assert len(table.legal) == 5
    assert len(set(table.legal)) == 5


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_i16_any_number_of_one_colour_face_up_from_hand(count: int) -> None:
    table = position(hands={0: {"green": 4, "red": 1}}, up={0: {"green": 1, "white": 1}})
    (event, *_) = table.apply(Play("green", count))
    assert event == BuildingsPlayed("I16", 0, "green", count)
    assert player(table, 0).up == {"green": 1 + count, "white": 1}
    assert sum((player(table, 0).hand or {}).values()) == player(table, 0).cards == 5 - count
    assert table.turn == 1


def test_i16_no_more_cards_than_in_hand() -> None:
    table = position(hands={0: {"green": 2, "red": 1}}, up={0: {"green": 3}})
    assert "2 green" in says(table, Play("green", 3))
    assert "0 blue" in says(table, Play("blue", 1))
    assert clause(table, Play("green", 0)) == "I16"
    assert clause(table, Play("green", 21)) == "I16"
    assert clause(table, Play("violet", 1)) == "I2"


def test_i16_passing_is_allowed() -> None:
    table = position(hands={0: SIENA}, ducats=[9])
    assert table.apply(Pass()) == (Passed("I16", 0),)
    assert table.turn == 1
    assert player(table, 0).hand == SIENA


def test_i16_each_player_has_one_turn_for_a_city_or_cards() -> None:
    table = position(hands={0: {"white": 2, "red": 2, "blue": 2}}, ducats=[9])
    do(table, Found("siena"), Crest("red"))
    assert table.turn == 1


def test_i16_no_city_in_round_one() -> None:
    table = position(round_number=1, hands={0: SIENA}, ducats=[9])
    assert set(table.legal) == {Pass(), Play("white", 1), Play("red", 1), Play("blue", 1)}
    assert clause(table, Found("siena")) == "I16"
    with pytest.raises(IllegalStep, match="first round"):
        table.apply(Found("siena"))


def test_i16_order_does_not_change_when_a_city_is_founded() -> None:
    hands = {seat: {"white": 1, "red": 1, "blue": 1, "green": 1, "yellow": 1} for seat in range(3)}
    table = position(principe=1, hands=hands, ducats=(9, 9, 9))
    do(table, Found("siena"), Crest("red"))
    assert table.turn == 2
    do(table, Found("verona"), Crest("yellow"))
    assert table.turn == 0
    assert table.view().principe == 1


def test_i16_not_your_turn() -> None:
    table = position(hands={1: {"green": 1}})
    refusal = table.why_not(Play("green", 1), seat=1)
    assert refusal is not None
    assert str(refusal) == "It is the turn of Medici, not of Carraresi. (I16)"
    with pytest.raises(NotYourTurn):
        table.apply(Pass(), seat=1)


def test_i16_no_other_steps_in_phase_three() -> None:
    table = position(hands={0: SIENA}, down={0: {"red": 1}}, ducats=[9])
    assert clause(table, Offer("red")) == "I11"
    assert clause(table, Bid(1)) == "I13"
    assert clause(table, Decline()) == "I14"
    assert clause(table, Crest("red")) == "I17"
    assert clause(table, Turn("red")) == "I23"


# I17


def test_i17_city_costs_its_cards_and_ducats_and_gives_its_points() -> None:
    table = position(
        display=BIG,
        hands={0: {"red": 2, "blue": 2, "yellow": 1, "green": 1}},
        up={0: {"red": 1}},
        ducats=[5],
        points=[3],
    )
    assert table.apply(Found("milano")) == (CityFounded("I17", 0, "milano", 4, 6),)
    assert player(table, 0).hand == {"green": 1, "red": 1}
    assert player(table, 0).up == {"red": 2, "blue": 2, "yellow": 1}
    assert players(table, "ducats")[0] == 1
    assert players(table, "points")[0] == 9


@pytest.mark.parametrize(
    ("city", "hand", "ducats", "points", "regions"),
    [
        ("siena", SIENA, 3, 4, ["red"]),
        ("milano", MILANO, 4, 6, ["blue", "green"]),
        ("firenze", FIRENZE, 5, 8, ["red", "violet", "white"]),
    ],
)
def test_i17_small_medium_and_large(
    city: str, hand: dict[str, int], ducats: int, points: int, regions: list[str]
) -> None:
    table = position(display=BIG, hands={0: hand}, ducats=[ducats])
    table.apply(Found(city))
    assert player(table, 0).hand == {}
    assert player(table, 0).ducats == 0
    assert player(table, 0).points == points
    assert set(table.legal) == {Crest(region) for region in regions}


@pytest.mark.parametrize(
    ("first", "second", "stand"),
    [
        ("red", "red", {"red": 2}),
        ("red", "white", {"red": 1, "white": 1}),
        ("violet", "red", {"red": 1, "violet": 1}),
        ("violet", "violet", {"violet": 2}),
    ],
)
def test_i17_founder_distributes_crests_freely(first: str, second: str, stand: dict[str, int]) -> None:
    table = position(display=BIG, hands={0: FIRENZE}, ducats=[5])
    table.apply(Found("firenze"))
    assert (table.view().founding, table.view().crests) == ("firenze", 2)
    table.apply(Crest(first))
    assert (table.turn, table.view().crests) == (0, 1)
    table.apply(Crest(second))
    assert player(table, 0).crests == stand
    assert player(table, 0).crests_left == 10
    assert table.turn == 1
    assert table.view().founding is None


def test_i17_only_regions_that_touch_the_city() -> None:
    table = position(display=BIG, hands={0: MILANO}, ducats=[4])
    table.apply(Found("milano"))
    assert "Lombardia e Liguria and Emilia" in says(table, Crest("yellow"))
    table.apply(Crest("green"))
    assert set(table.legal) == {Crest("blue"), Crest("green")}
    assert clause(table, Crest("red")) == "I17"
    assert clause(table, Crest("tuscany")) == "I17"


def test_i17_crests_come_before_anything_else() -> None:
    table = position(display=BIG, hands={0: MILANO | {"green": 1}}, ducats=[9])
    table.apply(Found("milano"))
    assert clause(table, Pass()) == "I16"
    assert clause(table, Play("green", 1)) == "I16"
    assert clause(table, Found("siena")) == "I16"


def test_i17_founder_places_the_crests() -> None:
    table = position(display=BIG, hands={0: MILANO}, ducats=[4])
    table.apply(Found("milano"))
    refusal = table.why_not(Crest("blue"), seat=1)
    assert refusal is not None
    assert str(refusal) == "It is the turn of Medici, not of Carraresi. (I17)"


def test_i17_without_crests_none_is_placed() -> None:
    table = position(display=BIG, hands={0: MILANO}, ducats=[4], crests_left={0: 0})
    table.apply(Found("milano"))
    assert table.view().founded == {"milano": 0}
    assert players(table, "points")[0] == 6
    assert table.turn == 1


def test_i17_only_the_last_crest_is_placed_at_a_city_with_two() -> None:
    table = position(display=BIG, hands={0: MILANO}, ducats=[4], crests_left={0: 1})
    table.apply(Found("milano"))
    assert table.view().crests == 1
    table.apply(Crest("blue"))
    assert player(table, 0).crests == {"blue": 1}
    assert player(table, 0).crests_left == 0
    assert table.turn == 1


def test_i17_city_must_lie_face_up() -> None:
    table = position(hands={0: MILANO}, ducats=[9], city_pile=("milano",))
    assert "Siena, Orvieto, Venezia, Verona" in says(table, Found("milano"))
    assert clause(table, Found("paris")) == "I17"


def test_i17_too_few_ducats() -> None:
    table = position(display=BIG, hands={0: MILANO}, ducats=[3])
    assert Found("milano") not in table.legal
    assert clause(table, Found("milano")) == "I17"
    with pytest.raises(IllegalStep, match="costs 4 ducats"):
        table.apply(Found("milano"))
    assert player(table, 0).hand == MILANO


def test_i17_too_few_cards() -> None:
    """Cards on the table do not count."""
    table = position(display=BIG, hands={0: {"blue": 1, "yellow": 1, "green": 2}}, up={0: {"blue": 4}}, ducats=[9])
    assert Found("milano") not in table.legal
    assert "1 red, 1 blue" in says(table, Found("milano"))
    assert "1 white, 1 red" in says(table, Found("siena"))


# I18


def founds(city: str, hand: dict[str, int], *crests: str, **more: object) -> PrincipeTable:
    """Seat 0 founds a city."""
    steps: list[Step] = [Found(city), *map(Crest, crests)]
    table = position(4, display=BIG, hands={0: hand}, ducats=[9], **more)  # type: ignore[arg-type]
    do(table, *steps)
    return table


def test_i18_a_major_scores_two_and_a_minor_one_in_colours_that_were_used() -> None:
    table = founds("siena", SIENA, "red", roles={"major white": 1, "minor red": 2, "minor blue": 3})
    assert players(table, "points") == [4, 2, 1, 1]
    assert told(table.events, RolePoints) == [RolePoints("I18", 1, 2), RolePoints("I18", 2, 1), RolePoints("I18", 3, 1)]


def test_i18_no_points_in_unused_colours() -> None:
    table = founds("siena", SIENA, "red", roles={"major green": 1, "minor yellow": 2, "major yellow": 3})
    assert players(table, "points") == [4, 0, 0, 0]
    assert told(table.events, RolePoints) == []


def test_i18_founder_scores_nothing() -> None:
    table = founds("siena", SIENA, "red", roles={"major white": 0, "minor white": 1, "minor red": 0, "major red": 2})
    assert players(table, "points") == [4, 1, 2, 0]


def test_i18_scores_once_per_colour() -> None:
    table = founds("bologna", BOLOGNA, "green", "violet", roles={"major green": 1, "minor green": 2})
    assert players(table, "points") == [6, 2, 1, 0]


def test_i18_every_role_of_a_player_scores() -> None:
    table = founds("siena", SIENA, "red", roles={"major white": 1, "major red": 1, "minor blue": 1, "major green": 1})
    assert players(table, "points") == [4, 5, 0, 0]
    assert told(table.events, RolePoints) == [RolePoints("I18", 1, 5)]


def test_i18_no_points_when_cards_are_only_played() -> None:
    table = position(hands={0: {"red": 2}}, roles={"major red": 1})
    table.apply(Play("red", 2))
    assert players(table, "points") == [0, 0, 0]


def test_i18_applies_to_a_city_founded_after_a_lot() -> None:
    table = position(
        at="auction", lots={"red": 1}, hands={0: {"white": 1, "blue": 1}}, ducats=(9, 0, 0), roles={"major red": 2}
    )
    do(table, Bid(1), Pass(), Pass(), Found("siena"), Crest("red"))
    assert players(table, "points") == [4, 0, 2]


def test_i18_applies_without_crests_to_place() -> None:
    table = founds("siena", SIENA, roles={"major red": 2}, crests_left={0: 0})
    assert players(table, "points") == [4, 0, 2, 0]


# I19


def test_i19_the_card_leaves_and_the_next_city_is_turned_up() -> None:
    table = founds("siena", SIENA, "red", city_pile=("pisa", "lucca"))
    assert told(table.events, CityTurnedUp) == [CityTurnedUp("I19", "pisa")]
    assert sorted(table.view().cities) == sorted(("milano", "bologna", "firenze", "pisa"))
    assert table.view().city_pile == 1
    assert table.view().founded == {"siena": 0}


def test_i19_next_player_may_found_the_new_city() -> None:
    pisa = {"white": 1, "red": 1, "blue": 1, "yellow": 2}
    table = position(display=BIG, hands={0: SIENA, 1: pisa}, ducats=(3, 5, 0), city_pile=("pisa",))
    assert clause(table, Found("pisa")) == "I17"
    do(table, Found("siena"), Crest("red"))
    assert table.turn == 1
    assert Found("pisa") in table.legal


def test_i19_none_is_turned_up_when_the_pile_is_empty() -> None:
    table = founds("siena", SIENA, "red")
    assert told(table.events, CityTurnedUp) == []
    assert table.view().cities == ("milano", "bologna", "firenze")
    assert "Milano, Bologna, Firenze" in says(table, Found("siena"))
    assert not table.over
