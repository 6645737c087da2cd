"""The city file, every constraint on it, and the figures behind it."""

from collections import Counter
from pathlib import Path

import msgspec
import pytest

from signoria import BadDeck, BadOption, BadRecord, from_record, open_table
from signoria.games.il_principe.rulebook.components import load_cities, printed, read_cities, standard, write_cities
from signoria.games.il_principe.rulebook.steps import Crest, Found
from signoria.kernel.printed import figures
from tests.games.il_principe.position import clause, do, position

STANDARD = write_cities(standard())


def broken(old: str, new: str) -> str:
    assert old in STANDARD
    return STANDARD.replace(old, new, 1)


def line(city: str, new: str) -> str:
    """The standard cities with another line for one of them."""
    lines = STANDARD.splitlines()
    (number,) = (i for i, old in enumerate(lines) if old.startswith(city))
    lines[number] = new
    return "\n".join(lines)


def test_standard_cities_match_the_components_file() -> None:
    cities = {city.id: city for city in standard().cities}
    assert len(cities) == 15
    asked: Counter[str] = Counter()
    for city in cities.values():
        asked.update(city.cards)
    assert asked == dict.fromkeys(("green", "white", "red", "blue", "yellow"), 12)
    sizes = [
        (city.ducats, sum(city.cards.values()), city.points, city.crests, len(city.regions)) for city in cities.values()
    ]
    assert sizes == [(3, 3, 4, 1, 1)] * 5 + [(4, 4, 6, 2, 2)] * 5 + [(5, 5, 8, 2, 3)] * 5
    milano, firenze = cities["milano"], cities["firenze"]
    assert (milano.cards, milano.regions) == ({"red": 1, "blue": 2, "yellow": 1}, ("blue", "green"))
    assert firenze.cards == {"green": 2, "red": 1, "blue": 1, "yellow": 1}
    assert firenze.regions == ("red", "violet", "white")


def test_medium_large_and_small_cities_follow_the_circle_of_colours() -> None:
    """Medium: two of its colour and both neighbours; large: two and every other but the next; small: its neighbours."""
    circle = ("green", "white", "red", "blue", "yellow")
    cities = standard().cities
    small = [{circle[i - 1], circle[i], circle[(i + 1) % 5]} for i in range(5)]
    medium = [{circle[i - 1]: 1, circle[i]: 2, circle[(i + 1) % 5]: 1} for i in range(5)]
    large = [{c: 1 + (c == circle[i]) for c in circle if c != circle[(i + 1) % 5]} for i in range(5)]
    assert sorted(map(sorted, small)) == sorted(sorted(city.cards) for city in cities[:5])
    assert all(city.cards in medium for city in cities[5:10])
    assert all(city.cards in large for city in cities[10:])
    assert len({tuple(city.cards.items()) for city in cities}) == 15


def test_every_figure_has_a_grade_and_a_source() -> None:
    assert len(figures(printed())) > 60
    assert {figure.grade for figure in figures(printed())} == {"printed", "published", "derived", "reconstructed"}
    assert all(figure.source for figure in figures(printed()))


def test_city_file_is_read_as_written() -> None:
    assert read_cities(STANDARD, "x") == standard()
    commented = "# my box\n\n" + STANDARD.replace("| red\n", "| red  # by the sea\n").replace("2 blue", " 2   blue ")
    assert read_cities(commented, "x") == standard()


def test_lines_may_be_in_any_order() -> None:
    backwards = "\n".join(reversed(STANDARD.splitlines()))
    assert read_cities(backwards, "x") == standard()


@pytest.mark.parametrize(
    ("cities", "says"),
    [
        (broken("orvieto ", "orvieta "), r"own.txt, line 2: there is no city 'orvieta' \(published\); they are siena, "),
        (broken("venezia ", "siena   "), r"own.txt, line 3: Siena has a line already"),
        (line("lucca", ""), r"own.txt: there is no line for Lucca; the box has 15 cities \(printed\)"),
        ("# nothing\n", r"own.txt: there is no line for Siena, Orvieto, .*, Pisa;"),
        (line("siena", "siena | 3 | white, red, blue | 4 | 1"), r"line 1: a line has 6 fields, city \| ducats \| .*; here are 5"),
        (line("siena", "siena | 3 | white, red, blue | 4 | 1 | red | x"), r"line 1: a line has 6 fields, .*; here are 7"),
        (line("siena", "siena | x | white, red, blue | 4 | 1 | red"), r"line 1, city siena: ducats: 'x' is no whole number"),
        (line("siena", "siena | 3 | white, red, blue | -4 | 1 | red"), r"line 1, city siena: points: '-4' is no whole number"),
        (line("siena", "siena | 3 | white, red, blue | 4 |  | red"), r"line 1, city siena: crests: '' is no whole number"),
        (line("siena", "siena | 3 | white, rod, blue | 4 | 1 | red"), r"line 1, city siena: 'rod' is no building card; write .* green, white, red, blue, yellow"),
        (line("siena", "siena | 3 | white, white, blue | 4 | 1 | red"), r"line 1, city siena: 'white' is no building card"),
        (line("siena", "siena | 3 | white, x red, blue | 4 | 1 | red"), r"line 1, city siena: 'x red' is no building card"),
        (line("siena", "siena | 3 | white, 1 2 red | 4 | 1 | red"), r"line 1, city siena: '1 2 red' is no building card"),
        (line("siena", "siena | 3 | | 4 | 1 | red"), r"line 1, city siena: '' is no building card"),
        (line("siena", "siena | 4 | white, red, blue | 4 | 1 | red"), r"line 1, city siena: Siena, a small city, has 3 ducats \(published\), not 4"),
        (line("lucca", "lucca | 5 | green, blue, 2 yellow | 6 | 2 | red, blue"), r"line 10, city lucca: Lucca, a medium city, has 4 ducats \(published\), not 5"),
        (line("pisa", "pisa | 5 | white, red, blue, 2 yellow | 6 | 2 | red, blue, green"), r"line 15, city pisa: Pisa, a large city, has 8 points \(published\), not 6"),
        (line("siena", "siena | 3 | white, red | 4 | 1 | red"), r"line 1, city siena: Siena, a small city, asks for 3 building cards \(published\), not 2"),
        (line("urbino", "urbino | 4 | white, 3 red, blue | 6 | 2 | violet, white"), r"line 8, city urbino: Urbino, a medium city, asks for 4 building cards \(published\), not 5"),
        (line("siena", "siena | 3 | white, red, blue | 4 | 1 | tuscany"), r"line 1, city siena: there is no region 'tuscany'; the six are blue, yellow, green, red, violet, white \(published\)"),
        (line("siena", "siena | 3 | white, red, blue | 4 | 1 | red, white"), r"line 1, city siena: Siena, a small city, touches 1 region \(published\), each once; here: red, white"),
        (line("pisa", "pisa | 5 | white, red, blue, 2 yellow | 8 | 2 | red, blue"), r"line 15, city pisa: Pisa, a large city, touches 3 regions \(published\), each once; here: red, blue"),
        (line("lucca", "lucca | 4 | green, blue, 2 yellow | 6 | 2 | red, red"), r"line 10, city lucca: Lucca, a medium city, touches 2 regions \(published\), each once"),
        (line("siena", "siena | 3 | white, red, blue | 4 | 2 | red"), r"line 1, city siena: Siena, a small city, shows 1 crest \(derived\), not 2"),
        (line("lucca", "lucca | 4 | green, blue, 2 yellow | 6 | 1 | red, blue"), r"line 10, city lucca: Lucca, a medium city, shows 2 crests \(printed\), not 1"),
        (line("pisa", "pisa | 5 | white, red, blue, 2 yellow | 8 | 3 | red, blue, green"), r"line 15, city pisa: Pisa, a large city, shows 2 crests \(published\), not 3"),
        (line("milano", "milano | 4 | 2 red, blue, yellow | 6 | 2 | blue, green"), r"line 9, city milano: Milano is printed in the rulebook: red, 2 blue, yellow; blue, green"),
        (line("milano", "milano | 4 | red, 2 blue, yellow | 6 | 2 | blue, yellow"), r"line 9, city milano: Milano is printed in the rulebook"),
    ],
)  # fmt: skip
def test_error_names_the_broken_constraint_city_and_line(cities: str, says: str) -> None:
    with pytest.raises(BadDeck, match=says):
        read_cities(cities, "own.txt")


def test_regions_of_milano_may_be_in_any_order() -> None:
    own = read_cities(line("milano", "milano | 4 | yellow, red, 2 blue | 6 | 2 | green, blue"), "x")
    milano = next(city for city in own.cities if city.id == "milano")
    assert milano.cards == {"red": 1, "blue": 2, "yellow": 1}


def test_unreadable_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BadDeck, match="cannot be read"):
        load_cities(tmp_path / "none.txt")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadDeck, match="cannot be read"):
        load_cities(tmp_path / "binary")


def test_card_list_of_patrician_is_refused_for_il_principe(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match="deck: that is for Patrician, not for Il Principe"):
        open_table("il-principe", players=3, deck=tmp_path / "deck.txt")


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """An owner's table in which Siena asks for other cards and lies elsewhere."""
    path = tmp_path / "own.txt"
    path.write_text(line("siena", "siena | 3 | 2 green, yellow | 4 | 1 | violet"))
    return path


def test_rules_use_the_owners_cities(own: Path) -> None:
    table = position(hands={0: {"green": 2, "yellow": 1}}, ducats=[3], own=own)
    do(table, Found("siena"))
    assert table.legal == (Crest("violet"),)
    assert clause(table, Crest("red")) == "I17"


def test_record_contains_the_owners_cities(own: Path) -> None:
    table = open_table("il-principe", players=3, seed=1, cities=own)
    while not table.over:
        table.apply(table.legal[-1])
    components = msgspec.json.decode(table.record.to_json())["components"]
    assert components["cities"][0] == {
        "id": "siena",
        "ducats": 3,
        "cards": {"green": 2, "yellow": 1},
        "points": 4,
        "crests": 1,
        "regions": ["violet"],
    }
    assert components["regions"] == ["blue", "yellow", "green", "red", "violet", "white"]
    again = from_record(table.record.to_json())
    assert again.components == read_cities(own.read_text(), "x")


def test_record_with_impossible_cities_is_refused() -> None:
    table = open_table("il-principe", players=2, seed=1)
    while not table.over:
        table.apply(table.legal[-1])
    record = table.record
    good = record.components["cities"]

    def refused(cities: object, says: str) -> None:
        components = record.components | {"cities": cities}
        with pytest.raises(BadRecord, match=says):
            from_record(msgspec.structs.replace(record, components=components))

    refused([good[1], good[0], *good[2:]], r"components.cities: these are siena, orvieto, .*in this order")
    refused(good[:-1], r"components.cities: these are siena")
    refused(
        [{**good[0], "points": 5}, *good[1:]], r"components.cities\[0\], city siena: .*4 points \(published\), not 5"
    )
    refused(
        [{**good[0], "cards": {"white": 4, "red": -1}}, *good[1:]],
        r"city siena: -1 red is no building card of green, white, red, blue, yellow",
    )
