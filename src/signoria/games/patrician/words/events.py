"""Events of Patrician: what a step caused, from the states before and after it. Every event is public."""

import msgspec

from signoria.games.patrician.rulebook.components import CARD_IDS, CITY_IDS, ROADS, city_name
from signoria.games.patrician.rulebook.scoring import extra_points, tower_of
from signoria.games.patrician.rulebook.state import HIGH, LOW, NONE, OVER
from signoria.games.patrician.rulebook.steps import Build, Messenger, Move, Play, Step, Take
from signoria.games.patrician.texts import say, say_count
from signoria.games.patrician.words.names import seat_name
from signoria.kernel.compiled import in_python
from signoria.kernel.language import all_of
from signoria.kernel.position import Position
from signoria.kernel.words import Naming, ToldEvent


class _Event(ToldEvent, frozen=True):
    """Something that happened. `str` describes it with the game's own seat names."""

    def __str__(self) -> str:
        return self.told(seat_name)


class CardPlayed(_Event, frozen=True):
    """A card was laid face up on its owner's stack."""

    seat: int
    card: str

    def told(self, name: Naming) -> str:
        return say("{player} plays {card}.", player=name(self.seat), card=self.card)


class FloorBuilt(_Event, frozen=True):
    """A floor was built; `level` counts from 1 at the ground."""

    seat: int
    city: str
    site: int
    level: int

    def told(self, name: Naming) -> str:
        who = {"player": name(self.seat), "level": self.level, "city": city_name(self.city)}
        if self.site == 0:
            return say("{player} builds floor {level} of the left tower in {city}.", **who)
        return say("{player} builds floor {level} of the right tower in {city}.", **who)


class TowerWon(msgspec.Struct, frozen=True):
    """Who won a tower, which token that gives, and why."""

    seat: int
    site: int
    points: int
    extra: int
    """Points of the extra tokens for messengers (M5)."""
    floors: tuple[int, ...]
    """Floors of each seat in the tower."""
    tied: tuple[int, ...]
    """Seats tied for the most floors; the floor nearest the top decided (P21). Empty without a tie."""

    def told(self, name: Naming) -> str:
        """A part of the sentence about its city."""
        who = {"player": name(self.seat), "points": self.points, "extra": self.extra}
        others = all_of([name(seat) for seat in self.tied if seat != self.seat]) if self.tied else ""
        most = self.floors[self.seat]
        if self.tied and self.extra:
            return say_count(
                "{player} wins {points} plus {extra} for messengers ({n} floor, tied with {others}, and nearest the top)",
                "{player} wins {points} plus {extra} for messengers ({n} floors, tied with {others}, and nearest the top)",
                most,
                others=others,
                **who,
            )
        if self.tied:
            return say_count(
                "{player} wins {points} ({n} floor, tied with {others}, and nearest the top)",
                "{player} wins {points} ({n} floors, tied with {others}, and nearest the top)",
                most,
                others=others,
                **who,
            )
        if self.extra:
            return say_count(
                "{player} wins {points} plus {extra} for messengers ({n} floor)",
                "{player} wins {points} plus {extra} for messengers ({n} floors)",
                most,
                **who,
            )
        return say_count("{player} wins {points} ({n} floor)", "{player} wins {points} ({n} floors)", most, **who)


class CityScored(_Event, frozen=True):
    """A city was full, and its two prestige tokens were won."""

    city: str
    high: TowerWon
    low: TowerWon

    def told(self, name: Naming) -> str:
        return say(
            "{city} is scored: {high}; {low}.",
            city=city_name(self.city),
            high=self.high.told(name),
            low=self.low.told(name),
        )


class FloorMoved(_Event, frozen=True):
    """The top floor of a tower was moved to the other site."""

    seat: int
    city: str
    origin: int
    owner: int
    left: int
    """The level that it stood at, counting from 1 at the ground."""
    level: int
    """The level that it stands at now."""

    def told(self, name: Naming) -> str:
        who = {"player": name(self.seat), "city": city_name(self.city)}
        if self.owner == self.seat and self.origin == 0:
            return say("{player} moves their own floor in {city} from the left tower to the right one.", **who)
        if self.owner == self.seat:
            return say("{player} moves their own floor in {city} from the right tower to the left one.", **who)
        who["owner"] = name(self.owner)
        if self.origin == 0:
            return say("{player} moves a floor of {owner} in {city} from the left tower to the right one.", **who)
        return say("{player} moves a floor of {owner} in {city} from the right tower to the left one.", **who)


class CardTaken(_Event, frozen=True):
    """A face-up card went into a hand."""

    seat: int
    city: str
    card: str

    def told(self, name: Naming) -> str:
        return say(
            "{player} takes {card} from {city}.", player=name(self.seat), card=self.card, city=city_name(self.city)
        )


class CardLaidOut(_Event, frozen=True):
    """The next card of the pile was laid face up."""

    city: str
    card: str

    def told(self, name: Naming) -> str:
        return say("New card at {city}: {card}.", city=city_name(self.city), card=self.card)


class MessengerPlaced(_Event, frozen=True):
    """A messenger was placed between two cities."""

    seat: int
    between: tuple[str, str]

    def told(self, name: Naming) -> str:
        here, there = map(city_name, self.between)
        return say(
            "{player} places a messenger between {here} and {there}.", player=name(self.seat), here=here, there=there
        )


class GameEnded(_Event, frozen=True):
    """The last card was played."""

    def told(self, name: Naming) -> str:
        return say("All cards have been played. The game is over.")


Event = CardPlayed | FloorBuilt | CityScored | FloorMoved | CardTaken | CardLaidOut | MessengerPlaced | GameEnded


def events(before: Position, after: Position, step: Step) -> tuple[Event, ...]:
    """The events that a step caused, in order."""
    was, now, seat = before.state, after.state, before.seat
    told: list[Event] = []
    match step:
        case Play(card):
            told.append(CardPlayed("P10", seat, card))
        case Build(site):
            city = was.city
            told.append(FloorBuilt("P11", seat, CITY_IDS[city], site, int(now.height[city, site])))
            if was.won[city, HIGH] == NONE and now.won[city, HIGH] != NONE:
                told.append(city_scored(after, city))
        case Move(name, origin):
            city = CITY_IDS.index(name)
            left, level = int(was.height[city, origin]), int(now.height[city, 1 - origin])
            owner = int(now.floor[city, 1 - origin, level - 1])
            told.append(FloorMoved("P14", seat, name, origin, owner, left, level))
        case Take(name):
            city = CITY_IDS.index(name)
            told.append(CardTaken("P15", seat, name, CARD_IDS[was.display[city]]))
            if now.display[city] != NONE:
                told.append(CardLaidOut("P16", name, CARD_IDS[now.display[city]]))
        case Messenger():
            road = next(road for road in range(len(ROADS)) if was.messenger[road] != now.messenger[road])
            told.append(MessengerPlaced("M2", seat, ROADS[road]))
    if now.asked == OVER:
        told.append(GameEnded("P17"))
    return tuple(told)


def city_scored(position: Position, city: int) -> CityScored:
    """Who won which token of a scored city, and why."""
    s, box = position.state, position.box
    towers = []
    for token in (HIGH, LOW):
        site, winner = in_python(tower_of)(s, city, token), int(s.won[city, token])
        tower = s.floor[city, site, : s.height[city, site]].tolist()
        floors = tuple(tower.count(seat) for seat in range(box.players))
        tied = tuple(seat for seat, count in enumerate(floors) if count == floors[winner])
        extra = int(in_python(extra_points)(s, box, city))
        points = int(box.token[city, token])
        towers.append(TowerWon(winner, site, points, extra, floors, tied if len(tied) > 1 else ()))
    return CityScored("P20", CITY_IDS[city], *towers)
