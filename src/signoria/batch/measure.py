"""Measures how fast this machine plays, for `signoria bench`."""

import statistics
import time
from functools import cache, partial
from typing import Any, NamedTuple

from signoria.batch import cpu, gpu
from signoria.kernel.compiled import rule
from signoria.kernel.errors import SignoriaError
from signoria.kernel.game import Game
from signoria.kernel.layout import Records, blank

ROUNDS = 5
COPIES = 1_000_000
COMPARED = 1000
GPU_GAMES = 1 << 22
SEED = 1


class Speed(NamedTuple):
    """Speed of complete random games: the median of a few rounds."""

    games: int
    decisions: int
    decisions_per_second: float
    games_per_second: float


class Differs(SignoriaError):
    """A game on the GPU differs from the same game on the CPU."""


def cores_speed(game: Game[Any, Any, Any], boxes: Records, cores: int, games: int = 100_000) -> Speed:
    """Speed of random games on several cores, with `games` for each core."""
    games *= cores
    chunk = max(1, games // (cores * 20))
    rounds = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        played = cpu.play_chunks(partial(cpu.play_random, game, boxes, SEED), games, cores, chunk)
        decisions = sum(some.decisions for some in played)
        rounds.append(time.perf_counter() - started)
    return _speed(games, decisions, rounds)


def gpu_speed(game: Game[Any, Any, Any], boxes: Records, games: int = GPU_GAMES) -> Speed:
    """Speed of random games on the GPU; the first games are compared with the CPU byte by byte. Raises `Differs`."""
    on_gpu = gpu.play(game, boxes, SEED, games, keep=COMPARED)
    on_cpu = blank(COMPARED, game.state)
    cpu.play_random(game, boxes, SEED, 0, COMPARED, on_cpu)
    for k in range(COMPARED):
        if on_gpu.states[k].tobytes() != on_cpu[k].tobytes():
            names = [name for name in game.state.names or () if (on_gpu.states[k][name] != on_cpu[k][name]).any()]
            raise Differs(f"Game {k} of seed {SEED} ends differently on the GPU: in {', '.join(names)}.")
    rounds = [gpu.play(game, boxes, SEED, games) for _ in range(ROUNDS)]
    return _speed(games, rounds[0].decisions, [played.seconds for played in rounds])


def _speed(games: int, decisions: int, rounds: list[float]) -> Speed:
    seconds = statistics.median(rounds)
    return Speed(games, decisions, decisions / seconds, games / seconds)


def copy_nanoseconds(game: Game[Any, Any, Any]) -> float:
    """The time to copy a state in a compiled loop."""
    states = blank(64, game.state)
    copier()(states, 64)
    started = time.perf_counter()
    copier()(states, COPIES)
    return (time.perf_counter() - started) / COPIES * 1e9


@cache
def copier() -> Any:
    """The rule that copies states repeatedly."""

    @rule
    def copy(states: Any, times: int) -> None:
        for k in range(times):
            states[(k + 1) % 64] = states[k % 64]

    return copy
