"""Drawings: elements keep their ids, and the leader of a tower is shown."""

import re
from itertools import pairwise

import pytest

from signoria.games.patrician.board.words import Lead, lead
from signoria.web import pages
from tests.games.patrician.position import position
from tests.web.page_models import page, random_game

BOTH = {"players": 5, "messengers": True, "ambassadors": True}


def test_floors_cards_and_tokens_keep_their_element_ids() -> None:
    shown = [pages.table_fragment(page(table, 0)) for table in random_game("patrician", BOTH, 6)]
    for before, after in pairwise(shown):
        old, new = (set(re.findall(r'id="(floor-[a-z]+-[01]-\d+)"', fragment)) for fragment in (before, after))
        assert len(old ^ new) <= 2
        assert set(re.findall(r'id="(token-[a-z-]+)"', before)) == set(re.findall(r'id="(token-[a-z-]+)"', after))
        laid, lies = (set(re.findall(r'id="(card-[a-z]+-\d)"', fragment)) for fragment in (before, after))
        assert len(laid ^ lies) <= 4


@pytest.mark.parametrize(
    ("tower", "leads"), [("1", Lead(1, 1)), ("001", Lead(0, 1)), ("01", Lead(1, 0)), ("2221", Lead(2, 2))]
)
def test_lead_in_a_tower(tower: str, leads: Lead) -> None:
    roma = position(towers={"roma": (tower, "")}).view().cities[0]
    assert (lead(roma, 0), lead(roma, 1)) == (leads, None)


def test_messenger_beside_a_scored_city_is_not_drawn_as_counting() -> None:
    """M4: it came after Verona was scored, and in time for Parma."""
    table = position(
        towers={"verona": ("001", "22"), "parma": ("1", "")},
        won={"verona": (0, 2)},
        messengers={("parma", "verona"): 1},
        escorts={"parma": 1},
    )
    fragment = pages.table_fragment(page(table, None))
    verona, parma = (
        fragment.partition(f'id="city-{name}"')[2].partition("</section>")[0] for name in ("verona", "parma")
    )
    assert 'class="news"' not in verona
    assert "</span>+2</span>" in parma


def test_star_is_drawn_only_with_messengers() -> None:
    for messengers in (True, False):
        shown = "".join(
            pages.table_fragment(page(table, table.turn))
            for table in random_game("patrician", {"players": 2, "messengers": messengers}, 4)
        )
        assert ("#d-star" in shown) == ("★" in shown) == messengers
