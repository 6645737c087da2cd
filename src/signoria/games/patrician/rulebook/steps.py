"""The steps of a turn: their numbers for the rules, their names for people, their JSON for records."""

from typing import assert_never

import msgspec

from signoria.games.patrician.rulebook.components import CARD_IDS, CITY_IDS, ROADS
from signoria.games.patrician.rulebook.state import CARDS, CITIES, SITES
from signoria.games.patrician.texts import say
from signoria.kernel.errors import IllegalStep
from signoria.kernel.numbering import Numbering

PLAYS = 0
BUILDS = PLAYS + CARDS
MOVES = BUILDS + SITES
STAY = MOVES + CITIES * SITES
TAKES = STAY + 1
SENDS = TAKES + CITIES
KEEP = SENDS + len(ROADS)
STEPS = KEEP + 1
MOST_LEGAL = TAKES - MOVES
"""The most steps that can be legal at once: all moves, and to skip the move."""


class _Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """A step as a value: comparable, hashable, JSON as in a record."""


class Play(_Step, frozen=True, tag="play"):
    """Lay a card of your hand on your stack (P10)."""

    card: str

    def __str__(self) -> str:
        return f"play {self.card}"


class Build(_Step, frozen=True, tag="build"):
    """Build a floor on one of the two sites, 0 or 1, of the card's city (P11)."""

    site: int

    def __str__(self) -> str:
        return f"build on site {self.site}"


class Move(_Step, frozen=True, tag="move"):
    """Move the top floor of a city's tower from this site to the other (P14)."""

    city: str
    origin: int = msgspec.field(name="from")

    def __str__(self) -> str:
        return f"move a floor in {self.city} from site {self.origin}"


class Stay(_Step, frozen=True, tag="stay"):
    """Move no floor (P14)."""

    def __str__(self) -> str:
        return "move nothing"


class Take(_Step, frozen=True, tag="take"):
    """Take the face-up card at a city (P15)."""

    city: str

    def __str__(self) -> str:
        return f"take the card at {self.city}"


class Messenger(_Step, frozen=True, tag="messenger"):
    """Place a messenger between two cities (M2)."""

    between: tuple[str, str]

    def __str__(self) -> str:
        return f"place a messenger between {self.between[0]} and {self.between[1]}"


class Keep(_Step, frozen=True, tag="keep"):
    """Place no messenger (M2)."""

    def __str__(self) -> str:
        return "place no messenger"


Step = Play | Build | Move | Stay | Take | Messenger | Keep


NUMBERING: Numbering[Step] = Numbering(
    *(Play(card) for card in CARD_IDS),
    *(Build(site) for site in range(SITES)),
    *(Move(city, origin) for city in CITY_IDS for origin in range(SITES)),
    Stay(),
    *(Take(city) for city in CITY_IDS),
    *(Messenger(road) for road in ROADS),
    Keep(),
)


def number_of(step: Step) -> int:
    """The number of a step; raises `IllegalStep` when it names something that does not exist."""
    number = NUMBERING.number(step)
    if number is None and isinstance(step, Messenger) and tuple(reversed(step.between)) in ROADS:
        number = SENDS + ROADS.index((step.between[1], step.between[0]))
    if number is None:
        raise _nothing_of_that_name(step)
    return number


def _nothing_of_that_name(step: Step) -> IllegalStep:
    match step:
        case Play(card):
            return IllegalStep(say("There is no card {card!r}; cards are named like roma-1.", card=card), "P10")
        case Build(site):
            return IllegalStep(say("There is no site {site!r}: every city has site 0 and site 1.", site=site), "P2")
        case Move(city, origin) if city in CITY_IDS:
            return IllegalStep(say("There is no site {site!r}: every city has site 0 and site 1.", site=origin), "P2")
        case Move(city) | Take(city):
            return IllegalStep(
                say("There is no city {city!r}; the cities are {city_ids}.", city=city, city_ids=", ".join(CITY_IDS)),
                "P1",
            )
        case Messenger(between):
            roads = ", ".join(f"{a}-{b}" for a, b in ROADS)
            return IllegalStep(
                say(
                    "No road joins {between}; the roads are {roads}.",
                    between=" and ".join(map(str, between)),
                    roads=roads,
                ),
                "M2",
            )
        case Stay() | Keep():
            raise AssertionError(step)
        case _:
            assert_never(step)
