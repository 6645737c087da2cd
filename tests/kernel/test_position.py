"""A position: fields, steps, what a seat knows of it, and copies that stay apart."""

import numpy as np
import pytest

from signoria import open_table
from signoria.games import GAMES
from signoria.kernel.compiled import rule
from signoria.kernel.conformance import new_luck
from signoria.kernel.position import Position
from tests.kernel.small_game import FEWEST_COINS, HEAP, begin


def a_heap(coins: int = FEWEST_COINS, players: int = 2) -> Position:
    options = HEAP.options({"players": players})
    position = Position(HEAP, HEAP.box(options, HEAP.components(options)))
    position.call(begin, coins)
    return position


def test_fields_are_read_and_written() -> None:
    position = a_heap(2)
    assert (position.state.heap, position.box.players) == (2, 2)
    assert type(position.state.heap) is int
    position.state.heap = 3
    position.state.coins[1] = 5
    position.state.coins[0] += 2
    state, box = position.in_lists()
    assert (state.heap, state.coins, box.players) == (3, [2, 5, 0, 0], 2)
    position.state.coins = 1
    assert (position.state.coins == 1).all()
    with pytest.raises(AttributeError, match="gold"):
        position.state.gold = 1
    with pytest.raises(AttributeError, match="gold"):
        _ = position.state.gold


def test_steps_are_those_of_the_rules() -> None:
    position = a_heap(2)
    assert (position.legal, position.refusal(0), position.refusal(2)) == ([0, 1], 0, 2)
    assert (position.seat, position.asked, position.over) == (0, 1, False)
    position.apply(1)
    assert (position.legal, position.refusal(0), position.over) == ([], 1, True)
    assert position.sheet()[:, HEAP.columns.index("won")].tolist() == [1, 0]


def test_a_copy_is_apart_and_equal_until_it_changes() -> None:
    position = a_heap()
    copy = position.copy()
    assert copy == position
    copy.apply(0)
    assert copy != position
    assert bytes(position) == bytes(a_heap())
    assert a_heap(players=3) != position
    assert position != "a heap"


def test_any_rule_can_be_called_on_a_position() -> None:
    @rule
    def twice_the_heap(s, box, sums) -> int:  # type: ignore[no-untyped-def]
        sums[0] = box.players
        return int(2 * s.heap)

    sums = np.zeros(1, np.int64)
    assert a_heap(7).call(twice_the_heap, sums) == 14
    assert sums[0] == 2


@pytest.mark.parametrize("game", GAMES)
def test_a_table_leaves_its_earlier_positions_as_they_were(game: str) -> None:
    table = open_table(game, players=3, seed=2)
    start = table.position
    before = start.copy()
    assert start.legal == [table.game.number_of(step) for step in table.legal]
    table.apply(table.legal[0])
    assert start == before != table.position
    copy = table.copy()
    copy.position.apply(copy.position.legal[0])
    assert copy.position != table.position


@pytest.mark.parametrize("game", GAMES)
def test_what_a_seat_knows_shares_nothing_with_the_truth(game: str) -> None:
    table = open_table(game, players=3, seed=2)
    known, truth = table.position.seen_by(1), table.position.copy()
    assert known != truth
    other = known.redealt(new_luck(1))
    assert other != truth
    assert other.seen_by(1) == known == truth.seen_by(1)
    assert known.without_memory(1).seat == truth.seat
    known.state.seat = known.box.players = 9
    assert table.position == truth


@pytest.mark.parametrize("game", GAMES)
def test_a_table_can_be_looked_at_in_another_position(game: str) -> None:
    table = open_table(game, players=3, seed=2)
    later = table.position.copy()
    later.apply(later.legal[-1])
    there = table.at(later)
    assert (there.turn, there.position) == (later.seat, later)
    assert there.may_undo is None
    assert table.position != later
