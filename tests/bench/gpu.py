"""Checks and measures games on a GPU in one run: `make bench-gpu`.

    python -m tests.bench.gpu [GAME ...] [--save FILE]

First the games are compared with those of the CPU: stepped from outside, between greedy bots, and as the laboratory
counts them. Then whole random games are timed for every number of players, and games stepped from outside by their
number (`stepped_gpu.py`). Every line is printed as soon as it is known; FILE gets all of them. Ends with status 1 if a game differs.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from signoria.batch import Games
from signoria.batch.counting import CountedSeries
from signoria.batch.gpu import find_gpu, name_of_gpu
from signoria.batch.measure import gpu_speed
from signoria.batch.series import Series
from signoria.bots import find_bot
from signoria.games import GAMES, find_game

STEPPED, STEPS, EVERY = 512, 420, 7
"""Games that are compared step by step, for how many steps, and how often their observations are compared."""
PLAYED = 8000
"""Games between bots that are compared."""
LINE_UPS = ("greedy random", "random random greedy", "greedy greedy greedy greedy")
EXPANSIONS = {"patrician": {"messengers": True, "ambassadors": True}, "il-principe": {"variant": True}}

Line = dict[str, Any]


def settings(game: str) -> Iterator[dict[str, Any]]:
    """Every number of players, and three players with what can be added to the game."""
    yield from ({"players": players} for players in find_game(game).seats)
    yield {"players": 3} | EXPANSIONS.get(game, {})


def on_host(array: Any) -> Any:
    """An array of the GPU in the memory of the CPU."""
    return array.copy_to_host() if hasattr(array, "copy_to_host") else np.asarray(array)


def check_steps(game: str, setting: dict[str, Any], n: int = STEPPED, steps: int = STEPS) -> Line:
    """Step the same games on both, and count in how many steps anything differs."""
    options = {name: value for name, value in setting.items() if name != "players"}
    here, there = (Games(game, setting["players"], n, seed=5, device=device, **options) for device in ("cpu", "cuda"))
    rng, differ, ended = np.random.default_rng(2), 0, 0
    for number in range(steps):
        mask = here.mask()
        same = (mask == on_host(there.mask())).all()
        if number == steps // 2:
            there.legal()  # from here on the list is kept, and masks are written from it
        if number % EVERY == 0:
            same = same and (here.observe() == on_host(there.observe())).all()
        chosen = (mask * rng.random(mask.shape, np.float32)).argmax(axis=1)
        one, two = here.step(chosen), there.step(chosen)
        done = one.done == 1
        same = same and (one.done == on_host(two.done)).all() and (here.seats == on_host(there.seats)).all()
        same = same and (one.sheets[done] == on_host(two.sheets)[done]).all()
        differ, ended = differ + (not same), ended + int(done.sum())
    different = here.states.tobytes() != np.ascontiguousarray(on_host(there.states)).tobytes()
    return {"stepped": n, "steps": steps, "ended": ended, "different": differ + different}


def check_series(game: str, players: int = 4, games: int = PLAYED) -> Line:
    """Play the same games between greedy bots, and count those that end differently."""
    series = import_module("signoria.batch.series_gpu")
    found, bot = find_game(game), find_bot("greedy")
    options = found.options({"players": players})
    components, room = found.components(options), bot.room_chooser(found)  # type: ignore[attr-defined]
    here = Series(found, options, components, [bot.chooser(found)] * players, 3).play(0, games)  # type: ignore[attr-defined]
    there = series.GpuSeries(found, options, components, [room] * players, 3).play(0, games)
    return {"greedy": games, "different": int((here.sheets != on_host(there.sheets)).any(axis=(1, 2)).sum())}


def check_counts(game: str, bots: str, games: int = PLAYED) -> Line:
    """Count the same games for the laboratory, and tell in how many of them the counts differ."""
    counting = import_module("signoria.batch.counting_gpu")
    found, seated = find_game(game), [find_bot(name) for name in bots.split()]
    options = found.options({"players": len(seated)})
    boxes = found.box(options, found.components(options))
    choosers, rooms = ([getattr(bot, way)(found) for bot in seated] for way in ("chooser", "room_chooser"))
    here = CountedSeries(found, boxes, choosers, 3).play(10, games)
    there = counting.CountedOnGpu(found, boxes, rooms, 3).play(10, games)
    differ = np.zeros(games, bool)
    for one, two in zip(here, there, strict=True):
        differ |= (one != two).reshape(games, -1).any(axis=1)
    return {"counted": games, "bots": bots, "different": int(differ.sum())}


def check_arrays(game: str) -> Line:
    """Whether other libraries take arrays of the GPU without a copy; None for a library that is not installed."""
    mask = Games(game, 2, 4096, seed=1, device="cuda").mask()
    at = mask.__cuda_array_interface__["data"][0]
    shared: dict[str, bool | None] = {}
    takers: dict[str, Callable[[Any], Any]] = {
        "torch": lambda library: library.as_tensor(mask, device="cuda").data_ptr(),
        "cupy": lambda library: library.asarray(mask).data.ptr,
        "jax": lambda library: library.numpy.asarray(mask).unsafe_buffer_pointer(),
    }
    for name, take in takers.items():
        try:
            shared[name] = bool(take(import_module(name)) == at)
        except ImportError:
            shared[name] = None
    return {"without a copy": shared}


def lines(game: str) -> Iterator[Line]:
    """All checks of a game, then all figures."""
    for setting in settings(game):
        yield {"setting": setting} | check_steps(game, setting)
    yield check_series(game)
    for bots in LINE_UPS:
        yield check_counts(game, bots)
    yield check_arrays(game)
    found = find_game(game)
    for setting in settings(game):
        options = found.options(setting)
        speed = gpu_speed(found, found.box(options, found.components(options)))
        yield {"setting": setting, "decisions/s": speed.decisions_per_second, "games/s": speed.games_per_second}
    stepped = import_module("tests.bench.stepped_gpu")  # needs PyTorch
    for power in stepped.POWERS:
        yield {"stepped together": 1 << power, "per second": stepped.measure(game, 1 << power)}


def main() -> None:
    """Check, measure and save."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=list(GAMES))
    parser.add_argument("--save", type=Path)
    told = parser.parse_args()
    find_gpu()
    found: dict[str, Any] = {"machine": name_of_gpu(), "version": version("signoria"), "lines": []}
    for game in told.games:
        for line in lines(game):
            found["lines"].append({"game": game} | line)
            print(json.dumps(found["lines"][-1]), flush=True)
            if told.save:
                told.save.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    sys.exit(1 if any(line.get("different") for line in found["lines"]) else 0)


if __name__ == "__main__":
    main()
