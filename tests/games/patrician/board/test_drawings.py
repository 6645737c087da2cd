"""What is drawn: everything keeps its name, and who leads a tower is seen."""

import re
from itertools import pairwise

import pytest

from signoria.games.patrician.board.words import Lead, lead
from signoria.web import pages
from tests.web.making import page, random_game

BOTH = {"players": 5, "messengers": True, "ambassadors": True}


def test_floors_cards_and_tokens_keep_their_names_from_step_to_step() -> None:
    shown = [pages.table_fragment(page(table, 0)) for table in random_game("patrician", BOTH, 6)]
    for before, after in pairwise(shown):
        old, new = (set(re.findall(r'id="(floor-[a-z]+-[01]-\d+)"', fragment)) for fragment in (before, after))
        assert len(old ^ new) <= 2
        assert set(re.findall(r'id="(token-[a-z-]+)"', before)) == set(re.findall(r'id="(token-[a-z-]+)"', after))
        laid, lies = (set(re.findall(r'id="(card-[a-z]+-\d)"', fragment)) for fragment in (before, after))
        assert len(laid ^ lies) <= 4


@pytest.mark.parametrize(
    ("tower", "leads"), [((1,), Lead(1, 1)), ((0, 0, 1), Lead(0, 1)), ((0, 1), Lead(1, 0)), ((2, 2, 2, 1), Lead(2, 2))]
)
def test_how_far_somebody_leads_a_tower(tower: tuple[int, ...], leads: Lead) -> None:
    assert lead(tower, leads.seat) == leads


def test_the_star_is_drawn_only_where_it_means_something() -> None:
    for messengers in (True, False):
        shown = "".join(
            pages.table_fragment(page(table, table.turn))
            for table in random_game("patrician", {"players": 2, "messengers": messengers}, 4)
        )
        assert ("#d-star" in shown) == ("★" in shown) == messengers
