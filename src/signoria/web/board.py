"""The `Board` of a game: how the browser draws it. A game without its own board is drawn from its view alone."""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

from markupsafe import Markup

from signoria.games import GAMES, AnyGame, find_game
from signoria.web import plain
from signoria.web.drawn import Drawn, mark
from signoria.web.kit.chart import Sign
from signoria.web.kit.skyline import skyline
from signoria.web.kit.sprite import sprite, symbols
from signoria.web.lessons import Beginning, Lesson, Sight
from signoria.web.models import NoteModel, RecentStep, TablePage
from signoria.web.moves import StepMoves

Names = tuple[str, ...]
"""Names of the players by seat, as used in sentences."""


class Key(NamedTuple):
    """A line in the list of keyboard shortcuts: one key, or the first and last of several."""

    keys: tuple[str, ...]
    does: str


class Board:
    """How pages show one game. This class draws any game; a game overrides what it can draw better.

    A game's own board is `BOARD` in the package `board` of the game's package, next to its templates, style sheets
    and drawings. Style sheets are named by their path below `/static/`: `games/NAME/FILE` is in `static`.
    """

    static: ClassVar[Path | None] = None
    """The folder of the game's own static files."""
    seat_styles: ClassVar[tuple[str, ...]] = ()
    """Colours of seats, if they differ from the usual ones; also used on pages with tables of several games."""
    styles: ClassVar[tuple[str, ...]] = ("plain.css",)
    """Style sheets of tables and replays, in addition to the shared ones."""
    rules_styles: ClassVar[tuple[str, ...]] = ()
    """Style sheets of the illustrated rules."""

    on_board: ClassVar[bool] = False
    """Whether every step can be made on the board. Otherwise steps are buttons with text."""
    choosing: ClassVar[str] = ""
    """What the keys 1 to 9 choose, in words: `a card in your hand, a site`."""
    keys: ClassVar[tuple[Key, ...]] = ()
    """Keys that only this game has."""

    pitch: ClassVar[str] = ""
    """What players do in this game, after "you", for new players: `build bridges`."""
    without_aid: ClassVar[NoteModel | None] = None
    """What a table without the card tracker hides, if that needs to be said."""
    score_labels: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Labels of parts and tiebreaks of the score sheet, if their names do not say enough: `fewest floors`."""
    optional_parts: ClassVar[frozenset[str]] = frozenset()
    """Clauses whose part of the score sheet is left out if nobody scored points for it."""
    headings: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Headings of the rules, by the first clause under each."""

    lessons: ClassVar[tuple[Lesson, ...]] = ()
    """Lessons of the guided game; empty if there is none."""
    sight: ClassVar[type[Sight]] = Sight
    """The class that describes a situation to the lessons."""

    def __init__(self, game: AnyGame, marks: Sequence[str] = ()) -> None:
        self.name: str = game.name
        self.title: str = game.title
        self.seats: range = game.seats
        self._tell = game.words.tell
        self.titles = tuple(game.seat_name(seat) for seat in range(game.seats[-1]))
        self.marks = tuple(marks) or _letters(self.titles)
        """Two letters for each seat, so that nobody has to tell colours apart. Indexed by seat."""

    @property
    def kind(self) -> str:
        """The CSS classes of a table."""
        return self.name if self.on_board else f"plain {self.name}"

    # A table

    def draw(self, view: Any, may_act: bool) -> Drawn:
        """The table as this viewer sees it; `may_act` if it is inside the form that sends steps."""
        return plain.draw(view, self.seats[-1], self.titles.__getitem__, self._tell if may_act else None)

    def symbols(self) -> Markup:
        """Symbols for drawings; once in a page, outside the part that is morphed."""
        return sprite(symbols("common"))

    def tray(self, page: TablePage) -> Markup:
        """Controls next to a player's hand, inside the form that sends steps."""
        return Markup()

    def forms(self, page: TablePage) -> Markup:
        """Additional forms, for controls that name them."""
        return Markup()

    def moves(self, view: Any, steps: Sequence[RecentStep]) -> Sequence[StepMoves]:
        """What each of these steps moved on the table, as this viewer may see it; empty where nothing is animated."""
        return ()

    def scenes(self, lately: Sequence[Any], view: Any, names: Names) -> Markup:
        """Recent events in detail; empty if there are none."""
        return Markup()

    def tell_scenes(self, lately: Sequence[Any], names: Names) -> str:
        """The same in sentences."""
        return ""

    def large(self, card: str) -> Markup | None:
        """An enlarged card with its explanation, by its `data-card`; None if there is no such card."""
        return None

    # The end

    def end_map(self, view: Any) -> Markup:
        """The final map; empty if there is none."""
        return Markup()

    def sign(self, event: Any) -> Sign | None:
        """The sign of an event below the chart of points; None if it has none."""
        return None

    def picture(self, sign: str) -> Markup:
        """The picture of an item that scored (`ScoreItem.sign`)."""
        return Markup()

    # The lobby and the rules

    def frieze(self) -> Markup:
        """A picture of the game in the lobby."""
        return Markup().join(
            mark(letters, seat, self.titles[seat]) for seat, letters in enumerate(self.marks[: self.seats[-1]])
        )

    def frieze_symbols(self) -> Markup:
        """The symbols of the frieze, in addition to the common ones."""
        return Markup()

    def told(self) -> Markup:
        """The game in a few paragraphs with pictures; its headings are `goal`, `turn` and `scores`."""
        return Markup()

    def rules_symbols(self) -> Markup:
        """The symbols of its pictures, and the skyline above them."""
        return sprite(symbols("common", "stonework")) + skyline()

    # Learning by playing

    def beginning(self) -> Beginning | None:
        """Where the guided game begins; None if there is none."""
        return None


def _letters(titles: Names) -> tuple[str, ...]:
    """The first two letters of the seats' names, or numbers if these are not unique."""
    letters = tuple(title[:2].capitalize() for title in titles)
    return letters if len(set(letters)) == len(letters) else tuple(str(seat) for seat, _ in enumerate(titles, 1))


@cache
def find_board(game: str) -> Board:
    """The board of a game, imported on first use; raises `BadOption` if there is no such game."""
    found = find_game(game)
    if found.board is None:
        return Board(found)
    board: Board = found.board.BOARD
    return board


@cache
def boards() -> Mapping[str, Board]:
    """The boards of all games, by their names."""
    return {name: find_board(name) for name in GAMES}
