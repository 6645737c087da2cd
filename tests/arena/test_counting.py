"""Statistics of games: shares, margins, ratings, verdicts."""

import random
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from signoria import BadOption
from signoria.arena import (
    Fixture,
    Match,
    Played,
    Setting,
    Sprt,
    hypotheses,
    one_against,
    pairings,
    run_arena,
    schedule,
    summarise,
)
from signoria.arena import arena as whole
from signoria.arena.intervals import mean_interval, share_interval
from signoria.arena.rating import places, rate
from tests.arena.games import made_up


def test_interval_of_independent_games_is_wilsons() -> None:
    rng = random.Random(1)
    deals = [(int(rng.random() < 0.6) + int(rng.random() < 0.6)) / 2 for _ in range(5000)]
    found = share_interval(deals, 2)
    assert found.mean == pytest.approx(0.6, abs=0.01)
    assert found.high - found.low == pytest.approx(2 * 1.96 * (0.24 / 10_000) ** 0.5, rel=0.05)


def test_interval_takes_into_account_that_rotations_share_a_deal() -> None:
    """If the deal alone decides, 100 deals count like 100 games; if its luck cancels out, the interval is narrower."""
    lucky = share_interval([0.0, 1.0] * 50, 2)
    fair = share_interval([0.5] * 100, 2)
    assert lucky.high - lucky.low == pytest.approx(2 * 1.96 * 0.05, rel=0.05)
    assert 0 < fair.high - fair.low < 0.03


def test_interval_of_a_bot_that_won_every_game_is_below_one() -> None:
    found = share_interval([1.0] * 10, 2)
    assert found.mean == 1
    assert found.high == pytest.approx(1)
    assert found.low == pytest.approx(0.839, abs=0.001)  # Wilson's interval for 20 of 20
    assert share_interval([0.0] * 10, 2).high == pytest.approx(0.161, abs=0.001)


def test_interval_of_a_mean_is_narrower_if_deals_agree() -> None:
    found = mean_interval([1.0, 3.0, 2.0, 2.0])
    assert found.mean == 2
    assert found.high - 2 == pytest.approx(1.96 * (2 / 3 / 4) ** 0.5)


def test_ranks_follow_wins_then_points_and_forfeits_come_last() -> None:
    fixture = next(one_against("a", "b", 4).fixtures(0))
    tied = made_up(fixture, "a", points=[40, 40, 30, 50], forfeits=[None, None, None, "b failed"])
    assert places(tied) == [0, 1, 2, 3]


def test_places_come_from_the_results_if_present() -> None:
    fixture = next(one_against("a", "b", 4).fixtures(0))
    played = msgspec.structs.replace(made_up(fixture, "a", points=[40, 30, 30, 20]), places=(1, 3, 2, 4))
    assert places(played) == [1, 3, 2, 4]


def season(strength: dict[str, float], players: int, games: int) -> tuple[Setting, tuple[Match, ...], list[Played]]:
    """Made-up games, won in proportion to strength."""
    setting = Setting.of("patrician", list(strength), players=players)
    matches = pairings(setting.bots, players)
    rng = random.Random(1)
    played = []
    for fixture in schedule(matches, games):
        seat = rng.choices(range(players), [strength[bot] for bot in fixture.bots])[0]
        points = [30 + (5 if own == seat else 0) for own in range(players)]
        shares = tuple(float(own == seat) for own in range(players))
        game = made_up(fixture, fixture.bots[seat], points)
        played.append(Played(**{name: getattr(game, name) for name in game.__struct_fields__} | {"shares": shares}))
    return setting, matches, played


@pytest.mark.parametrize("players", [2, 3, 5])
def test_ratings_are_in_the_order_of_strength(players: int) -> None:
    setting, matches, played = season({"first": 1.0, "random": 4.0, "last": 2.0}, players, 300)
    summary = summarise(setting, matches, played)
    assert [standing.bot for standing in summary.ranking] == ["random", "last", "first"]
    best, _, worst = summary.ranking
    assert best.rating.low > worst.rating.high
    assert best.share.low > 1 / players > worst.share.high
    assert rate(played, setting.bots) == rate(played, setting.bots)


def test_a_summary_counts_every_pairing() -> None:
    setting, matches, played = season({"first": 1.0, "random": 4.0, "last": 2.0}, 3, 90)
    summary = summarise(setting, matches, played)
    assert summary.games == len(played) == 7 * 90
    assert len(summary.pairings) == 6 + 3
    row = next(row for row in summary.pairings if (row.bot, row.against) == ("random", "first"))
    assert (row.games, row.deals) == (90, 30)
    assert row.share.mean > 0.5 > row.fair == pytest.approx(1 / 3)
    assert sum(row.margins.values()) == 90
    assert set(row.margins) == {-5, 5}
    assert row.ms == row.against_ms == pytest.approx(1)
    assert [row.bot for row in summary.pairings if row.against is None] == ["first", "random", "last"]


def test_partly_played_deals_are_left_out() -> None:
    setting, matches, played = season({"first": 1.0, "random": 4.0}, 2, 20)
    assert summarise(setting, matches, played[:-1]).games == 18
    assert summarise(setting, matches, []).ranking == ()


def test_forfeits_are_counted_and_have_no_margin() -> None:
    setting, matches, played = season({"first": 1.0, "random": 4.0}, 2, 20)
    fixture = next(matches[0].fixtures(0))
    played[0] = made_up(fixture, "random", forfeits=["first failed", None])
    summary = summarise(setting, matches, played)
    assert {standing.bot: standing.forfeits for standing in summary.ranking} == {"first": 1, "random": 0}
    assert summary.forfeits[0].says == "first failed"
    assert sum(summary.pairings[0].margins.values()) == 19


def test_verdicts_of_the_sequential_test() -> None:
    rng = random.Random(7)

    def test(share: float) -> Sprt:
        sprt = Sprt("a", "b", 0.5, 0.55, 2)
        while not sprt.decided:
            sprt.add(((rng.random() < share) + (rng.random() < share)) / 2)
        return sprt

    for share, expected in ((0.6, "better"), (0.45, "no better")):
        verdicts = [test(share).verdict for _ in range(20)]
        assert {verdict.verdict for verdict in verdicts} == {expected}
        assert all(verdict.games == 2 * verdict.deals for verdict in verdicts)
    sure = Sprt("a", "b", 0.5, 0.55, 2)
    for _ in range(16):
        assert not sure.decided
        sure.add(1.0)
    assert sure.verdict.verdict == "better"
    assert "a is better than b: a win share of 100.0% in 32 games" in str(sure.verdict)


def test_sequential_test_is_wrong_about_one_time_in_twenty() -> None:
    rng = random.Random(3)
    wrong = 0
    for _ in range(300):
        sprt = Sprt("a", "b", 0.5, 0.6, 2)
        while not sprt.decided:
            sprt.add(((rng.random() < 0.5) + (rng.random() < 0.5)) / 2)
        wrong += sprt.verdict.verdict == "better"
    assert 5 <= wrong <= 30


def test_hypotheses_are_two_win_shares() -> None:
    assert hypotheses("fair", 2) == (0.5, 0.55)
    assert hypotheses("fair", 4) == (0.25, 0.3)
    assert hypotheses("0.5,0.6", 2) == (0.5, 0.6)
    for wrong in ("0.5", "a,b", "0.6,0.5", "0,0.5", "1,2,3"):
        with pytest.raises(BadOption, match="sprt"):
            hypotheses(wrong, 2)


class OutOfOrder:
    """Plays like several processes: games end in a different order than they began."""

    under_way = 1

    def __init__(self, *_: object) -> None:
        self._rng = random.Random(1)

    def play(self, fixtures: list[Fixture]) -> Iterator[Played]:
        begun: list[Played] = []
        for fixture in fixtures:
            begun.append(made_up(fixture, "random" if random.Random(repr(fixture)).random() < 0.7 else "first"))
            if len(begun) >= self.under_way:
                yield begun.pop(self._rng.randrange(len(begun)))
        yield from begun

    def __enter__(self) -> "OutOfOrder":
        return self

    def __exit__(self, *_: object) -> None:
        pass


def test_sequential_test_stops_at_the_same_deal_whatever_the_order_of_games(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(whole, "Workers", OutOfOrder)
    setting = Setting.of("patrician", ["random", "first"], players=2)
    stops = set()
    for under_way in (1, 2, 7):
        monkeypatch.setattr(OutOfOrder, "under_way", under_way)
        kept = tmp_path / str(under_way)
        for _ in range(2):  # the second time, all games are in the file
            summary = run_arena(setting, 2000, sprt=(0.5, 0.55), results=kept)
            assert summary.sprt is not None
            assert summary.sprt.verdict == "better"
            assert summary.games == summary.sprt.games
            stops.add(summary.games)
    assert len(stops) == 1
    assert stops.pop() < 400


def test_sequential_test_may_end_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole, "Workers", OutOfOrder)
    setting = Setting.of("patrician", ["random", "first"], players=2)
    summary = run_arena(setting, 10, sprt=(0.5, 0.55))
    assert summary.sprt is not None
    assert (summary.sprt.verdict, summary.sprt.games) == ("undecided", 10)
    with pytest.raises(BadOption, match="two bots"):
        run_arena(Setting.of("patrician", ["random", "first", "last"], players=2), 10, sprt=(0.5, 0.55))
