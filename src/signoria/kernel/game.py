"""What tables, records, bots and simulators need to know about a game."""

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypeVar

import msgspec
import numpy as np
from rich.text import Text

from signoria.kernel.calculator import Calculator
from signoria.kernel.clauses import Clause, Note, Reason, Refusal, Ruling
from signoria.kernel.counters import NO_COUNTERS, Counters
from signoria.kernel.errors import BadDeck, IllegalStep
from signoria.kernel.features import Features
from signoria.kernel.heuristic import Heuristic, Styles, no_opinion
from signoria.kernel.language import Texts, Told, capital, per_language, say, texts_of
from signoria.kernel.layout import Records, blank
from signoria.kernel.numbering import Numbering
from signoria.kernel.observation import Observation, plain_observation
from signoria.kernel.options import Option, OptionLabel, plain_label, read_options
from signoria.kernel.orders import StandingOrders
from signoria.kernel.outline import draw_outline
from signoria.kernel.own_components import NoComponents, OwnComponents
from signoria.kernel.scores import Outcome, Score, ScorePart
from signoria.kernel.shuffle import FairStream
from signoria.kernel.telling import Telling, plain_telling
from signoria.kernel.view import SeatView
from signoria.kernel.words import ToldEvent, player_name

if TYPE_CHECKING:
    from signoria.kernel.examples import Example
    from signoria.kernel.position import Position

OVER = 0
"""The value of a state's `asked` when the game is over, in every game."""
SPECTATOR = -1
"""The seat number of a spectator."""
MOST_SEATS = 5
"""The most seats that a game may have: pages have a colour for each of them."""


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a table agreed on before the deal. Games add fields of their own."""

    players: int


class Schedule(NamedTuple):
    """How a GPU plays many games: 32 threads run in lockstep, so they should do the same thing at the same time.

    When `apply` asks nobody for a while, `asked` is the number of kinds, and `stage` says what happens next.
    """

    make: Callable[[Any, Any, int], None]
    """make(s, box, step): carry out a legal step without what follows from it."""
    go_on: Callable[[Any, Any], None]
    """go_on(s, box): run the next stage."""
    parts: tuple[tuple[int, ...], ...]
    """The parts of a round, each with its points in order: kinds of decisions, and stages after the last kind. A part is
    repeated until every thread has left it."""


class Rules(NamedTuple):
    """The rulebook: functions on one state and one box that CPython, Numba and Numba-CUDA all run.

    `s` is a state, `box` is what is fixed at this table, and a step is a number. Functions that return nothing change `s`.
    """

    deal: Callable[[Any, Any, Any], None]
    """deal(s, box, luck): set up the game with the fast generator."""
    refusal: Callable[[Any, Any, int], int]
    """refusal(s, box, step): 0 for a legal step, otherwise the number of the reason against it. Nothing else decides legality."""
    apply: Callable[[Any, Any, int], None]
    """apply(s, box, step): carry out a legal step."""
    legal_steps: Callable[[Any, Any, Any], int]
    """legal_steps(s, box, steps): write the legal steps into an array; returns how many."""
    any_step: Callable[[Any, Any, Any], int]
    """any_step(s, box, luck): a random legal step, all equally likely."""
    see: Callable[[Any, Any, int], None]
    """see(s, box, seat): hide what a seat cannot know even if it remembers everything."""
    forget: Callable[[Any, Any, int], None]
    """forget(s, box, seat): hide also what is not visible now."""
    redeal: Callable[[Any, Any, Any], None]
    """redeal(s, box, luck): replace what `see` hid at random, consistent with everything that the seat knows."""
    score: Callable[[Any, Any, Any], None]
    """score(s, box, sheet): fill a score sheet, one row per seat; the game names the columns."""
    fair_deal: Callable[[Any, Any, Any], None] | None = None
    """fair_deal(s, box, stream): set up with a `fair_luck.FairLuck` exactly as `Game.fair_deal` does with a `FairStream`.

    For simulations. Without it they use `Game.fair_deal`, which takes longer than playing a whole compiled game.
    """
    schedule: Schedule | None = None
    """How a GPU plays many games, if much happens between decisions."""


S = TypeVar("S", bound=msgspec.Struct)
V = TypeVar("V", bound=SeatView)
E = TypeVar("E", bound=ToldEvent)


class Game(ABC, Generic[S, V, E]):
    """A game: its rules, and everything else that the program needs to know about it.

    Methods get a `Position`: read its fields with `position.state` and `position.box` (or all of them at once with
    `position.in_lists()`), and call compiled rules with `position.call`. Only `fair_deal` may change it.

    Every game defines the first part; everything under "What a game may leave out" has a default. Two parts are separate
    modules in the game's folder that are imported on first use: `bot` (its `HEURISTIC`) for bots that think ahead, and
    `board`, which the browser draws.
    """

    name: ClassVar[str]
    """As in records, in addresses and on the command line."""
    title: ClassVar[str]
    version: ClassVar[str]
    """Of the rules. Bump it only when behaviour changes, and keep the games of earlier versions playable:
    name the earlier version in `older_versions` and, where it played differently, let the box say so to the rules."""
    older_versions: ClassVar[frozenset[str]] = frozenset()
    """Earlier versions of the rules whose games these rules play exactly as they were played then."""
    shuffle_label: ClassVar[str]
    clauses: ClassVar[tuple[Clause, ...]]
    rules: ClassVar[Rules]
    state: ClassVar["np.dtype[np.void]"]
    """The fields of a state, as `layout` makes them: `asked` (what is asked; OVER at the end) and `seat` (who is asked)
    are among them, and `first` (who began) for simulations."""
    steps: ClassVar[int]
    """How many step numbers there are."""
    most_legal: ClassVar[int]
    """The most steps that can be legal at once."""
    kinds: ClassVar[int]
    """Number of values of `asked`, including OVER. They are numbered in the order of a turn."""
    columns: ClassVar[tuple[str, ...]]
    """Columns of a score sheet; `total` and `won` are among them."""
    seats: ClassVar[range]
    """How many can play, at most `MOST_SEATS`."""

    step_type: ClassVar[Any]
    """The union of the game's steps."""
    view_type: ClassVar[Any]
    event_type: ClassVar[Any]
    """The union of the game's events."""

    # What a game may leave out

    rulings: ClassVar[tuple[Ruling, ...]] = ()
    """What we decided where the rulebooks are silent or differ, and why."""
    numbering: ClassVar[Numbering[Any]]
    """All steps in the order of their numbers; not needed by a game that has its own `number_of` and `step_of`."""
    box_layout: ClassVar["np.dtype[np.void]"]
    """The record that the rules read beside the state; not needed by a game that has its own `box`."""
    asks: ClassVar[Mapping[int, str]] = {}
    """What a seat is asked for, by the value of `asked`; not needed by a game that has its own `asked`."""
    win_clause: ClassVar[str] = ""
    """The clause by which the most points win; not needed by a game that has its own `outcome`."""
    reasons: ClassVar[Mapping[int, Reason]] = {}
    """Why steps are refused, by the numbers of `refusal`; not needed by a game that has its own `explain`."""
    score_parts: ClassVar[Mapping[str, str]] = {}
    """The columns of a score sheet that points come from, each with its clause; not needed by a game that has its own
    `scores`."""
    headlines: ClassVar[frozenset[str]] = frozenset()
    """Clauses whose events stand out when a game is told."""
    filler_words: ClassVar[frozenset[str]] = frozenset()
    """Words that people type although they say nothing about a step: units, kinds of pieces."""
    open_asks: ClassVar[frozenset[int]] = frozenset()
    """Values of a state's `asked` where everybody can tell which steps are legal: they do not depend on a hand, or on
    no more of it than its size."""
    options_type: ClassVar[type[Options]] = Options
    components_type: ClassVar[type[msgspec.Struct]] = NoComponents
    order: ClassVar[int] = 100
    """Where it stands in lists of games: smaller numbers first, the same ones by name."""
    intro: ClassVar[Told] = ""
    """The game in a few sentences, for people who have never heard of it."""
    players_note: ClassVar[Note | None] = None
    """What the number of players changes."""
    memory_aid: ClassVar[bool] = True
    """Whether tables have a card tracker by default."""
    own_components: ClassVar[OwnComponents | None] = None
    """How players list the components of their own box; None where they cannot."""
    section_start: ClassVar[type | None] = None
    """The event that begins a section of the game, such as a round: pages then recap the section before it."""
    habit_titles: ClassVar[Mapping[str, str]] = {}
    """The kinds of `habits`, with titles for a list of them."""
    standing_orders: ClassVar[StandingOrders[Any, Any] | None] = None
    """What players can decide before they are asked; None where they cannot."""
    number_fields: ClassVar[Mapping[str, Callable[[int], Any]]] = {}
    """Steps that a form asks for with a number instead of a button each: the name of its field, and the step of a number."""

    @property
    def usual_players(self) -> int:
        """The default number of players."""
        return 3 if 3 in self.seats else self.seats[0]

    @property
    def first_players(self) -> int:
        """The number of players in a person's first game."""
        return self.usual_players

    def players_rules(self, options: "Options") -> Note | None:
        """What holds at a table with these options and this many players; `players_note` unless a game says more."""
        return self.players_note

    @cached_property
    def option_labels(self) -> tuple[OptionLabel, ...]:
        """Options beyond the number of players, in the order of forms."""
        return tuple(
            plain_label(field.name, field.type)
            for field in msgspec.structs.fields(self.options_type)
            if field.name != "players"
        )

    @cached_property
    def words(self) -> Telling:
        """What players are told: choices, questions, events."""
        return plain_telling(self.intro, self.draw, self._question)

    def _question(self, view: V) -> str:
        """What a view's seat is asked for, as a sentence: `Play a card.`"""
        return f"{capital(self.asked(view.known))}."

    def buttons(self, view: V) -> tuple[S, ...]:
        """The legal steps that have a button each, in the order of the buttons."""
        return tuple(view.legal)  # type: ignore[attr-defined]

    # The heavier parts, imported on first use

    @property
    def package(self) -> str:
        """The package of the game: its folder."""
        module = type(self).__module__
        return sys.modules[module].__package__ or module

    def __reduce__(self) -> tuple[Any, ...]:
        """Copied and pickled by name: there is one object for each game, in the module of its class."""
        return _only, (type(self),)

    def part(self, name: str) -> ModuleType | None:
        """A module or package of the game's folder by its name; None if there is none."""
        full_name = f"{self.package}.{name}"
        inside = hasattr(sys.modules[self.package], "__path__")
        return import_module(full_name) if inside and find_spec(full_name) else None

    @cached_property
    def heuristic(self) -> Heuristic:
        """How bots judge steps and play imagined games on: `HEURISTIC` of the game's `bot`."""
        bot = self.part("bot")
        found: Heuristic = no_opinion(self.rules) if bot is None else bot.HEURISTIC
        return found

    @cached_property
    def features(self) -> Features | None:
        """How states are described to a value network: `FEATURES` of the game's `bot`; None if there is none, so that no network can learn the game."""
        found: Features | None = getattr(self.part("bot"), "FEATURES", None)
        return found

    @cached_property
    def styles(self) -> Styles | None:
        """How opponents with a style play: `STYLES` of the game's `bot`; None if there are no such opponents."""
        found: Styles | None = getattr(self.part("bot"), "STYLES", None)
        return found

    @cached_property
    def observation(self) -> Observation:
        """What a seat knows as numbers: `OBSERVATION` of the game's `observation`, or the plain fields of its state."""
        part = self.part("observation")
        found: Observation = plain_observation(self.state) if part is None else part.OBSERVATION
        return found

    @cached_property
    def counters(self) -> Counters:
        """What the laboratory counts: `COUNTERS` of the game's `counters`."""
        part = self.part("counters")
        found: Counters = NO_COUNTERS if part is None else part.COUNTERS
        return found

    @cached_property
    def calculator(self) -> Calculator | None:
        """How players count the points of a game with the printed components: `CALCULATOR` of the game's `calculator`;
        None if there is none.
        """
        part = self.part("calculator")
        return None if part is None else part.CALCULATOR

    @cached_property
    def examples(self) -> "tuple[Example, ...]":
        """Positions that show what clauses mean: `EXAMPLES` of the game's `examples`; empty where there are none."""
        part = self.part("examples")
        found: tuple[Example, ...] = () if part is None else part.EXAMPLES
        return found

    @cached_property
    def board(self) -> ModuleType | None:
        """What the browser draws: the game's `board`; None if the generic table draws the game."""
        return self.part("board")

    # The rules, and what is told about them

    @cached_property
    def texts(self) -> Texts:
        """The game's texts in every language: those of its package, or of the program if it has none of its own."""
        return texts_of(self.package)

    @property
    def told_clauses(self) -> tuple[Clause, ...]:
        """The clauses in the language that is spoken now."""
        return _told(self, self.clauses)

    @property
    def told_rulings(self) -> tuple[Ruling, ...]:
        """The rulings in the language that is spoken now."""
        return _told_rulings(self)

    def plays(self, version: str) -> bool:
        """Whether games of this version of the rules can be replayed and played on exactly."""
        return version == self.version or version in self.older_versions

    def options(self, given: Mapping[str, Option]) -> Options:
        """Options by name, the rest as usual; raises `BadOption` with what is possible."""
        clauses = {"players": self.clauses[0].id} | {label.name: label.clause for label in self.option_labels}
        return read_options(given, self.options_type, self.title, self.seats, clauses)

    def components(self, options: Options, own: Path | None = None) -> msgspec.Struct:
        """The components in play: those of the game, or a player's own list; raises `BadDeck`."""
        return self.components_type()

    def check_components(self, options: Options, components: msgspec.Struct) -> None:
        """Raise `BadDeck` if the components in a record are impossible."""

    def box(self, options: Options, components: msgspec.Struct) -> Records:
        """What never changes at this table, for the rules to read beside the state: an array of one record.

        Its field `players` says how many play. It holds the options that have a field of their name.
        """
        boxes = blank(1, self.box_layout)
        for name in set(self.box_layout.names or ()) & set(options.__struct_fields__):
            boxes[name] = getattr(options, name)
        return boxes

    def redesigned(self, options: Options, figures: Mapping[str, Any]) -> tuple[msgspec.Struct, Records]:
        """The components and the box of a changed `components.toml`, for experiments; raises `BadDeck`.

        It may break what is known of the real box, but not what the rules rely on.
        """
        raise BadDeck(f"{self.title} has no components file that could be changed.")

    @abstractmethod
    def fair_deal(self, position: "Position", stream: FairStream) -> dict[str, Any]:
        """Deal from the fair stream into a position whose state is all zeros; returns who got what, as in a record."""

    def seat_name(self, seat: int) -> str:
        """A seat as sentences name it."""
        return player_name(seat)

    def number_of(self, step: S) -> int:
        """The number of a step; raises `IllegalStep` when it names something that does not exist."""
        number = self.numbering.number(step)
        if number is None:
            raise IllegalStep(say("{game} has no such step: {step}.", game=self.title, step=step), self.clauses[0].id)
        return number

    def step_of(self, number: int) -> S:
        """The step of a number."""
        step: S = self.numbering.step(number)
        return step

    def explain(self, reason: int, step: S, position: "Position") -> Refusal:
        """Why a step cannot be made now, in a sentence: `reason` is what `refusal` answered, never 0.

        Gaps in the sentence are filled with the fields of the step.
        """
        clause, says = self.reasons[reason]
        return Refusal(clause, self.texts.say(says, **msgspec.structs.asdict(step)))

    def chapter(self, position: "Position") -> Told:
        """What part of the game is being played, as a heading that is told later: `Turn 12`."""
        return self.title

    def brief_chapter(self, position: "Position") -> Told:
        """The same inside a sentence, without additions that only a heading has."""
        return self.chapter(position)

    def chapter_group(self, position: "Position") -> Told:
        """What several chapters in a row have in common, for the axis of a chart: `Round 3`."""
        return self.brief_chapter(position)

    def chapters(self, before: "Position", events: Sequence[E]) -> tuple[Told, ...]:
        """The heading of each event of a step; that of the position before the step, unless a step can begin a chapter."""
        return (self.chapter(before),) * len(events)

    def turn_clause(self, position: "Position") -> str:
        """The clause that says whose turn it is now."""
        return self.clauses[0].id

    def asked(self, position: "Position") -> str:
        """What the seat in turn is asked for, as a clause of a sentence: `play a card`."""
        return self.texts.say(self.asks[position.asked])

    @abstractmethod
    def events(self, before: "Position", after: "Position", step: S) -> tuple[E, ...]:
        """What a step brought about, in order. Everybody is told, so an event must show nothing hidden."""

    def revealed(self, before: "Position", after: "Position") -> Told | None:
        """What a step showed that was hidden from the one who made it, in a sentence; None for nothing.

        Such a step cannot be undone. `conformance.check_revealed` finds those that are forgotten here.
        """
        return None

    @abstractmethod
    def view(
        self,
        known: "Position",
        shown: "Position",
        components: msgspec.Struct,
        seat: int,
        legal: Sequence[S],
        memory_aid: bool,
    ) -> V:
        """What a seat sees: the view is made from these alone, so it cannot show anything hidden.

        In `shown`, everything that the seat cannot see now is hidden. `known` also has what the seat could remember: use
        it only for the card tracker. `legal` is empty unless it is this seat's turn.
        """

    def scores(self, position: "Position") -> tuple[Score, ...]:
        """The score sheet of a position in words, one score a seat."""
        rows = [dict(zip(self.columns, row, strict=True)) for row in position.sheet().tolist()]
        return tuple(
            Score(
                seat,
                tuple(ScorePart(name, row[name], clause, "") for name, clause in self.score_parts.items()),
                row["total"],
                {},
            )
            for seat, row in enumerate(rows)
        )

    def ahead(self, sheet: Any, seat: int, other: int) -> bool:
        """Whether a seat of a filled score sheet is strictly ahead of another, ties decided as the rules do.

        By points, unless a game says more.
        """
        total = self.columns.index("total")
        return bool(sheet[seat, total] > sheet[other, total])

    def unused_parts(self, options: Options) -> frozenset[str]:
        """Clauses whose part of the score sheet brings nobody points with these options."""
        return frozenset()

    def hidden_scores(self, options: Options) -> Note | None:
        """Why the others' scores are not shown before the end; None where everybody can add them up."""
        return None

    def places(self, sheet: Any, among: Collection[int] | None = None) -> tuple[int, ...]:
        """The place of every seat of a filled score sheet, from 1; seats that are level share a place.

        `among` are the seats that are ranked, all of them unless given; the others share the place after the last.
        """
        seats = range(len(sheet))
        ranked = seats if among is None else among
        return tuple(
            1 + (sum(self.ahead(sheet, other, seat) for other in ranked) if seat in ranked else len(ranked))
            for seat in seats
        )

    def habits(self, events: Sequence[E], seat: int) -> dict[str, Sequence[str]]:
        """What a player did in a finished game that is worth counting over many games: by kind, the ids of things.

        `habit_title` names the kinds, and `habit_name` the things.
        """
        return {}

    def habit_title(self, kind: str) -> str:
        """The title of a kind of `habits`."""
        return self.texts.say(self.habit_titles[kind])

    def habit_name(self, kind: str, thing: str) -> str:
        """A thing of `habits` in words."""
        return thing

    def outcome(self, scores: Sequence[Score], winners: tuple[int, ...]) -> Outcome:
        """Who won, and by which clause."""
        reason = say("most points") if len(winners) == 1 else say("victory shared: level on points")
        return Outcome(winners, f"{reason} ({self.win_clause})" if self.win_clause else reason)

    def draw(self, view: V) -> Text:
        """A view as text, for terminals and notebooks."""
        return draw_outline(view, self.seat_name)


@per_language()
def _told(game: Game[Any, Any, Any], clauses: tuple[Clause, ...]) -> tuple[Clause, ...]:
    return tuple(clause.told(game.texts) for clause in clauses)


@per_language()
def _told_rulings(game: Game[Any, Any, Any]) -> tuple[Ruling, ...]:
    return tuple(ruling.told(game.texts) for ruling in game.rulings)


def _only(kind: type[Game[Any, Any, Any]]) -> Game[Any, Any, Any]:
    """The one game of a class."""
    return next((one for one in vars(sys.modules[kind.__module__]).values() if type(one) is kind), None) or kind()
