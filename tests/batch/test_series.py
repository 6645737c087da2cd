"""A series of compiled games, and the same games at tables."""

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np
import pytest

from signoria.batch import series as module
from signoria.batch.cpu import play_chunks
from signoria.batch.playing import Chooser
from signoria.batch.series import Series, deal_seed, put_number
from signoria.batch.summary import SeriesSummary
from signoria.bots import FREE, Quick, find_bot
from signoria.games import AnyGame, find_game
from signoria.kernel.layout import blank
from signoria.kernel.luck import sow
from signoria.kernel.table import Table
from tests.settings import ALL_SETTINGS, Setting, full_name, quick_for_two_and_five
from tests.volume import repeated

GAMES = repeated(3)
LINE_UPS = ("random", "greedy", "greedy random", "random greedy greedy")
"""The bots by seat, repeated from the first if there are more seats."""


def chooser(name: str, game: AnyGame) -> Chooser:
    bot = find_bot(name)
    assert isinstance(bot, Quick)
    return bot.chooser(game)


def a_series(name: str, setting: Setting, bots: Sequence[str], seed: int = 3, game: AnyGame | None = None) -> Series:
    game = game or find_game(name)
    options = game.options(setting)
    choosers = [chooser(bots[seat % len(bots)], game) for seat in range(options.players)]
    return Series(game, options, game.components(options), choosers, seed)


@pytest.mark.parametrize("bots", LINE_UPS)
@pytest.mark.parametrize("game_and_setting", quick_for_two_and_five(ALL_SETTINGS), ids=full_name)
def test_game_equals_the_same_game_at_a_table(game_and_setting: tuple[str, Setting], bots: str) -> None:
    name, setting = game_and_setting
    series = a_series(name, setting, bots.split())
    chunk = series.play(5, GAMES)
    tables = [series.table(number) for number in range(5, 5 + GAMES)]
    assert chunk.games == GAMES
    assert chunk.decisions == sum(len(table.steps) for table in tables)
    assert chunk.sheets.tolist() == [table.sheet().tolist() for table in tables]
    assert chunk.first.tolist() == [table.steps[0].seat for table in tables]
    assert all(table.over for table in tables)


@pytest.mark.parametrize("game_and_setting", quick_for_two_and_five(ALL_SETTINGS), ids=full_name)
def test_deal_equals_the_deal_at_a_table(game_and_setting: tuple[str, Setting]) -> None:
    name, setting = game_and_setting
    game = find_game(name)
    options = game.options(setting)
    states = blank(GAMES, game.state)
    states["asked"] = 7  # any earlier content
    a_series(name, setting, ["random"])._deal(states, 98)
    for k in range(GAMES):
        seed, salts = deal_seed(3, 98 + k), ("",) * options.players
        table = Table(game, options, game.components(options), seed, salts)
        assert states[k].tobytes() == bytes(table.position)


@pytest.mark.parametrize("game", ["patrician", "il-principe"])
def test_random_seats_share_one_generator_per_game(game: str) -> None:
    """Replayed at a table with the same random numbers, each seat's rule chooses the same steps."""
    series = a_series(game, {"players": 3}, ["random", "greedy", "random"], seed=8)
    table = series.table(4)
    again = Table(table.game, table.options, table.components, deal_seed(8, 4), table.salts)
    luck, greedy = np.zeros(1, np.uint64), find_bot("greedy")
    sow(luck, 8, 4)
    for seat, step, _ in table.steps:
        if seat == 1:
            found = greedy.decide(again.view(seat), Random(0), FREE)
        else:
            known = again.view(seat).known
            found = again.game.step_of(int(known.call(again.game.rules.any_step, luck)))
        assert found == step
        again.make(found, seat)
    assert again.over


@pytest.mark.parametrize("game", ["patrician", "il-principe"])
def test_game_without_a_compiled_deal_can_be_dealt(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = a_series(game, {"players": 3}, ["random"]).play(0, 5)
    rules = find_game(game).rules
    monkeypatch.setattr(type(find_game(game)), "rules", rules._replace(fair_deal=None))
    plain = a_series(game, {"players": 3}, ["random"]).play(0, 5)
    assert plain.sheets.tolist() == compiled.sheets.tolist()


def test_game_numbers_do_not_depend_on_chunks_and_cores() -> None:
    series = a_series("patrician", {"players": 3, "messengers": True}, ["greedy", "random"])
    summaries = []
    for cores, chunk in ((1, 1000), (2, 170)):
        summary = SeriesSummary(find_game("patrician"), 3)
        for some in play_chunks(series.play, 1000, cores, chunk):
            summary.add(some.sheets, some.first, some.decisions)
        summaries.append(summary.to_dict())
    assert summaries[0] == summaries[1]
    assert series.play(990, 10).sheets.tolist() == series.play(0, 1000).sheets[990:].tolist()


def test_different_seeds_give_different_games() -> None:
    first, second = (a_series("patrician", {"players": 2}, ["random"], seed).play(0, 5) for seed in (1, 2))
    assert first.sheets.tolist() != second.sheets.tolist()
    assert len({str(sheet.tolist()) for sheet in first.sheets}) == 5


def test_game_longer_than_expected_is_recorded_completely(monkeypatch: pytest.MonkeyPatch) -> None:
    series = a_series("il-principe", {"players": 4}, ["random"])
    steps = series.steps(0)
    for room in (0, 3, len(steps) - 1, len(steps), len(steps) + 1):
        monkeypatch.setattr(module, "ROOM", room)
        assert series.steps(0) == steps


@pytest.mark.parametrize("number", [0, 9, 10, 99, 100, 1234567890, 2**63 - 1])
def test_numbers_are_written_in_decimal_digits(number: int) -> None:
    text: Any = np.zeros(30, np.uint8)
    assert text[2 : put_number(text, 2, number)].tobytes() == str(number).encode()
