"""Many games at once: the same series on any number of cores, and the same games as at a table."""

from functools import partial
from typing import Any

import numpy as np
import pytest
from numba import cuda

from signoria.batch import cpu, gpu
from signoria.batch.measure import COMPARED, Differs, copy_nanoseconds, cores_speed, gpu_speed
from signoria.batch.playing import by_kinds, in_stages
from signoria.batch.summary import SeriesSummary
from signoria.games import AnyGame, find_game
from signoria.games.il_principe import IL_PRINCIPE
from signoria.games.patrician import PATRICIAN
from signoria.kernel.layout import Records, blank
from signoria.kernel.luck import sow
from signoria.kernel.position import Position
from tests.settings import (
    ALL_SETTINGS,
    PRINCIPE_SETTINGS,
    SETTINGS,
    Setting,
    full_name,
    quick_for_two_and_five,
    setting_name,
)


def boxes(setting: dict[str, Any]) -> Records:
    options = PATRICIAN.options(setting)
    return PATRICIAN.box(options, PATRICIAN.components(options))


@pytest.mark.parametrize("setting", SETTINGS, ids=setting_name)
def test_every_game_fills_every_city_and_gives_away_every_token(setting: dict[str, Any]) -> None:
    box, states = boxes(setting), blank(300, PATRICIAN.state)
    played = cpu.play_random(PATRICIAN, box, 3, 0, 300, states)
    assert (states["asked"] == 0).all()
    cities = int(box[0].cities)
    assert (states["height"][:, :cities].sum(axis=2) == box[0].floors[:cities]).all()
    tokens = played.sheets[:, :, PATRICIAN.columns.index("tokens")].sum(axis=1)
    assert (tokens == (114 if setting["players"] == 5 else 99)).all()
    floors = played.sheets[:, :, PATRICIAN.columns.index("floors")]
    assert (floors <= box[0].supply).all()
    winners = played.sheets[:, :, PATRICIAN.columns.index("won")].sum(axis=1)
    assert (winners >= 1).all()
    assert (
        played.sheets[:, :, PATRICIAN.columns.index("penalty")].sum(axis=1) >= (-3 if setting["messengers"] else 0)
    ).all()


@pytest.mark.parametrize("setting", PRINCIPE_SETTINGS, ids=setting_name)
def test_every_game_of_il_principe_has_a_winner_and_loses_no_component(setting: dict[str, Any]) -> None:
    options = IL_PRINCIPE.options(setting)
    box, states = IL_PRINCIPE.box(options, IL_PRINCIPE.components(options)), blank(300, IL_PRINCIPE.state)
    played = cpu.play_random(IL_PRINCIPE, box, 3, 0, 300, states)
    assert (states["asked"] == 0).all()
    in_play = (
        states["hand"].sum(axis=1)
        + states["up"].sum(axis=1)
        + states["down"].sum(axis=1)
        + states["offered"].sum(axis=1)
    )
    piles = np.array([[(pile == colour).sum() for colour in range(5)] for pile in states["pile"]])
    assert (in_play + states["gone"] + states["lot"] + piles == box[0].a_colour).all()
    assert (played.sheets[:, :, IL_PRINCIPE.columns.index("won")].sum(axis=1) >= 1).all()
    assert (states["ducats"] >= 0).all()


IN_STAGES = [setting for setting in ALL_SETTINGS if find_game(setting[0]).rules.schedule is not None]


@pytest.mark.parametrize("game_and_setting", quick_for_two_and_five(IN_STAGES), ids=full_name)
def test_game_played_stage_by_stage_is_the_same_game(game_and_setting: tuple[str, Setting]) -> None:
    """On a GPU many games are taken through a round together; alone, each would have gone the same way."""
    game = find_game(game_and_setting[0])
    options = game.options(game_and_setting[1])
    box, ways = game.box(options, game.components(options)), (by_kinds, in_stages)
    luck, ends = np.zeros(1, np.uint64), []
    for way in ways:
        play_whole = way(game, game.rules.any_step, game.rules.deal)
        for k in range(20):
            position = Position(game, box, blank(1, game.state))
            sow(luck, 4, k)
            ends.append((position.call(play_whole, luck), bytes(position)))
    assert ends[:20] == ends[20:]


def test_counted_games_are_those_that_were_added() -> None:
    played = cpu.play_random(PATRICIAN, boxes({"players": 4}), 3, 0, 500)
    all_at_once, one_by_one = SeriesSummary(PATRICIAN, 4), SeriesSummary(PATRICIAN, 4)
    all_at_once.add(played.sheets, played.first, played.decisions)
    for k in range(500):
        one_by_one.add(played.sheets[k : k + 1], played.first[k : k + 1], played.decisions if k == 0 else 0)
    assert all_at_once.to_dict() == one_by_one.to_dict()
    assert sum(seat["win_share"] for seat in all_at_once.to_dict()["by_turn_order"]) == pytest.approx(1)


def test_series_does_not_depend_on_cores_or_chunks() -> None:
    box = boxes({"players": 3, "messengers": True})
    summaries = []
    for cores, chunk in ((1, 1000), (2, 170)):
        summary = SeriesSummary(PATRICIAN, 3)
        for played in cpu.play_chunks(partial(cpu.play_random, PATRICIAN, box, 5), 1000, cores, chunk):
            summary.add(played.sheets, played.first, played.decisions)
        summaries.append(summary.to_dict())
    assert summaries[0] == summaries[1]
    assert summaries[0]["games"] == 1000
    assert sum(summaries[0]["totals"].values()) == 3000


def test_different_seeds_and_games_differ() -> None:
    box = boxes({"players": 2})
    first, second, shifted = (
        cpu.play_random(PATRICIAN, box, seed, start, 50).sheets for seed, start in ((1, 0), (2, 0), (1, 10))
    )
    assert (first != second).any()
    assert (first[10:] == shifted[:40]).all()


def test_summary_counts_by_turn_order() -> None:
    sheets = np.zeros((2, 3, len(PATRICIAN.columns)), np.int16)
    total, won = PATRICIAN.columns.index("total"), PATRICIAN.columns.index("won")
    sheets[0, :, total], sheets[1, :, total] = (10, 20, 30), (40, 40, 10)
    sheets[0, 2, won] = sheets[1, 0, won] = sheets[1, 1, won] = 1
    summary = SeriesSummary(PATRICIAN, 3)
    summary.add(sheets, np.array([2, 0]), 300)
    told = summary.to_dict()
    assert [seat["win_share"] for seat in told["by_turn_order"]] == [0.75, 0.25, 0.0]
    assert [seat["total"] for seat in told["by_turn_order"]] == [35, 25, 15]
    assert told["shared_victories"] == 1
    assert sum(count for _, count in summary.histogram()) == 6


def test_published_scores_are_plausible() -> None:
    """A published three-player game ended 62-48-31, 141 points in total. The total of random games is close to that."""
    sums = (
        cpu.play_random(PATRICIAN, boxes({"players": 3}), 1, 0, 5000)
        .sheets[:, :, PATRICIAN.columns.index("total")]
        .sum(axis=1)
    )
    assert 99 <= sums.min() <= 141 <= sums.max()


def test_missing_gpu_gives_a_clear_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuda, "is_available", lambda: False)
    with pytest.raises(gpu.NoGpu, match="NVIDIA GPU with its driver"):
        gpu_speed(PATRICIAN, boxes({"players": 3}))


def test_game_that_differs_on_the_gpu_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison itself, with CPU games in place of GPU games, and one byte changed in one of them."""

    def play(game: AnyGame, box: Records, seed: int, games: int, keep: int = 0) -> gpu.OnGpu:
        states = blank(COMPARED, game.state)
        cpu.play_random(game, box, seed, 0, COMPARED, states)
        states[wrong].height[0, 0] += changed
        return gpu.OnGpu(games, games, 1.0, states)

    monkeypatch.setattr(gpu, "play", play)
    wrong, changed = 999, 0
    assert gpu_speed(PATRICIAN, boxes({"players": 3}), games=COMPARED).decisions == COMPARED
    changed = 1
    with pytest.raises(Differs, match="Game 999 of seed 1 ends differently on the GPU: in height"):
        gpu_speed(PATRICIAN, boxes({"players": 3}), games=COMPARED)


def test_state_is_small_and_speed_can_be_measured() -> None:
    assert PATRICIAN.state.itemsize <= 512
    assert IL_PRINCIPE.state.itemsize <= 512
    assert copy_nanoseconds(PATRICIAN) > 0
    assert cores_speed(PATRICIAN, boxes({"players": 3}), 1, games=40).decisions_per_second > 0
