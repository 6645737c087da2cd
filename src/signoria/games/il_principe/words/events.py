"""Events of Il Principe, each with a sentence. Every event is public."""

from collections.abc import Sequence

from signoria.games.il_principe.rulebook.components import FIGURES, city_name, region_name
from signoria.games.il_principe.texts import later, say, say_count
from signoria.games.il_principe.words import amounts
from signoria.games.il_principe.words.names import seat_name
from signoria.kernel.language import Message, to_say
from signoria.kernel.words import Naming, ToldEvent, spelled

TURNED_UP = {
    "green": to_say("{player} turns a green building face up."),
    "white": to_say("{player} turns a white building face up."),
    "red": to_say("{player} turns a red building face up."),
    "blue": to_say("{player} turns a blue building face up."),
    "yellow": to_say("{player} turns a yellow building face up."),
}


class _Event(ToldEvent, frozen=True):
    """Something that happened. `str` describes it with the game's own seat names."""

    def __str__(self) -> str:
        return self.told(seat_name)


class CardLaid(_Event, frozen=True):
    """A player laid a card face down; the event does not say which one."""

    seat: int

    def told(self, name: Naming) -> str:
        return say("{player} lays a card face down.", player=name(self.seat))


class BidMade(_Event, frozen=True):
    """A player bid."""

    seat: int
    ducats: int

    def told(self, name: Naming) -> str:
        return say_count("{player} bids {n} ducat.", "{player} bids {n} ducats.", self.ducats, player=name(self.seat))


class Passed(_Event, frozen=True):
    """A player passed, in an auction or in phase 3."""

    seat: int

    def told(self, name: Naming) -> str:
        return say("{player} passes.", player=name(self.seat))


class Declined(_Event, frozen=True):
    """A player who won a lot founds no city."""

    seat: int

    def told(self, name: Naming) -> str:
        return say("{player} does not found a city.", player=name(self.seat))


class BuildingsPlayed(_Event, frozen=True):
    """A player played cards of one colour face up."""

    seat: int
    colour: str
    count: int

    def told(self, name: Naming) -> str:
        buildings = amounts.colour_buildings(self.colour, self.count)
        return say("{player} plays {buildings}.", player=name(self.seat), buildings=buildings)


class CityFounded(_Event, frozen=True):
    """A player founded a city and scored its points."""

    seat: int
    city: str
    ducats: int
    points: int

    def told(self, name: Naming) -> str:
        return say(
            "{player} founds {city} for {ducats} and scores {points}.",
            player=name(self.seat),
            city=city_name(self.city),
            ducats=amounts.ducats_as_object(self.ducats),
            points=amounts.points(self.points),
        )

    def brief(self, name: Naming) -> str:
        founded = {"player": name(self.seat), "city": city_name(self.city), "points": amounts.points(self.points)}
        return say("{player} founds {city}: {points}.", **founded)


class CrestPlaced(_Event, frozen=True):
    """A player placed a crest on a region."""

    seat: int
    region: str

    def told(self, name: Naming) -> str:
        return say("{player} places a crest on {region}.", player=name(self.seat), region=region_name(self.region))


class BuildingTurnedUp(_Event, frozen=True):
    """A player turned a face-down building face up for a green role."""

    seat: int
    colour: str

    def told(self, name: Naming) -> str:
        return say(TURNED_UP[self.colour], player=name(self.seat))


class RoundBegan(_Event, frozen=True):
    """A round began, and everyone took their income."""

    round: int
    last: bool
    ducats: int
    cards: int
    """How many cards each player drew."""

    def told(self, name: Naming) -> str:
        income = {"round": self.round, "ducats": self.ducats, "cards": self.cards}
        if self.last and self.cards:
            return say(
                "Round {round} (the last round) begins. Everyone takes {ducats} ducats and draws {cards} cards.",
                **income,
            )
        if self.last:
            return say("Round {round} (the last round) begins. Everyone takes {ducats} ducats.", **income)
        if self.cards:
            return say("Round {round} begins. Everyone takes {ducats} ducats and draws {cards} cards.", **income)
        return say("Round {round} begins. Everyone takes {ducats} ducats.", **income)

    def brief(self, name: Naming) -> str:
        if self.last:
            return say("The last round, {round}, begins.", round=self.round)
        return say("Round {round} begins.", round=self.round)


class LotsTurnedUp(_Event, frozen=True):
    """The offered cards were turned face up."""

    lots: dict[str, int]

    def told(self, name: Naming) -> str:
        return say("Lots: {lots}.", lots=amounts.by_colour(self.lots, self.lots) or say("nothing"))

    def brief(self, name: Naming) -> str:
        return ""  # the table shows them


class AuctionOpened(_Event, frozen=True):
    """The auction of a lot or a role began."""

    colour: str
    count: int
    """How many cards of this colour; 0 for a role."""
    role: str
    """Empty for cards."""
    bidders: tuple[int, ...]

    def told(self, name: Naming) -> str:
        lot = amounts.lot(self.colour, self.count, self.role)
        return say("Auction of {lot}: {players} can bid.", lot=lot, players=", ".join(map(name, self.bidders)))

    def brief(self, name: Naming) -> str:
        return say("Now {lot}.", lot=amounts.lot(self.colour, self.count, self.role))


class LotWon(_Event, frozen=True):
    """The highest bidder took a lot and became Il Principe."""

    seat: int
    colour: str
    count: int
    ducats: int

    def told(self, name: Naming) -> str:
        return say_count(
            "{player} wins {lot} for {n} ducat and becomes Il Principe.",
            "{player} wins {lot} for {n} ducats and becomes Il Principe.",
            self.ducats,
            player=name(self.seat),
            lot=amounts.colour_cards(self.colour, self.count),
        )

    def brief(self, name: Naming) -> str:
        return say_count(
            "{player} wins the lot for {n} ducat.",
            "{player} wins the lot for {n} ducats.",
            self.ducats,
            player=name(self.seat),
        )


class LotUnsold(_Event, frozen=True):
    """Nobody bid, so the cards were removed from the game."""

    colour: str
    count: int

    def told(self, name: Naming) -> str:
        return say("Nobody bids for {lot}: removed from the game.", lot=amounts.colour_cards(self.colour, self.count))

    def brief(self, name: Naming) -> str:
        return say("Nobody buys the lot.")


class RolesReturned(_Event, frozen=True):
    """All roles were returned, to be assigned again."""

    held: dict[str, int]
    """Seats by the role they held."""

    def told(self, name: Naming) -> str:
        return say("All roles are returned.")

    def brief(self, name: Naming) -> str:
        return ""


class RoleTaken(_Event, frozen=True):
    """A player took a role and used its ability, unless the player has to choose."""

    seat: int
    role: str
    colour: str
    ducats: int
    """The price in an auction; 0 without one."""
    turned_down: int
    """How many buildings the new holder of a major role turned face down."""
    points: int = 0
    """Points that its ability gave."""
    drawn: int = 0
    """Cards that its ability gave."""
    income: int = 0
    """Ducats that its ability gave."""

    @property
    def ability(self) -> str:
        """What its ability gave, in words; empty if its holder has to choose."""
        if self.points:
            return say_count("scores {n} point", "scores {n} points", self.points)
        if self.drawn:
            return say("draws a card")
        return say_count("takes {n} ducat", "takes {n} ducats", self.income) if self.income else ""

    def told(self, name: Naming) -> str:
        who = {"player": name(self.seat), "role": self.role, "colour": amounts.colour_name(self.colour)}
        if self.ducats:
            parts = [
                say_count(
                    "{player} takes the role {role} ({colour}) for {n} ducat and becomes Il Principe",
                    "{player} takes the role {role} ({colour}) for {n} ducats and becomes Il Principe",
                    self.ducats,
                    **who,
                )
            ]
        else:
            parts = [say("{player} takes the role {role} ({colour})", **who)]
        if self.turned_down:
            down = say_count("turns {n} building face down", "turns {n} buildings face down", self.turned_down)
            parts.append(down)
        return f"{', '.join([*parts, *filter(None, [self.ability])])}."

    def brief(self, name: Naming) -> str:
        return say("{player} is {role}.", player=name(self.seat), role=self.role)


class RoleLeft(_Event, frozen=True):
    """Nobody bid for a role, so nobody took it."""

    role: str

    def told(self, name: Naming) -> str:
        return say("Nobody bids for the {role}, so nobody takes it.", role=self.role)

    def brief(self, name: Naming) -> str:
        return say("Nobody is {role}.", role=self.role)


class RolePoints(_Event, frozen=True):
    """A player scored points for roles in the colours of a city that another founded."""

    seat: int
    points: int

    def told(self, name: Naming) -> str:
        return say_count(
            "{player} scores {n} point for roles.",
            "{player} scores {n} points for roles.",
            self.points,
            player=name(self.seat),
        )

    def brief(self, name: Naming) -> str:
        return say("{player}: {points}.", player=name(self.seat), points=amounts.points(self.points))


class CityTurnedUp(_Event, frozen=True):
    """The next city card was turned up."""

    city: str

    def told(self, name: Naming) -> str:
        return say("New city: {city}.", city=city_name(self.city))

    def brief(self, name: Naming) -> str:
        return ""  # the table shows it


class GameEnded(_Event, frozen=True):
    """The game is over: too few cities (I30), the last round is over, or too few cards for it (I31, I32)."""

    def told(self, name: Naming) -> str:
        if self.clause == "I30":
            return say("The game is over: fewer than {least} cities are face up.", least=spelled(FIGURES.game.face_up))
        return say("The game is over: too few building cards are left.")


Event = (
    CardLaid
    | BidMade
    | Passed
    | Declined
    | BuildingsPlayed
    | CityFounded
    | CrestPlaced
    | BuildingTurnedUp
    | RoundBegan
    | LotsTurnedUp
    | AuctionOpened
    | LotWon
    | LotUnsold
    | RolesReturned
    | RoleTaken
    | RoleLeft
    | RolePoints
    | CityTurnedUp
    | GameEnded
)


def chapter_name(number: int, phase: int, last: bool) -> Message:
    """A phase of a round as a heading."""
    if last:
        return later("Round {round}, phase {phase} (last round)", round=number, phase=phase)
    return brief_chapter_name(number, phase)


def brief_chapter_name(number: int, phase: int) -> Message:
    """A phase of a round inside a sentence."""
    return later("Round {round}, phase {phase}", round=number, phase=phase)


def round_name(number: int) -> Message:
    """A round, on the axis of a chart."""
    return later("Round {round}", round=number)


def chapters_of(events: Sequence[Event], number: int, phase: int, last: bool) -> tuple[Message, ...]:
    """The heading of each event of a step that was made in this phase."""
    told = []
    for event in events:
        match event:
            case RoundBegan():
                number, phase, last = event.round, 1, event.last
            case LotsTurnedUp():
                phase = 2
            case RolesReturned() | RoleTaken() | RoleLeft() | AuctionOpened("I22"):
                phase = 4
            case _:
                pass
        told.append(chapter_name(number, phase, last))
    return tuple(told)
