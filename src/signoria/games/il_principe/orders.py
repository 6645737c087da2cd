"""What players can decide in advance: limits for auctions (I13, I22), cards to lay (I11), a city to found (I14)."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement

from signoria.games.il_principe.rulebook.components import CITY_IDS, COLOUR_IDS, REGION_IDS, city_name, region_name
from signoria.games.il_principe.rulebook.reasons import CARDS_MISSING, DUCATS_MISSING, LEGAL
from signoria.games.il_principe.rulebook.rules import crests_to_place, to_lay
from signoria.games.il_principe.rulebook.state import BIDDING, CRESTING, FOUNDING, OFFERING
from signoria.games.il_principe.rulebook.steps import Bid, Crest, Found, Offer, Pass, Step, number_of
from signoria.games.il_principe.texts import say, say_count
from signoria.games.il_principe.view import Auction, View
from signoria.games.il_principe.words import amounts
from signoria.kernel.clauses import Refusal
from signoria.kernel.compiled import in_python
from signoria.kernel.orders import Lot, StandingOrders
from signoria.kernel.position import Position

OFFER, FOUND = "offer", "found"
"""The early choices: cards to lay face down, and a city to found after winning a lot."""
OFFERS = tuple(map(Offer, COLOUR_IDS))


class PrincipeOrders(StandingOrders[Step, View]):
    """A lot is named by its colour, a role by its name."""

    asks = frozenset({OFFERING, BIDDING, FOUNDING, CRESTING})
    together = frozenset({OFFER})

    def coins(self, count: int) -> str:
        """Bids are in ducats."""
        return amounts.ducats_as_object(count)

    def round_of(self, position: Position) -> int:
        """Rounds are counted from 1."""
        return int(position.state.round_number)

    def lots(self, view: View) -> list[Lot]:
        """The auction that goes on, if the seat is still in it, and the lots that come later.

        Before the cards are turned up (I12), there may be a lot of any colour.
        """
        if view.asked == "offer":
            return [Lot(colour, False) for colour in COLOUR_IDS]
        auction, now = view.auction, self.lot_now(view)
        present = [Lot(now, True)] if auction and view.seat in auction.bidding else []
        return present + [Lot(colour, False) for colour in view.lots if colour != now]

    def lot_now(self, view: View) -> str:
        """The colour or the role that is auctioned."""
        return _name_of(view.auction) if view.auction else ""

    def purse(self, view: View) -> int:
        """The seat's ducats."""
        return view.players[view.seat or 0].ducats or 0

    def bid(self, view: View, most: Mapping[str, int]) -> Step | None:
        """The least raise up to the maximum, or a pass."""
        if view.auction is None or view.seat is None:
            return None
        limit = most.get(_name_of(view.auction))
        if limit is None or view.auction.spoken[view.seat] > limit:
            return None
        raises = [step for step in view.legal if isinstance(step, Bid) and step.ducats <= limit]
        return min(raises, key=lambda step: step.ducats) if raises else Pass()

    def choices(self, view: View) -> tuple[str, ...]:
        """I11: the cards, until they are laid; I14: the city, until all lots are sold."""
        if view.seat is None or view.turn is None:
            return ()
        cards = (OFFER,) if view.to_lay else ()
        return (*cards, FOUND) if view.may_found and view.cities and view.phase <= 2 else cards

    def choice_now(self, view: View) -> str:
        """The crests of a city belong to founding it (I17)."""
        if view.asked == "offer":
            return OFFER
        lot_won = view.asked == "found" or (view.asked == "crest" and view.founding is not None and view.phase == 2)
        return FOUND if lot_won else ""

    def refuse(self, view: View, choice: str, steps: Sequence[Step]) -> Refusal | None:
        """What the rules say about the position in which this seat is asked."""
        if choice not in self.choices(view):
            clause = "I14" if choice == FOUND else "I11"
            return Refusal(clause, say("You cannot choose {choice!r} in advance now.", choice=choice[:40]))
        return _refuse_offer(view, steps) if choice == OFFER else _refuse_found(view, steps)

    def steps(self, view: View, choice: str) -> tuple[Step, ...]:
        """A card of each colour in hand; each face-up city."""
        if choice not in self.choices(view):
            return ()
        if choice == FOUND:
            return tuple(Found(city) for city in view.cities)
        position = _asked(view, OFFERING)
        return tuple(step for step in OFFERS if position.refusal(number_of(step)) == LEGAL)

    def plans(self, view: View, choice: str) -> list[tuple[Step, ...]]:
        """Cards of each combination of colours; each city, alone or with regions for all its crests."""
        if choice not in self.choices(view):
            return []
        if choice == FOUND:
            return list(_foundings(view))
        each = combinations_with_replacement(self.steps(view, choice), view.to_lay)
        return [steps for steps in each if _refuse_offer(view, steps) is None]

    def in_words(self, choice: str, steps: Sequence[Step]) -> str:
        """Cards by colour; a city with the regions of its crests."""
        if choice == OFFER:
            cards = Counter(step.colour for step in steps if isinstance(step, Offer))
            return say("lay {cards} face down", cards=amounts.by_colour(cards))
        city = next(city_name(step.city) for step in steps if isinstance(step, Found))
        regions = [region_name(step.region) for step in steps if isinstance(step, Crest)]
        if not regions:
            return say("found {city}", city=city)
        return say("found {city} with crests on {regions}", city=city, regions=", ".join(regions))

    def choosing(self, position: Position) -> tuple[int, ...]:
        """I11: everyone lays cards at the same time; how many each has laid is public."""
        if position.asked != OFFERING:
            return ()
        s, box = position.state, position.box
        return tuple(seat for seat in range(box.players) if in_python(to_lay)(s, box, seat) > 0)


def _name_of(auction: Auction) -> str:
    return auction.colour if auction.what == "lot" else auction.what


def _asked(view: View, asked: int) -> Position:
    """The position as this seat knows it, but this seat is asked."""
    position = view.known.copy()
    position.state.asked, position.state.seat = asked, view.seat
    return position


def _refuse_offer(view: View, steps: Sequence[Step]) -> Refusal | None:
    """I11: as many cards as this seat still has to lay, all of them in its hand."""
    if len(steps) != view.to_lay:
        says = say_count("Select {n} card to lay face down.", "Select {n} cards to lay face down.", view.to_lay)
        return Refusal("I11", says)
    position = _asked(view, OFFERING)
    for place, step in enumerate(steps, 1):
        refused = _refusal(position, step)
        if refused is not None:
            return refused
        if place < len(steps):  # after the last card the game would go on to what is hidden
            position.apply(number_of(step))
    return None


def _refuse_found(view: View, steps: Sequence[Step]) -> Refusal | None:
    """I14, I17: a face-up city, with regions for all its crests or for none. Whether the seat can pay for it shows later."""
    first, crests = steps[0] if steps else None, steps[1:]
    if not isinstance(first, Found) or not all(isinstance(step, Crest) for step in crests):
        return Refusal("I14", say("Choose a city, and then a region for each of its crests."))
    position = _asked(view, FOUNDING)
    reason = position.refusal(number_of(first))
    if reason not in (LEGAL, CARDS_MISSING, DUCATS_MISSING):
        return position.game.explain(reason, first, position)
    city, position = CITY_IDS.index(first.city), _asked(view, CRESTING)
    position.state.founding = city
    count = _crests(position, city)
    if len(crests) not in (0, count):
        says = say_count(
            "Choose a region for {n} crest of {city}, or for none.",
            "Choose a region for {n} crests of {city}, or for none.",
            count,
            city=city_name(first.city),
        )
        return Refusal("I17", says)
    refusals = (_refusal(position, step) for step in crests)
    return next((refused for refused in refusals if refused), None)


def _refusal(position: Position, step: Step) -> Refusal | None:
    reason = position.refusal(number_of(step))
    return position.game.explain(reason, step, position) if reason else None


def _crests(position: Position, city: int) -> int:
    s, box = position.state, position.box
    return int(in_python(crests_to_place)(s, box, s.seat, city))


def _foundings(view: View) -> Iterator[tuple[Step, ...]]:
    position = _asked(view, FOUNDING)
    for city in view.components.cities:
        if city.id in view.cities:
            yield from _founding(city.id, tuple(city.regions), _crests(position, CITY_IDS.index(city.id)))


@lru_cache(1024)
def _founding(city: str, regions: tuple[str, ...], crests: int) -> tuple[tuple[Step, ...], ...]:
    """Founding a city: alone, and with its crests on each combination of regions."""
    found: Step = Found(city)
    places: list[Step] = [Crest(region) for region in REGION_IDS if region in regions]
    with_crests = combinations_with_replacement(places, crests) if crests else ()
    return (found,), *((found, *each) for each in with_crests)
