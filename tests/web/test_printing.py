"""Rules, score sheets and player aids as PDF."""

from io import BytesIO

import pytest
from pypdf import PdfReader

from signoria.games import GAMES
from signoria.kernel.errors import BadOption
from signoria.kernel.language import LANGUAGES, speaking
from signoria.web.board import find_board
from signoria.web.printing.documents import KINDS, make_pdf, printable, source
from signoria.web.printing.typeset import Typesetter, quoted, read_html

WIDTH, HEIGHT = 595, 842
"""A4 in points."""


def pages(game: str, kind: str) -> PdfReader:
    return PdfReader(BytesIO(make_pdf(game, kind)))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_rules_have_all_clauses_in_every_language(game: str, language: str) -> None:
    with speaking(language):
        read = pages(game, "rules")
        texts = [page.extract_text() for page in read.pages]
        clauses = GAMES[game].told_clauses
    words = " ".join(texts).split()
    assert all(clause.id in words for clause in clauses)
    compact = "".join(words)
    assert all("".join(clause.says.split()[:4]) in compact for clause in clauses)
    targets = set(read.named_destinations) | {clause.id for clause in clauses}
    assert {clause.id for clause in clauses} <= targets
    assert all(len(text.split()) > 20 for text in texts), "no page is empty"
    fonts = {str(font["/BaseFont"]) for page in read.pages for font in fonts_of(page)}
    assert all("Alegreya" in font or "DellaRespira" in font or "Mono" in font for font in fonts), fonts


def fonts_of(page: object) -> list[dict[str, object]]:
    return [font.get_object() for font in page["/Resources"]["/Font"].values()]  # type: ignore[index]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_score_sheets_and_player_aids_fit_on_one_page(game: str, language: str) -> None:
    with speaking(language):
        for kind in set(KINDS) - {"rules"}:
            read = pages(game, kind)
            assert len(read.pages) == 1, kind
            assert {round(length) for length in read.pages[0].mediabox[2:]} == {WIDTH, HEIGHT}


def test_what_cannot_be_printed_is_refused_with_what_can() -> None:
    with pytest.raises(BadOption, match="rules, score-sheet, player-aid"):
        source("patrician", "poster")


def test_text_is_never_read_as_markup() -> None:
    setter = Typesetter(None, ["P1"], {}, {})  # type: ignore[arg-type]
    told = setter.html('<p>#let x = 1 *bold* "quoted" \\ $math$ &lt;P1&gt; <b>strong</b> <a href="#P1">P1</a></p>')
    assert quoted('#let x = 1 *bold* "quoted" \\ $math$ <P1> ') in told
    assert "#strong[" in told
    assert '#see("P1")' in told


def test_unclosed_and_unknown_elements_are_read() -> None:
    tree = read_html("<div><p>one<br>two</p><svg viewBox='0 0 1 1'><use href='#x'/></svg></div>tail")
    assert [one.tag for one in tree.iter()] == ["body", "div", "p", "br", "svg", "use"]
    assert tree[0][1].get("viewBox") == "0 0 1 1"


def test_game_without_its_own_pages_prints_its_clauses_and_a_plain_score_sheet() -> None:
    board = type(find_board("patrician")).__mro__[1]  # Board itself
    plain = board(GAMES["patrician"])
    assert not plain.player_aid()
    assert "P20" in plain.score_sheet()
    assert "player-aid" in printable("patrician")
