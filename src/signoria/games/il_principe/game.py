"""Il Principe as the kernel knows it: the rulebook with its names and sentences."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec
from rich.text import Text

from signoria.games.il_principe.orders import PrincipeOrders
from signoria.games.il_principe.rulebook import RULES
from signoria.games.il_principe.rulebook.components import (
    CITY_IDS,
    COLOUR_IDS,
    OWN_CITIES,
    REGION_IDS,
    Components,
    check_in_play,
    city_name,
    load_cities,
    region_name,
    set_box,
    standard,
)
from signoria.games.il_principe.rulebook.deal import begin, shuffler
from signoria.games.il_principe.rulebook.design import redesigned
from signoria.games.il_principe.rulebook.reasons import GAME_OVER
from signoria.games.il_principe.rulebook.rounds import may_found, missing_cards
from signoria.games.il_principe.rulebook.scoring import COLUMNS, beats
from signoria.games.il_principe.rulebook.state import (
    ACTING,
    BIDDING,
    CRESTING,
    FOUNDING,
    KINDS,
    NONE,
    OFFERING,
    STATE,
    TURNING,
)
from signoria.games.il_principe.rulebook.steps import (
    MOST_LEGAL,
    NUMBERING,
    STEPS,
    Bid,
    Crest,
    Decline,
    Found,
    Offer,
    Pass,
    Play,
    Step,
    Turn,
    number_of,
)
from signoria.games.il_principe.texts import later, say
from signoria.games.il_principe.view import View, view
from signoria.games.il_principe.words import amounts, habits
from signoria.games.il_principe.words.clauses import CLAUSES, REASONS
from signoria.games.il_principe.words.consequences import end_clause, events
from signoria.games.il_principe.words.drawing import draw
from signoria.games.il_principe.words.events import (
    Event,
    RoundBegan,
    brief_chapter_name,
    chapter_name,
    chapters_of,
    round_name,
)
from signoria.games.il_principe.words.names import ASKS_WITHOUT_CITIES, ROLE_NAMES, asks, seat_name
from signoria.games.il_principe.words.offer import INTRO, OPTION_LABELS, PLAYERS_NOTE, players_rules
from signoria.games.il_principe.words.rulings import RULINGS
from signoria.games.il_principe.words.sheet import scores_of, tie_in_words
from signoria.games.il_principe.words.telling import TELLING
from signoria.kernel import game as kernel
from signoria.kernel.clauses import Note, Refusal
from signoria.kernel.compiled import in_python, plain
from signoria.kernel.language import Told, all_of
from signoria.kernel.layout import Records
from signoria.kernel.position import Position
from signoria.kernel.scores import Outcome, Score
from signoria.kernel.shuffle import FairStream
from signoria.kernel.words import sentence


class Options(kernel.Options, frozen=True, forbid_unknown_fields=True):
    """What a table of Il Principe agreed on."""

    variant: bool = False
    """More money, and cities from the first round on (I5)."""


NEXT_BIDS = 3
"""Bids that have a button each."""

_fair_shuffle = shuffler(FairStream.below, plain)


class IlPrincipe(kernel.Game[Step, View, Event]):
    """Il Principe with its two-player rules and its money variant."""

    name = "il-principe"
    title = "Il Principe"
    version = "1"
    shuffle_label = "signoria/il-principe/1"
    clauses = CLAUSES
    rulings = RULINGS
    win_clause = "I44"
    open_asks = frozenset({BIDDING, CRESTING, TURNING})
    filler_words = frozenset({"ducat", "ducats"})
    headlines = frozenset({"I10", "I14", "I17", "I21", "I22", "I30", "I31", "I32"})
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
    order = 2
    intro = INTRO
    players_note = PLAYERS_NOTE
    memory_aid = False  # ducats are hidden (I10)
    option_labels = OPTION_LABELS
    own_components = OWN_CITIES
    section_start = RoundBegan
    standing_orders = PrincipeOrders()
    number_fields = MappingProxyType({"bid": Bid})
    words = TELLING
    habit_titles = habits.TITLES

    def players_rules(self, options: kernel.Options) -> Note:
        """I4, I10, I11, I31: what everyone draws, takes and offers with this many players."""
        assert isinstance(options, Options)
        return players_rules(options.players, variant=options.variant)

    def components(self, options: kernel.Options, own: Path | None = None) -> Components:
        """The box's own city cards or an owner's."""
        return load_cities(own) if own else standard()

    def check_components(self, options: kernel.Options, components: msgspec.Struct) -> None:
        """Whether this can have lain on the table."""
        assert isinstance(components, Components)
        check_in_play(components, "components")

    def box(self, options: kernel.Options, components: msgspec.Struct) -> Records:
        """What is fixed at this table."""
        assert isinstance(options, Options)
        assert isinstance(components, Components)
        return set_box(components, options.players, variant=options.variant)

    def redesigned(self, options: kernel.Options, figures: Mapping[str, Any]) -> tuple[Components, Records]:
        """The city cards and the box of a changed `components.toml`."""
        assert isinstance(options, Options)
        components = redesigned(figures, options.players, variant=options.variant)
        return components, set_box(components, options.players, variant=options.variant, figures=figures)

    def fair_deal(self, position: Position, stream: FairStream) -> dict[str, Any]:
        """I2, I3 from the fair stream; the shuffle as a record carries it. The first income follows."""
        s, box = position.state, position.box
        _fair_shuffle(s, box, stream)
        setup = {
            "principe": s.principe,
            "buildings": [COLOUR_IDS[colour] for colour in s.pile[: box.buildings]],
            "cities": [CITY_IDS[city] for city in s.city_pile[s.turned_up : box.cities]],
            "display": [CITY_IDS[city] for city in s.display],
        }
        position.call(begin)
        return setup

    def seat_name(self, seat: int) -> str:
        """A seat by its family (I1)."""
        return seat_name(seat)

    def number_of(self, step: Step) -> int:
        """The number of a step."""
        return number_of(step)

    def explain(self, reason: int, step: Step, position: Position) -> Refusal:
        """A reason of `refusal` in a sentence."""
        s, box = position.in_lists()
        hand = s.hand[s.seat]
        told: dict[str, object] = {"asked": self.asked(position), "bid": s.bid, "ducats": s.ducats[s.seat]}
        match step:
            case Offer(colour) | Turn(colour):
                told["what"] = amounts.colour_name(colour)
            case Bid(ducats):
                told["what"] = ducats
            case Play(colour, _):
                told |= {"what": amounts.colour_name(colour), "have": hand[COLOUR_IDS.index(colour)]}
            case Crest(region):
                told["what"] = region_name(region)
                if s.founding != NONE:
                    touching = [REGION_IDS[r] for r, touches in enumerate(box.touches[s.founding]) if touches]
                    told |= {
                        "city": city_name(CITY_IDS[s.founding]),
                        "regions": all_of([region_name(region) for region in touching]),
                    }
            case Found(city):
                number = CITY_IDS.index(city)
                lacks = [
                    in_python(missing_cards)(position.state, position.box, s.seat, number, c)
                    for c in range(len(COLOUR_IDS))
                ]
                told |= {
                    "what": city_name(city),
                    "cost": box.ducats[number],
                    "missing": amounts.by_colour(dict(zip(COLOUR_IDS, lacks, strict=True))),
                    "display": ", ".join(city_name(CITY_IDS[c]) for c in s.display if c != NONE) or say("nothing"),
                }
            case _:
                pass
        clause, says = REASONS[reason]
        return Refusal(end_clause(s, box) if reason == GAME_OVER else clause, say(says, **told))

    def chapter(self, position: Position) -> Told:
        """The phase that is being played."""
        s = position.state
        return chapter_name(s.round_number, s.phase, bool(s.last))

    def brief_chapter(self, position: Position) -> Told:
        """The phase, without saying that the round is the last one."""
        return brief_chapter_name(position.state.round_number, position.state.phase)

    def chapter_group(self, position: Position) -> Told:
        """The round."""
        return round_name(position.state.round_number)

    def chapters(self, before: Position, events: Sequence[Event]) -> tuple[Told, ...]:
        """The phase in which each event happened: a step can end a phase, or a round."""
        s = before.state
        return chapters_of(events, s.round_number, s.phase, bool(s.last))

    def turn_clause(self, position: Position) -> str:
        """Who is asked follows from the phase."""
        s = position.state
        if s.founding != NONE:
            return "I17"
        if s.asked == BIDDING and s.phase == 4:
            return "I22"
        return {OFFERING: "I11", BIDDING: "I13", FOUNDING: "I14", ACTING: "I16"}.get(s.asked, "I23")

    def asked(self, position: Position) -> str:
        """What the seat in turn is asked for."""
        s = position.state
        if s.asked == ACTING and not in_python(may_found)(s, position.box):
            return say(ASKS_WITHOUT_CITIES)
        lot = s.phase == 2 and s.colour != NONE
        cards = int(s.lot[s.colour]) if lot else 0
        what = amounts.lot(COLOUR_IDS[s.colour], cards, ROLE_NAMES[s.role][s.colour]) if s.asked == BIDDING else ""
        return asks(s.asked, what)

    def events(self, before: Position, after: Position, step: Step) -> tuple[Event, ...]:
        """What a step brought about."""
        return events(before, step)

    def revealed(self, before: Position, after: Position) -> Told | None:
        """Cards that a step drew or turned up (I10, I12, I19, I23)."""
        was, now = before.state, after.state
        if was.asked == BIDDING and was.phase == 2 and now.lot[was.colour] == 0:
            winner_shown = now.principe != was.seat and in_python(may_found)(was, before.box)
            if winner_shown:
                return later("The auction is over and has shown whether its winner can afford a city (I14).")
        if was.laid.any() and not now.laid.any():
            return later("Everyone has laid their cards, and they are face up now (I12).")
        if was.drawn != now.drawn:
            return later("Cards have been drawn since then (I10, I23).")
        if was.turned_up != now.turned_up:
            return later("A new city has been turned up since then (I19).")
        return None

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
        return scores_of(position)

    def ahead(self, sheet: Any, seat: int, other: int) -> bool:
        """I44, for two seats."""
        return bool(in_python(beats)(sheet, seat, other))

    def habits(self, events: Sequence[Event], seat: int) -> dict[str, Sequence[str]]:
        """What a profile counts."""
        return habits.habits(events, seat)

    def habit_name(self, kind: str, thing: str) -> str:
        """What it counts, in words."""
        return habits.habit_name(kind, thing)

    def outcome(self, scores: Sequence[Score], winners: tuple[int, ...]) -> Outcome:
        """I44: by points, by buildings, by the first major role, or shared."""
        best, told = scores[winners[0]], sentence(partial(tie_in_words, scores, winners))
        level = [score for score in scores if score.total == best.total]
        most = [score for score in level if score.also == best.also]
        if len(winners) > 1:
            shared = say("victory shared: level on points and buildings, and no major role decides (I44)")
            return Outcome(winners, shared, told)
        if len(most) > 1:
            return Outcome(winners, say("level on points and buildings, first major role (I44)"), told)
        if len(level) > 1:
            return Outcome(winners, say("level on points, most buildings in play (I44)"), told)
        return Outcome(winners, say("most points (I44)"), told)

    def buttons(self, view: View) -> tuple[Step, ...]:
        """Legal steps, to do nothing last. Of bids only the next ones: there is a field for the others."""
        bids = [step for step in view.legal if isinstance(step, Bid)]
        nothing = [step for step in view.legal if isinstance(step, Pass | Decline)]
        others = [step for step in view.legal if not isinstance(step, Bid | Pass | Decline)]
        return (*bids[:NEXT_BIDS], *others, *nothing)

    def draw(self, view: View) -> Text:
        """A view as text."""
        return draw(view)


IL_PRINCIPE = IlPrincipe()
