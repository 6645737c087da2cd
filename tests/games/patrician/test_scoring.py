"""P20 to P24, M1 to M6, A1 to A4: scoring."""

import re
from random import Random

import pytest

from signoria import open_table
from signoria.games.patrician.rulebook.components import CITY_IDS
from signoria.games.patrician.rulebook.steps import Build, Keep, Messenger, Play, Take
from signoria.games.patrician.words.events import CityScored, MessengerPlaced
from tests.games.patrician.position import PatricianTable, clause, part, position, winners

Won = dict[str, tuple[int, int]]


def finish(city_card: str, towers: dict[str, tuple[str, str]], site: int, **more: object) -> CityScored:
    """Play one card, build once, and get the scoring of the city."""
    table = position(hands={0: [city_card]}, towers=towers, **more)  # type: ignore[arg-type]
    table.apply(Play(city_card))
    scored = table.apply(Build(site))[1]
    assert isinstance(scored, CityScored)
    return scored


def test_p20_the_taller_tower_gives_the_high_token_and_the_other_the_low_one() -> None:
    scored = finish("verona-1", {"verona": ("11", "02")}, site=1)
    assert (scored.high.seat, scored.high.points, scored.high.site) == (0, 5, 1)
    assert (scored.low.seat, scored.low.points, scored.low.site) == (1, 2, 0)
    assert scored.high.floors == (2, 0, 1)
    assert scored.high.tied == ()


def test_p20_one_player_may_take_both() -> None:
    table = position(hands={0: ["verona-1"]}, towers={"verona": ("00", "02")})
    table.apply(Play("verona-1"))
    table.apply(Build(1))
    assert winners(table, "verona") == (0, 0)
    assert part(table, 0, "tokens") == 7
    assert table.view().players[0].tokens == 2


def test_p20_no_floors_no_points() -> None:
    table = position(hands={0: ["verona-1"]}, towers={"verona": ("00", "12")})
    table.apply(Play("verona-1"))
    table.apply(Build(0))
    assert winners(table, "verona") == (0, 2)
    assert part(table, 1, "tokens") == 0


def test_p21_a_tie_goes_to_the_floor_nearest_the_top() -> None:
    scored = finish("siena-1", {"siena": ("1212", "00")}, site=1)
    assert scored.high.seat == 2
    assert scored.high.tied == (1, 2)
    under = finish("siena-1", {"siena": ("1221", "00")}, site=1)
    assert under.high.seat == 1


def test_p21_view_shows_who_would_win_each_tower() -> None:
    cities = position(towers={"siena": ("1212", ""), "verona": ("10220", "0")}).view().cities
    leads = {city.id: city.leads for city in cities}
    assert leads["siena"] == (2, None)
    assert leads["verona"] == (0, 0)
    assert leads["roma"] == (None, None)


def test_p21_only_tied_players_count() -> None:
    """Seat 0 has the top floor but is not among the tied players."""
    scored = finish("siena-1", {"siena": ("1212", "22")}, site=0)
    assert scored.high.floors == (1, 2, 2)
    assert scored.high.seat == 2
    assert finish("roma-1", {"roma": ("11221", "022")}, site=0).high.seat == 1
    three = finish("roma-1", {"roma": ("120120", "22")}, site=1)
    assert three.high.seat == 0
    assert three.high.tied == (0, 1, 2)


def test_p21_top_floor_of_the_builder_decides() -> None:
    scored = finish("siena-1", {"siena": ("0112", "22")}, site=0)
    assert scored.high.seat == 0
    assert scored.high.tied == (0, 1)


def test_p22_three_equal_portraits_are_a_set() -> None:
    table = position(played={0: ["roma-1", "roma-4"], 1: ["roma-1", "roma-4", "verona-2"], 2: ["verona-2", "parma-2"]})
    assert part(table, 0, "portraits") == 0  # two captains
    assert part(table, 1, "portraits") == 6  # four: one set
    assert part(table, 2, "portraits") == 0  # two captains, two elders
    six = position(played={0: ["roma-1", "roma-4", "firenze-3", "milano-2", "verona-2"]})
    assert part(six, 0, "portraits") == 12  # six captains


def test_p23_most_points_win() -> None:
    table = over(won={"roma": (0, 1), "siena": (1, 1)})
    assert table.outcome is not None
    assert table.outcome.winners == (1,)
    assert "most points" in table.outcome.reason


def test_p23_tied_on_points_fewer_floors_win() -> None:
    table = over(won={"roma": (0, 0), "firenze": (1, 1)}, towers={"roma": ("00", "0"), "firenze": ("11", "")})
    assert table.outcome is not None
    assert table.outcome.winners == (1,)
    assert "fewest floors" in table.outcome.reason


def test_p23_players_still_tied_share_the_victory() -> None:
    table = over(won={"roma": (0, 0), "firenze": (2, 2)}, towers={"roma": ("00", "1"), "firenze": ("22", "")})
    assert table.outcome is not None
    assert table.outcome.winners == (0, 2)
    assert "shared" in table.outcome.reason


def test_p24_face_down_tokens_change_what_others_see_and_nothing_else() -> None:
    won: Won = {"roma": (0, 1)}
    lying = {how: position(won=won, tokens=how, hands={0: ["siena-1"]}) for how in ("open", "hidden")}
    assert lying["open"].view(2).cities[0].won == (0, 1)
    assert lying["hidden"].view(2).cities[0].won == (None, None)
    assert lying["hidden"].view(0).cities[0].won == (0, None)
    assert lying["hidden"].view().players[0].tokens == 1
    assert lying["hidden"].view(2).players[0].token_points is None
    assert lying["hidden"].view(0).players[0].token_points == 9
    assert lying["open"].scores == lying["hidden"].scores
    remembered = lying["hidden"].view(2).remembered
    assert remembered is not None
    assert remembered.won == {"roma": (0, 1)}
    assert over(won=won, tokens="hidden").view(2).cities[0].won == (0, 1)


@pytest.mark.parametrize(("players", "messengers"), [(2, 2), (3, 2), (4, 1), (5, 1)])
def test_m1_messengers_of_each_player(players: int, messengers: int) -> None:
    view = open_table("patrician", players=players, messengers=True, seed=1).view()
    assert [player.messengers_left for player in view.players] == [messengers] * players
    without = open_table("patrician", players=players, seed=1).view()
    assert [player.messengers_left for player in without.players] == [0] * players


def test_m1_player_without_messengers_is_not_asked() -> None:
    table = position(4, hands={0: ["roma-1"]}, messengers={("milano", "parma"): 0})
    table.apply(Play("roma-1"))
    table.apply(Build(0))
    assert table.turn == 1


def test_m2_after_a_star_card_at_the_end_of_the_turn() -> None:
    table = position(
        hands={0: ["verona-1"]}, display={"verona": "roma-3"}, pile=["roma-4"], messengers={("roma", "siena"): 1}
    )
    table.apply(Play("verona-1"))
    table.apply(Build(0))
    assert clause(table, Messenger(("lucca", "milano"))) == "M2"
    table.apply(Take("verona"))
    assert table.turn == 0
    (event,) = table.apply(Messenger(("milano", "lucca")))
    assert event == MessengerPlaced("M2", 0, ("lucca", "milano"))
    assert table.view().messengers == {"roma-siena": 1, "lucca-milano": 0}
    assert table.turn == 1


def test_m2_needs_a_star_and_the_expansion() -> None:
    table = position(hands={0: ["verona-2"]}, messengers={("roma", "siena"): 1})
    table.apply(Play("verona-2"))
    table.apply(Build(0))
    assert table.turn == 1
    without = position(hands={0: ["verona-1"]})
    without.apply(Play("verona-1"))
    without.apply(Build(0))
    assert without.turn == 1


def test_m2_may_be_kept() -> None:
    table = position(hands={0: ["verona-1"]}, messengers={("roma", "siena"): 1})
    table.apply(Play("verona-1"))
    table.apply(Build(0))
    table.apply(Keep())
    assert table.view().messengers == {"roma-siena": 1}
    assert table.turn == 1


def test_m2_roads_of_pistoia_with_five_players_only() -> None:
    roads = {}
    for players in (4, 5):
        table = position(players, hands={0: ["verona-1"]}, messengers={("roma", "siena"): 1})
        table.apply(Play("verona-1"))
        table.apply(Build(0))
        roads[players] = {step.between for step in table.legal if isinstance(step, Messenger)}
        assert clause(table, Messenger(("roma", "verona"))) == "M2"
    assert roads[5] - roads[4] == {("roma", "pistoia"), ("pistoia", "firenze")}
    assert clause(position(4, hands={0: ["verona-1"]}), Messenger(("roma", "pistoia"))) == "M1"


def test_m3_not_beside_the_city_built_in_one_a_road_two_a_city() -> None:
    table = position(
        5,
        hands={0: ["milano-1"]},
        messengers={("siena", "lucca"): 1, ("siena", "bologna"): 2, ("ferrara", "bologna"): 3},
    )
    table.apply(Play("milano-1"))
    table.apply(Build(0))
    allowed = {step.between for step in table.legal if isinstance(step, Messenger)}
    assert allowed == {
        ("lucca", "ferrara"),
        ("parma", "verona"),
        ("verona", "ferrara"),
        ("roma", "pistoia"),
        ("pistoia", "firenze"),
    }
    refused = [("milano", "parma"), ("siena", "lucca"), ("roma", "siena")]
    why = [table.why_not(Messenger(road)) for road in refused]
    assert [refusal.clause for refusal in why if refusal] == ["M3"] * 3
    assert len({refusal.says for refusal in why if refusal}) == 3


def test_m3_is_not_asked_when_no_place_is_left() -> None:
    roads = {("roma", "siena"): 1, ("siena", "bologna"): 1, ("lucca", "milano"): 2, ("parma", "verona"): 2}
    table = position(3, hands={0: ["ferrara-1"]}, messengers=roads)
    table.position.state.beside[CITY_IDS.index("firenze")] = 2
    table.position.state.beside[CITY_IDS.index("milano")] = 2
    table.apply(Play("ferrara-1"))
    table.apply(Build(0))
    assert table.turn == 1


def test_m4_beside_a_scored_city_a_messenger_has_no_effect_there() -> None:
    table = position(
        hands={0: ["roma-1"]},
        towers={"verona": ("001", "22"), "parma": ("1", "")},
        won={"verona": (0, 2)},
        messengers={("siena", "lucca"): 1},
    )
    table.apply(Play("roma-1"))
    table.apply(Build(0))
    table.apply(Messenger(("parma", "verona")))
    assert table.position.state.escorts[CITY_IDS.index("verona")] == 0
    assert table.position.state.escorts[CITY_IDS.index("parma")] == 1
    assert table.view().cities[CITY_IDS.index("verona")].messengers == 1
    assert part(table, 0, "messengers") == part(table, 2, "messengers") == 0


@pytest.mark.parametrize("count", [1, 2])
def test_m5_each_tower_gives_an_extra_token_for_every_messenger(count: int) -> None:
    roads: dict[tuple[str, str], int] = dict(list({("parma", "verona"): 1, ("verona", "ferrara"): 2}.items())[:count])
    table = position(
        hands={0: ["verona-2"]}, towers={"verona": ("11", "02")}, messengers=roads, escorts={"verona": count}
    )
    table.apply(Play("verona-2"))
    scored = table.apply(Build(1))[1]
    assert isinstance(scored, CityScored)
    assert (scored.high.extra, scored.low.extra) == (2 * count, 2 * count)
    assert [part(table, seat, "messengers") for seat in range(3)] == [2 * count, 2 * count, 0]


def test_m5_one_player_who_wins_both_towers_gets_both_extras() -> None:
    table = position(
        won={"siena": (1, 1)}, messengers={("roma", "siena"): 0, ("siena", "lucca"): 0}, escorts={"siena": 2}
    )
    assert part(table, 1, "messengers") == 8
    assert part(table, 1, "tokens") == 11


def penalties(**given: object) -> list[int]:
    table = over(messengers={("roma", "siena"): 0}, **given)
    return [part(table, seat, "penalty") for seat in range(table.options.players)]


def test_m6_fewest_escorted_towers_loses_three() -> None:
    won: Won = {"roma": (0, 1), "siena": (0, 1), "verona": (2, 2)}
    assert penalties(won=won, escorts={"roma": 1, "siena": 1}) == [0, 0, -3]
    assert penalties(won=won | {"siena": (0, 2)}, escorts={"roma": 1, "siena": 1, "verona": 1}) == [0, -3, 0]


def test_m6_tied_fewest_floors_in_those_cities() -> None:
    won: Won = {"roma": (0, 0), "siena": (0, 0)}
    towers = {"roma": ("0011", "0"), "siena": ("0002", ""), "verona": ("222", "22")}
    assert penalties(won=won, escorts={"roma": 1, "siena": 1}, towers=towers) == [0, 0, -3]
    swapped = {"roma": ("0022", "0"), "siena": ("0001", ""), "verona": ("111", "11")}
    assert penalties(won=won, escorts={"roma": 1, "siena": 1}, towers=swapped) == [0, -3, 0]


def test_m6_counts_only_cities_that_are_scored() -> None:
    towers = {"roma": ("0011", "0"), "siena": ("22", "")}
    table = position(
        messengers={("roma", "siena"): 0}, won={"roma": (0, 0)}, escorts={"roma": 1, "siena": 1}, towers=towers
    )
    assert [part(table, seat, "penalty") for seat in range(3)] == [0, 0, -3]


def test_m6_no_penalty_if_still_tied() -> None:
    won: Won = {"roma": (0, 0)}
    assert penalties(won=won, escorts={"roma": 1}, towers={"roma": ("0012", "0")}) == [0, 0, 0]


def test_m6_no_penalty_without_messengers() -> None:
    table = over(won={"roma": (0, 1)}, messengers={})
    assert [part(table, seat, "penalty") for seat in range(3)] == [0, 0, 0]
    assert penalties(won={"roma": (0, 1)}) == [0, 0, 0]  # it came too late for Roma (M4)


def ambassadors(won: Won, players: int = 3, **more: object) -> dict[str, int | None]:
    table = position(players, won=won, ambassadors=True, **more)  # type: ignore[arg-type]
    held = table.view().ambassadors
    assert held is not None
    return held


def test_a1_most_tokens_of_six_four_and_two() -> None:
    won: Won = {
        "roma": (0, 1), "firenze": (0, 1), "bologna": (0, 0),
        "lucca": (0, 2), "siena": (1, 2), "milano": (1, 0),
        "ferrara": (1, 0), "parma": (1, 0), "verona": (2, 1),
    }  # fmt: skip
    held = ambassadors(won)
    assert (held["A"], held["B"], held["C"]) == (1, 2, 0)


def test_a1_ambassador_counts_as_the_most_useful_portrait() -> None:
    won: Won = {"roma": (1, 0)}
    cards = {0: ["roma-1", "roma-4", "roma-2"]}  # two captains, a lady
    assert part(position(won=won, played=cards), 0, "portraits") == 0
    assert part(position(won=won, played=cards, ambassadors=True), 0, "portraits") == 6


def test_a1_several_ambassadors_may_complete_one_set_or_two() -> None:
    won: Won = {"roma": (1, 0), "siena": (1, 0), "ferrara": (1, 0)}
    one = {0: ["roma-1", "roma-2"]}  # a captain, a lady, three to choose
    assert part(position(won=won, played=one, ambassadors=True), 0, "portraits") == 6
    two = {0: ["roma-1", "roma-4", "roma-2", "firenze-1"]}  # two captains, two ladies
    assert part(position(won=won, played=two, ambassadors=True), 0, "portraits") == 12


@pytest.mark.parametrize(
    ("ambassador", "cities", "decides"),
    [
        ("A", ("roma", "firenze", "bologna"), "firenze"),
        ("B", ("lucca", "siena", "milano"), "milano"),
        ("C", ("ferrara", "parma", "verona"), "verona"),
    ],
)
def test_a2_a_tie_goes_to_the_holder_of_the_token_pictured(
    ambassador: str, cities: tuple[str, ...], decides: str
) -> None:
    for shift in range(3):
        won = {city: (0, (i + shift) % 3) for i, city in enumerate(cities)}
        assert ambassadors(won)[ambassador] == won[decides][1]


def test_a2_with_pistoia_two_may_be_tied_at_two() -> None:
    won: Won = {"roma": (0, 3), "firenze": (0, 4), "bologna": (0, 4), "pistoia": (0, 3)}
    assert ambassadors(won, players=5)["A"] == 4


def test_a2_tie_gives_it_to_nobody_while_the_token_is_not_won() -> None:
    assert ambassadors({"roma": (0, 1), "bologna": (0, 2)})["A"] is None
    assert ambassadors({})["A"] is None


def test_a3_most_points_in_verona_parma_and_milano() -> None:
    assert ambassadors({"verona": (0, 1), "parma": (2, 1), "milano": (1, 2)})["D"] == 1  # 5, 11, 9


def test_a3_ties_by_verona_then_parma_then_milano() -> None:
    verona: Won = {"verona": (0, 1), "parma": (1, 0)}  # 7 each
    assert ambassadors(verona)["D"] == 0
    parma: Won = {"verona": (2, 2), "parma": (0, 1), "milano": (1, 0)}  # 9 each, and 7 of Verona for nobody else
    assert ambassadors(parma)["D"] == 0
    assert ambassadors({"verona": (2, 2), "parma": (1, 0), "milano": (0, 1)})["D"] == 1
    swapped: Won = {"verona": (1, 0), "parma": (0, 1)}
    assert ambassadors(swapped)["D"] == 1


def test_a3_brings_a_portrait_of_each_kind() -> None:
    won: Won = {"verona": (0, 1)}
    cards = {0: ["roma-1", "roma-4", "roma-2", "firenze-1", "roma-3", "siena-2"]}  # two of each
    assert part(position(won=won, played=cards, ambassadors=True), 0, "portraits") == 18
    assert part(position(won=won, played=cards), 0, "portraits") == 0


def test_a4_tokens_of_messengers_do_not_count() -> None:
    won: Won = {"siena": (0, 0), "ferrara": (2, 1)}
    held = ambassadors(won, messengers={("roma", "siena"): 0, ("siena", "lucca"): 0}, escorts={"siena": 2})
    assert held["C"] == 1
    assert held["D"] is None


def over(**given: object) -> PatricianTable:
    """A position at the very end: every card played."""
    table = position(turn=47, hands={0: ["roma-1"]}, **given)  # type: ignore[arg-type]
    table.position.state.turn = 48
    table.position.state.asked = 0
    table.position.state.hand[:] = -1
    return table


@pytest.mark.parametrize("players", [2, 5])
def test_items_of_the_score_sheet_add_up_to_its_parts(players: int) -> None:
    ambassadors = 0
    for seed in range(8):
        table, luck = (
            open_table("patrician", players=players, messengers=True, ambassadors=True, seed=seed),
            Random(seed),
        )
        while not table.over:
            table.make(luck.choice(table.legal))
        for score in table.scores:
            tokens, portraits, messengers, _ = score.parts
            for listed in (tokens, portraits, messengers):
                assert sum(item.points for item in listed.items) == listed.points
            played = sum(int(count) for count in re.findall(r"(\d+) [cle]", portraits.detail))
            letters = portraits.detail.partition("with ambassador")[2]
            brought = sum(letters.count(letter) for letter in "ABC") + 3 * letters.count("D")
            held = [item.sign for item in portraits.items if item.sign.startswith("ambassador-")]
            assert sum(item.count for item in portraits.items) - len(held) == played + brought
            assert sum(sign.count("-") - 1 for sign in held) == brought
            ambassadors += brought
    assert ambassadors


def test_a1_a3_score_sheet_lists_the_ambassadors_and_their_portraits() -> None:
    cards = {0: ["roma-1", "roma-4", "roma-2"]}  # two captains, a lady
    table = position(won={"roma": (1, 0), "parma": (0, 1)}, played=cards, ambassadors=True)
    portraits = next(part for part in table.scores[0].parts if part.name == "portraits")
    listed = [(item.sign, item.count, item.points) for item in portraits.items]
    assert ("ambassador-A-captain", 1, 0) in listed or ("ambassador-A-lady", 1, 0) in listed
    assert ("ambassador-D-captain-lady-elder", 1, 0) in listed
    captains = sum(count for sign, count, _ in listed if sign == "captain")
    assert captains == 3 + (("ambassador-A-captain", 1, 0) in listed)
    assert sum(points for *_, points in listed) == portraits.points == 6 * (1 + (("lady", 3, 6) in listed))
