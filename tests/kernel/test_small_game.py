"""A minimal game gets everything else from the defaults of `Game`."""

import pytest

from signoria.bots.tree import Tree
from signoria.kernel.conformance import check
from signoria.kernel.errors import BadOption
from signoria.kernel.table import open_game
from tests.kernel.small_game import HEAP, Take


@pytest.mark.parametrize("players", HEAP.seats)
def test_small_game_passes_the_conformance_checks(players: int) -> None:
    for seed in range(5):
        check(HEAP, {"players": players}, seed)


def test_small_game_uses_its_own_sentences() -> None:
    table, words = open_game(HEAP, {"players": 2}, seed=1), HEAP.words
    view = table.view(0)
    assert [(choice.numbers, choice.says) for choice in words.choices(view)] == [
        ("1", "take 1"),
        ("2", "take 2"),
        ("3", "take 3"),
    ]
    assert words.tell(view, Take(2)) == "take 2"
    assert [words.retell(table.components, event, HEAP.seat_name) for event in table.apply(Take(2))] == [
        "Player 1 takes 2."
    ]
    assert words.scene(table.view(1)) != words.scene(view)
    assert HEAP.buttons(view) == view.legal
    assert words.question(view) == "Take coins."
    assert HEAP.draw(view).plain.splitlines() == [f"Heap   {view.heap}", "Coins  0 0"]


def test_small_game_has_no_options() -> None:
    assert HEAP.option_labels == ()
    assert (HEAP.usual_players, HEAP.first_players) == (3, 3)
    assert (HEAP.own_components, HEAP.standing_orders, HEAP.players_note, HEAP.board) == (None,) * 4
    with pytest.raises(BadOption, match=r"players: 5; Heap is for 2 to 4 \(H1\)"):
        HEAP.options({"players": 5})


def test_search_plays_a_game_without_a_heuristic() -> None:
    table = open_game(HEAP, {"players": 2}, seed=1)
    while table.view(0).heap > 3 or table.turn != 0:
        table.apply(Take(1))
    tree = Tree(table.view(0).known, 1)
    tree.think(500)
    assert HEAP.step_of(int(tree.visits.argmax())) == Take(table.view(0).heap)  # the last coins count most
