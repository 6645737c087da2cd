"""Drawings: elements keep their ids, and the leader of a tower is shown."""

import re
from itertools import pairwise

import pytest

from signoria.games.patrician import PATRICIAN
from signoria.games.patrician.board import BOARD
from signoria.games.patrician.board.words import Lead, lead
from signoria.games.patrician.rulebook.steps import Build, Move, Play, Stay, Take
from signoria.games.patrician.words.events import Event
from signoria.web import pages
from tests.games.patrician.position import position
from tests.web.html_reader import Reader
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


def test_while_building_other_cards_are_played_instead() -> None:
    table = position(hands={0: ["roma-6", "siena-2"]}, display={"roma": "lucca-1"})
    assert 'name="instead"' not in pages.table_fragment(page(table, 0))
    table.apply(Play("roma-6"))
    swap = '<button name="instead" value=\'{"do":"play","card":"siena-2"}\' class="card of-siena swap"'
    for site in (0, 1):
        assert pages.table_fragment(page(table, 0)).count('name="instead"') == 1
        assert swap in pages.table_fragment(page(table, 0))
        assert 'name="instead"' not in pages.table_fragment(page(table, 1))
        table.apply(Build(site))
    assert table.view(0).asked == "take"
    assert 'name="instead"' not in pages.table_fragment(page(table, 0))


def test_card_in_hand_says_which_card_it_leads_to() -> None:
    table = position(
        hands={0: ["roma-3", "roma-5", "siena-2"]}, display={"roma": "lucca-1", "parma": "lucca-2", "verona": "lucca-4"}
    )
    shown = pages.table_fragment(page(table, 0))
    assert re.findall(r'data-leads-to="([^"]*)"', shown) == [
        "card-lucca-1",
        "card-lucca-1 card-lucca-2 card-lucca-4",
        "card-lucca-1 card-lucca-2 card-lucca-4",
    ]
    assert "You take the card at Roma: Lucca" in shown
    assert "There is no card at Siena" in shown
    assert "data-leads-to" not in pages.table_fragment(page(table, 1))


def test_question_names_the_only_card_that_can_be_taken() -> None:
    table = position(hands={0: ["bologna-1", "roma-1"]}, display={"bologna": "siena-1", "parma": "lucca-2"})
    for card, only in (("bologna-1", True), ("roma-1", False)):
        ahead = table.copy()
        ahead.apply(Play(card))
        ahead.apply(Build(0))
        asked = PATRICIAN.words.question(ahead.view(0))
        assert ("Take the card at Bologna" in asked and "Siena" in asked) == only
        assert ("Which card" in asked) != only


def test_last_turn_stays_marked() -> None:
    table = position(
        hands={0: ["lucca-3"], 1: ["roma-1"]},
        towers={"siena": ("01", "")},
        display={"lucca": "roma-3"},
        pile=["roma-6"],
    )
    lately: list[Event] = []
    for step in (Play("lucca-3"), Build(1), Move("siena", 0), Take("lucca")):
        lately += table.apply(step)
    shown = pages.table_fragment(page(table, 1, lately=tuple(lately)))
    marked = re.findall(r'id="([^"]+)" data-last', shown)
    assert sorted(marked) == ["card-roma-6", "floor-lucca-1-0", "floor-siena-1-0"]
    assert BOARD.last_moved(table.apply(Play("roma-1"))) == []


def test_ambassadors_are_explained_in_words() -> None:
    table = position(won={"roma": (1, 0), "parma": (0, 1)}, played={0: ["roma-1"]}, turn=3, ambassadors=True)
    read = Reader(pages.table_fragment(page(table, 1)))
    assert not read.faults
    words = " ".join(read.text.split())
    for told in ("most 6-point tokens", "most 4-point tokens", "most 2-point tokens", "most points in"):
        assert told in words.replace("6 -point", "6-point").replace("4 -point", "4-point").replace(
            "2 -point", "2-point"
        )
    assert "one more portrait each" in words
    panel = words.partition("Players")[2]
    assert re.search(r"Ambassadors\W*A\W*(captain|lady|elder)\W*D\W*captain, lady, elder", panel)


def test_result_says_which_portraits_ambassadors_add() -> None:
    *_, table = random_game("patrician", {"players": 2, "ambassadors": True}, 2)
    read = Reader(pages.table_fragment(page(table, 0)))
    held = [item for score in table.scores for item in score.parts[1].items if item.sign.startswith("ambassador-")]
    assert held
    for item in held:
        assert item.says in read.text
        assert f"Ambassador {item.sign.split('-')[1]} +" in " ".join(read.text.split())


def test_running_score_is_shown_for_every_player() -> None:
    table = position(won={"roma": (1, 0)}, played={1: ["roma-1", "roma-4", "lucca-1"]}, turn=9)
    shown = pages.table_fragment(page(table, 0))
    standing = shown.partition('id="standing"')[2].partition("</ol>")[0]
    assert re.findall(r'class="points">(\d+) points?<', standing) == ["6", "15", "0"]
    assert "15 points" in shown.partition('id="so-far-1"')[2].partition("</p>")[0]


def test_scene_of_a_scored_city_comes_before_the_move() -> None:
    """P13: the city is scored before P14 is asked, and its scene is on the page at once."""
    table = position(hands={0: ["parma-3"]}, towers={"parma": ("01", "22"), "siena": ("0", "")})
    table.apply(Play("parma-3"))
    lately = table.apply(Build(0))
    assert Stay() in table.legal
    assert 'id="scored-parma" open' in pages.table_fragment(page(table, 0, lately=lately))
