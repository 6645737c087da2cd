"""The deck file, every constraint on it, and the figures behind it."""

from collections import Counter
from pathlib import Path

import pytest

from signoria import BadDeck, open_table
from signoria.games.patrician.rulebook.components import load_deck, printed, read_deck, standard, write_deck
from signoria.kernel.printed import figures

STANDARD = write_deck(standard())


def broken(old: str, new: str) -> str:
    assert old in STANDARD
    return STANDARD.replace(old, new, 1)


def test_standard_deck_matches_the_components_file() -> None:
    cards = standard().cards
    assert len(cards) == 55
    without = [card for card in cards if card.city != "pistoia"]
    assert Counter(card.portrait for card in without for _ in range(card.portraits)) == {
        "captain": 9,
        "lady": 9,
        "elder": 9,
    }
    assert sum(card.start for card in without) == 12
    assert sum(card.start for card in cards) == 15
    assert sum(card.crests == 2 for card in without) == 15
    assert sum(card.crests == 2 for card in cards) == 17
    assert Counter(card.portrait for card in cards if card.start) == {"captain": 5, "lady": 5, "elder": 5}
    assert sum(city.high + city.low for city in standard().cities) == 114


def test_every_figure_has_a_grade_and_a_source() -> None:
    assert len(figures(printed())) > 70
    assert {figure.grade for figure in figures(printed())} == {"printed", "published", "derived", "reconstructed"}
    assert all(figure.source for figure in figures(printed()))


def test_deck_file_is_read_as_written() -> None:
    assert read_deck(STANDARD, "x") == standard()
    commented = "# my box\n\n" + STANDARD.replace("roma ", "Roma: ").replace("L   M", "l   m")
    assert read_deck(commented, "x") == standard()


@pytest.mark.parametrize(
    ("deck", "says"),
    [
        (broken("roma ", "rom "), r"line 1: there is no city 'rom'"),
        (broken("siena ", "roma  "), r"line 5: Roma has a line already"),
        (broken("lucca    C*  L   M   2   2\n", ""), r"no line for Lucca"),
        (broken("C*  L*  E   C", "C*  L*  X   C"), r"line 1, card roma-3 \(X\): 'X' stands for nothing"),
        (broken("C*  L*  E   C", "C*  L*  CL  C"), r"line 1, card roma-3 \(CL\): .*exactly one thing more.*\(published\)"),
        (broken("C*  L*  E   C", "C*  L*  C?  C"), r"card roma-3 \(C\?\): .*exactly one"),
        (broken("C*  L*  E   C", "C*  L*  CCC C"), r"card roma-3 \(CCC\): .*exactly one"),
        (broken("C*  L*  E   C", "C*  L*  ?M  C"), r"card roma-3 .*exactly one"),
        (broken("C*  L*  E   C", "C*  L*  2C  C"), r"card roma-3 \(2C\): .*exactly one"),
        (broken("C*  L*  E   C", "C*  L*  *   C"), r"card roma-3 \(\*\): .*exactly one"),
        (broken("?   2   2\n", "?   2*  2\n"), r"line 1, card roma-6 \(2\*\): a star card never shows two crests \(derived"),
        (broken("?   2   2\n", "?   2   2   2\n"), r"line 1, card roma-8: Roma has 7 cards \(printed\), not 8"),
        (broken("?   2   2\n", "?   2\n"), r"line 1, card roma-6: Roma has 7 cards \(printed\), not 6"),
        (broken("?   2   2\n", "?   2   C\n"), r"line 1, card roma-7: .*9 floors exactly \(published\), so 2 of them .*give 8"),
        (broken("E*  LL  ?   2", "E*  LL  2   2"), r"line 7, card ferrara-4: .*5 floors exactly .*so 1 of them shows"),
        (broken("lucca    C*  L   M", "lucca    C*  L   C"), r"line 4, card lucca-5: a Lucca card .* shows move \(printed\)"),
        (broken("roma     C*", "roma     C "), r"at least 12 star cards lie outside Pistoia \(derived\); here 11"),
        (broken("pistoia  C*", "pistoia  C "), r"at least 15 star cards in all \(derived\); here there are 14"),
        (
            STANDARD.replace("E   C   ?", "?   M   ?").replace("C   L   M", "?   M   M").replace("L   E   ?", "?   E   ?")
            .replace("EE", "M ").replace("LL", "M ").replace("CC", "M "),
            r"21 to 33 portraits \(derived\); here they show 1\d",
        ),
        (STANDARD.replace("C*", "CC*").replace("L*", "LL*"), r"21 to 33 portraits \(derived\); here they show 3\d"),
    ],
)  # fmt: skip
def test_error_names_the_broken_constraint_card_and_line(deck: str, says: str) -> None:
    with pytest.raises(BadDeck, match=says):
        read_deck(deck, "own.txt")


def test_most_cards_show_portraits() -> None:
    deck = STANDARD
    for old, new in (("E   C   ?", "??   CC  ?"), ("LL  ?", "?   ?"), ("EE  M", "?   M"), ("CC  ?", "?   ?")):
        deck = deck.replace(old, new.replace("??", "?"), 1)
    deck = (
        deck.replace("E*  C*  L   E", "EE* CC* ?   ?")
        .replace("L*  E*  C   L", "LL* EE* ?   ?")
        .replace("C*  L   M", "CC* ?   M")
    )
    deck = (
        deck.replace("L*  E   ?", "LL* ?   ?")
        .replace("E*  C   M", "EE* ?   M")
        .replace("C*  L*  ?   CC", "CC* LL* ?   ?")
    )
    with pytest.raises(BadDeck, match=r"portraits are what most cards show \(published\); here 1\d show"):
        read_deck(deck, "own.txt")


def test_unreadable_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BadDeck, match="cannot be read"):
        load_deck(tmp_path / "none.txt")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadDeck, match="cannot be read"):
        load_deck(tmp_path / "binary")


def test_record_contains_the_owners_deck(tmp_path: Path) -> None:
    own = tmp_path / "own.txt"
    own.write_text(broken("roma     C*  L*  E   C", "roma     C*  L*  E   LL"))
    table = open_table("patrician", players=3, seed=1, deck=own)
    while not table.over:
        table.apply(table.legal[0])
    cards = {card["id"]: card for card in table.record.components["cards"]}
    assert cards["roma-4"]["portraits"] == 2
    assert cards["roma-4"]["portrait"] == "lady"


def test_city_without_cards_is_refused() -> None:
    for city in ("pistoia", "verona", "lucca"):
        deck = "\n".join(city if line.startswith(city) else line for line in STANDARD.splitlines())
        with pytest.raises(BadDeck, match=r"has \d cards \(printed\), and none is written"):
            read_deck(deck, "own.txt")
