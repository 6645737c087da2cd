"""Score calculators: players at a table with the printed components enter what lies there, and the rules count it.

A calculator makes a finished position from what was entered. The game's own scoring then fills the score sheet, so a
calculator contains no rule about points.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from msgspec import structs

from signoria.kernel.clauses import Note
from signoria.kernel.language import all_of, say
from signoria.kernel.scores import Outcome, Score

if TYPE_CHECKING:
    from signoria.kernel.game import Game, Options
    from signoria.kernel.position import Position

NOBODY = -1
"""The value of an entry that asks for a player, if nobody is chosen."""
LONGEST_ENTRY = 6
"""The most characters of an entry."""

Entries = Mapping[str, int | None]
"""The entered numbers by the names of the fields; None if a field was left empty and its number is unknown."""


class Entry(NamedTuple):
    """A field of the form: a number, or a player."""

    name: str
    """In addresses: `cards-0` for the cards of seat 0."""
    title: str
    """What is asked for, in the language that is spoken now: `Cards in hand`."""
    most: int = 0
    """The largest number; not used if a player is asked for."""
    asks_player: bool = False
    blank: int | None = 0
    """What an empty field means; None if it means unknown."""
    needed: bool = False
    """Whether the field must not be empty."""
    seat: int | None = None
    """The player whom the number belongs to, if it belongs to one."""


class EntryRow(NamedTuple):
    """A row of fields with its heading."""

    title: str
    entries: tuple[Entry, ...]
    sign: str = ""
    """What it is drawn with: the id of a picture, as in `ScoreItem`."""


class EntryGrid(NamedTuple):
    """A part of the form: a table of fields."""

    title: str
    says: str
    """What to count, in a sentence."""
    clause: str
    rows: tuple[EntryRow, ...]
    columns: tuple[str, ...] = ()
    """The headings of the columns; empty if there is a column for each player."""
    folded: bool = False
    """Whether it is closed at first, because most people leave it out."""


class EntryFault(NamedTuple):
    """What is wrong with an entry: a sentence, and the clause that it breaks or that needs it."""

    field: str
    says: str
    clause: str = ""


class Calculation(NamedTuple):
    """The scores of what was entered; or no scores, and what is wrong with the entries."""

    scores: tuple[Score, ...] = ()
    outcome: Outcome | None = None
    faults: tuple[EntryFault, ...] = ()
    notes: tuple[Note, ...] = ()
    """What players should check again, although it is possible."""


class Calculator(ABC):
    """The form in which a game asks for what lies on the table, and the finished position that follows from the answers."""

    options: ClassVar[tuple[str, ...]] = ()
    """The options, beside the number of players, that change what counts."""

    @abstractmethod
    def grids(self, options: Any) -> tuple[EntryGrid, ...]:
        """The form for these options, in the language that is spoken now."""

    @abstractmethod
    def position(self, options: Any, entries: Entries) -> "Position":
        """The finished position in which these entries hold."""

    def faults(self, options: Any, entries: Entries, names: Sequence[str]) -> list[EntryFault]:
        """What is impossible or missing in entries that are all within their limits. `names` are the players'."""
        return []

    def unknown(self, entries: Entries) -> frozenset[str]:
        """Tiebreaks (names in `Score.also`) that were left empty, which is possible if there is no tie."""
        return frozenset()

    def notes(self, options: Any, entries: Entries) -> list[Note]:
        """What is possible but unusual."""
        return []


def entries_of(grids: Sequence[EntryGrid]) -> list[Entry]:
    """All fields of a form."""
    return [entry for grid in grids for row in grid.rows for entry in row.entries]


def calculate(
    game: "Game[Any, Any, Any]", options: "Options", given: Mapping[str, str], names: Sequence[str]
) -> Calculation:
    """Count the points of what was entered, as text by the names of the fields; `names` are the players'."""
    calculator = game.calculator
    assert calculator is not None
    entries, faults = read_entries(calculator.grids(options), given, names)
    faults = faults or calculator.faults(options, entries, names)
    if faults:
        return Calculation(faults=tuple(faults))
    position = calculator.position(options, entries)
    scores, places = game.scores(position), game.places(position.sheet())
    outcome = game.outcome(scores, tuple(seat for seat, place in enumerate(places) if place == 1))
    unknown = calculator.unknown(entries)
    shown = tuple(
        structs.replace(score, also={name: value for name, value in score.also.items() if name not in unknown})
        for score in scores
    )
    return Calculation(shown, outcome, notes=tuple(calculator.notes(options, entries)))


def read_entries(
    grids: Sequence[EntryGrid], given: Mapping[str, str], names: Sequence[str]
) -> tuple[dict[str, int | None], list[EntryFault]]:
    """The entries as numbers, and those that are missing or out of their limits."""
    entries: dict[str, int | None] = {}
    faults: list[EntryFault] = []
    for grid in grids:
        for entry in (entry for row in grid.rows for entry in row.entries):
            text = given.get(entry.name, "").strip()
            least, most = (NOBODY, len(names) - 1) if entry.asks_player else (0, entry.most)
            number = _number(text)
            label = title_of(entry, names)
            if not text or (entry.asks_player and number == NOBODY):
                entries[entry.name] = entry.blank
                if entry.needed:
                    faults.append(EntryFault(entry.name, say("{field}: choose a player.", field=label), grid.clause))
            elif number is None or not least <= number <= most:
                shown = text[:LONGEST_ENTRY]
                if entry.asks_player:
                    says = say("{field}: {text!r} is not one of the players.", field=label, text=shown)
                else:
                    says = say(
                        "{field}: {text!r} is not possible; enter a number from 0 to {most}.",
                        field=label,
                        text=shown,
                        most=most,
                    )
                faults.append(EntryFault(entry.name, says, grid.clause))
            else:
                entries[entry.name] = number
    return entries, faults


def title_of(entry: Entry, names: Sequence[str]) -> str:
    """A field with its player: `Cards in hand (Anna)`."""
    if entry.seat is None:
        return entry.title
    return say("{field} ({player})", field=entry.title, player=names[entry.seat])


def _number(text: str) -> int | None:
    """A number in plain digits, with a sign or not; None for any other text."""
    digits = text.removeprefix("-")
    return int(text) if len(text) <= LONGEST_ENTRY and digits.isascii() and digits.isdigit() else None


def together(names: Sequence[str], seats: Sequence[int]) -> str:
    """Several players: `Anna and Bruno`."""
    return all_of([names[seat] for seat in seats])
