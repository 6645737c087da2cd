"""Bids have their own input field."""

from signoria.web import pages
from tests.web.html_reader import Reader
from tests.web.page_models import page, random_game


def test_typed_bid_has_its_own_form() -> None:
    """Enter in the field makes the bid, because its form has no other button."""
    table = next(t for t in random_game("il-principe", {"players": 3}, 1) if t.view(t.turn).asked == "bid")
    reader = Reader(pages.table_fragment(page(table, table.turn)))
    of_bid = [(tag, given.get("name")) for tag, given in reader.tags if given.get("form") == "bid"]
    assert of_bid == [("input", "bid"), ("button", None)]
