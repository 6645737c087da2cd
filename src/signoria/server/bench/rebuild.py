"""How long it takes to replay a finished game from its steps."""

from random import Random
from statistics import median
from time import perf_counter

from signoria.games import open_table
from signoria.server.bench.figures import Rebuilt
from signoria.server.play.room import encode_step, fold
from signoria.store.steps import StepRow

GAMES = 20
PLAYERS = 4


def rebuilt(game: str, rng: Random, games: int = GAMES) -> Rebuilt:
    """Play some games, and replay each of them."""
    steps, taken = [], []
    for seed in range(games):
        table = open_table(game, players=PLAYERS, seed=seed)
        rows: list[StepRow] = []
        while not table.over:
            made = table.make(rng.choice(table.legal))
            rows.append(StepRow(len(rows), made.seat, encode_step(made.step), "person", 0))
        began = perf_counter()
        fold(open_table(game, players=PLAYERS, seed=seed), rows)
        taken.append(1000 * (perf_counter() - began))
        steps.append(len(rows))
    return Rebuilt(PLAYERS, median(steps), median(taken), max(taken))
