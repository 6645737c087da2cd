"""The steps of a round: their numbers for the rules, their names for people, their JSON for records."""

from typing import assert_never

import msgspec

from signoria.games.il_principe.rulebook.components import CITY_IDS, COLOUR_IDS, REGION_IDS
from signoria.games.il_principe.rulebook.state import A_COLOUR, CITIES, COLOURS, MOST_DUCATS, REGIONS
from signoria.games.il_principe.texts import say
from signoria.kernel.errors import IllegalStep
from signoria.kernel.numbering import Numbering

OFFERS = 0
BIDS = OFFERS + COLOURS
PASS = BIDS + MOST_DUCATS
FOUNDS = PASS + 1
DECLINE = FOUNDS + CITIES
PLAYS = DECLINE + 1
CRESTS = PLAYS + COLOURS * A_COLOUR
TURNS = CRESTS + REGIONS
STEPS = TURNS + COLOURS
MOST_LEGAL = 1 + max(MOST_DUCATS, 4 + COLOURS * A_COLOUR)
"""The most steps that can be legal at once: all bids, or all cities and cards, and a pass."""


class _Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """A step as a value: comparable, hashable, JSON as in a record."""


class Offer(_Step, frozen=True, tag="offer"):
    """Lay a card of a colour face down for the auctions (I11)."""

    colour: str

    def __str__(self) -> str:
        return f"offer a {self.colour} card"


class Bid(_Step, frozen=True, tag="bid"):
    """Bid this many ducats for the lot or role (I13)."""

    ducats: int

    def __str__(self) -> str:
        return f"bid {self.ducats}"


class Pass(_Step, frozen=True, tag="pass"):
    """Leave this auction for good (I13), or do nothing in phase 3 (I16)."""

    def __str__(self) -> str:
        return "pass"


class Found(_Step, frozen=True, tag="found"):
    """Found one of the face-up cities (I17)."""

    city: str

    def __str__(self) -> str:
        return f"found {self.city}"


class Decline(_Step, frozen=True, tag="decline"):
    """Found no city after winning a lot (I14)."""

    def __str__(self) -> str:
        return "found no city"


class Play(_Step, frozen=True, tag="play"):
    """Play cards of one colour face up in front of you (I16)."""

    colour: str
    count: int

    def __str__(self) -> str:
        return f"play {self.count} {self.colour}"


class Crest(_Step, frozen=True, tag="crest"):
    """Put a crest on a region (I17, I23)."""

    region: str

    def __str__(self) -> str:
        return f"put a crest on {self.region}"


class Turn(_Step, frozen=True, tag="turn"):
    """Turn up a face-down card of a colour (I23)."""

    colour: str

    def __str__(self) -> str:
        return f"turn up a {self.colour} card"


Step = Offer | Bid | Pass | Found | Decline | Play | Crest | Turn


NUMBERING: Numbering[Step] = Numbering(
    *(Offer(colour) for colour in COLOUR_IDS),
    *(Bid(ducats) for ducats in range(1, MOST_DUCATS + 1)),
    Pass(),
    *(Found(city) for city in CITY_IDS),
    Decline(),
    *(Play(colour, count) for colour in COLOUR_IDS for count in range(1, A_COLOUR + 1)),
    *(Crest(region) for region in REGION_IDS),
    *(Turn(colour) for colour in COLOUR_IDS),
)


def number_of(step: Step) -> int:
    """The number of a step; raises `IllegalStep` when it names something that does not exist."""
    number = NUMBERING.number(step)
    if number is None:
        raise _nothing_of_that_name(step)
    return number


def _nothing_of_that_name(step: Step) -> IllegalStep:
    colours, regions = ", ".join(COLOUR_IDS), ", ".join(REGION_IDS)
    match step:
        case Offer(colour) | Turn(colour):
            return IllegalStep(
                say("There is no colour {colour!r}; the colours are {colours}.", colour=colour, colours=colours), "I2"
            )
        case Bid(ducats):
            return IllegalStep(
                say(
                    "Nobody can bid {ducats!r}: a bid is a whole number from 1 to {most_ducats}.",
                    ducats=ducats,
                    most_ducats=MOST_DUCATS,
                ),
                "I13",
            )
        case Found(city):
            return IllegalStep(
                say("There is no city {city!r}; the cities are {city_ids}.", city=city, city_ids=", ".join(CITY_IDS)),
                "I17",
            )
        case Play(colour, count) if colour in COLOUR_IDS:
            return IllegalStep(
                say("Nobody can play {count!r} cards of a colour: 1 to {a_colour}.", count=count, a_colour=A_COLOUR),
                "I16",
            )
        case Play(colour):
            return IllegalStep(
                say("There is no colour {colour!r}; the colours are {colours}.", colour=colour, colours=colours), "I2"
            )
        case Crest(region):
            return IllegalStep(
                say("There is no region {region!r}; the regions are {regions}.", region=region, regions=regions), "I17"
            )
        case Pass() | Decline():
            raise AssertionError(step)
        case _:
            assert_never(step)
