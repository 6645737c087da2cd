"""How Il Principe is told: headings, badges, captions, questions."""

import pytest

from signoria.games import open_table
from signoria.games.il_principe.rulebook.steps import Bid, Offer, Pass, Play
from signoria.games.il_principe.words.events import (
    CardLaid,
    LotsTurnedUp,
    RoleTaken,
    RoundBegan,
)
from signoria.games.il_principe.words.offer import players_rules
from signoria.games.il_principe.words.telling import play_effect, question, stakes
from signoria.server.play.room import log_entry
from signoria.web import log, pages
from signoria.web.models import LogLine
from tests.games.il_principe.position import position
from tests.web.page_models import page, random_game, seats

LONGEST = 14
"""Words of a caption."""


def lines_of(name: str = "il-principe") -> list[LogLine]:
    lines: list[LogLine] = []
    for table in random_game(name, {"players": 3}, 4):
        if table.steps:
            lines += log_entry(table, len(table.steps) - 1, len(table.steps), table.steps[-1].seat, "person").lines
    return lines


def test_each_event_has_the_heading_of_its_own_phase() -> None:
    """A step can end a phase, and the last step of a round begins the next one."""
    table = position(3, at="offer", hands={s: {"red": 2} for s in range(3)})
    for _ in range(5):
        table.apply(Offer("red"))
    table.make(Offer("red"))
    told = dict(zip(map(type, table.events), map(str, table.chapters), strict=True))
    assert told[CardLaid] == "Round 2, phase 1"
    assert told[LotsTurnedUp] == "Round 2, phase 2"
    table = position(3, at="act", acted=2, up={0: {"white": 1}}, pile=["red"] * 20)
    table.make(Pass())
    told = dict(zip(map(type, table.events), map(str, table.chapters), strict=True))
    assert told[RoleTaken] == "Round 2, phase 4"
    assert told[RoundBegan] == "Round 3, phase 1"


def test_badge_belongs_to_the_player_of_the_event() -> None:
    """What happens to the table has no badge."""
    for line in lines_of():
        named = [part for part in line.says.parts if isinstance(part, int)]
        if line.seat is None:
            assert not line.says.parts or not isinstance(line.says.parts[0], int)
        else:
            assert line.seat in named


def test_log_reads_in_one_direction() -> None:
    lines = lines_of()[:60]
    drawn = log.draw_log(lines, log.sitting("il-principe", seats("il-principe", 3)), {})
    told = [log.named(line.says, log.sitting("il-principe", seats("il-principe", 3))) for line in lines]
    places = [drawn.index(f">{says}", 0) for says in dict.fromkeys(reversed(told))]
    assert places == sorted(places)


def test_captions_are_short() -> None:
    who = log.sitting("il-principe", seats("il-principe", 3))
    for line in lines_of():
        says = log.named(line.says if line.brief is None else line.brief, who)
        assert len(says.split()) <= LONGEST, says


def test_sentences_name_the_family_with_the_player() -> None:
    table = open_table("il-principe", players=3, seed=1)
    shown = page(table, 0)
    assert log.people("il-principe", shown.seats) == (
        "Somebody 0 (Medici)",
        "Somebody 1 (Carraresi)",
        "Somebody 2 (Visconti)",
    )
    assert log.people("patrician", seats("patrician", 2)) == ("Somebody 0", "Somebody 1")


# Questions


def test_i22_role_auction_says_what_is_at_stake_and_what_it_costs() -> None:
    table = position(3, at="roles", up={0: {"green": 3}, 1: {"green": 3}}, ducats=(4, 4, 4))
    view = table.view(0)
    assert view.auction is not None
    assert (view.auction.what, view.auction.points, view.auction.turned_down) == ("Mastro", 2, 2)
    assert "4 ducats" in question(view)
    drawn, watched = (pages.table_fragment(page(table, seat)) for seat in (0, 2))
    for words in ("The Mastro gives 2 points", "green", "2 green buildings face down"):
        assert words in stakes(view)
        assert words in drawn
    assert "You would turn" not in watched, "it costs only those who take part"
    minor = position(3, at="roles", up={0: {"green": 3}, 1: {"green": 1}, 2: {"green": 1}}, ducats=(4, 4, 4)).view(1)
    assert minor.auction is not None
    assert (minor.auction.what, minor.auction.points, minor.auction.turned_down) == ("Apprendista", 1, 0)
    assert "face down" not in stakes(minor)


def test_i13_player_without_enough_ducats_is_told_so() -> None:
    table = position(3, at="auction", lots={"red": 2}, ducats=(5, 3, 9))
    table.apply(Bid(3))
    view = table.view(1)
    assert view.auction is not None
    assert view.auction.outbid
    assert view.legal == (Pass(),)
    assert "3 ducats, too few to bid more than 3" in question(view)
    other = table.view(2).auction
    assert other is not None
    assert not other.outbid
    table.apply(Pass())
    table.apply(Bid(4))
    drawn = pages.table_fragment(page(table, 1))
    assert 'id="too-few"' in drawn
    assert 'id="too-few"' not in pages.table_fragment(page(table, 0))
    hidden = table.view().auction
    assert hidden is not None
    assert not hidden.outbid, "ducats are hidden from spectators"


def test_i30_warning_before_the_cities_run_out() -> None:
    many = position(3, display=("siena", "orvieto", "venezia", "verona"), city_pile=("milano", "pisa")).view(0)
    assert many.cities_to_end == 3
    last = position(3, hands={0: {"white": 1, "red": 1, "blue": 1}}, ducats=(3, 3, 3))
    assert last.view(0).cities_to_end == 1
    assert "one more city" in question(last.view(0))
    over = position(3, at="offer", display=("siena", "orvieto", "venezia"), hands={0: {"red": 2}}).view(0)
    assert over.cities_to_end == 0
    assert "the game ends" in question(over)
    drawn = pages.table_fragment(page(position(3, display=("siena", "orvieto", "venezia")), 0))
    assert 'id="ending"' in drawn
    assert "I30" in drawn
    assert 'id="ending"' not in pages.table_fragment(page(last, 0))


def test_i16_buildings_are_selected_first_and_show_their_effect() -> None:
    table = position(3, hands={0: {"red": 2}}, up={1: {"red": 1}})
    view = table.view(0)
    assert "bid against Carraresi for the Magistrato" in play_effect(view, Play("red", 1))
    assert "take the Magistrato" in play_effect(view, Play("red", 2))
    drawn = pages.table_fragment(page(table, 0))
    assert drawn.count('type="radio" form="play"') == 2
    assert '<form id="play"' in drawn
    assert 'form="play" class="play-it' in drawn
    assert play_effect(view, Play("red", 2)) in drawn
    assert 'form="play"' not in pages.table_fragment(page(table, 1)).replace('<form id="play"', "")


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_i4_i10_rules_of_a_table_are_those_for_its_players(players: int) -> None:
    usual, variant = players_rules(players, variant=False).says, players_rules(players, variant=True).says
    assert f"draws {5 if players == 2 else 4} cards, takes {6 if players == 2 else 5} ducats" in usual
    assert "takes 6 ducats" in variant
    assert ("two players" in usual) == (players == 2)
    assert f"fewer than {(10, 12, 16, 20)[players - 2]}" in usual
