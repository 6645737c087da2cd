"""The lessons of Il Principe: the last full round of a game for three."""

from signoria.il_principe.components import city_name
from signoria.il_principe.events import CardLaid, CityFounded, Event, LotWon, RoleTaken
from signoria.il_principe.names import seat_name
from signoria.il_principe.steps import Found
from signoria.il_principe.view import Auction, View
from signoria.kernel.words import counted
from signoria.web.lessons.lesson import Lesson, Sight

HAND, AUCTION, CITIES, MAP, ROLES = ("hand",), ("auction",), ("display",), ("map", "regions"), ("roles",)
"""The ids of what lessons point at."""


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
    def sold(self) -> LotWon | None:
        """The first lot that somebody else bought."""
        return next((event for event in self.events if isinstance(event, LotWon) and event.seat != self.me), None)

    @property
    def founded(self) -> CityFounded | None:
        """The first city that somebody else founded."""
        return next((event for event in self.events if isinstance(event, CityFounded) and event.seat != self.me), None)

    @property
    def roles_taken(self) -> bool:
        """Whether roles were given out."""
        return any(isinstance(event, RoleTaken) for event in self.events)

    # What sentences tell

    @property
    def family(self) -> str:
        """The learner's family."""
        return seat_name(self.me)

    @property
    def ducats(self) -> str:
        """The learner's money."""
        return counted(self.view.players[self.me].ducats or 0, "ducat")

    @property
    def cards(self) -> str:
        """What is auctioned."""
        return f"{counted(self.lot.cards, 'card')} of {self.lot.colour}" if self.lot else ""

    @property
    def bid(self) -> str:
        """The highest bid."""
        return counted(self.view.auction.bid, "ducat") if self.view.auction else ""

    @property
    def what(self) -> str:
        """The role that is auctioned."""
        return self.view.auction.what if self.view.auction else ""

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


LESSONS = (
    Lesson(
        "end",
        lambda s: s.asked == "over",
        "The cards are used up, so the game is over. Regions, roles, sets of buildings, ducats and cards in hand are "
        "counted now, and most points win.",
        "I40",
        again=True,
    ),
    Lesson(
        "welcome",
        lambda s: s.asked == "offer" and not s.laid,
        "Welcome! You lead the {s.family}, and this is the last full round. Everybody lays two cards face down; they are "
        "then sold, and anybody may buy them. Offer a colour that you can spare.",
        "I11",
        lambda s: HAND,
    ),
    Lesson(
        "second offer",
        lambda s: s.asked == "offer",
        "One more. Keep what the cities ask for: each wants certain building cards, and ducats. You have {s.ducats}.",
        "I17",
        lambda s: (*CITIES, *HAND),
        again=True,
    ),
    Lesson(
        "role auction",
        lambda s: s.asked == "bid" and s.role,
        "Several of you have equally many buildings, so the {s.what} is auctioned among you. It is worth points at the "
        "end, and gives something at once.",
        "I22",
        lambda s: AUCTION,
    ),
    Lesson(
        "first bid",
        lambda s: s.asked == "bid" and s.lot is not None and s.lot.bidder is None,
        "What was laid down is sold by colours, the smallest lot first: now {s.cards}. Make a bid, or pass; nobody who "
        "passes comes back into this auction.",
        "I13",
        lambda s: AUCTION,
    ),
    Lesson(
        "raise",
        lambda s: s.asked == "bid" and s.lot is not None and s.lot.bidder is not None,
        "For {s.cards} somebody has bid {s.bid}. Bid more if you want them, but keep money for a city: you have "
        "{s.ducats}.",
        "I13",
        lambda s: AUCTION,
    ),
    Lesson(
        "found at once",
        lambda s: s.asked == "found",
        "The lot is yours, and you are Il Principe: you speak first from now on. Whoever wins a lot may also found a city "
        "at once. Choose one that is marked, or wait.",
        "I14",
        lambda s: CITIES,
    ),
    Lesson(
        "crests",
        lambda s: s.asked == "crest" and s.view.founding is not None,
        "{s.city} is yours, with its points. Its crests go on regions that it touches: at the end most crests in a region "
        "are worth 5 points, second most 2.",
        "I40",
        lambda s: MAP,
        again=True,
    ),
    Lesson(
        "crest anywhere",
        lambda s: s.asked == "crest",
        "The blue role lets you put a crest on any region. Look for one where it makes you first, or second.",
        "I23",
        lambda s: MAP,
        again=True,
    ),
    Lesson(
        "act",
        lambda s: s.asked == "act" and can_found(s),
        "One thing for everybody: found a city, or lay cards of one colour in front of you. Most buildings face up win "
        "the role of that colour, which is worth points.",
        "I16",
        lambda s: (*CITIES, *HAND),
        again=True,
    ),
    Lesson(
        "act without a city",
        lambda s: s.asked == "act" and not can_found(s),
        "One thing for everybody: found a city, which you cannot pay now, or lay cards of one colour in front of you. "
        "Most buildings face up win the role of that colour.",
        "I16",
        lambda s: HAND,
        again=True,
    ),
    Lesson(
        "turn up",
        lambda s: s.asked == "turn",
        "The green role lets you turn up one of your face-down buildings: it counts for roles again.",
        "I23",
        lambda s: HAND,
        again=True,
    ),
    Lesson(
        "sold",
        lambda s: s.asked == "wait" and s.sold is not None,
        "{s.buyer} bought {s.bought}, and is Il Principe now: whoever wins an auction speaks first in the next one.",
        "I14",
        lambda s: AUCTION,
    ),
    Lesson(
        "others found",
        lambda s: s.asked == "wait" and s.founded is not None,
        "{s.founder} founded {s.new_city}: points at once, and crests on the map. Everybody else scores for roles in the "
        "colours that were used.",
        "I18",
        lambda s: MAP,
    ),
    Lesson(
        "roles",
        lambda s: s.asked == "wait" and s.roles_taken,
        "Roles are given out anew: most buildings face up take the major role and turn half of them down, second most take "
        "the minor one.",
        "I21",
        lambda s: ROLES,
    ),
    Lesson(
        "bid on",
        lambda s: s.asked == "bid",
        "Bid more, or pass. You have {s.ducats}.",
        "I13",
        lambda s: AUCTION,
        again=True,
    ),
    Lesson(
        "found on",
        lambda s: s.asked == "found",
        "You may found a city with what you have, or none.",
        "I14",
        lambda s: CITIES,
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
