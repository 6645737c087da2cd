"""Numbers of things in words: cards and buildings of a colour, ducats, points, crests.

Amounts are the objects of sentences (`scores 3 points`), or stand alone. Only ducats differ between the two: German declines
them.
"""

from collections.abc import Iterable, Mapping

from signoria.games.il_principe.rulebook.components import COLOUR_IDS
from signoria.games.il_principe.texts import say, say_count, say_count_as
from signoria.kernel.language import to_say, to_say_count

COLOUR_NAMES = {
    "green": to_say("green"),
    "white": to_say("white"),
    "red": to_say("red"),
    "blue": to_say("blue"),
    "yellow": to_say("yellow"),
}
BUILDING_NAMES = {
    "green": to_say("university"),
    "white": to_say("cathedral"),
    "red": to_say("town hall"),
    "blue": to_say("castle"),
    "yellow": to_say("market"),
}
COLOUR_CARDS = {
    "green": to_say_count("{n} green card", "{n} green cards"),
    "white": to_say_count("{n} white card", "{n} white cards"),
    "red": to_say_count("{n} red card", "{n} red cards"),
    "blue": to_say_count("{n} blue card", "{n} blue cards"),
    "yellow": to_say_count("{n} yellow card", "{n} yellow cards"),
}
COLOUR_BUILDINGS = {
    "green": to_say_count("{n} green building", "{n} green buildings"),
    "white": to_say_count("{n} white building", "{n} white buildings"),
    "red": to_say_count("{n} red building", "{n} red buildings"),
    "blue": to_say_count("{n} blue building", "{n} blue buildings"),
    "yellow": to_say_count("{n} yellow building", "{n} yellow buildings"),
}
COLOUR_AMOUNTS = {
    "green": to_say_count("{n} green", "{n} green"),
    "white": to_say_count("{n} white", "{n} white"),
    "red": to_say_count("{n} red", "{n} red"),
    "blue": to_say_count("{n} blue", "{n} blue"),
    "yellow": to_say_count("{n} yellow", "{n} yellow"),
}


def colour_name(colour: str) -> str:
    """A colour by itself: `green`."""
    return say(COLOUR_NAMES[colour])


def building_name(colour: str) -> str:
    """The building of a colour: `university`."""
    return say(BUILDING_NAMES[colour])


def ducats(count: int) -> str:
    """`3 ducats`, alone: in a label, a list, or as the subject of a sentence."""
    return say_count("{n} ducat", "{n} ducats", count)


def ducats_as_object(count: int) -> str:
    """`3 ducats` as the object of a verb or after `for`: `bids 3 ducats`."""
    # Translators: The object of a verb, or after “for”: in German the accusative. Without this context it stands alone.
    return say_count_as("object", "{n} ducat", "{n} ducats", count)


def points(count: int) -> str:
    """`3 points`."""
    return say_count("{n} point", "{n} points", count)


def crests(count: int) -> str:
    """`3 crests`."""
    return say_count("{n} crest", "{n} crests", count)


def cards(count: int) -> str:
    """`3 cards`."""
    return say_count("{n} card", "{n} cards", count)


def colour_cards(colour: str, count: int) -> str:
    """`3 green cards`."""
    return say_count(*COLOUR_CARDS[colour], count)


def colour_buildings(colour: str, count: int) -> str:
    """`3 green buildings`."""
    return say_count(*COLOUR_BUILDINGS[colour], count)


def of_colour(colour: str, count: int) -> str:
    """A number of cards or buildings by their colour alone: `3 green`."""
    return say_count(*COLOUR_AMOUNTS[colour], count)


def by_colour(counts: Mapping[str, int], order: Iterable[str] = COLOUR_IDS) -> str:
    """`2 green, 1 red`; empty for nothing."""
    return ", ".join([of_colour(colour, counts[colour]) for colour in order if counts.get(colour)])


def lot(colour: str, count: int, role: str) -> str:
    """What is auctioned: `3 green cards`, or `the Magistrato`."""
    return colour_cards(colour, count) if count else say("the {role}", role=role)


def lot_name(name: str) -> str:
    """A lot by its name in forms: a colour, or a role."""
    return colour_name(name) if name in COLOUR_NAMES else name
