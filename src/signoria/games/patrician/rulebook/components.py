"""What is printed on the components, read from `components.toml` or from an owner's list of cards, and checked."""

from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from signoria.games.patrician.rulebook.state import ANY, BOX, CAPTAIN, ELDER, HAND, LADY, MOVE, NONE
from signoria.kernel.errors import BadDeck
from signoria.kernel.language import to_say
from signoria.kernel.layout import Records, blank
from signoria.kernel.own_components import OwnComponents
from signoria.kernel.printed import read_own, read_printed, values

Patrician = Literal["captain", "lady", "elder"]
Symbol = Literal["any", "move"]

PORTRAIT_NUMBERS: dict[str | None, int] = {None: NONE, "captain": CAPTAIN, "lady": LADY, "elder": ELDER}
SYMBOL_NUMBERS: dict[str | None, int] = {None: 0, "any": ANY, "move": MOVE}
LETTERS: dict[str, Patrician] = {"C": "captain", "L": "lady", "E": "elder"}
SYMBOLS: dict[str, Symbol] = {"?": "any", "M": "move"}


class City(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A city as it is in a record."""

    id: str
    floors: int
    high: int
    low: int


class Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True, cache_hash=True):
    """A card as it is in a record."""

    id: str
    city: str
    crests: int
    portrait: Patrician | None
    portraits: int
    symbol: Symbol | None
    start: bool

    @property
    def shows(self) -> str:
        """The card in the short notation of deck files, without its city."""
        portrait = (self.portrait or "")[:1].upper() * self.portraits
        symbol = {None: "", "any": "?", "move": "M"}[self.symbol]
        return "2" * (self.crests - 1) + portrait + symbol + "*" * self.start


class Components(msgspec.Struct, frozen=True, forbid_unknown_fields=True, cache_hash=True):
    """Cities and cards, in the order that shuffles and records use."""

    cities: tuple[City, ...]
    cards: tuple[Card, ...]


def printed() -> dict[str, Any]:
    """The contents of `components.toml`."""
    return read_printed("signoria.games.patrician")


FIGURES = values(printed())
"""Every printed figure by its name: `FIGURES.game.supply`."""


def city_name(city: str) -> str:
    """A city's name as people write it."""
    return str(printed()["cities"][city]["name"])


def city_ids() -> tuple[str, ...]:
    """All ten cities, in the order that shuffles and records use."""
    return tuple(printed()["cities"])


def _city(city: str) -> City:
    part = printed()["cities"][city]
    return City(city, part["floors"]["value"], part["high"]["value"], part["low"]["value"])


@cache
def standard() -> Components:
    """The deck of the box as far as it is known: `components.toml`."""
    lines = [f"{city} {part['deck']['value']}" for city, part in printed()["cities"].items()]
    return read_deck("\n".join(lines), "components.toml")


# Deck files: a line a city, `roma C* L* E C ? 2 2`; # begins a comment.


class Written(NamedTuple):
    """A card and its line in a file."""

    card: Card
    where: str


def load_deck(path: Path) -> Components:
    """An owner's list of cards, checked against everything that is known of the box."""
    return read_deck(read_own(path), str(path))


def read_deck(text: str, source: str) -> Components:
    """The deck that the text of a deck file lists; raises `BadDeck` if it breaks a constraint."""
    rows: dict[str, list[Written]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        city, *words = line.partition("#")[0].replace(":", " ").split() or [""]
        city = city.lower()
        if not city:
            continue
        where = f"{source}, line {number}"
        if city not in city_ids():
            raise BadDeck(f"{where}: there is no city {city!r}; the cities are {', '.join(city_ids())}.")
        if city in rows:
            raise BadDeck(f"{where}: {city_name(city)} has a line already.")
        rows[city] = [Written(read_card(city, n, word, where), where) for n, word in enumerate(words, 1)]
    missing = [city_name(city) for city in city_ids() if city not in rows]
    if missing:
        raise BadDeck(
            f"{source}: there is no line for {', '.join(missing)}; a deck has one for each of the ten cities."
        )
    check([written for city in city_ids() for written in rows[city]], city_ids(), source)
    return Components(
        tuple(_city(city) for city in city_ids()),
        tuple(written.card for city in city_ids() for written in rows[city]),
    )


def read_card(city: str, number: int, word: str, where: str) -> Card:
    """A card in the notation of deck files. This refuses only unknown letters; what the card shows is checked elsewhere."""
    signs = Counter(word.upper())
    unknown = "".join(sign for sign in signs if sign not in "2CLE?M*")
    if unknown:
        raise BadDeck(
            f"{where}, card {city}-{number} ({word}): {unknown!r} stands for nothing; "
            "write 2 for a second crest, C, L or E for a portrait, ? for any, M for move, * for the star."
        )
    portraits = [sign for sign in "CLE" if signs[sign]]
    symbols = [symbol for sign, symbol in SYMBOLS.items() if signs[sign]]
    too_many = len(portraits) > 1 or len(symbols) > 1 or signs["?"] > 1 or signs["M"] > 1 or signs["*"] > 1
    if too_many or (portraits and signs[portraits[0]] > 2) or signs["2"] > 1:
        raise _only_one_thing(f"{where}, card {city}-{number} ({word})")
    return Card(
        id=f"{city}-{number}",
        city=city,
        crests=1 + signs["2"],
        portrait=LETTERS[portraits[0]] if portraits else None,
        portraits=signs[portraits[0]] if portraits else 0,
        symbol=symbols[0] if symbols else None,
        start=bool(signs["*"]),
    )


def write_deck(components: Components) -> str:
    """A deck as text, in the format that `read_deck` reads."""
    rows = []
    for city in components.cities:
        cards = " ".join(f"{card.shows:<3}" for card in components.cards if card.city == city.id)
        rows.append(f"{city.id:<8} {cards}".rstrip())
    return "\n".join(rows) + "\n"


HEADING = """\
# Patrician's 55 cards, a line a city. Every card shows one crest of its city and one thing more:
#   2 a second crest; C captain, L lady, E elder, twice for two portraits; ? take any card; M move.
# * is the star of the cards that are dealt first.
"""


def summary(components: Components) -> str:
    """The contents of a deck, counted."""
    portraits, stars = sum(card.portraits for card in components.cards), sum(card.start for card in components.cards)
    return f"{len(components.cards)} cards, {portraits} portraits, {stars} stars"


OWN_DECK = OwnComponents(
    option="deck",
    help=to_say("a card list of your own; see `signoria deck`."),
    heading=HEADING,
    standard=standard,
    read=read_deck,
    write=write_deck,
    summary=summary,
    recognises=lambda text: "|" not in text,
)


# The constraints of docs/components.md


def _only_one_thing(where: str) -> BadDeck:
    return BadDeck(
        f"{where}: every card shows one crest and exactly one thing more: a second crest, one portrait, "
        "two equal portraits, ? or move (published)."
    )


def check(cards: list[Written], cities: tuple[str, ...], source: str) -> None:
    """Check everything that is known of the box; raises `BadDeck` with the constraint, and the card and line if there is one.

    With the 48 cards of a game without Pistoia only what is known of those is asked.
    """
    for written in cards:
        _check_card(written)
    for city in cities:
        _check_city(city, [written for written in cards if written.card.city == city], source)
    _check_lucca([written for written in cards if written.card.city == "lucca"])
    _check_stars([written.card for written in cards], source)
    _check_portraits([written.card for written in cards], source)


def _check_card(written: Written) -> None:
    card, where = written.card, f"{written.where}, card {written.card.id} ({written.card.shows or 'nothing'})"
    things = (card.crests == 2) + (card.portraits > 0) + (card.symbol is not None)
    if (
        things != 1
        or card.crests not in (1, 2)
        or card.portraits not in (0, 1, 2)
        or bool(card.portrait) != bool(card.portraits)
    ):
        raise _only_one_thing(where)
    if card.start and card.crests == 2:
        raise BadDeck(
            f"{where}: a star card never shows two crests (derived: only then are 39, 29 and 21 floors exactly enough)."
        )


def _check_city(city: str, cards: list[Written], source: str) -> None:
    name, expected = city_name(city), printed()["cities"][city]["cards"]["value"]
    if not cards:
        raise BadDeck(f"{source}: {name} has {expected} cards (printed), and none is written.")
    where, last = cards[-1].where, cards[-1].card.id
    if len(cards) != expected:
        raise BadDeck(f"{where}, card {last}: {name} has {expected} cards (printed), not {len(cards)}.")
    floors, crests = _city(city).floors, sum(written.card.crests for written in cards)
    if crests != floors:
        doubles = floors - expected
        raise BadDeck(
            f"{where}, card {last}: the cards of {name} must fill its {floors} floors exactly (published), "
            f"so {doubles} of them show{'s' if doubles == 1 else ''} a second crest (derived); here they give {crests}."
        )


def _check_lucca(cards: list[Written]) -> None:
    if not any(written.card.symbol == "move" for written in cards):
        where = cards[-1].where
        raise BadDeck(
            f"{where}, card {cards[-1].card.id}: a Lucca card with one crest shows move (printed); none does here."
        )


def _check_stars(cards: list[Card], source: str) -> None:
    stars = [card for card in cards if card.start]
    outside = sum(card.city != "pistoia" for card in stars)
    if outside < 12:
        raise BadDeck(f"{source}: at least 12 star cards lie outside Pistoia (derived); here {outside} do.")
    if any(card.city == "pistoia" for card in cards) and len(stars) < 15:
        raise BadDeck(f"{source}: there are at least 15 star cards in all (derived); here there are {len(stars)}.")


def _check_portraits(cards: list[Card], source: str) -> None:
    without = [card for card in cards if card.city != "pistoia"]
    portraits = sum(card.portraits for card in without)
    if not 21 <= portraits <= 33:
        raise BadDeck(
            f"{source}: the 48 cards without Pistoia show 21 to 33 portraits (derived); here they show {portraits}."
        )
    kinds = Counter("portrait" if card.portraits else card.symbol or "second crest" for card in without)
    for kind, count in kinds.items():
        if kind != "portrait" and count >= kinds["portrait"]:
            raise BadDeck(
                f"{source}: portraits are what most cards show (published); "
                f"here {count} show {kind} and {kinds['portrait']} a portrait."
            )


# What a game is played with


def in_play(components: Components, players: int) -> Components:
    """P1: the components without Pistoia, unless there are enough players."""
    if players >= printed()["game"]["pistoia_from"]["value"]:
        return components
    return Components(
        tuple(city for city in components.cities if city.id != "pistoia"),
        tuple(card for card in components.cards if card.city != "pistoia"),
    )


def check_in_play(components: Components, players: int, source: str) -> None:
    """Check the components of a record: the cities must be as printed, and the cards must be cards that could be in the box."""
    cities = in_play(standard(), players).cities
    if components.cities != cities:
        wrong = next((city.id for city, right in zip(components.cities, cities, strict=False) if city != right), None)
        raise BadDeck(
            f"{source}.cities: with {players} players these are {', '.join(city.id for city in cities)}, "
            f"each as printed{f'; {wrong} is not' if wrong else ''}."
        )
    ids = [card.id for card in components.cards]
    expected = [card.id for card in in_play(standard(), players).cards]
    if ids != expected:
        wrong = next((card for card, right in zip(ids, expected, strict=False) if card != right), None)
        raise BadDeck(
            f"{source}.cards: with {players} players these are {expected[0]} to {expected[-1]} in order"
            f"{f'; {wrong} is out of place' if wrong else f', {len(expected)} cards, not {len(ids)}'}."
        )
    for i, card in enumerate(components.cards):
        if card.city != card.id.partition("-")[0]:
            raise BadDeck(f"{source}.cards[{i}], card {card.id}: its city is not {card.city}.")
    check(
        [Written(card, f"{source}.cards[{i}]") for i, card in enumerate(components.cards)],
        tuple(city.id for city in cities),
        source,
    )


def set_box(
    components: Components,
    players: int,
    *,
    messengers: bool,
    ambassadors: bool,
    face_down: bool,
    figures: Mapping[str, Any] | None = None,
) -> Records:
    """The record that the rules read: one `Box` for these options and components, with the printed figures or others."""
    assert printed()["game"]["dealt"]["value"] == HAND
    boxes = blank(1, BOX)
    box = boxes[0]
    figures = printed() if figures is None else figures
    game, errands, embassy = figures["game"], figures["messengers"], figures["ambassadors"]
    place = {city.id: number for number, city in enumerate(components.cities)}
    roads = [(place[a], place[b]) for a, b in errands["roads"]["value"] if a in place and b in place]
    box.players, box.cities, box.cards, box.roads = players, len(place), len(components.cards), len(roads)
    box.ambassadors, box.face_down = ambassadors, face_down
    box.messengers = errands["each"]["value"][players - 2] if messengers else 0
    for number, card in enumerate(components.cards):
        box.city[number] = place[card.city]
        box.crests[number] = card.crests
        box.portrait[number] = PORTRAIT_NUMBERS[card.portrait]
        box.portraits[number] = card.portraits
        box.symbol[number] = SYMBOL_NUMBERS[card.symbol]
        box.start[number] = card.start
    for number, city in enumerate(components.cities):
        box.floors[number] = city.floors
        box.token[number] = city.high, city.low
    box.road[: len(roads)] = roads
    box.supply = game["supply"]["value"][players - 2]
    box.set_size, box.set_points = game["portrait_set"]["value"], game["portrait_points"]["value"]
    box.messengers_a_city = errands["a_city"]["value"]
    box.messenger_points, box.penalty = errands["points"]["value"], errands["penalty"]["value"]
    box.ambassador_token[:] = embassy["counts"]["value"]
    box.ambassador_tie[:] = [place[embassy[f"tie_{letter}"]["value"]] for letter in "abc"]
    box.court[:] = [place[city] for city in embassy["d_cities"]["value"]]
    return boxes


CITY_IDS = tuple(city.id for city in standard().cities)
CARD_IDS = tuple(card.id for card in standard().cards)
ROADS: tuple[tuple[str, str], ...] = tuple((a, b) for a, b in printed()["messengers"]["roads"]["value"])
ROAD_IDS = tuple("-".join(road) for road in ROADS)
"""Roads as views name them: `roma-siena`."""
"""The names of cities, cards and roads. Their indexes are the numbers that the rules use."""
