"""Games of self-play in threads. Compiled games release the interpreter lock, so every thread has a core to itself."""

import os
from collections.abc import Sequence
from contextlib import suppress
from queue import Full, Queue
from threading import Event, Thread
from typing import Any, NamedTuple

import msgspec
import numpy as np

from signoria.bots.leaves import RESULTS, mind_of
from signoria.bots.lookahead import lookahead_player
from signoria.bots.network import Network, empty_network
from signoria.bots.selfplay import Samples, empty_nodes, empty_samples, self_player
from signoria.bots.tree import NONE
from signoria.bots.weights import Trained, box_digest
from signoria.games import AnyGame
from signoria.kernel.layout import Records, blank
from signoria.kernel.position import Position

NODES = 1 << 14
"""Size of a tree in self-play."""
RANDOM_STEPS = (10, 50, 120)
"""Random steps in a thousand: few in one third of the games, some in another third, many in the rest."""
HELD_OUT = 20
"""Every 20th game is not learned from. It shows how well the network does on games that it does not know."""
MOST_WAITING = 4096
"""The most finished games that wait to be learned from. When there are more, self-play waits, or memory would run out."""
PATIENCE = 0.1
"""Seconds after which a thread that waits looks whether it was stopped."""


class Manner(NamedTuple):
    """How a network plays games of self-play: its weights, and how far it looks ahead."""

    network: Network
    explore: float
    mix: float
    iterations: int
    """Of the search, for each decision."""
    deals: int = 0
    """Deals in which each step is tried, if the games look only one step ahead; 0 for games of the search."""


class SelfPlayed(NamedTuple):
    """A finished game of self-play."""

    number: int
    players: int
    samples: Samples
    mix: float

    @property
    def held_out(self) -> bool:
        """Whether the network must not learn from it."""
        return self.number % HELD_OUT == HELD_OUT - 1


class SelfPlay:
    """Threads that play until they are stopped. Set `manner` to change how the next games are played.

    With a `rival`, one seat of every game is played in this manner, and all others in the manner of the rival.
    """

    def __init__(
        self,
        game: AnyGame,
        boxes: Records,
        manner: Manner,
        seed: int,
        first: int,
        threads: int | None = None,
        rival: Manner | None = None,
    ) -> None:
        self.manner, self._rival = manner, rival
        self.finished: Queue[SelfPlayed] = Queue(MOST_WAITING)
        self._game, self._boxes, self._seed = game, boxes, seed
        self._count, self._next, self._stop = threads or os.cpu_count() or 1, first, Event()
        self._threads: list[Thread] = []
        self._failed: list[BaseException] = []

    def start(self) -> None:
        """Start all threads."""
        self._threads = [Thread(target=self._run, args=(k,), daemon=True) for k in range(self._count)]
        for thread in self._threads:
            thread.start()

    def _run(self, thread: int) -> None:
        player, number = Player(self._game, self._boxes, self._rival), self._next + thread
        try:
            while not self._stop.is_set():
                self._hand_over(player.play(self.manner, self._seed, number))
                number += self._count
        except BaseException as error:
            self._failed.append(error)

    def _hand_over(self, game: SelfPlayed) -> None:
        while not self._stop.is_set():
            with suppress(Full):
                self.finished.put(game, timeout=PATIENCE)
                return

    def collect(self) -> list[SelfPlayed]:
        """The games that were finished since the last call; raises what stopped a thread."""
        if self._failed:
            raise self._failed[0]
        return [self.finished.get() for _ in range(self.finished.qsize())]

    def wait(self, seconds: float) -> None:
        """Wait while games are played."""
        self._stop.wait(seconds)

    def stop(self) -> None:
        """Let every thread finish its game."""
        self._stop.set()
        for thread in self._threads:
            thread.join()


class Player:
    """Plays games in one thread, and keeps the memory for them."""

    def __init__(self, game: AnyGame, boxes: Records, rival: Manner | None = None) -> None:
        assert game.features is not None
        self._game, self._boxes, self._rival = game, boxes, rival
        self._rival_mind = None if rival is None else mind_of(rival.network, game, rival.mix)
        self._states, self._known, self._work = (blank(1, game.state) for _ in range(3))
        self._nodes, self._used = empty_nodes(NODES), np.ones(1, np.int64)
        most = int(boxes["players"].max())
        self._sums = np.zeros((game.steps, most, RESULTS))
        self._luck = np.empty(1, np.uint64)
        self._room = empty_samples(game.features)
        self._network: Network | None = None
        self._mind: Any = None

    def play(self, manner: Manner, seed: int, number: int) -> SelfPlayed:
        """Play one game."""
        assert self._game.features is not None
        if self._network is not manner.network or self._mind.mix != manner.mix:
            self._network, self._mind = manner.network, mind_of(manner.network, self._game, manner.mix)
        which = box_of(number, len(self._boxes))
        players, rival = int(self._boxes["players"][which]), self._rival or manner
        if manner.deals > 0:
            return self._look_ahead(manner, seed, number, which)
        rows = self_player(self._game, manner.network.sizes, rival.network.sizes)(
            self._states,
            self._known,
            self._work,
            self._boxes,
            which,
            self._nodes,
            self._used,
            self._sums,
            self._luck,
            seed,
            number,
            manner.iterations,
            RANDOM_STEPS[number // 2 % len(RANDOM_STEPS)],
            manner.explore,
            self._mind,
            NONE if self._rival is None else learner_of(number, players),
            rival.explore,
            self._rival_mind or self._mind,
            self._room,
        )
        return self._written(manner, number, which, rows)

    def _look_ahead(self, manner: Manner, seed: int, number: int, which: int) -> SelfPlayed:
        """Play one game that looks one step ahead; without a network, every seat makes the most promising step."""
        rows = lookahead_player(self._game, manner.network.sizes)(
            self._states,
            self._known,
            self._work,
            self._boxes,
            which,
            self._luck,
            seed,
            number,
            manner.deals if manner.mix < 1.0 else 0,
            RANDOM_STEPS[number // 2 % len(RANDOM_STEPS)],
            self._mind,
            self._room,
        )
        return self._written(manner, number, which, rows)

    def _written(self, manner: Manner, number: int, which: int, rows: int) -> SelfPlayed:
        written: list[Any] = [one[:rows].copy() for one in self._room]
        samples = Samples(*written)
        widest = int(samples.counts.max(initial=0))
        samples = samples._replace(on=samples.on[:, :widest].copy())
        return SelfPlayed(number, int(self._boxes["players"][which]), samples, manner.mix)


def learner_of(number: int, players: int) -> int:
    """The seat of the network that learns, in a game against a rival: each in turn, also in games that are held out."""
    return (number + number // HELD_OUT) % players


def box_of(number: int, boxes: int) -> int:
    """The number of the box of a game: half of the games have the first box, the plain game; the others take turns."""
    return 0 if boxes == 1 or number % 2 == 0 else 1 + number // 2 % (boxes - 1)


def boxes_of(game: AnyGame, options: Sequence[dict[str, Any]]) -> Records:
    """The boxes of tables with these options, in one array."""
    agreed = [game.options(one) for one in options]
    boxes = [game.box(one, game.components(one)) for one in agreed]
    together = blank(len(boxes), boxes[0].dtype)
    for number, box in enumerate(boxes):
        together[number] = box[0]
    return together


def trained(game: AnyGame, options: Sequence[dict[str, Any]]) -> tuple[Trained, ...]:
    """Tables with these options, with their digests."""
    found = []
    for one in options:
        agreed = game.options(one)
        position = Position(game, game.box(agreed, game.components(agreed)))
        found.append(Trained(options=msgspec.to_builtins(agreed), box=box_digest(position)))
    return tuple(found)


def compile_rules(
    game: AnyGame,
    options: Sequence[dict[str, Any]],
    sizes: tuple[int, int],
    rival: Manner | None = None,
    deals: int = 0,
) -> None:
    """Compile or load everything that self-play needs."""
    assert game.features is not None
    manner = Manner(empty_network(game.features, *sizes), 1.0, 0.5, 2, deals)
    Player(game, boxes_of(game, options), rival).play(manner, 1, 0)
