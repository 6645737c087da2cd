"""Patrician as the kernel knows it: the rulebook with its names and sentences."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec
from rich.text import Text

from signoria.games.patrician.rulebook import RULES
from signoria.games.patrician.rulebook.components import (
    CARD_IDS,
    CITY_IDS,
    OWN_DECK,
    Components,
    check_in_play,
    city_name,
    in_play,
    load_deck,
    set_box,
    standard,
)
from signoria.games.patrician.rulebook.deal import dealer
from signoria.games.patrician.rulebook.design import redesigned
from signoria.games.patrician.rulebook.scoring import COLUMNS, beats
from signoria.games.patrician.rulebook.state import BUILDING, KINDS, MOVING, NONE, PLAYING, SENDING, STATE, TAKING
from signoria.games.patrician.rulebook.steps import (
    MOST_LEGAL,
    NUMBERING,
    STEPS,
    Keep,
    Messenger,
    Move,
    Play,
    Stay,
    Step,
    Take,
    number_of,
)
from signoria.games.patrician.texts import later, say
from signoria.games.patrician.view import View, view
from signoria.games.patrician.words import habits
from signoria.games.patrician.words.clauses import CLAUSES, REASONS
from signoria.games.patrician.words.drawing import draw
from signoria.games.patrician.words.events import Event, events
from signoria.games.patrician.words.names import asks, seat_name
from signoria.games.patrician.words.offer import INTRO, OPTION_LABELS, PLAYERS_NOTE
from signoria.games.patrician.words.rulings import RULINGS
from signoria.games.patrician.words.sheet import score_of
from signoria.games.patrician.words.telling import TELLING
from signoria.kernel import game as kernel
from signoria.kernel.clauses import Note, Refusal
from signoria.kernel.compiled import in_python, plain
from signoria.kernel.language import Message, Told, capital
from signoria.kernel.layout import Records
from signoria.kernel.position import Position
from signoria.kernel.scores import Outcome, Score
from signoria.kernel.shuffle import FairStream


class Options(kernel.Options, frozen=True, forbid_unknown_fields=True):
    """What a table of Patrician agreed on."""

    messengers: bool = False
    ambassadors: bool = False
    tokens: Literal["open", "hidden"] = "open"
    """Whether tokens won lie open or face down (P24)."""


def _box(options: Options, components: Components, figures: Mapping[str, Any] | None = None) -> Records:
    """The record of what is fixed at a table, with the printed figures or others."""
    return set_box(
        components,
        options.players,
        messengers=options.messengers,
        ambassadors=options.ambassadors,
        face_down=options.tokens == "hidden",
        figures=figures,
    )


_fair_deal = dealer(FairStream.below, plain)


class Patrician(kernel.Game[Step, View, Event]):
    """Patrician with Messengers and Ambassadors."""

    name = "patrician"
    title = "Patrician"
    version = "1"
    shuffle_label = "signoria/patrician/1"
    clauses = CLAUSES
    rulings = RULINGS
    win_clause = "P23"
    headlines = frozenset({"P17", "P20"})
    filler_words = frozenset({"floor", "site"})
    open_asks = frozenset({PLAYING, BUILDING, MOVING, TAKING, SENDING})
    rules = RULES
    state = STATE
    steps = STEPS
    numbering = NUMBERING
    most_legal = MOST_LEGAL
    kinds = KINDS
    columns = COLUMNS
    seats = range(2, 6)
    options_type = Options
    components_type = Components
    step_type = Step
    view_type = View
    event_type = Event
    order = 1
    intro = INTRO
    players_note = PLAYERS_NOTE
    first_players = 2
    option_labels = OPTION_LABELS
    own_components = OWN_DECK
    words = TELLING
    habit_titles = habits.TITLES

    def components(self, options: kernel.Options, own: Path | None = None) -> Components:
        """The box's own deck or an owner's, without Pistoia unless five play (P1)."""
        return in_play(load_deck(own) if own else standard(), options.players)

    def check_components(self, options: kernel.Options, components: msgspec.Struct) -> None:
        """Whether this can have lain on the table."""
        assert isinstance(components, Components)
        check_in_play(components, options.players, "components")

    def box(self, options: kernel.Options, components: msgspec.Struct) -> Records:
        """What is fixed at this table."""
        assert isinstance(options, Options)
        assert isinstance(components, Components)
        return _box(options, components)

    def redesigned(self, options: kernel.Options, figures: Mapping[str, Any]) -> tuple[Components, Records]:
        """The cards and the box of a changed `components.toml`."""
        assert isinstance(options, Options)
        components = redesigned(figures, options.players)
        return components, _box(options, components, figures)

    def fair_deal(self, position: Position, stream: FairStream) -> dict[str, Any]:
        """P3, P6 from the fair stream; the deal as a record carries it."""
        s, box = position.state, position.box
        _fair_deal(s, box, stream)
        return {
            "first": s.first,
            "hands": [[CARD_IDS[card] for card in s.hand[seat]] for seat in range(box.players)],
            "display": {CITY_IDS[city]: CARD_IDS[s.display[city]] for city in range(box.cities)},
            "pile": [CARD_IDS[card] for card in s.pile[s.drawn : box.cards]],
        }

    def seat_name(self, seat: int) -> str:
        """A seat by the colour it builds in (P5)."""
        return seat_name(seat)

    def number_of(self, step: Step) -> int:
        """The number of a step."""
        return number_of(step)

    def explain(self, reason: int, step: Step, position: Position) -> Refusal:
        """A reason of `refusal` in a sentence."""
        s = position.state
        match step:
            case Play(card):
                what = card
            case Move(city) | Take(city):
                what = city_name(city)
            case Messenger(between):
                here, there = map(city_name, between)
                what = say("the road between {here} and {there}", here=here, there=there)
            case _:
                what = say("That")
        city = city_name(CITY_IDS[s.city]) if s.city != NONE else ""
        clause, says = REASONS[reason]
        return Refusal(clause, capital(say(says, what=what, city=city, asked=self.asked(position))))

    def chapter(self, position: Position) -> Message:
        """The turn that is being played."""
        return later("Turn {number}", number=int(position.state.turn) + 1)

    def turn_clause(self, position: Position) -> str:
        """Turns go clockwise."""
        return "P6"

    def asked(self, position: Position) -> str:
        """What the seat in turn is asked for."""
        s = position.state
        city = city_name(CITY_IDS[s.city]) if s.city != NONE else ""
        return asks(s.asked, city)

    def events(self, before: Position, after: Position, step: Step) -> tuple[Event, ...]:
        """What a step brought about."""
        return events(before, after, step)

    def revealed(self, before: Position, after: Position) -> Told | None:
        """A card of the pile that a step turned up (P16)."""
        was, now = before.state, after.state
        if was.drawn == now.drawn:
            return None
        card = CARD_IDS[was.pile[was.drawn]]
        return later("You cannot undo this any more: {card} has been turned up from the pile (P16).", card=card)

    def view(
        self,
        known: Position,
        shown: Position,
        components: msgspec.Struct,
        seat: int,
        legal: Sequence[Step],
        memory_aid: bool,
    ) -> View:
        """What a seat sees."""
        assert isinstance(components, Components)
        return view(known, shown, components, seat, legal, memory_aid)

    def scores(self, position: Position) -> tuple[Score, ...]:
        """Every seat's score, each part with its clause."""
        rows = position.sheet().tolist()
        return tuple(score_of(position.state, position.box, row, seat) for seat, row in enumerate(rows))

    def unused_parts(self, options: kernel.Options) -> frozenset[str]:
        """Points of messengers, at a table without them."""
        assert isinstance(options, Options)
        return frozenset() if options.messengers else frozenset({"M5", "M6"})

    def hidden_scores(self, options: kernel.Options) -> Note | None:
        """P24: tokens may lie face down."""
        assert isinstance(options, Options)
        return Note(say("The others' tokens lie face down"), "P24") if options.tokens == "hidden" else None

    def ahead(self, sheet: Any, seat: int, other: int) -> bool:
        """P23, for two seats."""
        return bool(in_python(beats)(sheet, seat, other))

    def habits(self, events: Sequence[Event], seat: int) -> dict[str, Sequence[str]]:
        """What a profile counts."""
        return habits.habits(events, seat)

    def habit_name(self, kind: str, thing: str) -> str:
        """What it counts, in words."""
        return city_name(thing)

    def outcome(self, scores: Sequence[Score], winners: tuple[int, ...]) -> Outcome:
        """P23: by points, by floors, or shared."""
        best = scores[winners[0]]
        level = [score for score in scores if score.total == best.total]
        if len(winners) > 1:
            return Outcome(winners, say("victory shared: level on points and on floors (P23)"))
        if len(level) > 1:
            return Outcome(winners, say("level on points, fewest floors on the board (P23)"))
        return Outcome(winners, say("most points (P23)"))

    def buttons(self, view: View) -> tuple[Step, ...]:
        """All legal steps, to do nothing last."""
        return tuple(sorted(view.legal, key=lambda step: isinstance(step, Stay | Keep)))

    def draw(self, view: View) -> Text:
        """A view as text."""
        return draw(view)


PATRICIAN = Patrician()
