"""The lessons of Il Principe: the last full round of a game for three."""

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
"""What somebody does, as against what comes of it."""


class Seen(Sight):
    """A situation of Il Principe."""

    view: View
    events: tuple[Event, ...]

    # What lessons ask about

    @property
    def laid(self) -> bool:
        """Whether the learner has laid a card face down."""
        return any(isinstance(event, CardLaid) and event.seat == self.me for event in self.events)

    @property
    def lot(self) -> Auction | None:
        """The auction of cards that goes on."""
        return self.view.auction if self.view.auction and self.view.auction.cards else None

    @property
    def role(self) -> bool:
        """Whether a role is auctioned."""
        return self.view.auction is not None and not self.view.auction.cards

    @property
    def lately(self) -> tuple[Event, ...]:
        """What happened since the learner last did something."""
        for place in reversed(range(len(self.events))):
            event = self.events[place]
            if isinstance(event, STEPS) and event.seat == self.me:
                return self.events[place:]
        return self.events

    @property
    def sold(self) -> LotWon | None:
        """The lot that somebody else bought lately."""
        return next((event for event in self.lately if isinstance(event, LotWon) and event.seat != self.me), None)

    @property
    def founded(self) -> CityFounded | None:
        """The city that somebody else founded lately."""
        return next((event for event in self.lately if isinstance(event, CityFounded) and event.seat != self.me), None)

    @property
    def roles_taken(self) -> list[RoleTaken]:
        """Roles that were given out lately."""
        return [event for event in self.lately if isinstance(event, RoleTaken)]

    # What sentences tell

    @property
    def family(self) -> str:
        """The learner's family."""
        return seat_name(self.me)

    @property
    def offers(self) -> str:
        """How many cards everybody lays face down."""
        return spelled(self.view.offers)

    @property
    def ducats(self) -> str:
        """The learner's money."""
        return counted(self.view.players[self.me].ducats or 0, "ducat")

    @property
    def cards(self) -> str:
        """What is auctioned."""
        return counted(self.lot.cards, f"{self.lot.colour} card") if self.lot else ""

    @property
    def bidder(self) -> str:
        """Who bids most."""
        auction = self.view.auction
        return seat_name(auction.bidder) if auction and auction.bidder is not None else ""

    @property
    def bid(self) -> str:
        """The highest bid."""
        return counted(self.view.auction.bid, "ducat") if self.view.auction else ""

    @property
    def what(self) -> str:
        """The role that is auctioned."""
        return self.view.auction.what if self.view.auction else ""

    @property
    def ability(self) -> str:
        """What that role gives at once."""
        return ABILITIES[self.view.auction.colour] if self.view.auction else ""

    @property
    def buyer(self) -> str:
        """Who bought that lot."""
        return seat_name(self.sold.seat) if self.sold else ""

    @property
    def bought(self) -> str:
        """What they bought, and for how much."""
        return f"{self.sold.count} {self.sold.colour} for {counted(self.sold.ducats, 'ducat')}" if self.sold else ""

    @property
    def founder(self) -> str:
        """Who founded that city."""
        return seat_name(self.founded.seat) if self.founded else ""

    @property
    def new_city(self) -> str:
        """The city that somebody else founded."""
        return city_name(self.founded.city) if self.founded else ""

    @property
    def city(self) -> str:
        """The city that is being founded."""
        return city_name(self.view.founding) if self.view.founding else ""


def can_found(s: Seen) -> bool:
    """Whether the learner could pay for a city now."""
    return any(isinstance(step, Found) for step in s.view.legal)


# What lessons point at


def to_spare(s: Seen) -> list[str]:
    """Cards in hand, up to two a colour, that no city which lies face up asks for; all where there are none."""
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
    """Where a crest can be put."""
    return [f"region-{step.region}" for step in s.view.legal if isinstance(step, Crest)]


def face_down(s: Seen) -> list[str]:
    """Buildings that can be turned up."""
    return [f"turn-{step.colour}" for step in s.view.legal if isinstance(step, Turn)]


def lot_and_bids(s: Seen) -> list[str]:
    """What is sold, and where a bid is made."""
    return [f"lot-{s.lot.colour}", "bids"] if s.lot else ["bids"]


def role_and_bids(s: Seen) -> list[str]:
    """The role that is auctioned, and where a bid is made."""
    return [f"role-{s.what.lower()}", "bids"]


def buyer(s: Seen) -> list[str]:
    """Who bought a lot, with the seal of Il Principe."""
    return [f"voice-{s.sold.seat}"] if s.sold else []


def new_town(s: Seen) -> list[str]:
    """The city that somebody else founded."""
    return [f"town-{s.founded.city}"] if s.founded else []


def new_roles(s: Seen) -> list[str]:
    """Roles that were given out."""
    return [f"role-{event.role.lower()}" for event in s.roles_taken]


LESSONS = (
    Lesson(
        "end",
        lambda s: s.asked == "over",
        "Too few cards are left, so the game is over. Regions, roles, sets, ducats and cards in hand give points now. You "
        "know the game!",
        "I40",
        again=True,
    ),
    Lesson(
        "welcome",
        lambda s: s.asked == "offer" and not s.laid,
        "Welcome! You lead the {s.family}, and this is the last full round. Everybody lays {s.offers} cards face down, and "
        "then all of these are sold. Tick {s.offers} that are framed in red: no city that lies here asks for so many of them.",
        "I11",
        to_spare,
    ),
    Lesson(
        "second offer",
        lambda s: s.asked == "offer",
        "One more. Keep what the cities ask for: each wants certain building cards, and ducats. You have {s.ducats}.",
        "I17",
        to_spare,
        again=True,
    ),
    Lesson(
        "role auction",
        lambda s: s.asked == "bid" and s.role,
        "Several of you have equally many buildings face up, so the {s.what} is auctioned among you. It gives at once: "
        "{s.ability}. And it is worth points at the end.",
        "I22",
        role_and_bids,
    ),
    Lesson(
        "first bid",
        lambda s: s.asked == "bid" and s.lot is not None and s.lot.bidder is None,
        "What was laid down is sold by colours, the smallest lot first: now {s.cards}. Make a bid, or pass; nobody who "
        "passes comes back into this auction.",
        "I13",
        lot_and_bids,
    ),
    Lesson(
        "raise",
        lambda s: s.asked == "bid" and s.lot is not None and s.lot.bidder is not None,
        "{s.bidder} bids {s.bid} for {s.cards}. Bid more to get the lot, but keep money: "
        f"a city costs {min(FIGURES.sizes.ducats)} to {max(FIGURES.sizes.ducats)} ducats, and you have {{s.ducats}}.",
        "I13",
        lambda s: ("high", "bids"),
    ),
    Lesson(
        "found at once",
        lambda s: s.asked == "found",
        "The lot is yours, and you are Il Principe: you speak first in the next auction. Whoever wins a lot may also found a "
        "city at once. Choose one that is marked, or wait.",
        "I14",
        cities,
    ),
    Lesson(
        "crests",
        lambda s: s.asked == "crest" and s.view.founding is not None,
        "{s.city} is yours, with its points. Its crests go on regions that it touches: at the end most crests in a region "
        f"are worth {counted(FIGURES.scoring.region_most, 'point')}, second most {FIGURES.scoring.region_second}.",
        "I40",
        regions,
        again=True,
    ),
    Lesson(
        "crest anywhere",
        lambda s: s.asked == "crest",
        "The blue role lets you put a crest on any region. Look for one where it makes you first, or second.",
        "I23",
        regions,
        again=True,
    ),
    Lesson(
        "act",
        lambda s: s.asked == "act" and can_found(s),
        "Now everybody does one thing: found a city, or lay cards of one colour in front of you. Most buildings face up win "
        "the role of that colour, which is worth points.",
        "I16",
        lambda s: (*cities(s), *to_play(s)),
        again=True,
    ),
    Lesson(
        "act without a city",
        lambda s: s.asked == "act" and not can_found(s),
        "Now everybody does one thing: found a city, which you cannot pay, or lay cards of one colour in front of you. "
        "Most buildings face up win the role of that colour.",
        "I16",
        to_play,
        again=True,
    ),
    Lesson(
        "turn up",
        lambda s: s.asked == "turn",
        "The green role lets you turn up one of your face-down buildings: it counts for roles again.",
        "I23",
        face_down,
        again=True,
    ),
    Lesson(
        "sold",
        lambda s: s.asked in ("wait", "bid") and s.sold is not None,
        "{s.buyer} bought {s.bought}, and is Il Principe now: whoever wins an auction speaks first in the next one.",
        "I14",
        buyer,
    ),
    Lesson(
        "others found",
        lambda s: s.asked in ("wait", "bid") and s.founded is not None,
        "{s.founder} founded {s.new_city}: points at once, and crests on the map. Everybody else scores for roles in the "
        "colours that were used.",
        "I18",
        new_town,
    ),
    Lesson(
        "roles",
        lambda s: s.asked in ("wait", "bid") and bool(s.roles_taken),
        "Roles are given out anew: most buildings face up take the major role and turn half of them down, second most take "
        "the minor one.",
        "I21",
        new_roles,
    ),
    Lesson(
        "bid on",
        lambda s: s.asked == "bid",
        "Bid more, or pass. You have {s.ducats}.",
        "I13",
        lambda s: ("bids",),
        again=True,
    ),
    Lesson(
        "found on",
        lambda s: s.asked == "found",
        "You may found a city with what you have, or none.",
        "I14",
        cities,
        again=True,
    ),
    Lesson(
        "wait",
        lambda s: s.asked == "wait",
        "Now it is the turn of the others. You see what they bid and found, but not what they hold.",
        "I10",
        again=True,
    ),
)
