"""The lessons of Il Principe: the last full round of a three-player game."""

from signoria.games.il_principe.board.words import ABILITIES
from signoria.games.il_principe.rulebook.components import FIGURES, city_name
from signoria.games.il_principe.rulebook.steps import Crest, Found, Play, Turn
from signoria.games.il_principe.view import Auction, View
from signoria.games.il_principe.words.events import (
    BidMade,
    BuildingsPlayed,
    BuildingTurnedUp,
    CardLaid,
    CityFounded,
    CrestPlaced,
    Declined,
    Event,
    LotWon,
    Passed,
    RoleTaken,
)
from signoria.games.il_principe.words.names import seat_name
from signoria.kernel.words import counted, spelled
from signoria.web.lessons import Lesson, Sight

STEPS = (CardLaid, BidMade, Passed, Declined, BuildingsPlayed, CityFounded, CrestPlaced, BuildingTurnedUp)
"""Events that are moves of a player."""


class Seen(Sight):
    """A situation of Il Principe."""

    view: View
    events: tuple[Event, ...]

    # Conditions of lessons

    @property
    def laid(self) -> bool:
        """Whether the learner has laid a card face down."""
        return any(isinstance(event, CardLaid) and event.seat == self.me for event in self.events)

    @property
    def lot(self) -> Auction | None:
        """The current auction of a lot."""
        return self.view.auction if self.view.auction and self.view.auction.cards else None

    @property
    def role(self) -> bool:
        """Whether a role is being auctioned."""
        return self.view.auction is not None and not self.view.auction.cards

    @property
    def lately(self) -> tuple[Event, ...]:
        """What happened since the learner's last move."""
        for place in reversed(range(len(self.events))):
            event = self.events[place]
            if isinstance(event, STEPS) and event.seat == self.me:
                return self.events[place:]
        return self.events

    @property
    def sold(self) -> LotWon | None:
        """A lot that another player won since then."""
        return next((event for event in self.lately if isinstance(event, LotWon) and event.seat != self.me), None)

    @property
    def founded(self) -> CityFounded | None:
        """A city that another player founded since then."""
        return next((event for event in self.lately if isinstance(event, CityFounded) and event.seat != self.me), None)

    @property
    def roles_taken(self) -> list[RoleTaken]:
        """Roles that were assigned since then."""
        return [event for event in self.lately if isinstance(event, RoleTaken)]

    # Words in sentences

    @property
    def family(self) -> str:
        """The learner's family."""
        return seat_name(self.me)

    @property
    def offers(self) -> str:
        """How many cards everyone lays face down."""
        return spelled(self.view.offers)

    @property
    def ducats(self) -> str:
        """The learner's money."""
        return counted(self.view.players[self.me].ducats or 0, "ducat")

    @property
    def cards(self) -> str:
        """The lot that is being auctioned."""
        return counted(self.lot.cards, f"{self.lot.colour} card") if self.lot else ""

    @property
    def bidder(self) -> str:
        """The highest bidder."""
        auction = self.view.auction
        return seat_name(auction.bidder) if auction and auction.bidder is not None else ""

    @property
    def bid(self) -> str:
        """The highest bid."""
        return counted(self.view.auction.bid, "ducat") if self.view.auction else ""

    @property
    def what(self) -> str:
        """The role that is being auctioned."""
        return self.view.auction.what if self.view.auction else ""

    @property
    def ability(self) -> str:
        """The ability of that role."""
        return ABILITIES[self.view.auction.colour] if self.view.auction else ""

    @property
    def buyer(self) -> str:
        """Who bought that lot."""
        return seat_name(self.sold.seat) if self.sold else ""

    @property
    def bought(self) -> str:
        """The lot and its price."""
        if not self.sold:
            return ""
        return f"{counted(self.sold.count, f'{self.sold.colour} card')} for {counted(self.sold.ducats, 'ducat')}"

    @property
    def founder(self) -> str:
        """Who founded that city."""
        return seat_name(self.founded.seat) if self.founded else ""

    @property
    def new_city(self) -> str:
        """The city that another player founded."""
        return city_name(self.founded.city) if self.founded else ""

    @property
    def city(self) -> str:
        """The city that is being founded."""
        return city_name(self.view.founding) if self.view.founding else ""


def can_found(s: Seen) -> bool:
    """Whether the learner can afford a city now."""
    return any(isinstance(step, Found) for step in s.view.legal)


# Elements that lessons highlight


def to_spare(s: Seen) -> list[str]:
    """Cards in hand that no face-up city needs, up to two per colour; all cards if there are none."""
    hand = s.view.players[s.me].hand or {}
    asked = [city.cards for city in s.view.components.cities if city.id in s.view.cities]
    most = {colour: max((cards.get(colour, 0) for cards in asked), default=0) for colour in hand}
    return [
        f"hand-{colour}-{n}" for colour, held in hand.items() for n in range(max(most[colour] + 1, held - 1), held + 1)
    ] or in_hand(s)


def in_hand(s: Seen) -> list[str]:
    """All cards in hand."""
    hand = s.view.players[s.me].hand or {}
    return [f"hand-{colour}-{n}" for colour, held in hand.items() for n in range(1, held + 1)]


def to_play(s: Seen) -> list[str]:
    """Cards that can be played."""
    return [f"hand-{step.colour}-{step.count}" for step in s.view.legal if isinstance(step, Play)]


def cities(s: Seen) -> list[str]:
    """Cities that the learner can found."""
    return [f"city-{step.city}" for step in s.view.legal if isinstance(step, Found)]


def regions(s: Seen) -> list[str]:
    """Regions where a crest can be placed."""
    return [f"region-{step.region}" for step in s.view.legal if isinstance(step, Crest)]


def face_down(s: Seen) -> list[str]:
    """Buildings that can be turned up."""
    return [f"turn-{step.colour}" for step in s.view.legal if isinstance(step, Turn)]


def lot_and_bids(s: Seen) -> list[str]:
    """The lot and the controls for bids."""
    return [f"lot-{s.lot.colour}", "bids"] if s.lot else ["bids"]


def role_and_bids(s: Seen) -> list[str]:
    """The role that is being auctioned, and the controls for bids."""
    return [f"role-{s.what.lower()}", "bids"]


def buyer(s: Seen) -> list[str]:
    """The player who won a lot, with the seal of Il Principe."""
    return [f"voice-{s.sold.seat}"] if s.sold else []


def new_town(s: Seen) -> list[str]:
    """The city that another player founded."""
    return [f"town-{s.founded.city}"] if s.founded else []


def new_roles(s: Seen) -> list[str]:
    """Roles that were assigned."""
    return [f"role-{event.role.lower()}" for event in s.roles_taken]


LESSONS = (
    Lesson(
        "end",
        lambda s: s.asked == "over",
        "Too few cards are left, so the game is over. Now regions, roles, sets, ducats and cards in hand are scored. You "
        "know the game!",
        "I40",
        again=True,
    ),
    Lesson(
        "welcome",
        lambda s: s.asked == "offer" and not s.laid,
        "Welcome! You lead the {s.family} family, and this is the last full round. Everyone lays {s.offers} cards face "
        "down, and then all of them are auctioned. Select {s.offers} cards with a red frame: you do not need them for the "
        "cities on the board.",
        "I11",
        to_spare,
    ),
    Lesson(
        "second offer",
        lambda s: s.asked == "offer",
        "One more. Keep the cards you need for a city: each city costs certain building cards, and ducats. You have "
        "{s.ducats}.",
        "I17",
        to_spare,
        again=True,
    ),
    Lesson(
        "role auction",
        lambda s: s.asked == "bid" and s.role,
        "You are tied for face-up buildings of this colour, so the role {s.what} is auctioned among the tied players. Its "
        "ability: {s.ability}. It is also worth points at the end.",
        "I22",
        role_and_bids,
    ),
    Lesson(
        "first bid",
        lambda s: s.asked == "bid" and s.lot is not None and s.lot.bidder is None,
        "The cards are auctioned in lots of one colour, the smallest lot first. This lot is {s.cards}. Bid or pass. If you "
        "pass, you are out of this auction.",
        "I13",
        lot_and_bids,
    ),
    Lesson(
        "raise",
        lambda s: s.asked == "bid" and s.lot is not None and s.lot.bidder is not None,
        "{s.bidder} bids {s.bid} for {s.cards}. Bid more to win the lot, but save some money: "
        f"a city costs {min(FIGURES.sizes.ducats)} to {max(FIGURES.sizes.ducats)} ducats, and you have {{s.ducats}}.",
        "I13",
        lambda s: ("high", "bids"),
    ),
    Lesson(
        "found at once",
        lambda s: s.asked == "found",
        "You won the lot and are now Il Principe, so you bid first in the next auction. You may also found a city now. "
        "Choose a highlighted one, or wait.",
        "I14",
        cities,
    ),
    Lesson(
        "crests",
        lambda s: s.asked == "crest" and s.view.founding is not None,
        "You founded {s.city} and scored its points. Now place crests on the regions it touches. At the end, the most "
        f"crests in a region are worth {counted(FIGURES.scoring.region_most, 'point')}, the second most "
        f"{FIGURES.scoring.region_second}.",
        "I40",
        regions,
        again=True,
    ),
    Lesson(
        "crest anywhere",
        lambda s: s.asked == "crest",
        "The blue role lets you place a crest on any region. Look for one where it makes you first or second.",
        "I23",
        regions,
        again=True,
    ),
    Lesson(
        "act",
        lambda s: s.asked == "act" and can_found(s),
        "Now everyone does one thing: found a city, or play cards of one colour in front of them. The most face-up "
        "buildings of a colour win its role, which is worth points.",
        "I16",
        lambda s: (*cities(s), *to_play(s)),
        again=True,
    ),
    Lesson(
        "act without a city",
        lambda s: s.asked == "act" and not can_found(s),
        "Now everyone founds a city or plays cards of one colour in front of them. You cannot afford a city now. The most "
        "face-up buildings of a colour win its role.",
        "I16",
        to_play,
        again=True,
    ),
    Lesson(
        "turn up",
        lambda s: s.asked == "turn",
        "The green role lets you turn one of your face-down buildings face up, so that it counts for roles again.",
        "I23",
        face_down,
        again=True,
    ),
    Lesson(
        "sold",
        lambda s: s.asked in ("wait", "bid") and s.sold is not None,
        "{s.buyer} won {s.bought} and is now Il Principe. The winner of an auction bids first in the next one.",
        "I14",
        buyer,
    ),
    Lesson(
        "others found",
        lambda s: s.asked in ("wait", "bid") and s.founded is not None,
        "{s.founder} founded {s.new_city}, scored its points and placed crests on the map. The other players score for "
        "their roles in the colours used.",
        "I18",
        new_town,
    ),
    Lesson(
        "roles",
        lambda s: s.asked in ("wait", "bid") and bool(s.roles_taken),
        "Roles are assigned again. The most face-up buildings of a colour take the major role, and half of them are turned "
        "face down. The second most take the minor role.",
        "I21",
        new_roles,
    ),
    Lesson(
        "bid on",
        lambda s: s.asked == "bid",
        "Raise the bid or pass. You have {s.ducats}.",
        "I13",
        lambda s: ("bids",),
        again=True,
    ),
    Lesson(
        "found on",
        lambda s: s.asked == "found",
        "You may found a city now, or wait.",
        "I14",
        cities,
        again=True,
    ),
    Lesson(
        "wait",
        lambda s: s.asked == "wait",
        "Now it is the other players' turn. You see their bids and cities, but not their hands.",
        "I10",
        again=True,
    ),
)
