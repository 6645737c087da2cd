"""The lessons of Patrician: the last five turns of a game for two."""

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

    # What lessons ask about

    @property
    def turns(self) -> int:
        """Cards that the learner has played since the lessons began."""
        return sum(isinstance(event, CardPlayed) and event.seat == self.me for event in self.events)

    @property
    def built(self) -> bool:
        """Whether the learner has built a floor."""
        return any(isinstance(event, FloorBuilt) and event.seat == self.me for event in self.events)

    @property
    def fills(self) -> bool:
        """Whether the floor that is asked for is the last one of its city."""
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
        """The first city that was scored lately."""
        return next((event for event in self.lately if isinstance(event, CityScored)), None)

    @property
    def taken(self) -> CardTaken | None:
        """The card that the learner took lately."""
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
        """Whether any card lies on the map."""
        return any(city.card for city in self.view.cities)

    @property
    def _here(self) -> CityView | None:
        return next((city for city in self.view.cities if city.id == self.view.city), None)

    # What sentences tell

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
        """What the opponent does in a turn: cards are taken as long as any lie there."""
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
            end = "is yours" if tower.seat == self.me else f"is {seat_name(tower.seat)}'s"
            return f"In {which} you are level: the floor nearest the top {end}, and so is the {metal} token ({points})."
        if tower.seat == self.me:
            return f"You have most floors in {which}: the {metal} token is yours ({points})."
        return f"{seat_name(tower.seat)} has most floors in {which} and takes the {metal} token ({points})."

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


# What lessons point at


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
        "All hands are empty, so the game is over. Tokens and portraits are added up, and most points win. You know the "
        "game!",
        "P23",
        again=True,
    ),
    Lesson(
        "welcome",
        lambda s: s.asked == "play" and not s.turns,
        "Welcome! You build in {s.colour}, and both of you have five turns left. Begin with a card: it shows the city "
        "where you may build. Any of the three will do.",
        "P10",
        cards_in_hand,
    ),
    Lesson(
        "last floor",
        lambda s: s.asked == "build" and s.fills,
        "Put your floor on either site. It fills {s.city}: whoever then has most floors in the taller tower wins the "
        "gold token ({s.high}), and in the other tower the silver one ({s.low}).",
        "P20",
        sites,
    ),
    Lesson(
        "two floors",
        lambda s: s.asked == "build" and s.view.crests == 2,
        "Two crests on the card mean two floors in {s.city}: both on one site, or one on each.",
        "P11",
        sites,
    ),
    Lesson(
        "build",
        lambda s: s.asked == "build" and not s.fills and not s.built,
        "Each crest on your card is a floor to build in {s.city}. Choose a site: your floor goes on top of what stands "
        "there.",
        "P11",
        sites,
    ),
    Lesson(
        "pennants",
        lambda s: s.asked == "build" and s.turns > 1 and not s.fills,
        "The pennants show who would win a tower now, and by how many floors. Where two are level (=), the floor nearest the "
        "top decides.",
        "P21",
        sites,
    ),
    Lesson(
        "move",
        lambda s: s.asked == "move",
        "This card lets you move a floor: the top of a marked tower, whoever owns it, goes to the other site of its city. "
        "That can turn the lead. You may also move nothing.",
        "P14",
        tops,
        again=True,
    ),
    Lesson(
        "any card",
        lambda s: s.asked == "take" and s.any_card,
        "Your card shows “?”, so take any card that lies face up. Look for a city where you want to build, or for a face "
        "that you collect.",
        "P15",
        face_up,
    ),
    Lesson(
        "no card there",
        lambda s: s.asked == "take" and len(face_up(s)) > 1,
        "A turn ends with a new card: the one beside the city you built in. None lies at {s.city}, so take any other.",
        "P15",
        face_up,
    ),
    Lesson(
        "scored",
        lambda s: s.asked in ("wait", "play") and s.scored is not None,
        "{s.full} is full. {s.gold} {s.silver}",
        "P20",
        tokens,
    ),
    Lesson(
        "no new cards",
        lambda s: s.asked == "wait" and not s.cards_lie,
        "The pile is gone and no card lies on the map any more: from now on nothing is taken. When both hands are empty the game ends.",
        "P15",
    ),
    Lesson(
        "new card",
        lambda s: s.asked == "play" and s.taken is not None,
        "You built, and the card that lay at {s.from_city} came into your hand. So a card gives you two things: a floor "
        "now, and your next card.",
        "P15",
        new_card,
    ),
    Lesson(
        "portraits",
        lambda s: s.asked == "play" and s.turns > 0,
        f"Faces count too: every {SET} equal portraits on the cards you played are worth {POINTS}. You have: {{s.gallery}}.",
        "P22",
        portraits,
    ),
    Lesson(
        "play on",
        lambda s: s.asked == "play",
        "Your turn again: play a card. When all hands are empty the game ends, and tokens and portraits are counted.",
        "P17",
        cards_in_hand,
        again=True,
    ),
    Lesson(
        "fill on",
        lambda s: s.asked == "build" and s.fills,
        "Your floor fills {s.city}: {s.high} points for the taller tower, {s.low} for the other one.",
        "P20",
        sites,
        again=True,
    ),
    Lesson(
        "build on", lambda s: s.asked == "build", "Build your floor in {s.city}.", "P11", sites, again=True
    ),
    Lesson("take on", lambda s: s.asked == "take", "A turn ends with a card: take one that is marked.", "P15", face_up, again=True),
    Lesson(
        "wait",
        lambda s: s.asked == "wait",
        "Now {s.other} does the same: {s.they_do}.",
        "P6",
        again=True,
    ),
)  # fmt: skip
