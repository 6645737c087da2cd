"""Measures games that are stepped together on a GPU, by their number: `make bench-gpu`.

    python -m tests.bench.stepped_gpu [GAME ...] [--save FILE]

Random actions are chosen outside the games: with PyTorch from lists of legal actions and from masks, and from masks by a
CUDA kernel that reads nothing else, which tells what PyTorch costs. Finished games are scored and dealt anew.
"""

import argparse
import json
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from signoria.batch import Games
from signoria.batch.gpu import find_gpu, name_of_gpu
from signoria.games import GAMES
from tests.bench.peer_rates import gpu_policy

torch: Any = import_module("torch")  # needed by nothing else here
PLAYERS, POWERS = 4, tuple(range(10, 23, 2))
SECONDS = 0.3
MIXED = 500
"""Steps before the measurement, so that games stand at different points."""
LIST, MASK, MASK_BY_KERNEL = "list", "mask", "mask, chosen by a kernel"
WRITE_MASKS, WRITE_OBSERVATIONS = "masks written", "observations written"
MOST_OBSERVED = 1 << 20
"""More observations do not fit beside the rest."""


def per_second(once: Callable[[], Any], n: int) -> float:
    """For how many games something is done in a second."""
    cuda = find_gpu()
    once()
    cuda.synchronize()
    times, started = 0, time.perf_counter()
    while (passed := time.perf_counter() - started) < SECONDS:
        for _ in range(10):
            once()
        cuda.synchronize()
        times += 10
    return n * times / passed


def measure(game: str, n: int) -> dict[str, float]:
    """Decisions per second, by how actions are chosen; masks and observations per second."""
    listing = Games(game, PLAYERS, n, seed=1, device="cuda")
    counts, actions = (torch.as_tensor(part, device="cuda") for part in listing.legal())

    def from_list() -> None:
        chosen = actions.gather(1, (torch.rand(n, device="cuda") * counts).long()[:, None])[:, 0]
        listing.step(chosen.int(), check=False)

    for _ in range(MIXED):
        from_list()
    found = {LIST: per_second(from_list, n)}
    games = Games(game, PLAYERS, n, seed=1, device="cuda")  # without lists
    games.restore(listing.save())
    mask, choose = games.mask(), gpu_policy(n, "mask")
    seen = torch.as_tensor(mask, device="cuda")

    def from_mask() -> None:
        games.mask(mask)
        chosen = (seen * torch.randint(1, 256, seen.shape, dtype=torch.uint8, device="cuda")).argmax(1)
        games.step(chosen.int(), check=False)

    def from_mask_by_kernel() -> None:
        games.mask(mask)
        games.step(choose(mask), check=False)

    found[MASK] = per_second(from_mask, n)
    found[MASK_BY_KERNEL] = per_second(from_mask_by_kernel, n)
    found[WRITE_MASKS] = per_second(lambda: games.mask(mask), n)
    if n <= MOST_OBSERVED:
        rows = games.observe()
        found[WRITE_OBSERVATIONS] = per_second(lambda: games.observe(rows), n)
    return found


def main() -> None:
    """Measure and save."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=list(GAMES))
    parser.add_argument("--save", type=Path)
    told = parser.parse_args()
    rates: dict[str, dict[str, list[float]]] = {}
    for game in told.games:
        for power in POWERS:
            for way, rate in measure(game, 1 << power).items():
                rates.setdefault(game, {}).setdefault(way, []).append(rate)
                print(f"{game}, 2^{power} games, {way}: {rate / 1e6:,.1f} million/s", flush=True)
    if told.save:
        measured = {"machine": name_of_gpu(), "players": PLAYERS, "powers": POWERS, "per_second": rates}
        told.save.write_text(json.dumps(measured, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
