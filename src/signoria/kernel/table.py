"""One game being played, at human speed: whose turn it is, what is possible and why not, events, undo, record."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Generic, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray
from rich.text import Text

from signoria.kernel.clauses import Refusal
from signoria.kernel.errors import BadOption, IllegalStep, NotOver, NotYourTurn, NoUndo
from signoria.kernel.game import SPECTATOR, E, Game, Options, S, V
from signoria.kernel.language import ENGLISH, Told, apart, later, say, say_count, speaking
from signoria.kernel.options import Option
from signoria.kernel.perft import perft
from signoria.kernel.position import Position
from signoria.kernel.record import Record, action_of
from signoria.kernel.scores import Outcome, Score
from signoria.kernel.shuffle import SEED_BYTES, FairStream, commitment
from signoria.kernel.view import SeatView, only_step

Seed = bytes | str | int | None
MANY = 12
"""The most steps that a sentence lists."""


class Taken(NamedTuple, Generic[S]):
    """A step that was made: by whom, and how many were possible."""

    seat: int
    step: S
    of: int


class _Made(NamedTuple):
    """A step, and the position before it."""

    before: Position
    step: Any


def view_of(position: Position, components: msgspec.Struct, seat: int, memory_aid: bool = True) -> SeatView:
    """What a seat sees of a position."""
    game, known = position.game, position.seen_by(seat)
    legal = [] if position.over or position.seat != seat else position.legal
    steps = tuple(map(game.step_of, legal))
    view: SeatView = game.view(known, known.without_memory(seat), components, seat, steps, memory_aid)
    view._remember(known)
    return view


class Table(Generic[S, V, E]):
    """A game in play. `signoria.open_table` makes one.

    It offers everything a player needs by name; the rules themselves belong to the game.
    """

    game: Game[S, V, E]
    options: Options
    components: msgspec.Struct
    """What lies on the table; a record carries it."""
    commitment: str
    """SHA-256 of the seed: shown before the deal, so that nobody can change the seed later."""
    salts: tuple[str, ...]
    """What each seat added to the shuffle."""
    setup: dict[str, Any]
    """The deal as in a record: who has which cards. Never for players."""
    memory_aid: bool
    """Whether views carry what a seat could remember."""
    rules: str
    """The version of the rules that it is played by."""

    def __init__(
        self,
        game: Game[S, V, E],
        options: Options,
        components: msgspec.Struct,
        seed: bytes,
        salts: Sequence[str],
        memory_aid: bool = True,
        rules: str | None = None,
    ) -> None:
        self.rules = rules or game.version
        self.game, self.options, self.components = game, options, components
        self.salts, self.commitment, self.memory_aid = tuple(salts), commitment(seed), memory_aid
        self._seed = seed
        self._position = Position(game, game.box(options, components))
        self.setup = game.fair_deal(self._position, FairStream(seed, salts, game.shuffle_label))
        self._steps: list[Taken[S]] = []
        self._last: _Made | None = None
        self._told: tuple[E, ...] | None = None
        self._undo: list[tuple[Position, _Made | None]] = []
        self._no_undo: Told = later("There is nothing to undo yet.")

    @property
    def position(self) -> Position:
        """The whole position, including hidden cards: for checks and tests, never for players.

        A step replaces this position by a new one and does not change it.
        """
        return self._position

    # Whose turn, and what is possible

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self._position.over

    @property
    def turn(self) -> int | None:
        """The seat that is asked now; None when the game is over."""
        return None if self.over else self._position.seat

    @property
    def asked(self) -> str:
        """What is asked now, in a sentence."""
        if self.over:
            return say("The game is over.")
        return say("{player}: {asked}.", player=self._who(self.turn), asked=self.asks)

    @property
    def asks(self) -> str:
        """What is asked now, as the end of a sentence: `play a card`."""
        return self.game.asked(self._position)

    @property
    def chapter(self) -> str:
        """What part of the game is being played, as a heading: `Turn 12`."""
        return str(self.game.chapter(self._position))

    def _who(self, seat: int | None) -> str:
        if seat is None:
            return say("nobody")
        return say("{player} (seat {seat})", player=self.game.seat_name(seat), seat=seat)

    @property
    def legal(self) -> tuple[S, ...]:
        """Every step that is legal now: iterate, take `len`, ask `in`."""
        return tuple(map(self.game.step_of, self._position.legal))

    @property
    def forced(self) -> S | None:
        """The only legal step, which can be made without asking; None if there is a choice."""
        return only_step(self.legal)

    @property
    def obvious(self) -> S | None:
        """The forced step if everyone can tell that it is forced: playing it automatically reveals nothing about a hand."""
        return self.forced if self._position.asked in self.game.open_asks else None

    @property
    def automatic(self) -> S | None:
        """The obvious step, unless making it would prevent its player from undoing the step before it."""
        step = self.obvious
        if step is None or self.may_undo != self.turn:
            return step
        ahead = self.copy()
        ahead.make(step)
        return step if ahead.may_undo is not None else None

    @property
    def steps(self) -> tuple[Taken[S], ...]:
        """Every step made so far."""
        return tuple(self._steps)

    def copy(self) -> "Table[S, V, E]":
        """A copy of this game that can be continued independently."""
        twin: Table[S, V, E] = object.__new__(type(self))
        twin.__dict__ = self.__dict__ | {
            "_position": self._position.copy(),
            "_steps": self._steps.copy(),
            "_undo": self._undo.copy(),
        }
        return twin

    def at(self, position: Position) -> "Table[S, V, E]":
        """A copy of this table at another position, for checking what would be visible and possible there."""
        twin = self.copy()
        twin._position = position
        twin._undo.clear()
        return twin

    def why_not(self, step: S, seat: int | None = None) -> Refusal | None:
        """Why a step cannot be made now (by that seat): the clause and a sentence. None when it can."""
        if seat is not None and not self.over and seat != self.turn:
            says = say("There is no seat {seat!r} at this table.", seat=seat)
            if seat in range(self.options.players):
                turn = say("nobody") if self.turn is None else self.game.seat_name(self.turn)
                says = say("It is the turn of {player}, not of {other}.", player=turn, other=self.game.seat_name(seat))
            return Refusal(self.game.turn_clause(self._position), says)
        if not isinstance(step, self.game.step_type):
            says = say("{step!r} is not a step of {game}.", step=step, game=self.game.title)
            return Refusal(self.game.turn_clause(self._position), says)
        try:
            number = self.game.number_of(step)
        except IllegalStep as error:
            return Refusal(error.clause, error.sentence)
        reason = self._position.refusal(number)
        return self.game.explain(reason, step, self._position) if reason else None

    def perft(self, depth: int, progress: Callable[[int, int], None] | None = None) -> list[int]:
        """How many lines of play of 0, 1, ... `depth` steps begin here."""
        return perft(self._position, depth, progress)

    # Playing

    def apply(self, step: S, seat: int | None = None) -> tuple[E, ...]:
        """Make a step and return its events. Raises `IllegalStep` or `NotYourTurn` without changing anything."""
        self.make(step, seat)
        return self.events

    def make(self, step: S, seat: int | None = None) -> Taken[S]:
        """Make a step like `apply`, but compute its events only if `events` is read."""
        refusal = self.why_not(step, seat)
        if refusal is not None:
            wrong_seat = seat is not None and not self.over and seat != self.turn
            possible = "" if wrong_seat or self.over else f" {say('Possible now: {steps}.', steps=self._possible())}"
            raise (NotYourTurn if wrong_seat else IllegalStep)(refusal.says, refusal.clause, possible)
        number = self.game.number_of(step)
        step = self.game.step_of(number)
        before = self._position
        taken = Taken(before.seat, step, len(before.legal))
        self._position = before.copy()
        self._position.apply(number)
        if self._steps and self._steps[-1].seat != taken.seat:
            self._undo.clear()
        self._undo.append((before, self._last))
        shown = self.game.revealed(before, self._position)
        if self.over:
            shown = later("The game is over, and everything hidden has been turned up.")
        if shown:
            self._undo.clear()
            self._no_undo = shown
        self._steps.append(taken)
        self._last, self._told = _Made(before, step), None
        return taken

    @property
    def events(self) -> tuple[E, ...]:
        """The events of the last step; all of them are public."""
        if self._told is None and self._last is not None:
            self._told = self.game.events(self._last.before, self._position, self._last.step)
        return self._told or ()

    @property
    def chapters(self) -> tuple[Told, ...]:
        """The heading of each of these events."""
        return self.game.chapters(self._last.before, self.events) if self._last else ()

    def _possible(self) -> str:
        """The legal steps in words, the first of them where there are many."""
        legal = self.legal
        some = apart(map(str, legal[:MANY]))
        if len(legal) <= MANY:
            return some
        return say_count("{some}; and {n} more", "{some}; and {n} more", len(legal) - MANY, some=some)

    @property
    def may_undo(self) -> int | None:
        """The seat that may undo its last step; None if nobody may."""
        return self._steps[-1].seat if self._undo else None

    @property
    def undoable(self) -> int:
        """How many of the last steps may be undone, one after the other."""
        return len(self._undo)

    def undo(self, seat: int | None = None) -> S:
        """Undo the last step, and return it.

        Raises `NoUndo` with the reason if the step revealed something hidden, or if another seat has made the last step.
        """
        if not self._undo:
            raise NoUndo(str(self._no_undo))
        if seat is not None and seat != self._steps[-1].seat:
            last_seat = self._steps[-1].seat
            raise NoUndo(say("The last step was made by seat {last}, not by seat {seat}.", last=last_seat, seat=seat))
        before, last = self._undo.pop()
        if not self._undo and len(self._steps) > 1 and self._steps[-2].seat != self._steps[-1].seat:
            self._no_undo = later(
                "The step before was made by seat {seat}. You can undo only your own last steps.",
                seat=self._steps[-2].seat,
            )
        self._position, self._last, self._told = before, last, None
        return self._steps.pop().step

    # Seeing

    def view(self, seat: int | None = None) -> V:
        """What a seat sees; without a seat, what a spectator sees."""
        if seat is not None and seat not in range(self.options.players):
            last = self.options.players - 1
            raise BadOption(say("There is no seat {seat}: seats are 0 to {last}.", seat=seat, last=last))
        number = SPECTATOR if seat is None else int(seat)
        return view_of(self._position, self.components, number, self.memory_aid)  # type: ignore[return-value]

    def __str__(self) -> str:
        return self.__rich__().plain

    def __repr__(self) -> str:
        return f"<{self.game.title}, {self.options.players} players, after {len(self._steps)} steps>"

    def _repr_pretty_(self, printer: Any, _cycle: bool) -> None:
        printer.text(str(self))

    def __rich__(self) -> Text:
        return self.game.draw(self.view())

    def open_view(self) -> V:
        """A view with all hidden cards, for replays of finished games."""
        truth = self._position
        return self.game.view(truth, truth, self.components, SPECTATOR, self.legal, self.memory_aid)

    # The end

    def sheet(self) -> NDArray[np.int16]:
        """The score sheet in numbers: one row per seat, one column for each of `game.columns`."""
        return self._position.sheet()

    @property
    def scores(self) -> tuple[Score, ...]:
        """Every seat's score, each part with its clause: the current score, which is final when the game is over."""
        return self.game.scores(self._position)

    @property
    def places(self) -> tuple[int, ...]:
        """The current place of every seat, from 1, after the tiebreaks of the rules; final when the game is over."""
        return self.game.places(self.sheet())

    @property
    def outcome(self) -> Outcome | None:
        """Who won and by which clause; None until the game is over."""
        if not self.over:
            return None
        winners = tuple(seat for seat, place in enumerate(self.places) if place == 1)
        return self.game.outcome(self.scores, winners)

    @property
    def seed(self) -> str:
        """The seed of the deal, 64 hex digits; a secret until the game is over."""
        if not self.over:
            raise NotOver(say("The seed stays secret until the game is over. Until then there is only its commitment."))
        return self._seed.hex()

    @property
    def record(self) -> Record:
        """The finished game as a record: everything needed to replay and check it."""
        with speaking(ENGLISH):  # records are the same in every language
            outcome = self.outcome
        if outcome is None:
            raise NotOver(say("A record contains the seed, so it exists only when the game is over."))
        record = Record(
            game=self.game.name,
            rules=self.rules,
            options=msgspec.to_builtins(self.options),
            seed=self.seed,
            salts=list(self.salts),
            commitment=self.commitment,
            components=msgspec.to_builtins(self.components),
            setup=self.setup,
            actions=[action_of(*taken) for taken in self._steps],
            result={},
        )
        result = {
            "scores": [score.row for score in self.scores],
            "winners": list(outcome.winners),
            "reason": f"{outcome.reason}; record {record.fingerprint}",
        }
        return msgspec.structs.replace(record, result=result)


def open_game(
    game: Game[S, V, E],
    given: Mapping[str, Option],
    *,
    seed: Seed = None,
    salts: Sequence[str] | None = None,
    own: Path | None = None,
    memory_aid: bool = True,
    rules: str | None = None,
) -> Table[S, V, E]:
    """A fresh table of a game, by today's version of the rules or an earlier one; raises `BadOption` or `BadDeck`."""
    options = game.options(given)
    salted = tuple(salts) if salts is not None else ("",) * options.players
    if isinstance(salts, str) or not all(map(_is_text, salted)):
        raise BadOption(say("salts: give a list of texts, one for each seat."))
    if len(salted) != options.players:
        raise BadOption(
            say(
                "salts: got {count}, but there must be one for each of the {players} seats.",
                count=len(salted),
                players=options.players,
            )
        )
    return Table(game, options, game.components(options, own), seed_bytes(seed), salted, memory_aid, rules)


def _is_text(value: object) -> bool:
    try:
        return isinstance(value, str) and value.encode() is not None
    except UnicodeEncodeError:
        return False


def seed_bytes(seed: Seed) -> bytes:
    """A seed as 32 bytes: a fresh one for None; 64 hex digits; or a whole number, for seeds that people type."""
    match seed:
        case None:
            return secrets.token_bytes(SEED_BYTES)
        case bytes() if len(seed) == SEED_BYTES:
            return seed
        case int() if 0 <= seed < 256**SEED_BYTES:
            return seed.to_bytes(SEED_BYTES)
        case str() if len(seed) == 2 * SEED_BYTES and set(seed) <= set("0123456789abcdefABCDEF"):
            return bytes.fromhex(seed)
    raise BadOption(
        say("seed: {seed!r} is not a seed. Use 32 bytes, 64 hex digits or a whole number from 0.", seed=seed)
    )
