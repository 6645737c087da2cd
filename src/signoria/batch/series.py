"""Many games between compiled bots, dealt by the fair shuffle. Each game can be replayed at a table."""

import hashlib
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import msgspec
import numpy as np

from signoria.batch.cpu import Chunk
from signoria.batch.playing import Chooser, play_out
from signoria.kernel import fair_luck
from signoria.kernel.compiled import rule
from signoria.kernel.game import Game, Options
from signoria.kernel.layout import Records, blank
from signoria.kernel.luck import sow
from signoria.kernel.position import Position
from signoria.kernel.sha256 import START, finish, put, put_bytes
from signoria.kernel.shuffle import SEED_BYTES, FairStream, salted
from signoria.kernel.table import Table

TOGETHER = 200
"""Number of games dealt before the first of them is played; few enough to stay in the CPU cache."""
ROOM = 1000
"""Expected maximum number of steps of a game; a longer game is played again with more room."""
DIGITS = 20
"""Digits of the longest game number."""


def opening(seed: int) -> str:
    """The beginning of the text whose hash is the seed of a deal; the number of the game follows."""
    return f"signoria/simulate/{seed}/"


def deal_seed(seed: int, number: int) -> bytes:
    """The seed of one game of a series."""
    return hashlib.sha256(f"{opening(seed)}{number}".encode()).digest()


class Series:
    """Games between compiled bots, given by the rule of each seat.

    A game depends only on its number, the seed and the bots.
    """

    def __init__(
        self,
        game: Game[Any, Any, Any],
        options: Options,
        components: msgspec.Struct,
        choosers: Sequence[Chooser],
        seed: int,
    ) -> None:
        self._game, self._options, self._components, self._seed = game, options, components, seed
        self._boxes = game.box(options, components)
        different = tuple(sorted(set(choosers), key=_name))  # compiled once for all orders of seats
        self._play = player(game, different)
        self._who = np.array([different.index(choose) for choose in choosers], np.int8)
        self._salts = ("",) * options.players

    def play(self, start: int, count: int) -> Chunk:
        """Play the games `start`, `start + 1`, ... on one core."""
        sheets = np.zeros((count, self._options.players, len(self._game.columns)), np.int16)
        first, states, decisions = np.zeros(count, np.int8), blank(min(count, TOGETHER), self._game.state), 0
        unwritten = np.zeros(1, np.int32)
        for done in range(0, count, TOGETHER):
            some = slice(done, done + TOGETHER)
            decisions += self._play_some(states, start + done, sheets[some], first[some], unwritten)
        return Chunk(count, decisions, sheets, first)

    def steps(self, number: int) -> list[int]:
        """The numbers of all steps of a game."""
        sheets = np.zeros((1, self._options.players, len(self._game.columns)), np.int16)
        first, states, room = np.zeros(1, np.int8), blank(1, self._game.state), ROOM
        while True:
            written = np.zeros(1 + room, np.int32)
            room = self._play_some(states, number, sheets, first, written)
            if room < len(written):
                return [int(step) for step in written[1 : 1 + room]]

    def table(self, number: int) -> Table[Any, Any, Any]:
        """Replay a game at a table, which checks every step and can give its record."""
        seed = deal_seed(self._seed, number)
        table = Table(self._game, self._options, self._components, seed, self._salts)
        for step in self.steps(number):
            table.make(self._game.step_of(step))
        return table

    def _play_some(self, states: Records, start: int, sheets: Any, first: Any, written: Any) -> int:
        """Deal and play one game per score sheet; return the number of decisions."""
        self._deal(states[: len(sheets)], start)
        return self._play(states, self._boxes, self._seed, start, self._who, sheets, first, written)

    def _deal(self, states: Records, start: int) -> None:
        game = self._game
        if game.rules.fair_deal is not None:
            dealer(game.rules.fair_deal)(
                states,
                self._boxes,
                blank(1, fair_luck.FAIR_LUCK),
                fair_luck.as_array(opening(self._seed).encode()),
                start,
                fair_luck.as_array(salted(self._salts)),
                fair_luck.label_array(game.shuffle_label),
            )
            return
        for k in range(len(states)):
            seed = deal_seed(self._seed, start + k)
            position = Position(game, self._boxes, states[k : k + 1])
            game.fair_deal(position, FairStream(seed, self._salts, game.shuffle_label))


def _name(choose: Chooser) -> str:
    return f"{choose.__module__}.{choose.__qualname__}"


@cache
def dealer(fair_deal: Callable[[Any, Any, Any], None]) -> Callable[[Any, Any, Any, Any, int, Any, Any], None]:
    """The rule that deals games `start`, `start + 1`, ... of a series by the fair shuffle, each into its state."""

    @rule
    def deal_all(states: Any, boxes: Any, streams: Any, beginning: Any, start: int, salts: Any, label: Any) -> None:
        stream = streams[0]
        text = np.empty(beginning.shape[0] + DIGITS, np.uint8)
        text[: beginning.shape[0]] = beginning
        key = np.empty(SEED_BYTES + salts.shape[0], np.uint8)
        key[SEED_BYTES:] = salts
        for k in range(states.shape[0]):
            put_seed(stream, text, beginning.shape[0], start + k, key)
            fair_luck.sow_key(stream, key, label)
            fair_deal(states[k], boxes[0], stream)

    return deal_all


@rule
def put_seed(stream: Any, text: Any, at: int, number: int, key: Any) -> None:
    """Write the seed of a game into the first bytes of a key; `text` is an opening of `at` letters with room behind it."""
    size = put_number(text, at, number)
    put(stream.words, START)
    finish(stream.words, text, size, 0, stream.block, stream.w)
    put_bytes(stream.words, key)


@rule
def put_number(text: Any, at: int, number: int) -> int:
    """Write a number into a text in decimal digits; return the position after it."""
    digits, rest = 1, number // 10
    while rest > 0:
        digits, rest = digits + 1, rest // 10
    for i in range(digits):
        text[at + digits - 1 - i] = 48 + number % 10
        number //= 10
    return at + digits


@cache
def player(
    game: Game[Any, Any, Any], choosers: tuple[Chooser, ...]
) -> Callable[[Any, Any, int, int, Any, Any, Any, Any], int]:
    """The rule that plays dealt games to their ends and returns the number of decisions.

    Each seat uses the rule in `choosers` whose number is in `who`. `written` receives the number of steps of the last
    game and then its steps, as far as there is room.
    """
    choose, score = among(choosers), game.rules.score

    @rule
    def choose_and_write(s: Any, box: Any, given: Any) -> int:
        luck, who, written = given
        step = choose(s, box, luck, who)
        written[0] += 1
        if written[0] < written.shape[0]:
            written[written[0]] = step
        return step

    play_on = play_out(game, choose_and_write)

    @rule
    def play_all(
        states: Any, boxes: Any, seed: int, start: int, who: Any, sheets: Any, first: Any, written: Any
    ) -> int:
        luck = np.empty(1, np.uint64)
        decisions = 0
        for k in range(sheets.shape[0]):
            sow(luck, seed, start + k)
            written[0] = 0
            first[k] = states[k].seat
            decisions += play_on(states[k], boxes[0], (luck, who, written))
            score(states[k], boxes[0], sheets[k])
        return decisions

    return play_all


def among(choosers: tuple[Chooser, ...], number: int = 0) -> Callable[[Any, Any, Any, Any], int]:
    """The rule that chooses a step by rule number `who[s.seat]`, which is at least `number`."""
    choose = choosers[number]
    if number == len(choosers) - 1:

        @rule
        def choose_last(s: Any, box: Any, luck: Any, who: Any) -> int:
            return choose(s, box, luck)

        return choose_last
    others = among(choosers, number + 1)

    @rule
    def choose_by_seat(s: Any, box: Any, luck: Any, who: Any) -> int:
        return choose(s, box, luck) if who[s.seat] == number else others(s, box, luck, who)

    return choose_by_seat
