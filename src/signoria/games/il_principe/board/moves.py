"""How the pieces of Il Principe move: crests, cards, ducats and roles go from the giver to the receiver."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from signoria.games.il_principe.rulebook.components import COLOUR_IDS
from signoria.games.il_principe.rulebook.steps import Offer
from signoria.games.il_principe.view import View
from signoria.games.il_principe.words.events import (
    AuctionOpened,
    BidMade,
    BuildingsPlayed,
    BuildingTurnedUp,
    CardLaid,
    CityFounded,
    CityTurnedUp,
    CrestPlaced,
    LotsTurnedUp,
    LotWon,
    RolePoints,
    RoleTaken,
    RoundBegan,
)
from signoria.web.models import RecentStep
from signoria.web.moves import PieceMove, StepMoves, slides

PILE = ("pile-backs", "pile")


def find_moves(view: View, steps: Sequence[RecentStep]) -> list[StepMoves]:
    """The moves of each step, as this viewer sees them."""
    backwards = _Backwards(view, steps)
    return [backwards.moves(step) for step in reversed(steps)][::-1]


class _Backwards:
    """Goes back from what is drawn now, step by step. Cards, crests and offers that look the same are numbered on the
    page, so a piece is known by how many there are; these counters say how many there were after each step.
    """

    def __init__(self, view: View, steps: Sequence[RecentStep]) -> None:
        self._view, self._seat = view, view.seat
        self._hand = defaultdict(int, (view.players[view.seat].hand if view.seat is not None else None) or {})
        self._laid = [player.laid for player in view.players]
        self._crests = [defaultdict(int, player.crests) for player in view.players]
        self._cities = {city.id: city.cards for city in view.components.cities}
        self._founded = _founded(steps)
        self._settled: set[str] = set()
        """Groups of pieces that have made room already, in a later step."""

    def moves(self, step: RecentStep) -> StepMoves:
        """The moves of a step; those of all later ones have been asked for before."""
        told: list[PieceMove] = []
        aside: list[PieceMove] = []
        for event in reversed(step.events):
            told[:0] = self._moves(step, event)
            aside += self._aside(event)
        return StepMoves(step.k, (*told, *aside))

    def _moves(self, step: RecentStep, event: Any) -> Iterator[PieceMove]:
        match event:
            case CardLaid(_, seat):
                yield from self._lay(seat, step.step)
            case BidMade(_, seat, ducats):
                yield PieceMove(f"coin-{seat}-{ducats}", places=(f"ducats-{seat}", f"player-{seat}"), sound="coin")
            case BuildingsPlayed(_, seat, colour, count):
                yield from self._build(seat, {colour: count})
            case CityFounded(_, seat, city):
                yield from self._build(seat, self._cities[city])
                yield self._leaving(city)
            case CrestPlaced(clause, seat, region):
                yield self._crest(seat, region)
                if clause == "I17" and step.k in self._founded:
                    yield self._leaving(self._founded[step.k])
            case BuildingTurnedUp(_, seat, colour):
                yield _pulse(seat, colour)
            case RoundBegan(cards=cards) if cards:
                yield from self._draw()
            case LotsTurnedUp(_, lots):
                places = PILE if self._view.last_round else ("voices",)
                yield from (PieceMove(f"lot-{colour}", places=places, sound="card") for colour in lots)
            case AuctionOpened():
                yield from self._open(step.events)
            case LotWon(_, seat, colour, count):
                yield from self._win(seat, colour, count)
                yield PieceMove("prince", how="crown", sound="coin")
            case RoleTaken():
                yield from self._take(event)
            case CityTurnedUp(_, city):
                yield PieceMove(f"city-{city}", places=("city-pile-backs", "city-pile"), sound="card")
            case _:
                pass

    def _lay(self, seat: int, step: Any) -> Iterator[PieceMove]:
        """A card goes face down before its family. Only those who laid it know which one it was."""
        self._laid[seat] -= 1
        laid = f"laid-{seat}-{self._laid[seat]}"
        if isinstance(step, Offer):
            self._hand[step.colour] += 1
            own = f"hand-{step.colour}-{self._hand[step.colour]}"
            yield PieceMove(laid, was=own, to=(f"voice-{seat}",), sound="card")
        elif self._laid[seat] >= 0:  # otherwise all cards have been turned up since
            yield PieceMove(laid, places=(f"cards-{seat}", f"player-{seat}"), sound="card")

    def _build(self, seat: int, cards: dict[str, int]) -> Iterator[PieceMove]:
        for colour, count in cards.items():
            if seat == self._seat:
                for _ in range(count):
                    self._hand[colour] += 1
                    to = f"built-{seat}-{colour}", f"player-{seat}"
                    yield PieceMove(f"hand-{colour}-{self._hand[colour]}", to=to, sound="card")
            yield _pulse(seat, colour)

    def _leaving(self, city: str) -> PieceMove:
        """A city card goes to its town when all crests of its founding are placed (I19)."""
        return PieceMove(f"city-{city}", to=(f"town-{city}",), sound="card")

    def _crest(self, seat: int, region: str) -> PieceMove:
        self._crests[seat][region] -= 1
        crest = f"crest-{seat}-{region}-{self._crests[seat][region]}"
        return PieceMove(crest, places=(f"arms-{seat}", f"player-{seat}"), sound="stone")

    def _draw(self) -> list[PieceMove]:
        """The viewer's new cards come from the pile; which ones are new, the page sees by where they were before."""
        return [PieceMove(card, places=PILE, sound="card") for card in self._cards()]

    def _open(self, events: Sequence[Any]) -> Iterator[PieceMove]:
        """The next lot comes to the front, unless it has just been turned up there."""
        auction = self._view.auction
        if auction and auction.cards and not any(isinstance(event, LotsTurnedUp) for event in events):
            yield PieceMove(f"lot-{auction.colour}", sound="card")

    def _win(self, seat: int, colour: str, count: int) -> Iterator[PieceMove]:
        if seat != self._seat:
            yield PieceMove(f"lot-{colour}", to=(f"cards-{seat}", f"player-{seat}"), sound="card")
            return
        for _ in range(count):
            yield PieceMove(f"hand-{colour}-{self._hand[colour]}", places=(f"lot-{colour}", *PILE), sound="card")
            self._hand[colour] -= 1

    def _take(self, event: RoleTaken) -> Iterator[PieceMove]:
        seat = event.seat
        yield PieceMove(f"office-{event.role.lower()}-{seat}", places=(f"arms-{seat}", f"player-{seat}"), sound="stone")
        if event.turned_down:
            yield _pulse(seat, event.colour)
        if event.ducats:
            yield PieceMove("prince", how="crown", sound="coin")
        if event.colour == "red" and seat == self._seat:
            yield from self._draw()

    def _aside(self, event: Any) -> Iterator[PieceMove]:
        """Pieces that make room or close up. Those of the latest step are enough: nothing is drawn in between."""
        match event:
            case CardLaid(_, seat) | BuildingsPlayed(_, seat) | LotWon(_, seat) if seat == self._seat:
                yield from self._once("hand", self._cards())
            case CityFounded(_, seat):
                yield from self._once("scores", self._markers())
                yield from self._once("hand", self._cards() if seat == self._seat else [])
            case RolePoints() | RoleTaken():
                yield from self._once("scores", self._markers())
            case CrestPlaced(_, _, region):
                yield from self._once(region, self._all_crests(region))
            case CityTurnedUp():
                yield from self._once("cities", [f"city-{city}" for city in self._view.cities])
            case AuctionOpened():
                yield from self._once("lots", [f"lot-{colour}" for colour in self._view.lots])
            case _:
                pass

    def _once(self, group: str, pieces: Sequence[str]) -> list[PieceMove]:
        if group in self._settled or not pieces:
            return []
        self._settled.add(group)
        return slides(pieces)

    def _cards(self) -> list[str]:
        """The viewer's hand as it is drawn."""
        hand = (self._view.players[self._seat].hand if self._seat is not None else None) or {}
        return [f"hand-{colour}-{n}" for colour in COLOUR_IDS for n in range(1, hand.get(colour, 0) + 1)]

    def _markers(self) -> list[str]:
        return [f"score-{player.seat}" for player in self._view.players]

    def _all_crests(self, region: str) -> list[str]:
        return [
            f"crest-{player.seat}-{region}-{n}"
            for player in self._view.players
            for n in range(player.crests.get(region, 0))
        ]


def _pulse(seat: int, colour: str) -> PieceMove:
    return PieceMove(f"built-{seat}-{colour}", how="pulse", sound="card")


def _founded(steps: Sequence[RecentStep]) -> dict[int, str]:
    """The city that was founded last, as of each step."""
    founded: dict[int, str] = {}
    city = ""
    for step in steps:
        for event in step.events:
            if isinstance(event, CityFounded):
                city = event.city
        if city:
            founded[step.k] = city
    return founded
