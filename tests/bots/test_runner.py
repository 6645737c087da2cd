"""The runner of games at tables: which seat it asks, what it reports, and what happens when a seat fails."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from signoria.bots import BOTS, Seated
from signoria.bots.runner import Seat, play, play_out, seat_bots, warm_up
from signoria.games import GAMES, AnyTable, find_game, open_table
from signoria.kernel.errors import BadOption
from signoria.kernel.table import open_game


class Asked:
    """Makes any step, and records the views it was shown."""

    def __init__(self) -> None:
        self.views: list[Any] = []
        self._rng = Random(1)

    def decide(self, view: Any) -> Any:
        self.views.append(view)
        return self._rng.choice(view.legal)


def bots_at(table: AnyTable, *names: str) -> dict[int, Seated]:
    return seat_bots(dict(enumerate(names)), "luck", lambda seat, name: f"{name} (seat {seat})")


@pytest.mark.parametrize("game", GAMES)
def test_only_a_seat_with_a_choice_is_asked_and_sees_its_own_view(game: str) -> None:
    table, seats = open_table(game, players=3, seed=4), {seat: Asked() for seat in range(3)}
    steps = list(play(table, seats))
    assert steps == list(table.steps)
    assert table.over
    for seat, asked in seats.items():
        assert {view.seat for view in asked.views} == {seat}
        assert all(len(view.legal) > 1 for view in asked.views)
        assert len(asked.views) == sum(step.seat == seat and step.of > 1 for step in steps)
    assert any(step.of == 1 for step in steps)


@pytest.mark.parametrize("game", GAMES)
def test_each_step_is_reported_as_it_is_made(game: str) -> None:
    table = open_table(game, players=2, seed=4)
    for number, step in enumerate(play(table, bots_at(table, "random", "greedy")), 1):
        assert table.steps[-1] == step
        assert len(table.steps) == number
        assert table.events


def test_game_continues_from_any_position() -> None:
    table = open_table("patrician", players=2, seed=4)
    begun = [step for step, _ in zip(play(table, bots_at(table, "random", "random")), range(5), strict=False)]
    play_out(table, bots_at(table, "greedy", "greedy"))
    assert table.over
    assert list(table.steps[: len(begun)]) == begun


def test_same_seed_plays_the_same_game() -> None:
    records = []
    for _ in range(2):
        table = open_table("il-principe", players=3, seed=4)
        play_out(table, bots_at(table, "random", "garzone", "search:20"))
        records.append(table.record.to_json())
    assert records[0] == records[1]


def test_seat_that_undoes_is_asked_again() -> None:
    class Hesitant(Asked):
        """Undoes its own step once, and then makes another."""

        def __init__(self, table: AnyTable) -> None:
            super().__init__()
            self._table, self.undone = table, False

        def decide(self, view: Any) -> Any:
            super().decide(view)
            if not self.undone and self._table.may_undo == view.seat:
                self.undone = True
                self._table.undo(view.seat)
                return None
            return view.legal[-1] if self.undone else view.legal[0]

    table = open_table("patrician", players=2, seed=1)
    seats = {seat: Hesitant(table) for seat in range(2)}
    play_out(table, seats)
    assert table.over
    assert any(seat.undone for seat in seats.values())


class Failing:
    """A bot that fails at its third decision."""

    def __init__(self) -> None:
        self.left = 2

    def decide(self, view: Any, rng: Random, budget: Any) -> Any:
        self.left -= 1
        if self.left < 0:
            raise RuntimeError("out of order")
        return view.legal[0]


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setitem(BOTS, "failing", lambda level: Failing())
    yield "failing"


@pytest.mark.parametrize("game", GAMES)
def test_failing_bot_forfeits_and_the_game_is_finished(game: str, failing: str) -> None:
    table = open_table(game, players=3, seed=2)
    seats = bots_at(table, "random", failing, "greedy")
    play_out(table, seats)
    assert table.over
    assert seats[1].forfeit == "failing (seat 1) forfeits: it failed with RuntimeError."
    assert seats[1].detail == "out of order"
    assert seats[0].forfeit is None
    assert seats[2].forfeit is None
    assert sum(step.seat == 1 and step.of > 1 for step in table.steps) > 2


def test_human_seat_can_end_the_game() -> None:
    class Gone(Exception):
        pass

    class Leaving:
        def decide(self, view: Any) -> Any:
            raise Gone

    table = open_table("patrician", players=2, seed=4)
    seats: dict[int, Seat] = {0: Leaving(), 1: Leaving()}
    with pytest.raises(Gone):
        play_out(table, seats)
    assert not table.over


def test_every_seat_gets_its_own_bot_and_unknown_bots_are_refused() -> None:
    seats = seat_bots({0: "greedy", 2: "greedy"}, "x", lambda seat, name: f"{name} at {seat}")
    assert {seat: bot.name for seat, bot in seats.items()} == {0: "greedy at 0", 2: "greedy at 2"}
    assert seats[0]._bot is not seats[2]._bot
    with pytest.raises(BadOption, match="there is no 'gready'"):
        seat_bots({0: "gready"}, "x", lambda seat, name: name)


@pytest.mark.parametrize("game", GAMES)
def test_warm_up_survives_a_failing_bot(game: str, failing: str) -> None:
    table = open_game(find_game(game), {"players": 2}, seed=0)
    warm_up(table, ["random", failing, "greedy"])
    assert len(table.steps) == 1
