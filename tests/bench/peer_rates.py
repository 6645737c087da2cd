"""Measures how fast one library plays one game at random. `peers.py` runs it in the environment of that library.

    python tests/bench/peer_rates.py SUBJECT SECONDS CORE

Prints decisions per second of CPU time on one core, so that other programs on the machine matter little. With CORE -1 and a
GPU, decisions per second on the clock.
"""

import json
import os
import sys
import time
from collections.abc import Callable
from importlib import import_module
from random import Random
from typing import Any

Play = Callable[[], int]
"""Plays some games and returns the number of decisions made since the last call."""
GPU = -1
CORE = 0
"""The core that is used, or GPU."""


def signoria_games(game: str) -> Play:
    """Ours: whole random games, compiled for the CPU or the GPU."""
    find_game = import_module("signoria.games").find_game
    play_random = import_module("signoria.batch.cpu").play_random
    found, start = find_game(game), 0
    options = found.options({"players": found.usual_players})
    boxes = found.box(options, found.components(options))
    if CORE == GPU:
        play_there = import_module("signoria.batch.gpu").play
        return lambda: int(play_there(found, boxes, 1, 1 << 22).decisions)

    def play() -> int:
        nonlocal start
        start += 5000
        return int(play_random(found, boxes, 1, start, 5000).decisions)

    return play


def signoria_steps(game: str) -> Play:
    """Ours: step by step, with a random policy outside that reads only the masks (on a GPU the lists of legal actions).

    `NAME/1024` steps 1024 games.
    """
    np, name, _, number = import_module("numpy"), *game.partition("/")
    if CORE == GPU:
        return signoria_steps_on_gpu(name)
    size = int(number) if number else 4096
    games = import_module("signoria.batch").Games(name, None, size, cores=1)
    mask, actions, luck = games.mask(), np.zeros(size, np.int32), np.array([88172645463325252], np.uint64)
    times, choose = max(1, 1_000_000 // size), import_module("numba").njit(any_legal)

    def play() -> int:
        for _ in range(times):
            games.mask(mask)
            choose(mask, luck, actions)
            games.step(actions, check=False)
        return times * size

    return play


def signoria_steps_on_gpu(game: str) -> Play:
    """The same with four million games on a GPU."""
    size, times = 1 << 22, 20
    games = import_module("signoria.batch").Games(game, None, size, device="cuda")
    cuda, choose = import_module("signoria.batch.gpu").find_gpu(), gpu_policy(size, "list")

    def play(steps: int = times) -> int:
        for _ in range(steps):
            games.step(choose(*games.legal()), check=False)
        cuda.synchronize()
        return steps * size

    play(500)  # games then stand at different points
    return play


def gpu_policy(n: int, reads: str) -> Callable[..., Any]:
    """A random legal action for each of `n` games, chosen by a CUDA kernel that reads their `list` or their `mask`."""
    np, cuda = import_module("numpy"), import_module("signoria.batch.gpu").find_gpu()
    luck = cuda.to_device(np.random.default_rng(1).integers(1, 1 << 63, n, np.uint64))
    chosen, threads = cuda.device_array(n, np.int32), 128

    @cuda.jit  # type: ignore[untyped-decorator]
    def from_list(counts: Any, actions: Any, luck: Any, chosen: Any) -> None:
        k = cuda.grid(1)
        if k < chosen.shape[0]:
            luck[k] = luck[k] * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
            chosen[k] = actions[k, int(luck[k] >> np.uint64(33)) % counts[k]]

    @cuda.jit  # type: ignore[untyped-decorator]
    def from_mask(mask: Any, luck: Any, chosen: Any) -> None:
        k = cuda.grid(1)
        if k < chosen.shape[0]:
            luck[k] = luck[k] * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
            count = 0
            for action in range(mask.shape[1]):
                count += int(mask[k, action])
            skip = int(luck[k] >> np.uint64(33)) % count
            for action in range(mask.shape[1]):
                if mask[k, action]:
                    if skip == 0:
                        chosen[k] = action
                        break
                    skip -= 1

    kernel = from_list if reads == "list" else from_mask

    def choose(*read: Any) -> Any:
        kernel[-(-n // threads), threads](*read, luck, chosen)
        return chosen

    return choose


def any_legal(mask: Any, luck: Any, actions: Any) -> None:
    """A random legal action for each row of a mask; compiled by Numba."""
    x = luck[0]
    for k in range(mask.shape[0]):
        x ^= x << 13
        x ^= x >> 7
        x ^= x << 17
        count = 0
        for action in range(mask.shape[1]):
            count += mask[k, action]
        skip = (x >> 33) % count
        for action in range(mask.shape[1]):
            if mask[k, action]:
                if skip == 0:
                    actions[k] = action
                    break
                skip -= 1
    luck[0] = x


def open_spiel(game: str) -> Play:
    """OpenSpiel: random games in C++, as its search plays them from the first position."""
    pyspiel = import_module("pyspiel")
    found, rng, rollouts = pyspiel.load_game(game), Random(1), 200
    first = found.new_initial_state()
    while first.is_chance_node():
        outcomes = first.chance_outcomes()
        first.apply_action(rng.choices([one for one, _ in outcomes], [chance for _, chance in outcomes])[0])
    decisions, sample = 0, 100
    for _ in range(sample):  # how many decisions a random game has
        state = first.clone()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                action = rng.choices([one for one, _ in outcomes], [chance for _, chance in outcomes])[0]
            else:
                action = rng.choice(state.legal_actions())
                decisions += 1
            state.apply_action(action)
    evaluator = pyspiel.RandomRolloutEvaluator(rollouts, 1)
    bot = pyspiel.MCTSBot(found, evaluator, 2.0, 1, 100, False, 1, False)

    def play() -> int:
        bot.mcts_search(first)
        return rollouts * decisions // sample

    return play


def pgx(game: str) -> Play:
    """Pgx: many games at once, compiled by JAX, random actions; finished games are dealt anew."""
    on_gpu = CORE == GPU
    if not on_gpu:
        os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
        os.environ["JAX_PLATFORMS"] = "cpu"
    jax = import_module("jax")
    env = import_module("pgx").make(game)
    batch, steps = (1 << 17, 50) if on_gpu else (1024, 50)
    step = jax.vmap(import_module("pgx.experimental").auto_reset(env.step, env.init))

    def one(state: Any, key: Any) -> tuple[Any, Any]:
        choose, go = jax.random.split(key)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -1e9)
        action = jax.random.categorical(choose, logits, axis=-1)
        return step(state, action, jax.random.split(go, batch)), None

    @jax.jit  # type: ignore[untyped-decorator]
    def run(state: Any, key: Any) -> Any:
        return jax.lax.scan(one, state, jax.random.split(key, steps))[0]

    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), batch))
    number = 0

    def play() -> int:
        nonlocal state, number
        number += 1
        state = jax.block_until_ready(run(state, jax.random.PRNGKey(number)))
        return batch * steps

    return play


def catanatron(_game: str) -> Play:
    """Catanatron: whole games between random players, in Python."""
    module = import_module("catanatron")
    colours = list(module.Color)

    def play() -> int:
        game = module.Game([module.RandomPlayer(colour) for colour in colours])
        game.play()
        state = game.state
        return len(getattr(state, "action_records", None) or state.actions)

    return play


def zoo(env: Any) -> Play:
    """A PettingZoo environment with random legal actions, as its documentation plays it."""
    np, rng = import_module("numpy"), Random(1)
    seed = 0

    def play() -> int:
        nonlocal seed
        seed, steps = seed + 1, 0
        env.reset(seed=seed)
        for _agent in env.agent_iter():
            observation, _, termination, truncation, info = env.last()
            if termination or truncation:
                env.step(None)
                continue
            mask = info["action_mask"] if "action_mask" in info else observation["action_mask"]
            env.step(int(rng.choice(np.flatnonzero(mask))))
            steps += 1
        return steps

    return play


def pettingzoo(name: str) -> Play:
    """One of PettingZoo's classic games."""
    return zoo(import_module(f"pettingzoo.classic.{name}").env())


def signoria_zoo(game: str) -> Play:
    """Our PettingZoo environment."""
    return zoo(import_module("signoria.env").make_env(game))


SUBJECTS = {
    "signoria": signoria_games,
    "signoria-steps": signoria_steps,
    "signoria-zoo": signoria_zoo,
    "open_spiel": open_spiel,
    "pgx": pgx,
    "catanatron": catanatron,
    "pettingzoo": pettingzoo,
}


def measure(play: Play, seconds: float, clock: Callable[[], float]) -> float:
    """Decisions per second, after one round to compile and to warm up."""
    play()
    decisions, started = 0, clock()
    while (taken := clock() - started) < seconds:
        decisions += play()
    return decisions / taken


if __name__ == "__main__":
    subject, game = sys.argv[1].split(":")
    CORE = int(sys.argv[3])
    if CORE != GPU and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {CORE})
    rate = measure(SUBJECTS[subject](game), float(sys.argv[2]), time.perf_counter if CORE == GPU else time.process_time)
    print(json.dumps({"subject": sys.argv[1], "decisions_per_second": rate}))
