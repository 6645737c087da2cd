"""What can happen in Il Principe, each thing told in a sentence. Every event is public."""

import msgspec

from signoria.games.il_principe.rulebook.components import city_name, region_name
from signoria.games.il_principe.words.names import seat_name
from signoria.kernel.words import Naming


class _Event(msgspec.Struct, frozen=True, tag_field="event", tag=True):
    """Something that happened. `told` tells it in a sentence, `str` does so with the game's own names of the seats."""

    clause: str

    def told(self, name: Naming) -> str:
        """A sentence that calls seats by these names."""
        return self._tell(name)

    def _tell(self, name: Naming) -> str:
        raise NotImplementedError

    def __str__(self) -> str:
        return self.told(seat_name)


class CardLaid(_Event, frozen=True):
    """A card was laid face down; which one is not told."""

    seat: int

    def _tell(self, name: Naming) -> str:
        return f"{name(self.seat)} lays a card face down."


class BidMade(_Event, frozen=True):
    """Somebody bid."""

    seat: int
    ducats: int

    def _tell(self, name: Naming) -> str:
        return f"{name(self.seat)} bids {self.ducats}."


class Passed(_Event, frozen=True):
    """Somebody passed, in an auction or in phase 3."""

    seat: int

    def _tell(self, name: Naming) -> str:
        return f"{name(self.seat)} passes."


class Declined(_Event, frozen=True):
    """Somebody who won a lot founds no city."""

    seat: int

    def _tell(self, name: Naming) -> str:
        return f"{name(self.seat)} founds no city now."


class BuildingsPlayed(_Event, frozen=True):
    """Cards of a colour were played face up."""

    seat: int
    colour: str
    count: int

    def _tell(self, name: Naming) -> str:
        return f"{name(self.seat)} plays {self.count} {self.colour}."


class CityFounded(_Event, frozen=True):
    """A city was founded and its points taken."""

    seat: int
    city: str
    ducats: int
    points: int

    def _tell(self, name: Naming) -> str:
        return f"{name(self.seat)} founds {city_name(self.city)} for {self.ducats} ducats and {self.points} points."


class CrestPlaced(_Event, frozen=True):
    """A crest was put on a region."""

    seat: int
    region: str

    def _tell(self, name: Naming) -> str:
        return f"{name(self.seat)} puts a crest on {region_name(self.region)}."


class BuildingTurnedUp(_Event, frozen=True):
    """A face-down building was turned up for a green role."""

    seat: int
    colour: str

    def _tell(self, name: Naming) -> str:
        return f"{name(self.seat)} turns up a {self.colour} building."


class RoundBegan(_Event, frozen=True):
    """Everyone had their income."""

    round: int
    last: bool
    ducats: int
    cards: int
    """Cards that everyone drew."""

    def _tell(self, name: Naming) -> str:
        cards = f" and draws {self.cards} cards" if self.cards else ""
        return f"Round {self.round}{', the last,' if self.last else ''} begins: everyone takes {self.ducats} ducats{cards}."


class LotsTurnedUp(_Event, frozen=True):
    """The cards to be auctioned lie open."""

    lots: dict[str, int]

    def _tell(self, name: Naming) -> str:
        return f"To be auctioned: {', '.join(f'{count} {colour}' for colour, count in self.lots.items()) or 'nothing'}."


class AuctionOpened(_Event, frozen=True):
    """A lot or a role is auctioned."""

    what: str
    bidders: tuple[int, ...]

    def _tell(self, name: Naming) -> str:
        return f"{self.what} is auctioned among {', '.join(map(name, self.bidders))}."


class LotWon(_Event, frozen=True):
    """The highest bidder took a lot and is Il Principe."""

    seat: int
    colour: str
    count: int
    ducats: int

    def _tell(self, name: Naming) -> str:
        return f"{name(self.seat)} takes {self.count} {self.colour} for {self.ducats} and is Il Principe."


class LotUnsold(_Event, frozen=True):
    """Nobody bid; the cards left the game."""

    colour: str
    count: int

    def _tell(self, name: Naming) -> str:
        leaves = "it leaves" if self.count == 1 else "they leave"
        return f"Nobody wants {self.count} {self.colour}: {leaves} the game."


class RolesReturned(_Event, frozen=True):
    """All roles were handed back, to be given out anew."""

    held: dict[str, int]
    """Who held which."""

    def _tell(self, name: Naming) -> str:
        return "All roles are handed back."


class RoleTaken(_Event, frozen=True):
    """A role was taken, and its ability done unless somebody has to choose."""

    seat: int
    role: str
    colour: str
    ducats: int
    """What it cost in an auction; 0 without one."""
    turned_down: int
    """Buildings that a major role turned face down."""
    ability: str

    def _tell(self, name: Naming) -> str:
        price = f" for {self.ducats} and Il Principe" if self.ducats else ""
        turned = f", turns {self.turned_down} down" if self.turned_down else ""
        ability = f" and {self.ability}" if self.ability else ""
        return f"{name(self.seat)} is {self.role} (the {self.colour} role){price}{turned}{ability}."


class RoleLeft(_Event, frozen=True):
    """A role that was auctioned stays out: all passed."""

    role: str

    def _tell(self, name: Naming) -> str:
        return f"Nobody bids: the {self.role} stays out."


class RolePoints(_Event, frozen=True):
    """Points for roles in the colours of a founded city."""

    seat: int
    points: int

    def _tell(self, name: Naming) -> str:
        return f"{name(self.seat)} scores {self.points} for roles."


class CityTurnedUp(_Event, frozen=True):
    """The next city card was turned up."""

    city: str

    def _tell(self, name: Naming) -> str:
        return f"{city_name(self.city)} is turned up."


class GameEnded(_Event, frozen=True):
    """The game is over: for want of cities (I30), or after a last round or for want of cards in it (I31, I32)."""

    def _tell(self, name: Naming) -> str:
        return f"The game is over: {'fewer than four cities lie face up' if self.clause == 'I30' else 'the pile is used up'}."


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
