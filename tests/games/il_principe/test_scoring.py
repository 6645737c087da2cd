"""I40 to I44: the final scoring."""

import pytest

from signoria.games.il_principe.rulebook.components import COLOUR_IDS
from signoria.games.il_principe.words.names import seat_name
from tests.games.il_principe.position import PrincipeTable, part, position


def over(count: int = 3, **given: object) -> PrincipeTable:
    """A game that is over."""
    return position(count, at="over", **given)  # type: ignore[arg-type]


def regions(*crests: int, region: str = "red") -> list[int]:
    """The points of all players from one region with these crests."""
    given = {seat: {region: number} for seat, number in enumerate(crests)}
    return part(over(len(crests), crests=given), "regions")


# I40


def test_i40_most_crests_five_and_second_most_two() -> None:
    assert regions(1, 3, 2) == [0, 5, 2]
    assert regions(4, 3, 2, 1) == [5, 2, 0, 0]
    assert regions(1, 2) == [2, 5]


@pytest.mark.parametrize("region", ["blue", "yellow", "green", "red", "violet", "white"])
def test_i40_each_region(region: str) -> None:
    assert regions(1, 2, 0, region=region) == [2, 5, 0]


def test_i40_regions_add_up_and_do_not_mix() -> None:
    crests = {0: {"red": 2, "blue": 1, "violet": 1}, 1: {"red": 1, "blue": 2}, 2: {"white": 3}}
    assert part(over(crests=crests), "regions") == [5 + 2 + 5, 2 + 5, 5]


def test_i40_tied_for_most_five_each_and_nothing_for_second() -> None:
    assert regions(2, 2, 1) == [5, 5, 0]
    assert regions(1, 2, 2, 1) == [0, 5, 5, 0]
    assert regions(3, 3, 3) == [5, 5, 5]
    assert regions(1, 1) == [5, 5]


def test_i40_tied_for_second_two_each() -> None:
    assert regions(3, 1, 1) == [5, 2, 2]
    assert regions(1, 2, 1, 0, 1) == [2, 5, 2, 0, 2]


def test_i40_at_least_one_crest_is_needed() -> None:
    assert regions(0, 0, 0) == [0, 0, 0]
    assert regions(0, 1, 0) == [0, 5, 0]


# I41


def test_i41_two_a_major_and_one_a_minor() -> None:
    held = {"major green": 0, "major white": 0, "minor green": 1, "major red": 1, "minor blue": 2, "minor yellow": 2}
    assert part(over(roles=held), "roles") == [4, 3, 2]


def test_i41_no_roles_no_points() -> None:
    assert part(over(), "roles") == [0, 0, 0]


# I42


def test_i42_two_for_a_set_of_five_colours() -> None:
    one = dict.fromkeys(COLOUR_IDS, 1)
    assert part(over(up={0: one, 1: {**one, "green": 3}, 2: {**one, "blue": 0}}), "sets") == [2, 2, 0]


def test_i42_every_set_counts() -> None:
    up = {0: dict.fromkeys(COLOUR_IDS, 3), 1: {"green": 9, "white": 2, "red": 2, "blue": 2, "yellow": 2}}
    assert part(over(up=up), "sets") == [6, 4, 0]


def test_i42_face_up_or_down() -> None:
    up = {0: {"green": 1, "white": 1, "red": 1}, 1: {"green": 1}}
    down = {0: {"blue": 1, "yellow": 1}, 1: {"green": 1, "white": 2, "red": 2, "blue": 2, "yellow": 2}}
    assert part(over(up=up, down=down), "sets") == [2, 4, 0]


def test_i42_cards_in_hand_do_not_count() -> None:
    up = {0: {"green": 1, "white": 1, "red": 1, "blue": 1}}
    assert part(over(up=up, hands={0: {"yellow": 1}}), "sets") == [0, 0, 0]


# I43


def test_i43_two_for_most_ducats() -> None:
    assert part(over(ducats=(3, 5, 4)), "ducats") == [0, 2, 0]


def test_i43_all_who_are_tied_for_ducats_score() -> None:
    assert part(over(ducats=(5, 3, 5)), "ducats") == [2, 0, 2]
    assert part(over(ducats=(0, 0, 0)), "ducats") == [2, 2, 2]


def test_i43_two_for_most_cards_in_hand() -> None:
    hands = {0: {"green": 2}, 1: {"white": 1, "red": 1, "blue": 1}}
    assert part(over(hands=hands, up={0: {"green": 9}}), "hand") == [0, 2, 0]


def test_i43_all_who_are_tied_for_cards_score() -> None:
    assert part(over(hands={0: {"green": 2}, 2: {"white": 1, "red": 1}}), "hand") == [2, 0, 2]


# I44


def test_i44_the_total_is_the_game_and_everything_after_it() -> None:
    table = over(
        points=(10, 12, 0),
        crests={0: {"red": 2}, 1: {"red": 1}},
        roles={"major green": 0, "minor green": 1},
        up={0: dict.fromkeys(COLOUR_IDS, 1)},
        ducats=(3, 2, 1),
        hands={1: {"green": 1}},
    )
    zero = {"game": 0, "regions": 0, "roles": 0, "sets": 0, "ducats": 0, "hand": 0, "total": 0, "buildings": 0}
    assert [score.row for score in table.scores] == [
        {"game": 10, "regions": 5, "roles": 2, "sets": 2, "ducats": 2, "hand": 0, "total": 21, "buildings": 5},
        {"game": 12, "regions": 2, "roles": 1, "sets": 0, "ducats": 0, "hand": 2, "total": 17, "buildings": 0},
        zero,
    ]


def winners(**given: object) -> tuple[tuple[int, ...], str]:
    """Who wins, and how."""
    outcome = over(**given).outcome  # type: ignore[arg-type]
    assert outcome is not None
    return outcome.winners, outcome.reason


def test_i44_no_winner_before_the_end() -> None:
    assert position(points=(9, 0, 0)).outcome is None


@pytest.mark.parametrize("best", [0, 1, 2])
def test_i44_most_points_win_whatever_the_buildings(best: int) -> None:
    points = [4, 4, 4]
    points[best] = 5
    assert winners(points=points, up={(best + 1) % 3: {"red": 9}}) == ((best,), "most points (I44)")


def test_i44_tied_most_buildings_in_play_face_up_or_down() -> None:
    reason = "level on points, most buildings in play (I44)"
    assert winners(points=(5, 5, 3), up={0: {"red": 1}, 1: {"red": 2}, 2: {"red": 3}}) == ((1,), reason)
    assert winners(points=(5, 5, 3), up={0: {"red": 2}, 1: {"red": 1}}, down={1: {"red": 2}}) == ((1,), reason)
    hands = {1: {"green": 2}, 0: {"green": 2}}
    assert winners(points=(5, 5, 3), up={0: {"red": 2}, 1: {"red": 1}}, hands=hands) == ((0,), reason)


def test_i44_buildings_decide_before_roles() -> None:
    (winner, _) = winners(up={0: {"red": 1}, 1: {"red": 2}}, roles={"major green": 0, "major white": 1})
    assert winner == (1,)


def test_i44_then_the_first_major_role_in_the_order_of_colours() -> None:
    reason = "level on points and buildings, first major role (I44)"
    assert winners(roles={"major green": 1, "major white": 0}) == ((1,), reason)
    assert winners(roles={"major blue": 0, "major yellow": 1}) == ((0,), reason)
    assert winners(roles={"major yellow": 0, "major red": 1}) == ((1,), reason)
    assert winners(points=(2, 0, 0), roles={"major yellow": 1}) == ((1,), reason)  # against none at all


def test_i44_role_of_a_player_who_is_not_tied_decides_nothing() -> None:
    held = {"major green": 2, "major white": 1, "major red": 0}
    assert winners(points=(5, 5, 0), roles=held)[0] == (1,)


def test_i44_minor_roles_decide_nothing() -> None:
    held = {"minor green": 0, "minor white": 0, "major yellow": 1}
    assert winners(points=(5, 5, 0), roles=held)[0] == (1,)


def test_i44_players_still_tied_share_the_victory() -> None:
    reason = "victory shared: level on points and buildings, and no major role decides (I44)"
    assert winners(points=(5, 3, 5)) == ((0, 2), reason)
    assert winners() == ((0, 1, 2), reason)
    assert winners(points=(5, 5, 0), roles={"major green": 2}) == ((0, 1), reason)


def test_i44_reason_names_what_decided_the_tie() -> None:
    def told(**given: object) -> str:
        outcome = over(**given).outcome  # type: ignore[arg-type]
        assert outcome is not None
        return outcome.told.named(seat_name)

    assert told(points=(5, 4, 3)) == ""
    built = {0: {"red": 1}, 1: {"red": 2}, 2: {"red": 3}}
    assert told(points=(5, 5, 3), up=built).endswith("Carraresi has 2 buildings in play, the next player 1 (I44).")
    assert "Carraresi wins the tiebreak as Mastro" in told(roles={"major green": 1, "major white": 0})
    assert told(points=(5, 3, 5)).startswith("Medici and Visconti have ")
    assert told(points=(5, 3, 5)).endswith("they share the win (I44).")


def test_every_part_of_a_score_is_the_sum_of_its_items() -> None:
    crests = {0: {"red": 2, "blue": 1}, 1: {"red": 1, "white": 3}, 2: {"red": 1}}
    held = {"major green": 0, "minor green": 1, "major red": 0}
    built = {0: {"green": 2, "white": 2, "red": 3, "blue": 2, "yellow": 2}}
    table = over(points=(9, 4, 0), hands={1: {"red": 2}}, crests=crests, roles=held, up=built, ducats=(3, 0, 3))
    for score in table.scores:
        for line in score.parts:
            assert sum(item.points for item in line.items) == line.points, line
    first = {line.name: line.items for line in table.scores[0].parts}
    assert [(item.says, item.points) for item in first["regions"]] == [
        ("Lombardia e Liguria, 1 crest", 5),
        ("Toscana, 2 crests", 5),
    ]
    assert [item.sign for item in first["sets"]] == ["set", "set"]
    assert [(item.sign, item.points) for item in first["roles"]] == [("green", 2), ("red", 2)]
    assert first["ducats"][0].count == 3
