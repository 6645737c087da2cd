"""The final page of Il Principe shows every region on a map."""

from signoria.web import pages
from tests.web.test_ending import over


def test_final_page_shows_every_region_on_a_map() -> None:
    model = over("il-principe", {"players": 4})
    assert model.sheet
    drawn = pages.table_fragment(model).partition('class="end-map"')[2].partition("</svg>")[0]
    for region, points in model.view.majorities.items():
        told = drawn.partition(f'<g class="of-region-{region}">')[2].partition("</g>")[0]
        assert [seat for seat in range(4) if f"#d-arms-{seat}" in told] == [s for s, won in enumerate(points) if won]
    for score in model.sheet.scores:
        assert sum(points[score.seat] for points in model.view.majorities.values()) == score.parts[1].points
        assert sum(item.points for item in score.parts[1].items) == score.parts[1].points
