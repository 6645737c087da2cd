"""What is printed on the components, read from `components.toml` or from an owner's list of cities, and checked."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from signoria.games.il_principe.rulebook.state import BOX
from signoria.kernel.errors import BadDeck
from signoria.kernel.language import to_say
from signoria.kernel.layout import Records, blank
from signoria.kernel.own_components import OwnComponents
from signoria.kernel.printed import read_own, read_printed, values
from signoria.kernel.words import counted


class City(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A city card as it is in a record."""

    id: str
    ducats: int
    cards: dict[str, int]
    """The building cards that it costs, by colour."""
    points: int
    crests: int
    regions: tuple[str, ...]


class Components(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """City cards and regions, in the order that shuffles and records use."""

    cities: tuple[City, ...]
    regions: tuple[str, ...]


def printed() -> dict[str, Any]:
    """The contents of `components.toml`."""
    return read_printed("signoria.games.il_principe")


FIGURES = values(printed())
"""Every printed figure by its name: `FIGURES.game.crests`."""


def city_name(city: str) -> str:
    """A city's name as people write it."""
    return str(printed()["cities"][city]["name"])


def city_grade(city: str) -> str:
    """How sure we are of the building cards and regions of a city: a grade of `components.toml`."""
    return str(printed()["cities"][city]["cards"]["grade"])


def region_name(region: str) -> str:
    """A region's name as people write it."""
    regions = printed()["regions"]
    return str(regions["names"]["value"][regions["ids"]["value"].index(region)])


def _colours() -> tuple[str, ...]:
    return tuple(printed()["colours"]["value"])


def _regions() -> tuple[str, ...]:
    return tuple(printed()["regions"]["ids"]["value"])


SIZES = ("small", "medium", "large")


def _sized(city: str, printed: Mapping[str, Any]) -> dict[str, int]:
    """What follows from a city's size: ducats, cards, points, regions, crests."""
    size = printed["cities"][city]["size"]["value"]
    sizes, place = printed["sizes"], SIZES.index(size)
    figures = {name: int(sizes[name]["value"][place]) for name in ("ducats", "cards", "points", "regions")}
    return figures | {"crests": int(sizes[f"crests_{size}"]["value"])}


@cache
def standard() -> Components:
    """The cities of the box as far as they are known: `components.toml`."""
    components = of_figures(printed(), "components.toml")
    check(components, ["components.toml"] * len(components.cities))
    return components


def of_figures(figures: Mapping[str, Any], source: str) -> Components:
    """The cities of a `components.toml`."""
    cities = []
    for city, part in figures["cities"].items():
        sized = _sized(city, figures)
        cards = _read_cards(part["cards"]["value"], f"{source}, {city}")
        regions = tuple(part["regions"]["value"])
        cities.append(City(city, sized["ducats"], cards, sized["points"], sized["crests"], regions))
    return Components(tuple(cities), _regions())


# City files: a line a city, `milano | 4 | red, 2 blue, yellow | 6 | 2 | blue, green`; # begins a comment.

FIELDS = ("city", "ducats", "building cards", "points", "crests", "regions")


def load_cities(path: Path) -> Components:
    """An owner's list of cities, checked against everything that is known of the box."""
    return read_cities(read_own(path), str(path))


def read_cities(text: str, source: str) -> Components:
    """The cities that the text of a city file lists; raises `BadDeck` if it breaks a constraint."""
    rows: dict[str, tuple[City, str]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        fields = [field.strip() for field in line.partition("#")[0].split("|")]
        if fields == [""]:
            continue
        where = f"{source}, line {number}"
        if len(fields) != len(FIELDS):
            raise BadDeck(f"{where}: a line has {len(FIELDS)} fields, {' | '.join(FIELDS)}; here are {len(fields)}.")
        fields[0] = fields[0].lower()
        if fields[0] not in printed()["cities"]:
            raise BadDeck(
                f"{where}: there is no city {fields[0]!r} (published); they are {', '.join(printed()['cities'])}."
            )
        if fields[0] in rows:
            raise BadDeck(f"{where}: {city_name(fields[0])} has a line already.")
        rows[fields[0]] = (_read_city(fields, where), where)
    missing = [city_name(city) for city in printed()["cities"] if city not in rows]
    if missing:
        raise BadDeck(f"{source}: there is no line for {', '.join(missing)}; the box has 15 cities (printed).")
    ordered = [rows[city] for city in printed()["cities"]]
    components = Components(tuple(city for city, _ in ordered), _regions())
    check(components, [where for _, where in ordered])
    return components


def _read_city(fields: list[str], where: str) -> City:
    city, ducats, cards, points, crests, regions = fields
    where = f"{where}, city {city}"
    return City(
        city,
        _read_number(ducats, f"{where}: ducats"),
        _read_cards(cards, where),
        _read_number(points, f"{where}: points"),
        _read_number(crests, f"{where}: crests"),
        tuple(region.strip() for region in regions.split(",")),
    )


def _read_number(word: str, where: str) -> int:
    if not (word.isascii() and word.isdecimal()):
        raise BadDeck(f"{where}: {word!r} is no whole number.")
    return int(word)


def _read_cards(text: str, where: str) -> dict[str, int]:
    """Building cards as written: `red, 2 blue, yellow`."""
    cards: dict[str, int] = {}
    for item in text.split(","):
        *number, colour = item.split() or [""]
        if colour not in _colours() or colour in cards or len(number) > 1 or not all(_is_count(n) for n in number):
            raise BadDeck(
                f"{where}: {item.strip()!r} is no building card; write them like `red, 2 blue` in {', '.join(_colours())}."
            )
        cards[colour] = int(number[0]) if number else 1
    return {colour: cards[colour] for colour in _colours() if cards.get(colour)}


def _is_count(word: str) -> bool:
    return word.isascii() and word.isdecimal() and int(word) > 0


def write_cities(components: Components) -> str:
    """City cards as text, in the format that `read_cities` reads."""
    rows = []
    for city in components.cities:
        cards = ", ".join(f"{count} {colour}" if count > 1 else colour for colour, count in city.cards.items())
        regions = ", ".join(city.regions)
        rows.append(f"{city.id:<8} | {city.ducats} | {cards:<28} | {city.points} | {city.crests} | {regions}\n")
    return "".join(rows)


HEADING = """\
# Il Principe's 15 cities, a line each: city | ducats | building cards | points | crests | regions
"""


def summary(components: Components) -> str:
    """The contents of a list of cities, counted."""
    return f"{len(components.cities)} cities"


OWN_CITIES = OwnComponents(
    option="cities",
    help=to_say("a city table of your own."),
    heading=HEADING,
    standard=standard,
    read=read_cities,
    write=write_cities,
    summary=summary,
    recognises=lambda text: "|" in text,
)


# The constraints of docs/components.md


def check(components: Components, where: list[str]) -> None:
    """Check everything that is known of the box; raises `BadDeck` with the constraint, the city and the line."""
    for city, line in zip(components.cities, where, strict=True):
        _check_city(city, f"{line}, city {city.id}")


def _check_city(city: City, where: str) -> None:
    size, sized = printed()["cities"][city.id]["size"]["value"], _sized(city.id, printed())
    name = city_name(city.id)
    for what, found in (("ducats", city.ducats), ("points", city.points)):
        if found != sized[what]:
            raise BadDeck(f"{where}: {name}, a {size} city, has {sized[what]} {what} (published), not {found}.")
    odd = [colour for colour, count in city.cards.items() if colour not in _colours() or count < 1]
    if odd:
        raise BadDeck(f"{where}: {city.cards[odd[0]]} {odd[0]} is no building card of {', '.join(_colours())}.")
    asked = sum(city.cards.values())
    if asked != sized["cards"]:
        raise BadDeck(
            f"{where}: {name}, a {size} city, asks for {sized['cards']} building cards (published), not {asked}."
        )
    unknown = [region for region in city.regions if region not in _regions()]
    if unknown:
        raise BadDeck(f"{where}: there is no region {unknown[0]!r}; the six are {', '.join(_regions())} (published).")
    if len(set(city.regions)) != len(city.regions) or len(city.regions) != sized["regions"]:
        raise BadDeck(
            f"{where}: {name}, a {size} city, touches {counted(sized['regions'], 'region')} (published), each once; here: {', '.join(city.regions)}."
        )
    if city.crests != sized["crests"]:
        grade = printed()["sizes"][f"crests_{size}"]["grade"]
        raise BadDeck(
            f"{where}: {name}, a {size} city, shows {counted(sized['crests'], 'crest')} ({grade}), not {city.crests}."
        )
    part = printed()["cities"][city.id]
    if part["cards"]["grade"] == "printed" and (
        city.cards != _read_cards(part["cards"]["value"], where) or set(city.regions) != set(part["regions"]["value"])
    ):
        raise BadDeck(
            f"{where}: {name} is printed in the rulebook: {part['cards']['value']}; {', '.join(part['regions']['value'])}."
        )


# What a game is played with


def check_in_play(components: Components, source: str) -> None:
    """Check the city cards of a record: they must be cards that could be in the box."""
    ids, expected = [city.id for city in components.cities], list(printed()["cities"])
    if ids != expected:
        raise BadDeck(f"{source}.cities: these are {', '.join(expected)}, in this order.")
    if components.regions != _regions():
        raise BadDeck(f"{source}.regions: these are {', '.join(_regions())}, in this order.")
    check(components, [f"{source}.cities[{i}]" for i in range(len(ids))])


def building_cards(players: int) -> int:
    """Building cards in the game (I2, I4)."""
    return int(FIGURES.game.a_colour[players - 2]) * len(_colours())


def set_box(
    components: Components, players: int, *, variant: bool, figures: Mapping[str, Any] | None = None
) -> Records:
    """The record that the rules read: one `Box` for these options and components, with the printed figures or others."""
    boxes = blank(1, BOX)
    box = boxes[0]
    figures = printed() if figures is None else figures
    game, roles, scoring = figures["game"], figures["roles"], figures["scoring"]

    def by_players(name: str) -> int:
        return int(game[name]["value"][players - 2])

    box.players, box.variant, box.minors = players, variant, players > 2
    box.cities, box.a_colour = by_players("city_cards"), by_players("a_colour")
    box.buildings = by_players("a_colour") * len(_colours())
    box.start_ducats = game["start_ducats_variant" if variant else "start_ducats"]["value"]
    box.income = game["income_variant"]["value"] if variant else by_players("income")
    box.draws, box.offers = by_players("draws"), by_players("offers")
    box.last_round_below, box.last_lots = by_players("last_round_below"), by_players("last_lots")
    box.crests_each = game["crests"]["value"]
    box.major_points, box.minor_points = roles["major_points"]["value"], roles["minor_points"]["value"]
    box.white_points, box.yellow_ducats = roles["white_points"]["value"], roles["yellow_ducats"]["value"]
    box.region_most, box.region_second = scoring["region_most"]["value"], scoring["region_second"]["value"]
    box.set_points = scoring["set"]["value"]
    box.most_ducats, box.most_cards = scoring["most_ducats"]["value"], scoring["most_cards"]["value"]
    for number, city in enumerate(components.cities):
        box.ducats[number], box.points[number], box.crests[number] = city.ducats, city.points, city.crests
        box.cards[number] = [city.cards.get(colour, 0) for colour in _colours()]
        box.touches[number] = [region in city.regions for region in components.regions]
    return boxes


COLOUR_IDS: tuple[str, ...] = _colours()
REGION_IDS: tuple[str, ...] = _regions()
CITY_IDS: tuple[str, ...] = tuple(printed()["cities"])
"""The names of colours, regions and cities. Their indexes are the numbers that the rules use."""
