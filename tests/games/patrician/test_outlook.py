"""What a view derives from a position: leads, extra points, the steps of a turn, the effects of a card."""

from random import Random
from typing import Any

import pytest

from signoria import open_table
from signoria.games.patrician.rulebook.components import CITY_IDS
from signoria.games.patrician.rulebook.outlook import standing_points
from signoria.games.patrician.rulebook.state import HIGH, LOW
from signoria.games.patrician.rulebook.steps import Build, Messenger, Play, Take
from signoria.games.patrician.view import CardOutlook, CityView
from signoria.games.patrician.words.events import CityScored
from tests.games.patrician.position import PatricianTable, position
from tests.settings import SETTINGS, quick_for_two_and_five, setting_name


def city(table: PatricianTable, name: str) -> CityView:
    return table.view().cities[CITY_IDS.index(name)]


@pytest.mark.parametrize(
    ("tower", "leads", "leads_by"), [("1", 1, 1), ("001", 0, 1), ("01", 1, 0), ("2221", 2, 2), ("", None, 0)]
)
def test_p20_p21_who_leads_a_tower_and_by_how_many_floors(tower: str, leads: int | None, leads_by: int) -> None:
    roma = city(position(towers={"roma": ("", tower)}), "roma")
    assert (roma.leads, roma.leads_by) == ((None, leads), (0, leads_by))


def test_p20_m5_points_of_a_city_as_it_stands() -> None:
    table = position(
        towers={"roma": ("0012", "1"), "siena": ("0", "1"), "verona": ("001", "22")},
        won={"verona": (1, 2)},  # taken over from how it was scored, whatever the towers say
        escorts={"siena": 1},
    )
    dealt, tokens = table.position, {name: table.position.box.token[CITY_IDS.index(name)] for name in CITY_IDS}

    def standing(name: str) -> list[int]:
        return [int(dealt.call(standing_points, seat, CITY_IDS.index(name))) for seat in range(3)]

    assert standing("roma") == [tokens["roma"][HIGH], tokens["roma"][LOW], 0]
    assert standing("siena") == [tokens["siena"][LOW] + 2, tokens["siena"][LOW] + 2, 0]
    assert standing("verona") == [0, tokens["verona"][HIGH], tokens["verona"][LOW]]
    assert standing("parma") == [0, 0, 0]


def test_p13_floors_that_a_city_has_and_needs() -> None:
    table = position(towers={"roma": ("0012", "1")})
    assert (city(table, "roma").built, city(table, "roma").floors_left) == (5, 4)
    assert (city(table, "siena").built, city(table, "siena").floors_left) == (0, 7)


def test_m4_messenger_placed_after_the_scoring_adds_nothing() -> None:
    table = position(
        hands={0: ["roma-1"]},
        towers={"verona": ("001", "22"), "parma": ("1", "")},
        won={"verona": (0, 2)},
        messengers={("siena", "lucca"): 1},
        escorts={"siena": 1, "lucca": 1},
    )
    assert (city(table, "verona").messenger_adds, city(table, "parma").messenger_adds) == (0, 2)
    table.apply(Play("roma-1"))
    table.apply(Build(0))
    table.apply(Messenger(("parma", "verona")))
    assert (city(table, "verona").messengers, city(table, "verona").extra) == (1, 0)
    assert (city(table, "parma").messengers, city(table, "parma").extra) == (1, 2)


def test_m5_two_messengers_add_twice_as_much() -> None:
    table = position(messengers={("roma", "siena"): 0, ("siena", "lucca"): 1}, escorts={"siena": 2})
    assert city(table, "siena").extra == 4


def test_without_the_expansion_messengers_add_nothing() -> None:
    view = open_table("patrician", players=3, seed=1).view()
    assert not view.with_messengers
    assert {city.messenger_adds for city in view.cities} == {0}


def test_m2_roads_of_pistoia_exist_only_with_five_players() -> None:
    for players in range(2, 6):
        roads = open_table("patrician", players=players, messengers=True, seed=1).view().roads
        assert len(roads) == (12 if players == 5 else 10)
        assert ("roma-pistoia" in roads) == (players == 5)


def test_p14_turn_has_a_move_only_if_one_is_possible() -> None:
    display = {"lucca": "roma-3"}
    for towers, moves in (({"siena": ("0", "")}, True), ({"siena": ("1", "")}, False), ({"lucca": ("0", "")}, False)):
        table = position(hands={0: ["lucca-3"]}, towers=towers, display=display)
        assert table.view(0).plays["lucca-3"].moves is moves
        assert table.view(0).steps == ("play", "build", "take")
        table.apply(Play("lucca-3"))
        assert table.view(1).steps == (("play", "build", "move", "take") if moves else ("play", "build", "take"))


def test_p15_turn_has_no_take_if_no_card_lies_face_up() -> None:
    assert position(hands={0: ["roma-3"]}).view(0).steps == ("play", "build")


def test_p15_what_may_be_taken_after_a_card() -> None:
    table = position(
        hands={0: ["roma-3", "roma-5", "siena-2"]}, display={"roma": "lucca-1", "parma": "lucca-2", "verona": "lucca-4"}
    )
    plays = table.view(0).plays
    assert plays["roma-3"].takes == ("roma",)
    assert plays["roma-5"].takes == ("roma", "parma", "verona")
    assert plays["siena-2"].takes == ("roma", "parma", "verona")


def test_m2_star_card_lets_its_owner_place_a_messenger() -> None:
    """The others' messengers do not help."""
    table = position(4, hands={0: ["roma-1", "roma-3"]}, messengers={("milano", "parma"): 1})
    assert [play.messenger for play in table.view(0).plays.values()] == [True, False]
    spent = position(4, hands={0: ["roma-1", "roma-3"]}, messengers={("milano", "parma"): 0})
    assert [play.messenger for play in spent.view(0).plays.values()] == [False, False]
    spent.apply(Play("roma-1"))
    assert "messenger" not in spent.view(0).steps


@pytest.mark.parametrize(
    ("card", "towers", "site"),
    [
        ("verona-1", ("0011", ""), 1),
        ("verona-1", ("", "0011"), 0),
        ("verona-1", ("001", "1"), None),
        ("verona-1", ("001", ""), None),
        ("verona-4", ("001", ""), 1),
        ("verona-4", ("00", "1"), None),
    ],
)
def test_p12_view_shows_the_site_that_must_not_stay_empty(card: str, towers: tuple[str, str], site: int | None) -> None:
    table = position(hands={0: [card]}, towers={"verona": towers})
    assert table.view(0).plays[card].bare_site == site


def test_cards_of_other_players_have_no_outlook() -> None:
    table = position(hands={0: ["roma-1"], 1: ["siena-1"]})
    assert list(table.view(0).plays) == ["roma-1"]
    assert table.view(1).plays == table.view().plays == {}
    table.apply(Play("roma-1"))
    assert table.view(0).plays == {}


def test_p22_portraits_are_shown_if_the_whole_stack_is_visible() -> None:
    table = position(played={0: ["roma-1", "ferrara-2"], 1: ["roma-2"], 2: ["siena-1", "siena-2"]}, turn=6)
    mine, others = table.view(0).portraits, table.view().portraits
    assert mine == ({"captain": 1, "lady": 2, "elder": 0}, {"captain": 0, "lady": 1, "elder": 0}, None)
    assert others == (None, {"captain": 0, "lady": 1, "elder": 0}, None)


@pytest.mark.parametrize("setting", quick_for_two_and_five(SETTINGS), ids=setting_name)
def test_predicted_effect_of_a_card_is_correct(setting: dict[str, Any]) -> None:
    table, dice = open_table("patrician", seed=3, **setting), Random(3)
    while not table.over:
        view = table.view(table.turn)
        assert view.asked == "over" or view.asked in view.steps
        for card, play in view.plays.items():
            check_play(table.copy(), card, play, dice)
        table.make(dice.choice(table.legal))


def check_play(table: PatricianTable, card: str, told: CardOutlook, dice: Random) -> None:
    """Play a card, continue at random to the end of the turn, and compare with the prediction."""
    turn, scored = len(table.view().players[table.turn or 0].stack), False
    taken: tuple[str, ...] = ()
    seat, events, asked = table.turn, table.apply(Play(card)), ["play"]
    steps, bare = table.view().steps, None
    while table.turn == seat and len(table.view().players[seat or 0].stack) == turn + 1 and not table.over:
        view = table.view(seat)
        asked += [view.asked] if view.asked != asked[-1] else []
        assert view.steps == steps or (view.asked == "messenger" and view.asked in view.steps)
        builds = [step.site for step in view.legal if isinstance(step, Build)]
        bare = builds[0] if len(builds) == 1 else bare
        taken = tuple(step.city for step in view.legal if isinstance(step, Take)) or taken
        taller = [step for step in view.legal if isinstance(step, Build) and step.site != told.bare_site]
        events = table.apply(dice.choice(taller or view.legal))
        scored = scored or any(isinstance(event, CityScored) for event in events)
    assert tuple(asked) == steps
    assert ("move" in asked, taken, "messenger" in asked) == (told.moves, told.takes, told.messenger)
    assert scored == told.fills
    if told.bare_site is not None:
        assert bare == told.bare_site


@pytest.mark.parametrize("options", [{}, {"messengers": True, "ambassadors": True}, {"ambassadors": True}])
def test_p23_running_score_is_the_score_sheet_of_the_position(options: dict[str, Any]) -> None:
    table, dice, sets = open_table("patrician", players=3, seed=4, **options), Random(4), 0
    while not table.over:
        table.make(dice.choice(table.legal))
        for seat in (None, 0):
            for player, score in zip(table.view(seat).players, table.scores, strict=True):
                told = player.score
                assert told is not None
                parts = score.row
                assert (told.total, told.tokens, told.portraits) == (score.total, parts["tokens"], parts["portraits"])
                assert (told.messengers, told.penalty) == (parts["messengers"], parts["penalty"])
                assert told.sets * 6 == told.portraits
                sets += told.sets
    assert sets


def test_p24_tokens_face_down_hide_the_points_of_others() -> None:
    won, played = {"roma": (0, 1)}, {0: ["roma-1"], 1: ["roma-2"]}
    table = position(2, won=won, played=played, turn=2, tokens="hidden")
    mine, other = table.view(0).players
    assert mine.score is not None
    assert mine.score.total == mine.token_points
    assert other.score is None
    assert [player.score for player in table.view().players] == [None, None]


def test_p10_covered_cards_hide_the_points_where_nobody_keeps_track() -> None:
    table = open_table("patrician", players=2, seed=1, memory_aid=False)
    dice, me = Random(2), table.turn or 0
    while len(table.view().players[me].stack) < 2:
        table.make(dice.choice(table.legal))
    mine, others = table.view(me).players[me], table.view(1 - me).players[me]
    assert mine.score is not None
    assert (others.score, table.view().players[me].score) == (None, None)


def test_a1_running_score_says_what_an_ambassador_adds() -> None:
    """A counts where it completes a set, D adds one of each kind."""
    table = position(
        won={"roma": (1, 0), "milano": (0, 1), "parma": (0, 0)},
        played={0: ["roma-1", "ferrara-2", "siena-1"]},
        turn=9,
        ambassadors=True,
    )
    score = table.view(0).players[0].score
    assert score is not None
    held = {one.letter: one.adds for one in score.ambassadors or ()}
    assert {letter for letter, seat in (table.view(0).ambassadors or {}).items() if seat == 0} == set(held)
    assert set(held["D"]) == {"captain", "lady", "elder"}
    assert all(len(adds) == 1 for letter, adds in held.items() if letter != "D")
