"""A whole arena: plays every pairing, saves the games and summarises them."""

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from pathlib import Path
from statistics import fmean

from signoria.arena.cluster import ClusterWorkers
from signoria.arena.matches import Fixture, Key, Match, one_against, pairings, schedule
from signoria.arena.playing import Played, warm_up
from signoria.arena.results import ResultsFile
from signoria.arena.setting import Setting
from signoria.arena.sprt import Sprt
from signoria.arena.summary import ArenaSummary, own_share, summarise
from signoria.arena.workers import Tell, Workers
from signoria.kernel.errors import BadOption

Progress = Callable[[int, int], None]
"""Called with the number of games played and the total."""


def run_arena(
    setting: Setting,
    games: int,
    *,
    sprt: tuple[float, float] | None = None,
    results: Path | None = None,
    cores: int | None = None,
    ray: str | None = None,
    tell: Tell = print,
    progress: Progress = lambda _done, _total: None,
    preparing: AbstractContextManager[None] | None = None,
    enough: Callable[[], bool] = lambda: False,
) -> ArenaSummary:
    """Play every pairing of the setting's bots, `games` of each rounded up to whole deals, and summarise the results.

    With `results`, games are saved in that file, and games that it already contains are not played again. With `sprt`
    (two win shares), only the first bot plays against the second, and only until the test knows which share fits
    better. `ray` is the address of a cluster to play on. `preparing` is entered while the rules are compiled. It ends
    early if `enough` says so after a game; an error or Ctrl-C ends it, too, and saved games stay saved.
    """
    if games < 1:
        raise BadOption(f"games: {games}; it must be 1 or more.")
    if sprt is not None and len(setting.bots) != 2:
        raise BadOption(f"sprt: needs exactly two bots; {len(setting.bots)} are named.")
    matches = pairings(setting.bots, setting.players)
    if sprt is not None:
        matches = (one_against(setting.bots[0], setting.bots[1], setting.players),)
    fixtures = {fixture.key: fixture for fixture in schedule(matches, games)}
    test = _Test(matches[0], *sprt) if sprt is not None else None
    with _open_results(results, setting) as file:
        done = {key: file.played[key] for key in fixtures if key in file.played} if file is not None else {}
        progress(len(done), len(fixtures))
        missing = [fixture for key, fixture in fixtures.items() if key not in done]
        decided = test is not None and test.decided_by(done)
        if missing and not decided:
            if ray is None:
                with preparing or nullcontext():
                    warm_up(setting)  # once here, so that the worker processes find everything compiled
            with closing(_play(setting, missing, cores, ray, tell)) as games_played:
                for played in games_played:
                    if file is not None:
                        file.add(played)
                    done[played.key] = played
                    progress(len(done), len(fixtures))
                    if (test is not None and test.decided_by(done)) or enough():
                        break
    counted = [done[key] for key in fixtures if key in done]
    if test is None:
        return summarise(setting, matches, counted)
    return summarise(setting, matches, [game for game in counted if game.deal < test.deals], test.sprt.verdict)


def _open_results(results: Path | None, setting: Setting) -> AbstractContextManager[ResultsFile | None]:
    return nullcontext() if results is None else ResultsFile(results, setting)


def _play(
    setting: Setting, fixtures: Sequence[Fixture], cores: int | None, ray: str | None, tell: Tell
) -> Generator[Played, None, None]:
    """Games in the order in which they end; games in progress are abandoned when the caller stops."""
    with (
        Workers(setting, cores, tell) if ray is None else ClusterWorkers(setting, ray, tell) as players,
        closing(players.play(fixtures)) as games,
    ):
        yield from games


class _Test:
    """Runs a sequential test over the deals in order, regardless of the order in which games end."""

    def __init__(self, match: Match, share0: float, share1: float) -> None:
        self._match = match
        self.sprt = Sprt(match.bots[0], match.bots[1], share0, share1, len(match.rotations))
        self.deals = 0

    def decided_by(self, done: Mapping[Key, Played]) -> bool:
        """Count the next deals whose games are all finished; return whether the test is decided."""
        while not self.sprt.decided:
            deal = [done.get(fixture.key) for fixture in self._match.fixtures(self.deals)]
            games = [game for game in deal if game is not None]
            if len(games) < len(deal):
                return False
            self.sprt.add(fmean(own_share(self._match.bots[0], game) for game in games))
            self.deals += 1
        return True
