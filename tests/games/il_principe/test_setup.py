"""I1 to I5: what lies on the table before the first decision."""

import hashlib
import hmac
from collections import Counter
from collections.abc import Iterator

import pytest

from signoria import BadOption, open_table
from signoria.games.il_principe.rulebook.components import COLOUR_IDS, standard
from signoria.games.il_principe.rulebook.steps import Found, Offer
from tests.games.il_principe.position import clause, players, position, roles


@pytest.mark.parametrize("count", [1, 6, 0, "3", None])
def test_i1_two_to_five_players(count: int) -> None:
    with pytest.raises(BadOption, match="2 to 5"):
        open_table("il-principe", players=count)


@pytest.mark.parametrize(("count", "income"), [(2, 6), (3, 5), (4, 5), (5, 5)])
def test_i1_everyone_starts_with_twelve_crests_five_ducats_and_no_points(count: int, income: int) -> None:
    """The first income is paid before the first decision."""
    table = open_table("il-principe", players=count, seed=1)
    assert players(table, "crests_left") == [12] * count
    assert players(table, "crests") == [{}] * count
    assert players(table, "ducats") == [5 + income] * count
    assert players(table, "points") == [0] * count
    assert roles(table) == {}


def test_i1_seats_are_named_after_families() -> None:
    table = open_table("il-principe", players=5, seed=1)
    assert players(table, "family") == ["Medici", "Carraresi", "Visconti", "Gonzaga", "D'Este"]


@pytest.mark.parametrize("count", [3, 4, 5])
def test_i2_a_hundred_building_cards_and_fifteen_cities_four_of_them_face_up(count: int) -> None:
    table = open_table("il-principe", players=count, seed=1)
    assert Counter(table.setup["buildings"]) == dict.fromkeys(("green", "white", "red", "blue", "yellow"), 20)
    assert len(table.setup["display"]) == 4
    everywhere = [*table.setup["display"], *table.setup["cities"]]
    assert sorted(everywhere) == sorted(city.id for city in standard().cities)
    view = table.view()
    assert view.cities == tuple(table.setup["display"])
    assert view.city_pile == 11
    assert view.pile == 100 - 4 * count


def test_i2_both_piles_are_shuffled() -> None:
    setups = [open_table("il-principe", players=3, seed=seed).setup for seed in range(5)]
    assert len({tuple(setup["buildings"]) for setup in setups}) == 5
    assert len({(*setup["display"], *setup["cities"]) for setup in setups}) == 5


def test_i2_there_is_no_sixth_colour() -> None:
    table = open_table("il-principe", players=3, seed=1)
    assert clause(table, Offer("violet")) == "I2"


def test_i3_any_player_may_be_the_first_il_principe() -> None:
    first = set()
    for seed in range(40):
        table = open_table("il-principe", players=4, seed=seed)
        assert table.view().principe == table.turn == table.setup["principe"]
        first.add(table.turn)
    assert first == {0, 1, 2, 3}


def test_i3_the_bank_never_runs_out() -> None:
    table = position(5, at="income", ducats=[80] * 5, pile=["green"] * 20)
    assert players(table, "ducats") == [85] * 5


def test_i4_two_players_use_thirteen_cards_per_colour_and_ten_cities() -> None:
    table = open_table("il-principe", players=2, seed=1)
    assert Counter(table.setup["buildings"]) == dict.fromkeys(COLOUR_IDS, 13)
    assert len(table.setup["display"]) == 4
    assert len(table.setup["cities"]) == 6
    assert len({*table.setup["display"], *table.setup["cities"]}) == 10
    assert table.view().city_pile == 6
    assert table.view().pile == 65 - 2 * 5


def test_i4_any_five_cities_may_be_left_out() -> None:
    out = set()
    for seed in range(40):
        setup = open_table("il-principe", players=2, seed=seed).setup
        out |= {city.id for city in standard().cities} - {*setup["display"], *setup["cities"]}
    assert out == {city.id for city in standard().cities}


def test_i4_two_players_have_no_minor_roles() -> None:
    up = {0: dict.fromkeys(COLOUR_IDS, 2), 1: dict.fromkeys(COLOUR_IDS, 1)}
    table = position(2, at="roles", last=True, up=up, crests_left={0: 0})
    assert roles(table) == {"Mastro": 0, "Vescovo": 0, "Magistrato": 0, "Signore": 0, "Banchiere": 0}


@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_i5_variant_has_ten_ducats_and_six_per_round(count: int) -> None:
    table = open_table("il-principe", players=count, seed=1, variant=True)
    assert players(table, "ducats") == [16] * count
    later = position(count, at="income", variant=True, ducats=[1] * count, pile=["green"] * 10 + ["red"] * 10)
    assert players(later, "ducats") == [7] * count


def test_i5_variant_cities_are_founded_in_round_one() -> None:
    hands, ducats = {0: {"white": 1, "red": 1, "blue": 1}}, [3]
    assert clause(position(round_number=1, hands=hands, ducats=ducats), Found("siena")) == "I16"
    assert Found("siena") in position(round_number=1, hands=hands, ducats=ducats, variant=True).legal


def words(seed: bytes, salts: list[str]) -> Iterator[int]:
    """The stream as described in docs/fair-shuffles.md."""
    key = hashlib.sha256(seed)
    for salt in salts:
        key.update(salt.encode("utf-8"))
        key.update(b"\x00")
    i = 0
    while True:
        message = b"signoria/il-principe/1" + i.to_bytes(8, "big")
        block = hmac.new(key.digest(), message, hashlib.sha256).digest()
        for at in range(0, 32, 4):
            yield int.from_bytes(block[at : at + 4], "big")
        i += 1


@pytest.mark.parametrize(("count", "a_colour", "cities"), [(2, 13, 10), (4, 20, 15)])
@pytest.mark.parametrize("seed", [b"\x07" * 32, bytes(range(32))])
def test_i2_i3_i4_follow_the_fair_stream(count: int, a_colour: int, cities: int, seed: bytes) -> None:
    """A second implementation of the deal, written from docs/fair-shuffles.md."""
    salts = ["a", "bé", "", "d"][:count]
    table = open_table("il-principe", players=count, seed=seed, salts=salts)
    stream = words(seed, salts)

    def below(n: int) -> int:
        w = next(stream)
        while w >= n * (2**32 // n):
            w = next(stream)
        return w % n

    def shuffled(cards: list[str]) -> list[str]:
        for i in range(len(cards) - 1, 0, -1):
            j = below(i + 1)
            cards[i], cards[j] = cards[j], cards[i]
        return cards

    buildings = shuffled(
        ["green"] * a_colour + ["white"] * a_colour + ["red"] * a_colour + ["blue"] * a_colour + ["yellow"] * a_colour
    )
    names = shuffled(
        [
            *("siena", "orvieto", "venezia", "verona", "perugia"),
            *("bologna", "padova", "urbino", "milano", "lucca"),
            *("firenze", "rimini", "ferrara", "mantova", "pisa"),
        ]
    )
    principe = below(count)
    assert table.setup == {
        "principe": principe,
        "buildings": buildings,
        "cities": names[4:cities],
        "display": names[:4],
    }
    share = 5 if count == 2 else 4
    for turn in range(count):
        drawn = Counter(buildings[turn * share : (turn + 1) * share])
        assert players(table, "hand")[(principe + turn) % count] == drawn
