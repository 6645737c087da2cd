"""How long it takes to replay a finished game from its steps."""

from random import Random
from statistics import median
from time import perf_counter

from signoria.bots.random import RandomBot
from signoria.bots.runner import play
from signoria.bots.seated import Seated
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
        seats = {seat: Seated("random", RandomBot(), rng) for seat in range(PLAYERS)}
        rows = [StepRow(n, made.seat, encode_step(made.step), "person", 0) for n, made in enumerate(play(table, seats))]
        began = perf_counter()
        fold(open_table(game, players=PLAYERS, seed=seed), rows)
        taken.append(1000 * (perf_counter() - began))
        steps.append(len(rows))
    return Rebuilt(PLAYERS, median(steps), median(taken), max(taken))
