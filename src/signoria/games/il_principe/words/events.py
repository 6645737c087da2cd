"""Events of Il Principe, each with a sentence. Every event is public."""

from signoria.games.il_principe.rulebook.components import FIGURES, city_name, region_name
from signoria.games.il_principe.words.names import seat_name
from signoria.kernel.words import Naming, ToldEvent, counted, spelled


class _Event(ToldEvent, frozen=True):
    """Something that happened. `str` describes it with the game's own seat names."""

    def __str__(self) -> str:
        return self.told(seat_name)


class CardLaid(_Event, frozen=True):
    """A player laid a card face down; the event does not say which one."""

    seat: int

    def told(self, name: Naming) -> str:
        return f"{name(self.seat)} lays a card face down."


class BidMade(_Event, frozen=True):
    """A player bid."""

    seat: int
    ducats: int

    def told(self, name: Naming) -> str:
        return f"{name(self.seat)} bids {self.ducats}."


class Passed(_Event, frozen=True):
    """A player passed, in an auction or in phase 3."""

    seat: int

    def told(self, name: Naming) -> str:
        return f"{name(self.seat)} passes."


class Declined(_Event, frozen=True):
    """A player who won a lot founds no city."""

    seat: int

    def told(self, name: Naming) -> str:
        return f"{name(self.seat)} does not found a city."


class BuildingsPlayed(_Event, frozen=True):
    """A player played cards of one colour face up."""

    seat: int
    colour: str
    count: int

    def told(self, name: Naming) -> str:
        return f"{name(self.seat)} plays {counted(self.count, f'{self.colour} building')}."


class CityFounded(_Event, frozen=True):
    """A player founded a city and scored its points."""

    seat: int
    city: str
    ducats: int
    points: int

    def told(self, name: Naming) -> str:
        return (
            f"{name(self.seat)} founds {city_name(self.city)} for {counted(self.ducats, 'ducat')} "
            f"and scores {counted(self.points, 'point')}."
        )


class CrestPlaced(_Event, frozen=True):
    """A player placed a crest on a region."""

    seat: int
    region: str

    def told(self, name: Naming) -> str:
        return f"{name(self.seat)} places a crest on {region_name(self.region)}."


class BuildingTurnedUp(_Event, frozen=True):
    """A player turned a face-down building face up for a green role."""

    seat: int
    colour: str

    def told(self, name: Naming) -> str:
        return f"{name(self.seat)} turns a {self.colour} building face up."


class RoundBegan(_Event, frozen=True):
    """A round began, and everyone took their income."""

    round: int
    last: bool
    ducats: int
    cards: int
    """How many cards each player drew."""

    def told(self, name: Naming) -> str:
        cards = f" and draws {self.cards} cards" if self.cards else ""
        last = " (the last round)" if self.last else ""
        return f"Round {self.round}{last} begins. Everyone takes {self.ducats} ducats{cards}."


class LotsTurnedUp(_Event, frozen=True):
    """The offered cards were turned face up."""

    lots: dict[str, int]

    def told(self, name: Naming) -> str:
        return f"Lots: {', '.join(f'{count} {colour}' for colour, count in self.lots.items()) or 'nothing'}."


class AuctionOpened(_Event, frozen=True):
    """The auction of a lot or a role began."""

    what: str
    bidders: tuple[int, ...]

    def told(self, name: Naming) -> str:
        return f"Auction of {self.what}: {', '.join(map(name, self.bidders))} can bid."


class LotWon(_Event, frozen=True):
    """The highest bidder took a lot and became Il Principe."""

    seat: int
    colour: str
    count: int
    ducats: int

    def told(self, name: Naming) -> str:
        lot = counted(self.count, f"{self.colour} card")
        return f"{name(self.seat)} wins {lot} for {counted(self.ducats, 'ducat')} and becomes Il Principe."


class LotUnsold(_Event, frozen=True):
    """Nobody bid, so the cards were removed from the game."""

    colour: str
    count: int

    def told(self, name: Naming) -> str:
        lot = counted(self.count, f"{self.colour} card")
        return f"Nobody bids for {lot}: removed from the game."


class RolesReturned(_Event, frozen=True):
    """All roles were returned, to be assigned again."""

    held: dict[str, int]
    """Seats by the role they held."""

    def told(self, name: Naming) -> str:
        return "All roles are returned."


class RoleTaken(_Event, frozen=True):
    """A player took a role and used its ability, unless the player has to choose."""

    seat: int
    role: str
    colour: str
    ducats: int
    """The price in an auction; 0 without one."""
    turned_down: int
    """How many buildings the new holder of a major role turned face down."""
    ability: str

    def told(self, name: Naming) -> str:
        price = f" for {counted(self.ducats, 'ducat')} and becomes Il Principe" if self.ducats else ""
        turned = f", turns {counted(self.turned_down, 'building')} face down" if self.turned_down else ""
        ability = f", {self.ability}" if self.ability else ""
        return f"{name(self.seat)} takes the {self.colour} role {self.role}{price}{turned}{ability}."


class RoleLeft(_Event, frozen=True):
    """Nobody bid for a role, so nobody took it."""

    role: str

    def told(self, name: Naming) -> str:
        return f"Nobody bids for the {self.role}, so nobody takes it."


class RolePoints(_Event, frozen=True):
    """A player scored points for roles in the colours of a city that another founded."""

    seat: int
    points: int

    def told(self, name: Naming) -> str:
        return f"{name(self.seat)} scores {counted(self.points, 'point')} for roles."


class CityTurnedUp(_Event, frozen=True):
    """The next city card was turned up."""

    city: str

    def told(self, name: Naming) -> str:
        return f"New city: {city_name(self.city)}."


class GameEnded(_Event, frozen=True):
    """The game is over: too few cities (I30), the last round is over, or too few cards for it (I31, I32)."""

    def told(self, name: Naming) -> str:
        return f"The game is over: {f'fewer than {spelled(FIGURES.game.face_up)} cities are face up' if self.clause == 'I30' else 'too few building cards are left'}."


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
