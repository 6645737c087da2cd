"""The lessons of Patrician: the first two turns of a two-player game, and the last five of another."""

from signoria.games.patrician.board.words import NAMES, portrait_points, portrait_set, shows
from signoria.games.patrician.rulebook.components import Card, city_name
from signoria.games.patrician.rulebook.steps import Build, Move, Play, Take
from signoria.games.patrician.texts import say, say_count
from signoria.games.patrician.view import CityView, View
from signoria.games.patrician.words.events import CardPlayed, CardTaken, CityScored, Event, FloorBuilt, TowerWon
from signoria.games.patrician.words.names import seat_name
from signoria.kernel.language import inside, to_say
from signoria.web.lessons import Lesson, Sight


class Seen(Sight):
    """A situation of Patrician."""

    view: View
    events: tuple[Event, ...]

    # Conditions of lessons

    @property
    def turns(self) -> int:
        """Number of cards the learner has played since the lessons began."""
        return sum(isinstance(event, CardPlayed) and event.seat == self.me for event in self.events)

    @property
    def opening(self) -> bool:
        """Whether this is the first part: cards are left in the pile."""
        return self.view.pile > 0

    @property
    def built(self) -> bool:
        """Whether the learner has built a floor."""
        return any(isinstance(event, FloorBuilt) and event.seat == self.me for event in self.events)

    @property
    def fills(self) -> bool:
        """Whether the next floor is the last one of its city."""
        return self._here is not None and self._here.floors_left == 1

    @property
    def lately(self) -> tuple[Event, ...]:
        """What happened since the learner last played a card."""
        return self.since_own(CardPlayed)

    @property
    def scored(self) -> CityScored | None:
        """The first city scored since then."""
        return next((event for event in self.lately if isinstance(event, CityScored)), None)

    @property
    def taken(self) -> CardTaken | None:
        """The card that the learner took since then."""
        return next((event for event in self.lately if isinstance(event, CardTaken) and event.seat == self.me), None)

    @property
    def card(self) -> Card | None:
        """The card played this turn."""
        return next((card for card in self.view.components.cards if card.id == self.view.card), None)

    @property
    def any_card(self) -> bool:
        """Whether it shows "?"."""
        return self.card is not None and self.card.symbol == "any"

    @property
    def hand(self) -> list[Card]:
        """The learner's cards."""
        held = self.view.players[self.me].hand
        return [card for card in self.view.components.cards if card.id in held]

    @property
    def cards_lie(self) -> bool:
        """Whether there are face-up cards on the map."""
        return any(city.card for city in self.view.cities)

    @property
    def _here(self) -> CityView | None:
        return next((city for city in self.view.cities if city.id == self.view.city), None)

    # Words in sentences

    @property
    def colour(self) -> str:
        """The learner's colour."""
        return inside(seat_name(self.me))

    @property
    def other(self) -> str:
        """The opponent."""
        return seat_name(1 - self.me)

    @property
    def they_do(self) -> str:
        """What the opponent does in a turn; a card is taken while there are any."""
        if self.cards_lie:
            return say("{player} plays a card, builds, and takes a card.", player=self.other)
        return say("{player} plays a card and builds.", player=self.other)

    @property
    def city(self) -> str:
        """The city built in."""
        return city_name(self.view.city or "")

    @property
    def high(self) -> int:
        """The points of its high token."""
        return self._here.tokens[0] if self._here else 0

    @property
    def low(self) -> int:
        """The points of its low token."""
        return self._here.tokens[1] if self._here else 0

    @property
    def full(self) -> str:
        """The city that was scored."""
        return city_name(self.scored.city) if self.scored else ""

    @property
    def gold(self) -> str:
        """Who won its taller tower."""
        return self._gold(self.scored.high) if self.scored else ""

    @property
    def silver(self) -> str:
        """Who won its other tower."""
        return self._silver(self.scored.low) if self.scored else ""

    def _gold(self, tower: TowerWon) -> str:
        who = {"player": seat_name(tower.seat)}
        if tower.tied and tower.seat == self.me:
            return say_count(
                "You are tied in the taller tower, but your floor is nearer the top, so you win the gold token ({n} point).",
                "You are tied in the taller tower, but your floor is nearer the top, so you win the gold token ({n} points).",
                tower.points,
            )
        if tower.tied:
            return say_count(
                "You are tied in the taller tower, but {player}'s floor is nearer the top, so {player} wins the gold token ({n} point).",
                "You are tied in the taller tower, but {player}'s floor is nearer the top, so {player} wins the gold token ({n} points).",
                tower.points,
                **who,
            )
        if tower.seat == self.me:
            return say_count(
                "You have the most floors in the taller tower, so you win the gold token ({n} point).",
                "You have the most floors in the taller tower, so you win the gold token ({n} points).",
                tower.points,
            )
        return say_count(
            "{player} has the most floors in the taller tower and wins the gold token ({n} point).",
            "{player} has the most floors in the taller tower and wins the gold token ({n} points).",
            tower.points,
            **who,
        )

    def _silver(self, tower: TowerWon) -> str:
        who = {"player": seat_name(tower.seat)}
        if tower.tied and tower.seat == self.me:
            return say_count(
                "You are tied in the other tower, but your floor is nearer the top, so you win the silver token ({n} point).",
                "You are tied in the other tower, but your floor is nearer the top, so you win the silver token ({n} points).",
                tower.points,
            )
        if tower.tied:
            return say_count(
                "You are tied in the other tower, but {player}'s floor is nearer the top, so {player} wins the silver token ({n} point).",
                "You are tied in the other tower, but {player}'s floor is nearer the top, so {player} wins the silver token ({n} points).",
                tower.points,
                **who,
            )
        if tower.seat == self.me:
            return say_count(
                "You have the most floors in the other tower, so you win the silver token ({n} point).",
                "You have the most floors in the other tower, so you win the silver token ({n} points).",
                tower.points,
            )
        return say_count(
            "{player} has the most floors in the other tower and wins the silver token ({n} point).",
            "{player} has the most floors in the other tower and wins the silver token ({n} points).",
            tower.points,
            **who,
        )

    @property
    def portrait_set(self) -> str:
        """How many portraits make a set."""
        return portrait_set()

    @property
    def portrait_points(self) -> str:
        """The points of a set."""
        return portrait_points()

    @property
    def portraits(self) -> dict[str, int]:
        """The learner's portraits so far."""
        return self.view.portraits[self.me] or {}

    @property
    def gallery(self) -> str:
        """The same in words."""
        counts = self.portraits
        return say(
            "captains {captains}, ladies {ladies}, elders {elders}",
            captains=counts["captain"],
            ladies=counts["lady"],
            elders=counts["elder"],
        )

    @property
    def offers(self) -> str:
        """What each card of the hand would lead to: `Roma gives Siena (lady)`, and so on."""
        return ", ".join(
            say("{city} gives {card}", city=city_name(card.city), card=self._beside(self.view.plays[card.id].takes))
            for card in self.hand
        )

    @property
    def next_card(self) -> str:
        """The card next to the city built in."""
        return self._beside((self.view.city or "",))

    def _beside(self, cities: tuple[str, ...]) -> str:
        """The card next to a city; `any card` if there are several."""
        if len(cities) != 1:
            return say("any card")
        name = next((city.card for city in self.view.cities if city.id == cities[0]), None)
        return next((_brief(card) for card in self.view.components.cards if card.id == name), say("no card"))

    @property
    def from_city(self) -> str:
        """Where the learner's new card lay."""
        return city_name(self.taken.city) if self.taken else ""


def _brief(card: Card) -> str:
    """A card, without its star, which only counts with messengers: `Roma (lady)`."""
    return f"{NAMES[card.city]} ({shows(card)})"


# Elements that lessons highlight


def cards_in_hand(s: Seen) -> list[str]:
    """Cards that can be played."""
    return [f"card-{step.card}" for step in s.view.legal if isinstance(step, Play)]


def cards_and_what_they_take(s: Seen) -> list[str]:
    """Cards that can be played, and the cards that each would let the learner take."""
    beside = {city.id: city.card for city in s.view.cities}
    cities = dict.fromkeys(city for play in s.view.plays.values() for city in play.takes)
    return [*cards_in_hand(s), *(f"card-{beside[city]}" for city in cities)]


def sites(s: Seen) -> list[str]:
    """Where a floor can be built."""
    return [f"site-{s.view.city}-{step.site}" for step in s.view.legal if isinstance(step, Build)]


def tops(s: Seen) -> list[str]:
    """Towers whose top can be moved."""
    return [f"site-{step.city}-{step.origin}" for step in s.view.legal if isinstance(step, Move)]


def face_up(s: Seen) -> list[str]:
    """Cards that can be taken."""
    beside = {city.id: city.card for city in s.view.cities}
    return [f"card-{beside[step.city]}" for step in s.view.legal if isinstance(step, Take)]


def tokens(s: Seen) -> list[str]:
    """The tokens of the city that was scored."""
    return [f"token-{s.scored.city}-high", f"token-{s.scored.city}-low"] if s.scored else []


def new_card(s: Seen) -> list[str]:
    """The card that the learner took."""
    return [f"card-{s.taken.card}"] if s.taken else []


def portraits(s: Seen) -> list[str]:
    """Cards in hand that show a portrait, and those that were played."""
    return [*(f"card-{card.id}" for card in s.hand if card.portrait), "my-stack"]


LESSONS = (
    Lesson(
        "end",
        lambda s: s.asked == "over",
        to_say("All hands are empty, so the game is over. Add up tokens and portraits: the most points win. Now you know the "
        "game!"),
        "P23",
        again=True,
    ),
    Lesson(
        "which card",
        lambda s: s.asked == "play" and s.opening and not s.turns,
        to_say("Welcome! A card shows where you build, and then you take the card next to that city: {s.offers}."),
        "P15",
        cards_and_what_they_take,
    ),
    Lesson(
        "plan ahead",
        lambda s: s.asked == "play" and s.opening and s.turns == 1,
        to_say("Every {s.portrait_set} equal portraits that you play are worth {s.portrait_points}. Which card do you want next? {s.offers}."),
        "P22",
        cards_and_what_they_take,
    ),
    Lesson(
        "to the end",
        lambda s: s.asked == "play" and s.opening,
        to_say("So every card counts twice: for the tower you build, and for the card you take. Next you play the last five "
        "turns of another game, where cities are completed and scored."),
        "P13",
        again=True,
        ends=True,
    ),
    Lesson(
        "welcome",
        lambda s: s.asked == "play" and not s.turns,
        to_say("This is the end of another game: five turns each, and the pile is empty. Your colour is {s.colour}. Play a card: "
        "it shows the city where you build. Choose any of the three."),
        "P10",
        cards_in_hand,
    ),
    Lesson(
        "last floor",
        lambda s: s.asked == "build" and s.fills,
        to_say("Put your floor on either site. It completes {s.city}. The player with the most floors in the taller tower wins "
        "the gold token ({s.high}), and the most floors in the other tower win the silver one ({s.low})."),
        "P20",
        sites,
    ),
    Lesson(
        "two floors",
        lambda s: s.asked == "build" and s.view.crests == 2,
        to_say("Your card shows two crests, so you build two floors in {s.city}: both on the same site or one on each."),
        "P11",
        sites,
    ),
    Lesson(
        "build",
        lambda s: s.asked == "build" and not s.fills and not s.built,
        to_say("For each crest on your card you build a floor in {s.city}. Choose a site: your floor goes on top of the tower "
        "there."),
        "P11",
        sites,
    ),
    Lesson(
        "pennants",
        lambda s: s.asked == "build" and s.turns > 1 and not s.fills,
        to_say("The pennants show who is winning a tower, and by how many floors. In a tie (=), the floor nearest the top "
        "decides."),
        "P21",
        sites,
    ),
    Lesson(
        "move",
        lambda s: s.asked == "move",
        to_say("This card lets you move a floor. Choose a highlighted tower: its top floor, yours or not, goes to the other site "
        "of its city. This can change who leads. You may also skip it."),
        "P14",
        tops,
        again=True,
    ),
    Lesson(
        "any card",
        lambda s: s.asked == "take" and s.any_card,
        to_say("Your card shows “?”, so you can take any face-up card. Look for a city where you want to build, or for a "
        "portrait that you collect."),
        "P15",
        face_up,
    ),
    Lesson(
        "card there",
        lambda s: s.asked == "take" and s.opening,
        to_say("You built in {s.city}, so you take the card next to it: {s.next_card}. A new card from the pile replaces it."),
        "P16",
        face_up,
    ),
    Lesson(
        "no card there",
        lambda s: s.asked == "take" and len(face_up(s)) > 1,
        to_say("At the end of your turn you take the card next to the city where you built. There is none at {s.city}, so take any other."),
        "P15",
        face_up,
    ),
    Lesson(
        "scored",
        lambda s: s.asked in ("wait", "play") and s.scored is not None,
        to_say("{s.full} is complete. {s.gold} {s.silver}"),
        "P20",
        tokens,
    ),
    Lesson(
        "no new cards",
        lambda s: s.asked == "wait" and not s.cards_lie,
        to_say("There are no cards left on the map or in the pile, so nobody takes cards any more. The game ends when both hands are empty."),
        "P15",
    ),
    Lesson(
        "new card",
        lambda s: s.asked == "play" and s.taken is not None,
        to_say("You built, and you took the card at {s.from_city} into your hand. So every card gives you two things: a floor "
        "now, and your next card."),
        "P15",
        new_card,
    ),
    Lesson(
        "portraits",
        lambda s: s.asked == "play" and s.turns > 0,
        to_say("Portraits count too: every {s.portrait_set} of a kind on the cards you played are worth {s.portrait_points}. You have: {s.gallery}."),
        "P22",
        portraits,
    ),
    Lesson(
        "play on",
        lambda s: s.asked == "play",
        to_say("Your turn again: play a card. The game ends when all hands are empty. Then tokens and portraits are scored."),
        "P17",
        cards_in_hand,
        again=True,
    ),
    Lesson(
        "fill on",
        lambda s: s.asked == "build" and s.fills,
        to_say("Your floor completes {s.city}: {s.high} points for the taller tower, {s.low} for the other one."),
        "P20",
        sites,
        again=True,
    ),
    Lesson(
        "build on", lambda s: s.asked == "build", to_say("Build your floor in {s.city}."), "P11", sites, again=True
    ),
    Lesson("take on", lambda s: s.asked == "take", to_say("Your turn ends with taking a card: choose a highlighted one."), "P15", face_up, again=True),
    Lesson(
        "wait",
        lambda s: s.asked == "wait",
        to_say("Now it is {s.other}'s turn. {s.they_do}"),
        "P6",
        again=True,
    ),
)  # fmt: skip
