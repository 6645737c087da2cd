"""Which bots meet, and in which seats."""

from collections import Counter

from signoria.arena import Setting, mixed, one_against, pairings, schedule


def test_two_bots_meet_once_and_swap_seats() -> None:
    assert [match.name for match in pairings(["a", "b", "c"], 2)] == ["a - b", "a - c", "b - c"]
    assert one_against("a", "b", 2).rotations == (("a", "b"), ("b", "a"))


def test_with_three_players_bots_meet_both_ways_and_at_mixed_tables() -> None:
    assert [match.name for match in pairings(["a", "b"], 3)] == ["a - 2 x b", "b - 2 x a"]
    assert len(pairings(["a", "b", "c"], 3)) == 7
    assert pairings(["a", "b", "c"], 3)[-1].name == "mixed"
    assert one_against("a", "b", 3).rotations == (("a", "b", "b"), ("b", "a", "b"), ("b", "b", "a"))


def test_at_mixed_tables_every_bot_plays_every_seat_equally_often() -> None:
    for bots in (["a", "b", "c"], ["a", "b", "c", "d", "e"]):
        for players in (3, 4, 5):
            for seat in range(players):
                assert Counter(line_up[seat] for line_up in mixed(bots, players).rotations) == Counter(bots)
    assert mixed(["a", "b", "c"], 5).rotations[1] == ("b", "c", "a", "b", "c")


def test_game_number_gives_deal_and_rotation() -> None:
    match = one_against("a", "b", 3)
    games = list(schedule([match], 7))
    assert [(game.deal, game.rotation) for game in games] == [(k // 3, k % 3) for k in range(9)]
    assert [game.bots.index("a") for game in games] == [k % 3 for k in range(9)]


def test_extra_games_come_at_the_end() -> None:
    matches = pairings(["a", "b", "c"], 3)
    few, many = list(schedule(matches, 6)), list(schedule(matches, 12))
    assert many[: len(few)] == few
    assert len(many) == 2 * len(few) == 7 * 12


def test_pairings_and_rotations_share_deals() -> None:
    one = Setting.of("patrician", ["random", "first"], players=2, seed=4)
    other = Setting.of("patrician", ["last", "random"], players=2, seed=4)
    assert one.open(3).setup == other.open(3).setup
    assert one.open(3).setup != one.open(4).setup
    assert one.open(3).setup != Setting.of("patrician", ["random", "first"], players=2, seed=5).open(3).setup
