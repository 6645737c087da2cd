"""Many games stepped together, with actions from outside."""

from copy import deepcopy
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from signoria.batch import Games
from signoria.batch.games_cpu import LEAST_GAMES
from signoria.batch.stepping import LEAVE
from signoria.games import GAMES
from signoria.kernel.errors import BadOption, IllegalStep
from signoria.kernel.position import Position
from tests.kernel.small_game import HEAP

NAMES = sorted(GAMES)


def random_actions(mask: NDArray[Any], rng: np.random.Generator) -> NDArray[np.int32]:
    return np.array([rng.choice(np.flatnonzero(row)) for row in mask], np.int32)


@pytest.mark.parametrize("game", [*NAMES, pytest.param(HEAP, id="heap")])
def test_steps_masks_and_score_sheets_are_those_of_the_rules(game: Any) -> None:
    games, rng, ended = Games(game, n=6, seed=5), np.random.default_rng(1), 0
    for _ in range(250):
        before, mask = [games.position(k) for k in range(6)], games.mask()
        for position, row, seat in zip(before, mask, games.seats, strict=True):
            assert np.flatnonzero(row).tolist() == sorted(position.legal)
            assert seat == position.seat
        actions = random_actions(mask, rng)
        done, sheets = games.step(actions)
        for k, position in enumerate(before):
            position.apply(int(actions[k]))
            assert bool(done[k]) == position.over
            if position.over:
                ended += 1
                assert (sheets[k] == position.sheet()).all()
                assert not games.position(k).over
            else:
                assert games.position(k) == position
    assert ended


@pytest.mark.parametrize("game", [*NAMES, pytest.param(HEAP, id="heap")])
def test_list_of_legal_actions_is_kept_up_to_date(game: Any) -> None:
    games, rng = Games(game, n=5, seed=5), np.random.default_rng(1)
    saved = games.save()

    def check() -> None:
        counts, actions = games.legal()
        for row, count, listed in zip(games.mask(), counts, actions, strict=True):
            assert sorted(listed[:count]) == np.flatnonzero(row).tolist()

    for _ in range(200):
        check()
        counts, actions = games.legal()
        games.step(actions[np.arange(5), rng.integers(counts)])
    games.restore(saved)
    check()
    games.reset(6)
    check()


@pytest.mark.parametrize("game", NAMES)
def test_games_are_the_same_on_any_number_of_cores(game: str) -> None:
    one, two = (Games(game, 3, 2 * LEAST_GAMES, seed=9, cores=cores) for cores in (1, 2))
    rng = np.random.default_rng(2)
    for _ in range(40):
        actions = random_actions(one.mask(), rng)
        assert (one.mask() == two.mask()).all()
        assert (one.observe() == two.observe()).all()
        one.step(actions)
        two.step(actions)
    assert one.states.tobytes() == two.states.tobytes()


@pytest.mark.parametrize("game", NAMES)
def test_every_game_of_a_batch_is_dealt_differently_and_by_the_seed(game: str) -> None:
    first, again, other = Games(game, n=4, seed=1), Games(game, n=4, seed=1), Games(game, n=4, seed=2)
    assert first.states.tobytes() == again.states.tobytes() != other.states.tobytes()
    assert len({bytes(first.position(k)) for k in range(4)}) == 4


@pytest.mark.parametrize("game", NAMES)
def test_illegal_actions_name_the_clause_and_change_nothing(game: str) -> None:
    games = Games(game, n=3, seed=1)
    before = games.states.tobytes()
    actions = random_actions(games.mask(), np.random.default_rng(3))
    actions[2] = np.flatnonzero(games.mask()[2] == 0)[0]
    with pytest.raises(IllegalStep, match="Game 2") as refused:
        games.step(actions)
    assert refused.value.clause in {clause.id for clause in games.game.clauses}
    actions[2] = games.actions
    with pytest.raises(IllegalStep, match=f"0 to {games.actions - 1}"):
        games.step(actions)
    assert games.states.tobytes() == before


@pytest.mark.parametrize("game", NAMES)
def test_forced_steps_are_skipped_on_request(game: str) -> None:
    games, rng = Games(game, n=8, seed=1, skip_forced=True), np.random.default_rng(4)
    for _ in range(150):
        mask = games.mask()
        assert (mask.sum(axis=1) > 1).all()
        games.step(random_actions(mask, rng))


def test_saved_games_continue_in_the_same_way_with_the_same_later_deals() -> None:
    games, rng = Games(NAMES[0], 2, 3, seed=7), np.random.default_rng(5)
    saved, actions, ends = games.save(), [], []
    for _ in range(300):
        actions.append(random_actions(games.mask(), rng))
        ends.append(games.step(actions[-1]).done.copy())
    after = games.states.tobytes()
    assert np.any(ends)
    games.restore(saved)
    for chosen, ended in zip(actions, ends, strict=True):
        assert (games.step(chosen).done == ended).all()
    assert games.states.tobytes() == after


def test_copies_go_on_independently_in_the_same_way() -> None:
    """With as many games as two threads have, and with the list of legal actions."""
    games = Games(NAMES[0], 2, 2 * LEAST_GAMES, seed=7, cores=2)
    games.step(games.legal().actions[:, 0])
    other, before, ended = deepcopy(games), games.states.tobytes(), []
    assert other.game is games.game
    for one in (other, games):
        assert one.states.tobytes() == before
        ended.append([one.step(one.legal().actions[:, 0]).done.tolist() for _ in range(200)])
    assert ended[0] == ended[1]
    assert np.any(ended)
    assert games.states.tobytes() == other.states.tobytes()


def test_a_game_can_be_left_as_it_is() -> None:
    games = Games(NAMES[0], n=2, seed=1)
    before = bytes(games.position(1))
    actions = random_actions(games.mask(), np.random.default_rng(6))
    actions[1] = LEAVE
    games.step(actions)
    assert bytes(games.position(1)) == before


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"n": 0}, "n:"),
        ({"n": 2.5}, "n:"),
        ({"seed": 1.5}, "seed:"),
        ({"cores": 0}, "cores:"),
        ({"device": "tpu"}, "device:"),
        ({"players": 9}, "players"),
        ({"players": 0}, "players"),
        ({"nonsense": True}, "nonsense"),
    ],
)
def test_wrong_settings_are_named(settings: dict[str, Any], named: str) -> None:
    with pytest.raises(BadOption, match=named):
        Games(NAMES[0], **settings)


def test_actions_of_a_wrong_shape_or_kind_are_refused() -> None:
    games = Games(NAMES[0], n=2)
    for actions in (np.zeros(3, int), np.zeros((2, 1), int), np.zeros(2)):
        with pytest.raises(BadOption, match="actions"):
            games.step(actions)


@pytest.mark.parametrize("above", [np.array(1 << 32), np.array(1 << 63, np.uint64), np.array((1 << 32) - 1)])
def test_actions_that_need_more_than_32_bits_are_refused(above: NDArray[Any]) -> None:
    """Without a check they would be cut off, and become legal actions or `LEAVE`."""
    games = Games(NAMES[0], n=2)
    legal, before = games.mask().argmax(axis=1), games.states.tobytes()
    actions = legal.astype(above.dtype) + above if above != (1 << 32) - 1 else np.full(2, above)
    with pytest.raises(IllegalStep, match="Game 0: there is no action"):
        games.step(actions)
    assert games.states.tobytes() == before


@pytest.mark.parametrize(
    ("other", "n", "options"),
    [(NAMES[0], 3, {}), (NAMES[1], 1, {"players": 5}), (NAMES[1], 3, {"players": 2})],
)
def test_games_saved_at_other_tables_are_not_restored(other: str, n: int, options: dict[str, Any]) -> None:
    games, wrong = Games(NAMES[1], 5, 3), Games(other, n=n, **options)
    before = games.states.tobytes()
    with pytest.raises(BadOption, match="saved: give what save"):
        games.restore(wrong.save())
    assert games.states.tobytes() == before
    Games(NAMES[1], 5, 3, seed=8).restore(games.save())


@pytest.mark.parametrize("saved", [None, (1, 2, 3)])
def test_only_saved_games_are_restored(saved: Any) -> None:
    with pytest.raises(BadOption, match="saved: give what save"):
        Games(NAMES[0], n=2).restore(saved)


def test_what_cannot_be_written_to_is_named() -> None:
    games = Games(NAMES[0], n=2)
    read_only = np.zeros((2, games.size), np.int8)
    read_only.setflags(write=False)
    for out in (read_only, [[0]], 3):
        with pytest.raises(BadOption, match=r"out: this \w+ cannot be written to"):
            games.observe(out)


def test_arrays_need_not_lie_in_one_piece() -> None:
    games = Games(NAMES[0], n=2)
    rows = np.zeros((2, 2 * games.size), np.int8)[:, ::2]
    assert (games.observe(rows) == games.observe()).all()
    assert rows.any()


def test_arrays_of_a_wrong_shape_or_type_are_not_written_to() -> None:
    games = Games(NAMES[0], n=2)
    for write, out in (
        (games.observe, np.zeros((2, 5), np.int8)),
        (games.observe, np.zeros((1, games.size), np.int8)),
        (games.mask, np.zeros((2, games.actions), np.float32)),
    ):
        with pytest.raises(BadOption, match="out:"):
            write(out)
        assert not out.any()


@pytest.mark.parametrize(
    ("k", "says"), [(2, "0 to 1"), (-1, "k: -1; give a"), (0.5, r"k: 0\.5; give a"), ("0", "k: '0'; give a")]
)
def test_there_is_no_position_of_a_game_that_does_not_exist(k: Any, says: str) -> None:
    with pytest.raises(BadOption, match=says):
        Games(NAMES[0], n=2).position(k)


def test_position_is_a_copy() -> None:
    games = Games(NAMES[0], n=1)
    position: Position = games.position(0)
    position.apply(position.legal[0])
    assert bytes(games.position(0)) != bytes(position)
