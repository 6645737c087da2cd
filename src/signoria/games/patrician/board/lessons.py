"""The lessons of Patrician: the last five turns of a two-player game."""

from signoria.games.patrician.board.meaning import POINTS, SET
from signoria.games.patrician.rulebook.components import Card, city_name
from signoria.games.patrician.rulebook.steps import Build, Move, Play, Take
from signoria.games.patrician.view import CityView, View
from signoria.games.patrician.words.events import CardPlayed, CardTaken, CityScored, Event, FloorBuilt, TowerWon
from signoria.games.patrician.words.names import seat_name
from signoria.kernel.words import counted
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
        for place in reversed(range(len(self.events))):
            event = self.events[place]
            if isinstance(event, CardPlayed) and event.seat == self.me:
                return self.events[place:]
        return self.events

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
        return seat_name(self.me).lower()

    @property
    def other(self) -> str:
        """The opponent."""
        return seat_name(1 - self.me)

    @property
    def they_do(self) -> str:
        """What the opponent does in a turn; a card is taken while there are any."""
        return "plays a card, builds, and takes a card" if self.cards_lie else "plays a card and builds"

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
        return self._won(self.scored.high, "the taller tower", "gold") if self.scored else ""

    @property
    def silver(self) -> str:
        """Who won its other tower."""
        return self._won(self.scored.low, "the other tower", "silver") if self.scored else ""

    def _won(self, tower: TowerWon, which: str, metal: str) -> str:
        points = counted(tower.points, "point")
        if tower.tied:
            who = "you win" if tower.seat == self.me else f"{seat_name(tower.seat)} wins"
            top = "your floor" if tower.seat == self.me else f"{seat_name(tower.seat)}'s floor"
            return f"You are tied in {which}, but {top} is nearer the top, so {who} the {metal} token ({points})."
        if tower.seat == self.me:
            return f"You have the most floors in {which}, so you win the {metal} token ({points})."
        return f"{seat_name(tower.seat)} has the most floors in {which} and wins the {metal} token ({points})."

    @property
    def portraits(self) -> dict[str, int]:
        """The learner's portraits so far."""
        return self.view.portraits[self.me] or {}

    @property
    def gallery(self) -> str:
        """The same in words."""
        counts = self.portraits
        return f"captains {counts['captain']}, ladies {counts['lady']}, elders {counts['elder']}"

    @property
    def from_city(self) -> str:
        """Where the learner's new card lay."""
        return city_name(self.taken.city) if self.taken else ""


# Elements that lessons highlight


def cards_in_hand(s: Seen) -> list[str]:
    """Cards that can be played."""
    return [f"card-{step.card}" for step in s.view.legal if isinstance(step, Play)]


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
        "All hands are empty, so the game is over. Add up tokens and portraits: the most points win. Now you know the "
        "game!",
        "P23",
        again=True,
    ),
    Lesson(
        "welcome",
        lambda s: s.asked == "play" and not s.turns,
        "Welcome! Your colour is {s.colour}, and each player has five turns left. Start by playing a card: it shows "
        "the city where you build. Choose any of the three.",
        "P10",
        cards_in_hand,
    ),
    Lesson(
        "last floor",
        lambda s: s.asked == "build" and s.fills,
        "Put your floor on either site. It completes {s.city}. The player with the most floors in the taller tower wins "
        "the gold token ({s.high}), and the most floors in the other tower win the silver one ({s.low}).",
        "P20",
        sites,
    ),
    Lesson(
        "two floors",
        lambda s: s.asked == "build" and s.view.crests == 2,
        "Your card shows two crests, so you build two floors in {s.city}: both on the same site or one on each.",
        "P11",
        sites,
    ),
    Lesson(
        "build",
        lambda s: s.asked == "build" and not s.fills and not s.built,
        "For each crest on your card you build a floor in {s.city}. Choose a site: your floor goes on top of the tower "
        "there.",
        "P11",
        sites,
    ),
    Lesson(
        "pennants",
        lambda s: s.asked == "build" and s.turns > 1 and not s.fills,
        "The pennants show who is winning a tower, and by how many floors. In a tie (=), the floor nearest the top "
        "decides.",
        "P21",
        sites,
    ),
    Lesson(
        "move",
        lambda s: s.asked == "move",
        "This card lets you move a floor. Choose a highlighted tower: its top floor, yours or not, goes to the other site "
        "of its city. This can change who leads. You may also skip it.",
        "P14",
        tops,
        again=True,
    ),
    Lesson(
        "any card",
        lambda s: s.asked == "take" and s.any_card,
        "Your card shows “?”, so you can take any face-up card. Look for a city where you want to build, or for a "
        "portrait that you collect.",
        "P15",
        face_up,
    ),
    Lesson(
        "no card there",
        lambda s: s.asked == "take" and len(face_up(s)) > 1,
        "At the end of your turn you take the card next to the city where you built. There is none at {s.city}, so take any other.",
        "P15",
        face_up,
    ),
    Lesson(
        "scored",
        lambda s: s.asked in ("wait", "play") and s.scored is not None,
        "{s.full} is complete. {s.gold} {s.silver}",
        "P20",
        tokens,
    ),
    Lesson(
        "no new cards",
        lambda s: s.asked == "wait" and not s.cards_lie,
        "There are no cards left on the map or in the pile, so nobody takes cards any more. The game ends when both hands are empty.",
        "P15",
    ),
    Lesson(
        "new card",
        lambda s: s.asked == "play" and s.taken is not None,
        "You built, and you took the card at {s.from_city} into your hand. So every card gives you two things: a floor "
        "now, and your next card.",
        "P15",
        new_card,
    ),
    Lesson(
        "portraits",
        lambda s: s.asked == "play" and s.turns > 0,
        f"Portraits count too: every {SET} of a kind on the cards you played are worth {POINTS}. You have: {{s.gallery}}.",
        "P22",
        portraits,
    ),
    Lesson(
        "play on",
        lambda s: s.asked == "play",
        "Your turn again: play a card. The game ends when all hands are empty. Then tokens and portraits are scored.",
        "P17",
        cards_in_hand,
        again=True,
    ),
    Lesson(
        "fill on",
        lambda s: s.asked == "build" and s.fills,
        "Your floor completes {s.city}: {s.high} points for the taller tower, {s.low} for the other one.",
        "P20",
        sites,
        again=True,
    ),
    Lesson(
        "build on", lambda s: s.asked == "build", "Build your floor in {s.city}.", "P11", sites, again=True
    ),
    Lesson("take on", lambda s: s.asked == "take", "Your turn ends with taking a card: choose a highlighted one.", "P15", face_up, again=True),
    Lesson(
        "wait",
        lambda s: s.asked == "wait",
        "Now it is {s.other}'s turn: {s.other} {s.they_do}.",
        "P6",
        again=True,
    ),
)  # fmt: skip
