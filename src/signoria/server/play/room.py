"""A room: one table in memory, with its game replayed from the stored steps, its log and its viewers."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache, lru_cache, partial
from sys import intern
from typing import Any, NamedTuple

import msgspec

from signoria.games import AnyGame, AnyTable, find_game
from signoria.kernel.errors import SignoriaError
from signoria.kernel.language import language, say, speaking, to_say
from signoria.kernel.table import open_game
from signoria.kernel.words import brief_sentence, sentence
from signoria.server.errors import BadField, Conflict, NotAllowed, OtherRules
from signoria.store.messages import MessageRow
from signoria.store.orders import OrdersRow
from signoria.store.ratings import RatingRow
from signoria.store.steps import StepRow
from signoria.store.tables import SeatRow, TableRow, TableVersion
from signoria.web.models import CourseTurn, Hint, LogLine

UNDO = '{"do":"undo"}'
"""The entry that undoes the last step."""
RESIGNED = to_say("You resigned, so a bot finishes the game for you.")


class CachedHint(NamedTuple):
    """The last hint for a seat."""

    n: int
    """The number of steps when it was asked."""
    hint: Hint | None


class CheckResult(NamedTuple):
    """The result of checking a finished game."""

    wrong: str
    """Why its record is wrong; empty if it is right."""


class LogEntry(NamedTuple):
    """A step that was not undone, and its events; all public."""

    n: int
    """Its index in the list of steps."""
    seat: int
    events: tuple[Any, ...]
    told: "ToldEvents"
    by: str

    @property
    def lines(self) -> tuple[LogLine, ...]:
        """Its events as lines of the log, in the language that is spoken now."""
        return self.told[language()]


class ToldEvents(dict[str, tuple[LogLine, ...]]):
    """The events of a step as lines of the log, by language: told when the first reader of a language comes."""

    def __init__(self, table: AnyTable, place: int) -> None:
        self._game, self._components, self._place = table.game, table.components, place
        self._events, self._chapters = table.events, table.chapters

    def __missing__(self, name: str) -> tuple[LogLine, ...]:
        """The lines in this language."""
        with speaking(name):
            lines = self[name] = self._told()
        return lines

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ToldEvents) and (self._place, self._events) == (other._place, other._events)

    __hash__ = None

    def _told(self) -> tuple[LogLine, ...]:
        headlines, retell = self._game.headlines, self._game.words.retell
        return tuple(
            LogLine(
                n=self._place,
                seat=getattr(event, "seat", None),
                says=sentence(partial(retell, self._components, event)),
                brief=brief_sentence(event),
                clause=event.clause,
                headline=event.clause in headlines,
                chapter=intern(str(chapter)),
            )
            for event, chapter in zip(self._events, self._chapters, strict=True)
        )


def log_entry(table: AnyTable, n: int, place: int, seat: int, by: str) -> LogEntry:
    """The log entry of a table's last step; `place` counts steps without undone ones."""
    return LogEntry(n, seat, table.events, ToldEvents(table, place), by)


@lru_cache(4096)
def encode_step(step: msgspec.Struct) -> str:
    """A step as it is stored and as pages send it."""
    return intern(msgspec.json.encode(step).decode())


def encode_steps(steps: Sequence[msgspec.Struct]) -> str:
    """Several steps as pages send them."""
    return f"[{','.join(map(encode_step, steps))}]"


def decode_step(game: AnyGame, text: str | bytes) -> msgspec.Struct:
    """A step as it was encoded."""
    return _decoder(game.step_type).decode(text)


def decode_steps(game: AnyGame, text: str) -> list[msgspec.Struct]:
    """Several steps as they were encoded."""
    return msgspec.json.decode(text, type=list[game.step_type])  # type: ignore[name-defined]


@cache
def _decoder(step_type: Any) -> msgspec.json.Decoder[msgspec.Struct]:
    """Made once per game: `msgspec.json.decode` would look at the type again for every step, which takes longer."""
    return msgspec.json.Decoder(step_type)


def deal(row: TableRow) -> AnyTable:
    """The table of a row before its first step: by the rules it started with if known, otherwise by today's."""
    game = find_game(row.game)
    salts = [seat.salt for seat in row.seats]
    rules = row.rules if game.plays(row.rules) else game.version
    return open_game(game, row.options, seed=row.seed, salts=salts, memory_aid=row.aid, rules=rules)


class TablePosition(NamedTuple):
    """A game so far. It is immutable: the next step gives another position."""

    table: AnyTable
    entries: tuple[tuple[int, str], ...]
    """All steps with their seats, including undone steps and undos."""
    log: tuple[LogEntry, ...]

    @property
    def n(self) -> int:
        """The number of entries."""
        return len(self.entries)


def fold(table: AnyTable, rows: Sequence[StepRow], known: TablePosition | None = None) -> TablePosition:
    """The position after these steps; `table` is changed on the way."""
    entries = list(known.entries) if known else []
    log = list(known.log) if known else []
    for row in rows:
        apply_row(table, row, entries, log)
    return TablePosition(table, tuple(entries), tuple(log))


@contextmanager
def by_known_rules(row: TableRow) -> Iterator[None]:
    """Load the game of a row. A game of an unknown version of the rules is loaded with today's, if its steps are legal.

    Raises `OtherRules` if they are not.
    """
    try:
        yield
    except (SignoriaError, msgspec.MsgspecError) as error:
        if find_game(row.game).plays(row.rules):
            raise
        raise _other_rules(row) from error


def check_result(row: TableRow, table: AnyTable) -> None:
    """Raise `OtherRules` if a finished game of an unknown version of the rules ends differently by today's."""
    if row.state != "over" or find_game(row.game).plays(row.rules):
        return
    if not table.over or not _same_result(table, row.result or {}):
        raise _other_rules(row)


def _same_result(table: AnyTable, kept: dict[str, Any]) -> bool:
    """Whether points and winners equal those stored; the reason also names the version of the rules."""
    result = table.record.result
    return all(result[part] == kept.get(part) for part in ("scores", "winners"))


def _other_rules(row: TableRow) -> OtherRules:
    game = find_game(row.game)
    says = say(
        "This game was played by version {rules} of the rules of {game}. This server knows version {version}, in which its "
        "moves are not legal, so it cannot show the board. All moves are saved.",
        rules=row.rules,
        game=game.title,
        version=game.version,
    )
    if row.result:
        scores = zip(row.seats, row.result["scores"], strict=True)
        points = ", ".join(
            f"{seat.name or seat.bot or game.seat_name(seat.seat)} {score['total']}" for seat, score in scores
        )
        says += " " + say("The result: {points}.", points=points)
    return OtherRules(says)


def apply_row(table: AnyTable, row: StepRow, entries: list[tuple[int, str]], log: list[LogEntry]) -> None:
    """Apply one stored step."""
    if row.step == UNDO:
        table.undo(row.seat)
        log.pop()
    else:
        table.make(decode_step(table.game, row.step), row.seat)
        log.append(log_entry(table, row.n, len(log) + 1, row.seat, row.by))
    entries.append((row.seat, intern(row.step)))


class Room:
    """One table in the memory of a process. Only the table service changes it."""

    def __init__(
        self, row: TableRow, position: TablePosition | None, messages: list[MessageRow], ratings: dict[str, RatingRow]
    ) -> None:
        self.row, self.position, self.messages, self.ratings = row, position, messages, ratings
        self.game: AnyGame = find_game(row.game)
        self.lock = asyncio.Lock()
        """Held while a step is made or the room is read again."""
        self.drawn: dict[Any, Any] = {}
        """Rendered pages of this version, shared by viewers who see the same."""
        self.kept: dict[Any, Any] = {}
        """Rendered parts of pages of any version, while there are viewers."""
        self.viewers: set[asyncio.Event] = set()
        """Set at every change; shared by all viewers."""
        self.shown = self.version
        """The version for which viewers were last woken."""
        self.replayed: dict[int, tuple[LogEntry | None, AnyTable]] = {}
        """Recently viewed positions by number of steps, each with its last step."""
        self.checkpoints: dict[int, tuple[LogEntry | None, AnyTable]] = {}
        """The same for a finished game at regular distances, so that every position is near one."""
        self.score_history: tuple[CourseTurn, ...] | None = None
        """The points over a finished game, once requested."""
        self.check: CheckResult | None = None
        """The result of checking a finished game, once requested."""
        self.cached_hints: dict[int, CachedHint] = {}
        """The last hint of each seat."""
        self.orders: dict[int, OrdersRow] = {}
        """Orders by seat; nobody else may see them."""
        self.removed: frozenset[str] = frozenset()
        """The ids of people whom the host removed before the game."""
        self.invited: frozenset[str] = frozenset()
        """The ids of people who are invited by name."""
        self.used_at = 0.0
        self.last_activity_at = 0
        """When one of its people last sent a request here, in milliseconds."""
        self.pending_hints: dict[tuple[int, int], Any] = {}
        """Running hints by seat and number of steps."""

    @property
    def n(self) -> int:
        """The number of steps so far, including undone steps and undos."""
        return self.position.n if self.position else 0

    @property
    def table_version(self) -> TableVersion:
        """The table's version as far as this process knows."""
        return TableVersion(self.n, self.row.revision, self.messages[-1].id if self.messages else 0)

    @property
    def version(self) -> str:
        """Changes whenever anything visible here changes."""
        return ".".join(map(str, self.table_version))

    def notify_viewers(self) -> None:
        """Wake all viewers of this table."""
        self.shown = self.version
        self.drawn.clear()
        for viewer in self.viewers:
            viewer.set()

    async def next_change(self) -> None:
        """Wait for the next change."""
        with self.viewing() as changed:
            await changed.wait()

    @contextmanager
    def viewing(self, changed: asyncio.Event | None = None) -> Iterator[asyncio.Event]:
        """An event that is set at every change, while there are viewers."""
        changed = changed or asyncio.Event()
        self.viewers.add(changed)
        try:
            yield changed
        finally:
            self.viewers.discard(changed)
            if not self.viewers:
                self.drawn.clear()
                self.kept.clear()

    def seats_of(self, user_id: str | None) -> tuple[int, ...]:
        """The seats of a person: more than one if several share a device."""
        if user_id is None:
            return ()
        return tuple(seat.seat for seat in self.row.seats if seat.user_id == user_id)

    def seat(self, seat: int) -> SeatRow:
        """A seat by its number; raises `BadField` with the possible seats."""
        if seat not in range(len(self.row.seats)):
            raise BadField(
                "seat",
                say("There is no seat {seat}. Seats are 0 to {count}.", seat=seat, count=len(self.row.seats) - 1),
            )
        return self.row.seats[seat]

    def own_seat(self, user_id: str | None, seat: int) -> SeatRow:
        """A seat of this person; raises `NotAllowed`."""
        found = self.seat(seat)
        if user_id is None or found.user_id != user_id:
            raise NotAllowed(say("Seat {seat} is not yours.", seat=seat), field="seat")
        return found

    def acting_seat(self, user_id: str | None, seat: int) -> SeatRow:
        """A seat that this person plays now; raises `NotAllowed`, or `Conflict` if a bot plays it."""
        found = self.own_seat(user_id, seat)
        if self.row.state == "playing" and found.resigned:
            raise Conflict(say(RESIGNED), field="seat")
        if self.row.state == "playing" and bot_of(self.row, found):
            raise Conflict(say("A bot is playing for you. Take your seat back first."), field="seat")
        return found

    def played_by_bot(self, seat: int) -> str | None:
        """The level of the bot that plays this seat now; None for a person."""
        return bot_of(self.row, self.row.seats[seat])


def bot_of(row: TableRow, seat: SeatRow) -> str | None:
    """The level of the bot that plays a seat now; None for a person."""
    return seat.bot if seat.bot else row.stand_in if seat.away or seat.resigned or seat.user_id is None else None
