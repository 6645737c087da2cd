"""Lampioni as Signoria knows it: the rules with their names and sentences."""

from collections.abc import Sequence
from types import MappingProxyType
from typing import Any, Literal

import msgspec

from lampioni import rulebook
from signoria.kernel import game as kernel
from signoria.kernel.clauses import Clause, Reason
from signoria.kernel.compiled import in_python, plain
from signoria.kernel.numbering import Numbering
from signoria.kernel.options import OptionLabel
from signoria.kernel.position import Position
from signoria.kernel.shuffle import FairStream
from signoria.kernel.view import SeatView
from signoria.kernel.words import Naming, ToldEvent, counted

CARDS = tuple(f"{colour}-{number}" for colour in ("red", "gold", "green", "blue") for number in range(1, 7))
CLAUSES = (
    Clause("L1", "Two to four play, with 24 lantern cards: red, gold, green and blue, each numbered 1 to 6."),
    Clause("L2", "Everybody is dealt five cards, in a long evening six. Nobody sees the others' cards or the rest."),
    Clause("L3", "In a round everybody in turn plays a card onto the street. Lots decide who leads the first round."),
    Clause("L4", "Then everybody takes one for their window: the highest number first, of equal ones the earlier."),
    Clause("L5", "The last to choose leads the next round. The game ends when all cards are played."),
    Clause("L6", "1, 2, 3, 4, 5 or 6 lanterns of one colour count 1, 3, 6, 10, 15 or 21 points."),
    Clause("L7", "A window with all four colours counts 5 points more."),
    Clause("L8", "The player with the most points wins. Players with equally many share the victory."),
)
REASONS = {
    rulebook.GAME_OVER: Reason("L5", "The game is over."),
    rulebook.NOT_ASKED: Reason("L4", "Everybody plays a card first, then everybody takes one."),
    rulebook.NOT_IN_HAND: Reason("L3", "You do not have {card}."),
    rulebook.NOT_ON_STREET: Reason("L4", "There is no {card} on the street."),
}


class Options(kernel.Options, frozen=True, forbid_unknown_fields=True):
    """What a table agreed on."""

    long: bool = False


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Play a card onto the street (L3), or take one from there for your window (L4)."""

    do: Literal["play", "take"]
    card: str

    def __str__(self) -> str:
        return f"{self.do} {self.card}"


class Moved(ToldEvent, frozen=True):
    """A card was played or taken."""

    seat: int
    step: Step

    def told(self, name: Naming) -> str:
        return f"{name(self.seat)} {self.step.do}s {self.step.card}."


class PlayerView(msgspec.Struct, frozen=True):
    """A player as a seat sees them; the cards in other hands are None."""

    points: int
    played: str | None
    window: tuple[str, ...]
    hand: tuple[str | None, ...]


class View(SeatView, frozen=True, kw_only=True):
    """What a seat sees."""

    game: str = "lampioni"
    seat: int | None
    turn: int | None
    rounds_left: int
    street: tuple[str, ...]
    players: tuple[PlayerView, ...]
    legal: tuple[Step, ...]


class Lampioni(kernel.Game[Step, View, Moved]):
    """What Signoria asks about the game; everything that is not here has a default."""

    name, title, version, shuffle_label = "lampioni", "Lampioni", "1", "lampioni/1"
    intro = "Play paper lanterns onto the street and take the best for your window. High cards choose first."
    clauses, reasons, win_clause = CLAUSES, REASONS, "L8"
    asks = MappingProxyType({rulebook.PLAYING: "play a card", rulebook.TAKING: "take a lantern"})
    open_asks = frozenset(asks)
    rules, state, box_layout, kinds = rulebook.RULES, rulebook.STATE, rulebook.BOX, 3
    steps, most_legal, seats = rulebook.STEPS, 6, range(2, rulebook.SEATS + 1)
    numbering = Numbering(*(Step("play", card) for card in CARDS), *(Step("take", card) for card in CARDS))
    columns, score_parts = rulebook.COLUMNS, MappingProxyType({"matching": "L6", "variety": "L7"})
    options_type, step_type, view_type, event_type = Options, Step, View, Moved
    option_labels = (OptionLabel("long", "Long evening", "Six rounds instead of five.", "L2"),)

    def fair_deal(self, position: Position, stream: FairStream) -> dict[str, Any]:
        """L2 and L3 from the fair stream."""
        rulebook.dealer(FairStream.below, plain)[1](position.state, position.box, stream)
        s, box = position.in_lists()
        return {"leader": s.leader, "hands": [cards_at(s, seat) for seat in range(box.players)]}

    def chapter(self, position: Position) -> str:
        return f"{counted(position.state.rounds, 'round')} to go"

    def events(self, before: Position, after: Position, step: Step) -> tuple[Moved, ...]:
        return (Moved("L3" if step.do == "play" else "L4", before.seat, step),)

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
        (s, box), sheet = shown.in_lists(), shown.sheet()
        players = range(box.players)
        return View(
            seat=seat if seat in players else None,
            turn=s.seat if s.asked else None,
            rounds_left=s.rounds,
            street=cards_at(s, rulebook.STREET),
            players=tuple(
                PlayerView(
                    points=int(sheet[player, rulebook.TOTAL]),
                    played=CARDS[s.played[player]] if s.played[player] >= 0 else None,
                    window=cards_at(s, rulebook.WINDOW + player),
                    hand=cards_at(s, player) or (None,) * in_python(rulebook.hand_size)(s, player),
                )
                for player in players
            ),
            legal=tuple(legal),
        )


def cards_at(s: Any, place: int) -> tuple[str, ...]:
    """The names of the cards at a place."""
    return tuple(card for card, where in zip(CARDS, s.place, strict=True) if where == place)


LAMPIONI = Lampioni()
