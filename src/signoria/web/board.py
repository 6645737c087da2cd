"""The `Board` of a game: how the browser draws it. A game without its own board is drawn from its view alone."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

from markupsafe import Markup
from msgspec.structs import asdict

from signoria.games import GAMES, AnyGame, find_game
from signoria.kernel.examples import ShownExample
from signoria.kernel.language import per_language
from signoria.kernel.position import Position
from signoria.web import plain, plain_help
from signoria.web.drawn import Drawn, mark
from signoria.web.environment import macros
from signoria.web.help import FirstTimeHint, Topic
from signoria.web.kit.chart import Sign
from signoria.web.kit.picture import Panel
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
    seat_colours: ClassVar[tuple[tuple[str, str], ...]] = (
        *(
            ("#3b3533", "#fff"),
            ("#fcf7ea", "#2a1c11"),
            ("#b23a2c", "#fff"),
            ("#eec447", "#2a1c11"),
            ("#2f5f9e", "#fff"),
        ),
    )
    """The same for pictures that have no style sheet: the colour of each seat, and of letters on it."""
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
    """What players do in this game, in a sentence for new players: `In {game} you build bridges.`"""
    without_aid: ClassVar[NoteModel | None] = None
    """What a table without the card tracker hides, if that needs to be said."""
    score_labels: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Labels of parts and tiebreaks of the score sheet, if their names do not say enough: `fewest floors`."""
    optional_parts: ClassVar[frozenset[str]] = frozenset()
    """Clauses whose part of the score sheet is left out if nobody scored points for it."""
    names_with_seats: ClassVar[bool] = False
    """Whether sentences always name the seat with its player, because the board shows the seats' own names."""
    headings: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Headings of the rules, by the first clause under each."""

    told_contents: ClassVar[tuple[tuple[str, str], ...]] = ()
    """Headings of the illustrated rules after `scores` that the contents of the rules page list: anchor and title."""

    reference_contents: ClassVar[tuple[tuple[str, str], ...]] = ()
    """Headings of `reference` that the contents of the full rules list: anchor and title."""

    explained: ClassVar[tuple[str, ...]] = ("field", "seat", "card")
    """How the ids of elements begin that `topics` explain."""
    hints: ClassVar[Mapping[str, FirstTimeHint]] = MappingProxyType({})
    """Sentences for people who have to decide something for the first time, by `asked` of the view."""

    lessons: ClassVar[tuple[Lesson, ...]] = ()
    """Lessons of the guided game; empty if there is none."""
    sight: ClassVar[type[Sight]] = Sight
    """The class that describes a situation to the lessons."""

    def __init__(self, game: AnyGame, marks: Sequence[str] = ()) -> None:
        self.name: str = game.name
        self.title: str = game.title
        self.seats: range = game.seats
        self.win_clause = game.win_clause
        self.texts = game.texts
        self.say = game.texts.say
        """A text of the game in the language that is spoken now."""
        self._tell = game.words.tell
        self._seat_name, self._marks = game.seat_name, tuple(marks)

    @property
    def titles(self) -> Names:
        """The game's names of the seats. Indexed by seat."""
        return _titles(self)

    @property
    def marks(self) -> Names:
        """Two letters for each seat, so that nobody has to tell colours apart. Indexed by seat."""
        return _seat_marks(self)

    def score_label(self, name: str) -> str:
        """The label of a part or a tiebreak of the score sheet."""
        label = self.score_labels.get(name)
        return self.say(label) if label else name.replace("_", " ")

    @property
    def kind(self) -> str:
        """The CSS classes of a table."""
        return self.name if self.on_board else f"plain {self.name}"

    # A table

    def draw(self, view: Any, may_act: bool, names: Names = ()) -> Drawn:
        """The table as this viewer sees it; `may_act` if it is inside the form that sends steps. `names` are the players'
        own names by seat, for boards that show the seats' names too.
        """
        return plain.draw(view, self.seats[-1], self.titles.__getitem__, self._tell if may_act else None)

    def still(self, view: Any, *, players: bool = True) -> str | None:
        """The table as one SVG that needs no page around it, with or without what the players have.

        None where the game has no such picture.
        """
        return None

    def draw_table(self, page: TablePage, may_act: bool) -> Drawn:
        """The same for the page of a table, which also has what its viewer has decided in advance."""
        return self.draw(page.view, may_act, tuple(seat.name for seat in page.seats))

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

    def last_moved(self, lately: Sequence[Any]) -> Sequence[str]:
        """The ids of the pieces that recent events moved: they stay marked until the next move."""
        return ()

    def scenes(self, lately: Sequence[Any], view: Any, names: Names) -> Markup:
        """Recent events in detail; empty if there are none."""
        return Markup()

    def recap(self, events: Sequence[Any], view: Any, names: Names) -> Markup:
        """A section of the game that has just ended, from its events; see `Game.section_start`."""
        return Markup()

    def tell_recap(self, events: Sequence[Any], view: Any, names: Names) -> str:
        """The same in sentences."""
        return ""

    def tell_scenes(self, lately: Sequence[Any], names: Names) -> str:
        """The same in sentences."""
        return ""

    def places(self, event: Any) -> tuple[str, ...]:
        """The ids of the elements that an event is about, such as `card-7` for its `card`: a replay highlights them."""
        return tuple(f"{field}-{value}" for field, value in asdict(event).items() if isinstance(value, str))

    def large(self, card: str) -> Markup | None:
        """An enlarged card with its explanation, by its `data-card`; None if there is no such card."""
        return None

    def topics(self, view: Any) -> Sequence[Topic]:
        """What everything on the table is, and what it does now. Here the rules of the game explain what has a name."""
        return plain_help.topics(view, find_game(self.name), self.titles, self._tell)

    def topic_key(self, element: str) -> str:
        """The key of an element's topic, by the id of the element."""
        return element

    def hint(self, view: Any) -> FirstTimeHint | None:
        """A sentence for a viewer who has to decide something, in case it is the first time; None if there is none."""
        asked = self.hinted(view)
        found = self.hints.get(asked) if view.seat is not None and view.turn == view.seat else None
        return found and FirstTimeHint(f"{self.name}-{asked}", self.say(found.says), found.clause)

    def hinted(self, view: Any) -> str:
        """Which of the hints belongs to the decision: the one of what is asked."""
        return str(getattr(view, "asked", ""))

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

    # On paper: see `web/printing`

    printed_pictures: ClassVar[Mapping[str, Callable[[], str]]] = MappingProxyType({})
    """Pictures for print, by the class of the element that they replace: stand-alone SVG for what only a browser can draw."""

    printed_heights: ClassVar[Mapping[str, float]] = MappingProxyType({})
    """The heights of its drawings on paper in millimetres, by class."""

    def score_sheet(self) -> Markup:
        """A score sheet to write on: a table of the class `blank-sheet`."""
        game = find_game(self.name)
        start = Position(
            game, game.box(options := game.options({"players": game.usual_players}), game.components(options))
        )
        lines = [(self.score_label(part.name), part.clause) for part in game.scores(start)[0].parts]
        return Markup(macros("printed.html").plain_sheet(lines, self.seats[-1]))

    def printed_reference(self) -> Markup:
        """Tables at the end of the printed rules, after those of `reference`."""
        return Markup()

    def player_aid(self) -> Markup:
        """What players look up during a game, on one small page; empty where there is no such page."""
        return Markup()

    def rules_symbols(self) -> Markup:
        """The symbols of its pictures, and the skyline above them."""
        return sprite(symbols("common", "stonework")) + skyline()

    def example_symbols(self) -> Markup:
        """The symbols of examples, for a page that shows them beside something else."""
        return sprite(symbols("common", "stonework"))

    def reference(self) -> Markup:
        """Tables and lists that belong to the full rules, such as all cards of a kind."""
        return Markup()

    def draw_example(self, shown: ShownExample, after: bool) -> Sequence[Panel]:
        """The parts of the table that an example of a clause is about; `after` its step, or before with marks for steps."""
        return ()

    def tell_step(self, step: Any) -> str:
        """A step in a few words, legal or not."""
        return str(step)

    # Learning by playing

    def beginning(self) -> Beginning | None:
        """Where the guided game begins; None if there is none."""
        return None


@per_language()
def _titles(board: Board) -> Names:
    return tuple(board._seat_name(seat) for seat in range(board.seats[-1]))


@per_language()
def _seat_marks(board: Board) -> Names:
    return tuple(map(board.say, board._marks)) or _letters(board.titles)


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
