"""Positions from games, as bots meet them."""

from collections.abc import Iterator
from random import Random

import numpy as np

from signoria.bots import FREE, find_bot
from signoria.games import AnyTable, find_game
from signoria.kernel.luck import sow
from signoria.kernel.table import open_game
from tests.settings import Setting


def on_the_way(game: str, setting: Setting, seed: int, every: int = 7) -> Iterator[AnyTable]:
    """A table at every few decisions of a game in which every seat makes the most promising step half of the time."""
    table = open_game(find_game(game), setting, seed=seed)
    rng, greedy = Random(seed), find_bot("greedy")
    for number in range(10_000):
        if table.over:
            return
        if number % every == 0 and len(table.legal) > 1:
            yield table
        view = table.view(table.turn)
        table.make(greedy.decide(view, rng, FREE) if rng.random() < 0.5 else rng.choice(view.legal))


def with_another_hidden_part(table: AnyTable, seat: int, number: int) -> AnyTable:
    """The same table with everything that a seat cannot know replaced."""
    luck = np.zeros(1, np.uint64)
    sow(luck, 5, number)
    return table.at(table.position.seen_by(seat).redealt(luck))
