"""The search is repeatable, can be stopped, is bounded, and is better than greedy."""

from random import Random
from threading import Event, Thread
from time import perf_counter

import numpy as np
import pytest

from signoria.bots import Budget, find_bot, tree
from signoria.bots.leaves import POINTS, WINS
from signoria.bots.search import SearchBot
from signoria.bots.tree import MEMORY, Tree
from signoria.games import GAMES, open_table
from tests.bots.positions import on_the_way

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("game", GAMES)
def test_the_same_seed_and_iterations_give_the_same_result(game: str, threads: int) -> None:
    for table in on_the_way(game, {"players": 3}, seed=6, every=40):
        view, bot, budget = table.view(table.turn), SearchBot("150"), Budget(threads=threads)
        once, again = (bot.think(view, Random(9), budget) for _ in range(2))
        assert np.array_equal(once.visits, again.visits)
        assert np.array_equal(once.sums, again.sums)
        assert once.iterations == 150
        assert bot.decide(view, Random(9), budget) == bot.decide(view, Random(9), budget)


@pytest.mark.parametrize("game", GAMES)
def test_iterations_in_slices_grow_the_same_tree(game: str) -> None:
    table = open_table(game, players=2, seed=3)
    known = table.view(table.turn).known
    whole, sliced = Tree(known, 5), Tree(known, 5)
    whole.think(120)
    for count in (1, 19, 100):
        sliced.think(count)
    assert np.array_equal(whole.visits, sliced.visits)
    assert np.array_equal(whole.sums, sliced.sums)
    assert whole.visits.sum() == 120
    assert whole.sums[:, :, WINS].sum() == pytest.approx(120)
    assert (whole.sums[:, :, POINTS] >= 0).all()


@pytest.mark.parametrize("game", GAMES)
def test_search_does_not_change_its_input(game: str) -> None:
    table = open_table(game, players=4, seed=3)
    known = table.view(table.turn).known
    Tree(known, 1).think(50)
    assert known == table.view(table.turn).known


@pytest.mark.parametrize("game", GAMES)
def test_budget_can_lower_a_level_but_not_raise_it(game: str) -> None:
    view = (table := open_table(game, players=2, seed=3)).view(table.turn)
    assert SearchBot("5000").think(view, Random(1), Budget(iterations=40)).iterations == 40
    assert SearchBot("40").think(view, Random(1), Budget(iterations=5000)).iterations == 40
    assert SearchBot("3600s").think(view, Random(1), Budget(iterations=40)).iterations == 40
    assert SearchBot("3600s").think(view, Random(1), Budget(iterations=0, stop=Event())).iterations == 1
    assert SearchBot("3").think(view, Random(1), Budget(threads=8)).iterations == 3


def test_search_can_be_stopped_at_any_time_with_its_best_step_so_far() -> None:
    table = open_table("patrician", players=2, seed=3)
    view, stop, answers = table.view(table.turn), Event(), []
    search = Thread(target=lambda: answers.append(SearchBot("3600s").decide(view, Random(1), Budget(stop=stop))))
    search.start()
    stop.set()
    search.join(60)
    assert answers
    assert answers[0] in view.legal


def test_search_that_is_stopped_before_it_begins_still_answers() -> None:
    table = open_table("il-principe", players=3, seed=3)
    stop = Event()
    stop.set()
    view = table.view(table.turn)
    assert SearchBot("1000000").decide(view, Random(1), Budget(stop=stop)) in view.legal


def test_search_keeps_to_its_time() -> None:
    table = open_table("patrician", players=2, seed=3)
    view = table.view(table.turn)
    SearchBot("1").think(view, Random(1))  # compiled
    began = perf_counter()
    thought = SearchBot("0.05s").think(view, Random(1))
    assert perf_counter() - began >= 0.05
    assert thought.iterations > 0


@pytest.mark.parametrize("game", GAMES)
def test_full_tree_stops_growing_and_still_answers(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "MOST_NODES", 40)
    table = open_table(game, players=3, seed=3)
    full = Tree(table.view(table.turn).known, 1)
    full.think(500)
    assert full._used[0] <= 40
    assert full.visits.sum() == 500


def test_tree_takes_no_more_memory_than_stated() -> None:
    table = open_table("patrician", players=2, seed=3)
    assert Tree(table.view(table.turn).known, 1)._nodes.nbytes == MEMORY == 25_165_824


def test_winning_step_is_found() -> None:
    """The last floor of the city that decides the game is built where it wins."""
    table = next(
        table
        for seed in range(200)
        for table in on_the_way("patrician", {"players": 2}, seed=seed, every=1)
        if table.position.state.turn >= 44
        and table.view(table.turn).asked == "build"
        and len({outcome_after(table, step) for step in table.legal}) == 2
    )
    step = find_bot("search:2000").decide(table.view(table.turn), Random(1), Budget())
    assert outcome_after(table, step) == max(outcome_after(table, other) for other in table.legal)


def outcome_after(table, step) -> float:  # type: ignore[no-untyped-def]
    """How often the seat in turn wins after a step if the few remaining steps are random."""
    number, seat = table.game.number_of(step), table.position.seat
    won, wins = table.game.columns.index("won"), 0
    luck = np.full(1, 12345, np.uint64)
    for _ in range(60):
        position = table.position.copy()
        position.apply(number)
        while not position.over:
            position.apply(position.call(table.game.rules.any_step, luck))
        wins += int(position.sheet()[seat, won])
    return {0: 0.0, 60: 1.0}.get(wins, 0.5)


@pytest.mark.parametrize("game", GAMES)
def test_search_beats_greedy(game: str) -> None:
    won = 0
    for seed in range(6):
        table = open_table(game, players=2, seed=seed)
        bots = [find_bot("search:300"), find_bot("greedy")]
        while (seat := table.turn) is not None:
            table.make(bots[seat].decide(table.view(seat), Random(seed), Budget()), seat)
        won += 0 in (table.outcome.winners if table.outcome else ())
    assert won >= 4


def test_forced_step_is_the_only_one_tried() -> None:
    table = open_table("patrician", players=2, seed=1)
    while len(table.legal) > 1:
        table.make(table.legal[0])
    thought = SearchBot("50").think(table.view(table.turn), Random(1))
    assert thought.visits[table.game.number_of(table.forced)] == thought.visits.sum() == 50
