"""The lessons of Il Principe: a three-player game from its first round on."""

from signoria.games.il_principe.board.words import ability
from signoria.games.il_principe.rulebook.components import FIGURES, city_name
from signoria.games.il_principe.rulebook.steps import Crest, Found, Play, Turn
from signoria.games.il_principe.texts import say
from signoria.games.il_principe.view import Auction, View
from signoria.games.il_principe.words import amounts
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
    RolePoints,
    RoleTaken,
)
from signoria.games.il_principe.words.names import seat_name
from signoria.kernel.language import all_of, to_say
from signoria.kernel.words import spelled
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
        return self.since_own(*STEPS)

    @property
    def laid_lately(self) -> bool:
        """Whether the learner's last move was to lay a card face down."""
        return bool(self.lately) and isinstance(self.lately[0], CardLaid) and self.lately[0].seat == self.me

    @property
    def city_founded(self) -> bool:
        """Whether anyone has founded a city."""
        return any(isinstance(event, CityFounded) for event in self.events)

    @property
    def own_city_lately(self) -> bool:
        """Whether the learner was the last to found a city."""
        founded = [event for event in self.events if isinstance(event, CityFounded)]
        return bool(founded) and founded[-1].seat == self.me

    @property
    def sold(self) -> LotWon | None:
        """A lot that another player won since then."""
        return next((event for event in self.lately if isinstance(event, LotWon) and event.seat != self.me), None)

    @property
    def founded(self) -> CityFounded | None:
        """A city that another player founded since then."""
        return next((event for event in self.lately if isinstance(event, CityFounded) and event.seat != self.me), None)

    @property
    def gained(self) -> list[RolePoints]:
        """What others scored for their roles when the learner founded a city, since then."""
        return [event for event in self.lately if isinstance(event, RolePoints) and event.seat != self.me]

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
        return amounts.ducats_as_object(self.view.players[self.me].ducats or 0)

    @property
    def cards(self) -> str:
        """The lot that is being auctioned."""
        return amounts.colour_cards(self.lot.colour, self.lot.cards) if self.lot else ""

    @property
    def bidder(self) -> str:
        """The highest bidder."""
        auction = self.view.auction
        return seat_name(auction.bidder) if auction and auction.bidder is not None else ""

    @property
    def bid(self) -> str:
        """The highest bid."""
        return amounts.ducats_as_object(self.view.auction.bid) if self.view.auction else ""

    @property
    def what(self) -> str:
        """The role that is being auctioned."""
        return self.view.auction.what if self.view.auction else ""

    @property
    def ability(self) -> str:
        """The ability of that role."""
        return ability(self.view.auction.colour) if self.view.auction else ""

    @property
    def buyer(self) -> str:
        """Who bought that lot."""
        return seat_name(self.sold.seat) if self.sold else ""

    @property
    def bought(self) -> str:
        """The lot and its price."""
        if not self.sold:
            return ""
        lot = amounts.colour_cards(self.sold.colour, self.sold.count)
        return say("{lot} for {ducats}", lot=lot, ducats=amounts.ducats_as_object(self.sold.ducats))

    @property
    def founder(self) -> str:
        """Who founded that city."""
        return seat_name(self.founded.seat) if self.founded else ""

    @property
    def new_city(self) -> str:
        """The city that another player founded."""
        return city_name(self.founded.city) if self.founded else ""

    @property
    def gainers(self) -> str:
        """Who scored when the learner founded a city, and how much."""
        return all_of([f"{seat_name(event.seat)} ({amounts.points(event.points)})" for event in self.gained])

    @property
    def least_price(self) -> int:
        """The ducats of the cheapest city."""
        return int(min(FIGURES.sizes.ducats))

    @property
    def most_price(self) -> int:
        """The ducats of the most expensive city."""
        return int(max(FIGURES.sizes.ducats))

    @property
    def region_most(self) -> str:
        """The points of the most crests in a region."""
        return amounts.points(FIGURES.scoring.region_most)

    @property
    def region_second(self) -> int:
        """The points of the second most."""
        return int(FIGURES.scoring.region_second)

    @property
    def city(self) -> str:
        """The city that is being founded."""
        return city_name(self.view.founding) if self.view.founding else ""


def can_found(s: Seen) -> bool:
    """Whether the learner can afford a city now."""
    return any(isinstance(step, Found) for step in s.view.legal)


# Elements that lessons highlight


def to_spare(s: Seen) -> list[str]:
    """Cards in hand that no face-up city needs, up to two per colour; all cards if these are too few to lay."""
    hand = s.view.players[s.me].hand or {}
    asked = [city.cards for city in s.view.components.cities if city.id in s.view.cities]
    most = {colour: max((cards.get(colour, 0) for cards in asked), default=0) for colour in hand}
    spare = [
        f"hand-{colour}-{n}" for colour, held in hand.items() for n in range(max(most[colour] + 1, held - 1), held + 1)
    ]
    return spare if len(spare) >= s.view.to_lay else in_hand(s)


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


TOUR = (
    (
        "map",
        to_say("The map. Cities let you place crests on its regions. At the end, the most crests in a region score."),
    ),
    ("display", to_say("The cities you can found. Each costs building cards and ducats, and gives points and crests.")),
    ("roles", to_say("The roles. They go to the players with the most buildings of a colour.")),
    ("agenda", to_say("The phase that is being played, and whose turn it is.")),
    ("hand", to_say("Your cards and your ducats.")),
)
"""Parts of the table, for the first lesson."""

LESSONS = (
    Lesson(
        "end",
        lambda s: s.asked == "over",
        to_say(
            "And with that the game is over. Now regions, roles, sets, ducats and cards in hand are scored. You know the game!"
        ),
        "I40",
        again=True,
    ),
    Lesson(
        "welcome",
        lambda s: s.asked == "offer" and not s.laid,
        to_say(
            "Welcome! You lead the {s.family} family. Your goal is the most points: found cities, have the most crests in "
            "regions, and hold roles. Look around the table, then select {s.offers} framed cards. Everyone lays {s.offers} "
            "face down, and all are auctioned."
        ),
        "I11",
        to_spare,
        tour=TOUR,
    ),
    Lesson(
        "play on",
        lambda s: s.asked == "offer" and s.view.round > 2 and s.city_founded,
        to_say(
            "Now you have seen everything: offers, auctions, cities, crests and roles. Play this game to its end, or start a "
            "full game of your own. The game ends when the cities or the building cards run out."
        ),
        "I30",
        lambda s: ("city-pile", "pile"),
        done=True,
    ),
    Lesson(
        "next round",
        lambda s: s.asked == "offer" and s.view.round > 1 and not s.laid_lately,
        to_say(
            "A new round: everyone has drawn cards and taken ducats. From now on you can found cities. Look at what the cities "
            "cost, and offer the cards that you do not need for one."
        ),
        "I10",
        to_spare,
    ),
    Lesson(
        "second offer",
        lambda s: s.asked == "offer",
        to_say(
            "Offer cards. Keep the ones you need for a city: each city costs certain building cards, and ducats. You have "
            "{s.ducats}."
        ),
        "I17",
        to_spare,
        again=True,
    ),
    Lesson(
        "role auction",
        lambda s: s.asked == "bid" and s.role,
        to_say(
            "You are tied for face-up buildings of this colour, so the role {s.what} is auctioned among the tied players. Its "
            "ability: {s.ability}. It is also worth points at the end."
        ),
        "I22",
        role_and_bids,
    ),
    Lesson(
        "first bid",
        lambda s: s.asked == "bid" and s.lot is not None and s.lot.bidder is None,
        to_say(
            "The cards are auctioned in lots of one colour, the smallest lot first. This lot is {s.cards}. Bid or pass. If you "
            "pass, you are out of this auction."
        ),
        "I13",
        lot_and_bids,
    ),
    Lesson(
        "raise",
        lambda s: s.asked == "bid" and s.lot is not None and s.lot.bidder is not None,
        to_say(
            "{s.bidder} bids {s.bid} for {s.cards}. Bid more to win the lot, but save some money: "
            "a city costs {s.least_price} to {s.most_price} ducats, and you have {s.ducats}."
        ),
        "I13",
        lambda s: ("high", "bids"),
    ),
    Lesson(
        "found at once",
        lambda s: s.asked == "found",
        to_say(
            "You won the lot and are now Il Principe, so you bid first in the next auction. You may also found a city now. "
            "Choose a highlighted one, or wait."
        ),
        "I14",
        cities,
    ),
    Lesson(
        "others gain",
        lambda s: bool(s.gained) and s.own_city_lately,
        to_say(
            "{s.gainers} scored too, because they hold roles in the colours of your city. That is what roles are for. The arms "
            "with a number on each city card show who would score if you founded it."
        ),
        "I18",
        lambda s: [f"others-{city}" for city in s.view.cities],
    ),
    Lesson(
        "crests",
        lambda s: s.asked == "crest" and s.view.founding is not None,
        to_say(
            "You founded {s.city} and scored its points. Now place crests on the regions it touches. At the end, the most "
            "crests in a region are worth {s.region_most}, the second most {s.region_second}."
        ),
        "I40",
        regions,
        again=True,
    ),
    Lesson(
        "crest anywhere",
        lambda s: s.asked == "crest",
        to_say("The blue role lets you place a crest on any region. Look for one where it makes you first or second."),
        "I23",
        regions,
        again=True,
    ),
    Lesson(
        "act",
        lambda s: s.asked == "act" and can_found(s),
        to_say(
            "Now everyone does one thing: found a city, or play cards of one colour in front of them. The most face-up "
            "buildings of a colour win its role, which is worth points."
        ),
        "I16",
        lambda s: (*cities(s), *to_play(s)),
        again=True,
    ),
    Lesson(
        "act in the first round",
        lambda s: s.asked == "act" and not s.view.may_found,
        to_say(
            "Now everyone plays cards of one colour face up in front of them. Cities are founded from the next round on. Select "
            "cards: you see what they would lead to before you play them. The most face-up buildings win a role."
        ),
        "I16",
        to_play,
    ),
    Lesson(
        "act without a city",
        lambda s: s.asked == "act" and not can_found(s),
        to_say(
            "Now everyone founds a city or plays cards of one colour in front of them. You cannot afford a city now. The most "
            "face-up buildings of a colour win its role."
        ),
        "I16",
        to_play,
        again=True,
    ),
    Lesson(
        "turn up",
        lambda s: s.asked == "turn",
        to_say(
            "The green role lets you turn one of your face-down buildings face up, so that it counts for roles again."
        ),
        "I23",
        face_down,
        again=True,
    ),
    Lesson(
        "sold",
        lambda s: s.asked in ("wait", "bid") and s.sold is not None,
        to_say("{s.buyer} won {s.bought} and is now Il Principe. The winner of an auction bids first in the next one."),
        "I14",
        buyer,
    ),
    Lesson(
        "others found",
        lambda s: s.asked in ("wait", "bid") and s.founded is not None,
        to_say(
            "{s.founder} founded {s.new_city}, scored its points and placed crests on the map. The other players score for "
            "their roles in the colours used."
        ),
        "I18",
        new_town,
    ),
    Lesson(
        "roles",
        lambda s: s.asked in ("wait", "bid") and bool(s.roles_taken),
        to_say(
            "Roles are assigned again. The most face-up buildings of a colour take the major role, and half of them are turned "
            "face down. The second most take the minor role."
        ),
        "I21",
        new_roles,
    ),
    Lesson(
        "bid on",
        lambda s: s.asked == "bid",
        to_say("Raise the bid or pass. You have {s.ducats}."),
        "I13",
        lambda s: ("bids",),
        again=True,
    ),
    Lesson(
        "found on",
        lambda s: s.asked == "found",
        to_say("You may found a city now, or wait."),
        "I14",
        cities,
        again=True,
    ),
    Lesson(
        "wait",
        lambda s: s.asked == "wait",
        to_say("Now it is the other players' turn. You see their bids and cities, but not their hands."),
        "I10",
        again=True,
    ),
)
