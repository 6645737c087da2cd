"""Bids are typed into a field of their own."""

from signoria.web import pages
from tests.web.making import page, random_game
from tests.web.reading import Reader


def test_a_number_typed_is_sent_by_a_form_of_its_own() -> None:
    """Enter in the field makes the bid: no other button belongs to its form."""
    table = next(t for t in random_game("il-principe", {"players": 3}, 1) if t.view(t.turn).asked == "bid")
    reader = Reader(pages.table_fragment(page(table, table.turn)))
    of_bid = [(tag, given.get("name")) for tag, given in reader.tags if given.get("form") == "bid"]
    assert of_bid == [("input", "bid"), ("button", None)]
