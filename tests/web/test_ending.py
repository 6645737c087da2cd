"""The final page: the winner, every part of every score, and the score history."""

import re
from typing import Any

import msgspec
import pytest

from signoria.games import AnyTable
from signoria.web import ending, models, pages
from signoria.web.board import find_board
from signoria.web.kit.chart import ChartTurn, draw_chart, lead_in_words
from tests.web.html_reader import Reader
from tests.web.page_models import page, random_game, seats

GAMES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("patrician", {"players": 5, "messengers": True, "ambassadors": True}),
    ("patrician", {"players": 2}),
    ("il-principe", {"players": 4}),
)


def played(name: str, options: dict[str, Any], seed: int = 2) -> tuple[AnyTable, tuple[models.CourseTurn, ...]]:
    """A finished game and its score history."""
    course: list[models.CourseTurn] = []
    for table in random_game(name, options, seed):
        totals = tuple(score.total for score in table.scores)
        events = tuple(event for event in table.events if event.clause in table.game.headlines)
        turn = models.CourseTurn(
            n=len(table.steps),
            chapter=table.chapter,
            brief_chapter=table.game.brief_chapter(table.position),
            chapter_group=table.game.chapter_group(table.position),
            totals=totals,
            places=table.places,
            events=events,
        )
        course.append(turn)
    return table, tuple(course)


def chart_turn(n: int, chapter: str, totals: tuple[int, ...], places: tuple[int, ...], group: str = "") -> ChartTurn:
    return ChartTurn(n, chapter, chapter, group or chapter, totals, places, ())


def over(name: str, options: dict[str, Any]) -> models.TablePage:
    table, course = played(name, options)
    assert table.outcome
    sitting = tuple(
        msgspec.structs.replace(seat, won=seat.seat in table.outcome.winners, points=table.scores[seat.seat].total)
        for seat in seats(name, table.options.players)
    )
    return page(table, 0, seats=sitting, course=course)


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_final_page_shows_every_part_of_every_score(name: str, options: dict[str, Any]) -> None:
    model = over(name, options)
    shown = pages.table_fragment(model)
    read = Reader(shown)
    assert not read.faults
    assert model.sheet
    assert model.sheet.outcome
    for winner in model.sheet.outcome.winners:
        assert f"Somebody {winner}" in read.text.partition(" with ")[0]
    for score in model.sheet.scores:
        for place, part in ending.rows(model.sheet.scores, name):
            assert f"/rules/clause/{part.clause}" in shown
            assert f"<b>{score.parts[place].points}</b>" in shown
            assert all(str(ending.item(item, name)) in shown for item in score.parts[place].items)
    assert (">Messengers <" in shown) == bool(options.get("messengers"))


def test_winner_rematch_and_ratings_come_before_the_scores() -> None:
    model = over(*GAMES[0])
    changed = tuple(
        msgspec.structs.replace(seat, change=models.RatingChangeModel(before=25, after=24.04 + 1.5 * seat.seat))
        for seat in model.seats
    )
    shown = pages.table_fragment(msgspec.structs.replace(model, seats=changed))
    first = shown.partition('id="over"')[2].partition('class="sheet"')[0]
    assert first.index("<h2>") < first.index("/rematch") < first.index('class="race"')
    assert "25.0 → 24.0 (\N{MINUS SIGN}1.0)" in first
    assert "25.0 → 27.0 (+2.0)" in first
    assert '/replay/0?seat=0"' in first
    friendly = pages.table_fragment(msgspec.structs.replace(model, rated=False))
    assert "no rating changed" in friendly


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_chart_has_a_line_per_seat_and_a_row_per_important_event(name: str, options: dict[str, Any]) -> None:
    model = over(name, options)
    chart = str(ending.chart(model, tuple(seat.name for seat in model.seats)))
    assert not Reader(chart).faults
    for seat in model.seats:
        assert f'id="course-{seat.seat}"' in chart
        assert f">{seat.points}</text>" in chart
    signs = sum(1 for turn in model.course for event in turn.events if find_board(name).sign(event))
    assert signs
    assert chart.count('<g transform="translate') == signs


def test_replay_chart_links_to_every_position_and_marks_the_current_one() -> None:
    course = tuple(chart_turn(3 * turn, f"Turn {turn}" if turn else "", (turn, 5), (1, 1)) for turn in range(8))
    shown = str(draw_chart(course, ("Anna", "Bruno"), ("Bk", "Wh"), "/tables/t/replay/", "?seat=1", 4))
    assert all(f'href="/tables/t/replay/{turn.n}?seat=1"' in shown for turn in course)
    assert 'class="present"' in shown
    still = str(draw_chart(course, ("Anna", "Bruno"), ("Bk", "Wh"), "/tables/t/replay/", "", -1))
    assert 'class="present"' not in still


def test_leader_is_shown_with_the_start_of_the_lead() -> None:
    stands = (((0, 0), (1, 1)), ((1, 0), (1, 2)), ((1, 2), (2, 1)), ((1, 3), (2, 1)))
    course = tuple(chart_turn(turn, f"Turn {turn}" if turn else "", *stand) for turn, stand in enumerate(stands))
    assert re.search(r"Bruno .*\(turn 2\)", lead_in_words(course, ("Anna", "Bruno")))
    assert "tied" in lead_in_words(course[:1], ("Anna", "Bruno"))
    course = tuple(turn._replace(chapter=turn.chapter and f"{turn.chapter} (last round)") for turn in course)
    assert lead_in_words(course, ("Anna", "Bruno")).endswith("(turn 2).")


def test_chart_names_rounds_on_its_axis_and_phases_at_their_positions() -> None:
    _, course = played("il-principe", {"players": 2})
    turns = course[1:]
    assert len({str(turn.chapter_group) for turn in turns}) < len({str(turn.brief_chapter) for turn in turns})
    assert str(turns[-1].chapter) == f"{turns[-1].brief_chapter} (last round)"
    table = [chart_turn(turn.n, "Round 1, phase 1", turn.totals, turn.places, group="Round 1") for turn in turns]
    shown = str(draw_chart(tuple(table), ("Anna", "Bruno"), ("Me", "Ca"), "/", "", 0))
    assert ">Round 1<" in shown
    assert "<title>Round 1, phase 1</title>" in shown


def test_lead_by_the_tiebreak_counts_as_a_lead() -> None:
    course = (chart_turn(0, "", (0, 0), (1, 1)), chart_turn(1, "Turn 1", (4, 4), (2, 1)))
    assert re.search(r"Bruno .*\(turn 1\)", lead_in_words(course, ("Anna", "Bruno")))
