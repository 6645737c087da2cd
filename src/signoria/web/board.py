"""What the browser draws of one game: its `Board`. A game without one of its own is drawn plainly, from its view alone."""

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
"""Who sits where, as sentences name them."""


class Key(NamedTuple):
    """A line in the list of keys: the key, or the first and the last of several."""

    keys: tuple[str, ...]
    does: str


class Board:
    """How pages show one game. This one draws any game; a game overrides what it draws better.

    A game's own board is `BOARD` in the package `board` of the game's package. Templates, style sheets and
    drawings lie beside it. Style sheets are named as below `/static/`: `games/NAME/FILE` lies in `static`.
    """

    static: ClassVar[Path | None] = None
    """The folder of the game's own static files."""
    seat_styles: ClassVar[tuple[str, ...]] = ()
    """Colours of seats, where they are not the usual ones; also on pages that show tables of several games."""
    styles: ClassVar[tuple[str, ...]] = ("plain.css",)
    """Style sheets of tables and replays, between the shared ones."""
    rules_styles: ClassVar[tuple[str, ...]] = ()
    """Style sheets of the illustrated rules."""

    on_board: ClassVar[bool] = False
    """Whether every step can be made on the board. Otherwise steps are buttons with their words."""
    choosing: ClassVar[str] = ""
    """What the keys 1 to 9 press, in words: `a card of your hand, a site`."""
    keys: ClassVar[tuple[Key, ...]] = ()
    """Keys that only this game has."""

    pitch: ClassVar[str] = ""
    """What one does in this game, after "you", for somebody who has never heard of it: `build bridges`."""
    without_aid: ClassVar[NoteModel | None] = None
    """What a table without the memory aid hides, where that has to be said."""
    optional_parts: ClassVar[frozenset[str]] = frozenset()
    """Clauses whose part of the score sheet is left out where it brought nobody any points."""
    headings: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Headings of the clauses, by the clause that comes first under them."""

    lessons: ClassVar[tuple[Lesson, ...]] = ()
    """What the coach of a guided game says; empty where there is no guided game."""
    sight: ClassVar[type[Sight]] = Sight
    """What the lessons judge a situation by."""

    def __init__(self, game: AnyGame, marks: Sequence[str] = ()) -> None:
        self.name: str = game.name
        self.title: str = game.title
        self.seats: range = game.seats
        self._tell = game.words.tell
        self.titles = tuple(game.seat_name(seat) for seat in range(game.seats[-1]))
        self.marks = tuple(marks) or _letters(self.titles)
        """Seats in two letters, so that no colour has to be told apart. A seat's number is its place."""

    @property
    def kind(self) -> str:
        """The classes of a table on its page."""
        return self.name if self.on_board else f"plain {self.name}"

    # A table

    def draw(self, view: Any, may_act: bool) -> Drawn:
        """The table as this viewer sees it; `may_act` where it stands in a form of steps."""
        return plain.draw(view, self.seats[-1], self.titles.__getitem__, self._tell if may_act else None)

    def symbols(self) -> Markup:
        """What drawings use; it stands in a page once, outside of what is morphed."""
        return sprite(symbols("common"))

    def tray(self, page: TablePage) -> Markup:
        """What lies beside the hand of somebody who plays, within the form of steps."""
        return Markup()

    def forms(self, page: TablePage) -> Markup:
        """Forms beside the one of steps, for whatever names them."""
        return Markup()

    def moves(self, view: Any, steps: Sequence[RecentStep]) -> Sequence[StepMoves]:
        """What each of these steps moved on the table, as this viewer may see it; empty where nothing is animated."""
        return ()

    def scenes(self, lately: Sequence[Any], view: Any, names: Names) -> Markup:
        """What happened lately and is worth a closer look; empty where nothing is."""
        return Markup()

    def tell_scenes(self, lately: Sequence[Any], names: Names) -> str:
        """The same in sentences."""
        return ""

    def large(self, card: str) -> Markup | None:
        """A card, large and in words, by its `data-card`; None where there is no such card."""
        return None

    # The end

    def end_map(self, view: Any) -> Markup:
        """The end of a game on a map; empty where there is none."""
        return Markup()

    def sign(self, event: Any) -> Sign | None:
        """What stands for an event below the chart of the score; None where nothing does."""
        return None

    def picture(self, sign: str) -> Markup:
        """What a thing that gave points is drawn with (`ScoreItem.sign`)."""
        return Markup()

    # The lobby and the rules

    def frieze(self) -> Markup:
        """A picture of the game in the lobby."""
        return Markup().join(
            mark(letters, seat, self.titles[seat]) for seat, letters in enumerate(self.marks[: self.seats[-1]])
        )

    def frieze_symbols(self) -> Markup:
        """What it is drawn with, besides what is common to all games."""
        return Markup()

    def told(self) -> Markup:
        """The game in a few paragraphs with pictures; its headings are `goal`, `turn` and `scores`."""
        return Markup()

    def rules_symbols(self) -> Markup:
        """What its pictures are drawn with, and the town above them."""
        return sprite(symbols("common", "stonework")) + skyline()

    # Learning by playing

    def beginning(self) -> Beginning | None:
        """Where a guided game begins; None where there is none."""
        return None


def _letters(titles: Names) -> tuple[str, ...]:
    """The first letters of what the game calls its seats, or their numbers where these are the same."""
    letters = tuple(title[:2].capitalize() for title in titles)
    return letters if len(set(letters)) == len(letters) else tuple(str(seat) for seat, _ in enumerate(titles, 1))


@cache
def find_board(game: str) -> Board:
    """The board of a game, imported when it is first asked for; raises `BadOption` where there is no such game."""
    found = find_game(game)
    if found.board is None:
        return Board(found)
    board: Board = found.board.BOARD
    return board


@cache
def boards() -> Mapping[str, Board]:
    """The boards of all games, by their names."""
    return {name: find_board(name) for name in GAMES}
