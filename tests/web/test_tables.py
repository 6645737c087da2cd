"""Tables of all games: every step can be made on the board, and a fragment shows only the view."""

import gc
import gzip
import html
import re
from typing import Any

import msgspec
import pytest

from signoria.games import open_table
from signoria.games.il_principe.board import display, regions, stage
from signoria.games.il_principe.board import players as families
from signoria.games.il_principe.rulebook.steps import Bid
from signoria.games.patrician.board import cities, players, roads
from signoria.kernel.words import Sentence
from signoria.web import models, pages
from tests.settings import ALL_SETTINGS, full_name, quick_for_two_and_five
from tests.web.html_reader import Reader
from tests.web.page_models import page, random_game, seats

BUTTON = re.compile(r"""<(?:button|input) name="step" value='([^']*)' class="([^"]*)"([^>]*)>""")


def buttons(fragment: str) -> dict[str, bool]:
    """Steps of the buttons and checkboxes of a fragment, and whether they are marked as legal."""
    return {html.unescape(value): "can" in kind.split() for value, kind, _ in BUTTON.findall(fragment)}


def as_json(step: msgspec.Struct) -> str:
    return msgspec.json.encode(step).decode()


@pytest.mark.parametrize("game", ["patrician", "il-principe"])
def test_a_drawn_table_leaves_nothing_for_the_garbage_collector(game: str) -> None:
    """A page of a table is drawn for every viewer at every move: what it needed is freed at once."""
    table = open_table(game, players=2, seed="0" * 64)
    pages.table_fragment(page(table, table.turn))  # templates are compiled
    gc.collect()
    gc.disable()
    try:
        pages.table_fragment(page(table, table.turn))
        assert gc.collect() == 0
    finally:
        gc.enable()


@pytest.mark.parametrize("setting", quick_for_two_and_five(ALL_SETTINGS), ids=full_name)
def test_every_legal_step_of_a_game_is_a_marked_button(setting: tuple[str, dict[str, Any]]) -> None:
    for n, table in enumerate(random_game(*setting, seed=7)):
        shown = page(table, table.turn)
        fragment = pages.table_fragment(shown)
        pressed = buttons(fragment)
        possible = {as_json(step) for step in table.legal if not isinstance(step, Bid)}
        bids = [step.ducats for step in table.legal if isinstance(step, Bid)]
        assert possible <= {step for step, can in pressed.items() if can}
        assert {step for step, can in pressed.items() if can} <= {as_json(step) for step in table.legal}
        if bids:
            assert f'min="{min(bids)}" max="{max(bids)}"' in fragment
        if n % 40 == 0 or table.over:
            assert Reader(fragment).faults == []
            assert Reader(pages.table_fragment(page(table, None))).faults == []
        assert len(fragment) < 80_000
        assert len(gzip.compress(fragment.encode(), 5)) < 12_000


@pytest.mark.parametrize("setting", ALL_SETTINGS, ids=full_name)
def test_fragment_shows_only_the_view(setting: tuple[str, dict[str, Any]]) -> None:
    """A view that went through JSON has no records, so drawings may use only its fields."""
    for n, table in enumerate(random_game(*setting, seed=3)):
        if n % 30 == 0:
            for seat in (None, *range(table.options.players)):
                shown = page(table, seat)
                copied = msgspec.json.decode(msgspec.json.encode(shown.view), type=type(shown.view))
                fragment = pages.table_fragment(shown)
                assert pages.table_fragment(msgspec.structs.replace(shown, view=copied)) == fragment
                _forget()
                assert pages.table_fragment(shown) == fragment


def _forget() -> None:
    """Clear the caches of drawings."""
    kept: list[Any] = [cities._draw_city, cities.draw_tower, players._draw_player, roads._draw_roads]
    kept += [display._draw_city, display._draw_roles, regions._draw_regions, regions._draw_towns]
    kept += [stage._draw_stage, families._draw_player, families._draw_track]
    for drawings in kept:
        drawings.cache_clear()


@pytest.mark.parametrize("name", ["patrician", "il-principe"])
def test_spectator_has_no_buttons_on_the_board(name: str) -> None:
    table = open_table(name, players=3, seed=1)
    assert buttons(pages.table_fragment(page(table, None))) == {}
    assert 'id="steps"' not in pages.table_fragment(page(table, None))


@pytest.mark.parametrize("name", ["patrician", "il-principe"])
def test_out_of_turn_no_button_is_marked_as_legal(name: str) -> None:
    table = open_table(name, players=3, seed=1)
    other = next(seat for seat in range(3) if seat != table.turn)
    pressed = buttons(pages.table_fragment(page(table, other)))
    assert pressed
    assert not any(pressed.values())


@pytest.mark.parametrize("name", ["patrician", "il-principe"])
def test_shared_device_shows_no_hand_between_turns(name: str) -> None:
    table = open_table(name, players=3, seed=1)
    fragment = pages.table_fragment(page(table, None, my_seats=(0, 1, 2), hand_over=2))
    assert 'href="/tables/t1?seat=2"' in fragment
    assert "Somebody 2, it is your turn." in fragment
    assert 'id="hand"' not in fragment
    assert 'id="board"' in fragment


def test_step_is_sent_with_its_seat_and_number() -> None:
    table = open_table("patrician", players=2, seed=1)
    fragment = pages.table_fragment(page(table, table.turn))
    form = fragment[fragment.index('<form id="steps"') :]
    assert form.startswith('<form id="steps" method="post" action="/tables/t1/steps" hx-post="/tables/t1/steps">')
    assert f'<input type="hidden" name="seat" value="{table.turn}"><input type="hidden" name="n" value="0">' in form


def test_final_page_shows_the_winner_and_every_part_with_its_clause() -> None:
    *_, table = random_game("patrician", {"players": 3, "messengers": True}, 2)
    fragment = pages.table_fragment(page(table, 0))
    outcome = table.outcome
    assert outcome is not None
    assert f"Somebody {outcome.winners[0]}" in fragment
    assert outcome.reason.partition(" (")[0] in fragment
    for score in table.scores:
        for part in score.parts:
            assert f"/rules/clause/{part.clause}" in fragment
            assert f"</b><b>{part.points}</b>" in fragment
        assert f"</b><b>{score.total}</b></td>" in fragment
    assert table.seed in fragment
    for link in ("replay/0?seat=0", "record", "check"):
        assert f'href="/tables/t1/{link}"' in fragment


@pytest.mark.parametrize("name", ["patrician", "il-principe"])
def test_card_tracker_is_a_grid_of_cards(name: str) -> None:
    for n, table in enumerate(random_game(name, {"players": 3}, 4)):
        if n % 25 == 0 and table.turn is not None:
            shown = pages.table_fragment(page(table, 0))
            part = shown[shown.index('id="remembered"') :].partition("</details>")[0]
            unseen = table.view(0).remembered.unseen
            last = part.partition(">Not seen yet")[2]
            more = sum(int(count) - 1 for count in re.findall(r"</span>(\d+)</b>", last))
            assert last.count("<li>") + more == (sum(unseen.values()) if isinstance(unseen, dict) else len(unseen))
            assert last.count('role="img" aria-label=') == last.count("<li>")


def test_seats_are_distinguished_by_letters_not_only_by_colour() -> None:
    table = open_table("patrician", players=5, seed=1)
    fragment = pages.table_fragment(page(table, 0))
    assert all(f">{letters}</b>" in fragment for letters in ("Bk", "Wh", "Re", "Ye", "Bl"))


def test_your_turn_is_shown_on_the_page_and_in_the_title() -> None:
    table = open_table("patrician", players=2, seed=1)
    assert table.turn is not None
    assert "Your turn" in Reader(pages.table_fragment(page(table, table.turn))).text
    assert "<title>● Your turn" in pages.table(page(table, table.turn))
    assert "<title>Patrician" in pages.table(page(table, 1 - table.turn))


def test_log_names_people_and_groups_lines_by_turn() -> None:
    table = open_table("patrician", players=3, seed=1)
    lines = tuple(
        models.LogLine(n=n, seat=n % 3, says=says, clause="P10", headline=False, chapter=f"Turn {1 + n // 2}")
        for n, says in enumerate(
            (
                Sentence((0, " plays Roma.")),
                Sentence((1, " moves a floor of ", 2, ".")),
                Sentence((2, " plays Siena.")),
                Sentence(("Red is a colour, {0} no seat.",)),
            )
        )
    )
    sitting = seats("patrician", 3)
    alike = (*sitting[:2], msgspec.structs.replace(sitting[2], name=sitting[1].name))
    shown = pages.table_fragment(page(table, 0, log=lines, seats=alike))
    log = shown.partition('class="log turns"')[2].partition("</ol>")[0]
    assert log.index("<h3>Turn 2</h3>") < log.index("<h3>Turn 1</h3>")
    assert "Somebody 0 plays Roma." in log
    assert "Somebody 1 (White) moves a floor of Somebody 1 (Red)." in log
    assert "Red is a colour, {0} no seat." in log
    assert log.count('class="mark seat-') == len(lines)
