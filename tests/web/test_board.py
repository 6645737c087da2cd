"""Boards: every game has one in its own folder, and a game without one is shown in a generic form."""

import html
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from signoria.games import GAMES, AnyTable, open_table
from signoria.kernel.errors import BadOption
from signoria.web import board, ending, log, models, pages
from signoria.web.board import Board, boards, find_board
from signoria.web.files import static_file
from signoria.web.pages import frame, table_pages
from tests.web.html_reader import Reader
from tests.web.page_models import game, lobby, page, random_game

WEB = Path(board.__file__).parent
STEP = re.compile(r"""<button name="step" value='([^']*)' class="can">""")


def test_nothing_in_web_names_a_game() -> None:
    names = {word.lower() for game in GAMES.values() for word in (game.name, game.title, game.name.replace("-", "_"))}
    for file in WEB.rglob("*"):
        if file.suffix in (".py", ".html", ".css", ".js", ".svg"):
            text = file.read_text().lower()
            assert not [name for name in names if name in text], file.name


@pytest.mark.parametrize("name", GAMES)
def test_board_is_found_from_its_game(name: str) -> None:
    found = find_board(name)
    assert type(found) is not Board
    assert (found.name, found.title) == (name, GAMES[name].title)
    assert len(set(found.marks)) == len(found.marks) == GAMES[name].seats[-1]
    assert bool(found.lessons) == bool(found.beginning())


def test_unknown_game_has_no_board() -> None:
    with pytest.raises(BadOption, match="chess"):
        find_board("chess")


@pytest.mark.parametrize("name", GAMES)
def test_pages_link_only_the_files_of_their_own_game(name: str) -> None:
    shown = pages.table(page(open_table(name, players=2, seed=1), 0))
    linked = set(re.findall(r"/static/(games/[^?\"]+)", shown))
    own = find_board(name)
    assert linked == {*own.seat_styles, *own.styles}
    assert all(file.startswith(f"games/{name}/") and static_file(file) for file in linked)


def test_lobby_links_the_colours_of_all_seats() -> None:
    linked = set(re.findall(r"/static/(games/[^?\"]+)", pages.lobby(lobby())))
    assert linked == {style for found in boards().values() for style in found.seat_styles}


def test_only_files_in_the_static_folders_are_served() -> None:
    assert static_file("app.css")
    assert static_file("fonts/alegreya-400.woff2")
    for name in GAMES:
        assert static_file(f"games/{name}/board.css")
        assert static_file(f"games/{name}/../__init__.py") is None
        assert static_file(f"games/{name}/") is None
    for name in ("../board.py", "/etc/hosts", "games/chess/board.css", "games/", "nothing.css", ""):
        assert static_file(name) is None


@pytest.fixture
def plainly(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Pretend that no game has its own board."""
    kept = (find_board, boards, ending.item, log.draw_line, table_pages._seat_head, frame._table_line)

    def forget() -> None:
        for cached in kept:
            cached.cache_clear()

    forget()
    for one in GAMES.values():
        monkeypatch.setattr(one, "board", None)
    yield
    forget()


def offered(table: AnyTable) -> models.TablePage:
    """The page of the player whose turn it is, with all choices."""
    view = table.view(table.turn)
    tell = table.game.words.tell
    steps = [(msgspec.json.encode(step).decode(), tell(view, step)) for step in view.legal]
    return page(table, table.turn, choices=tuple(models.ChoiceModel(step=step, says=says) for step, says in steps))


@pytest.mark.parametrize("name", GAMES)
def test_game_without_its_own_board_can_be_played(name: str, plainly: None) -> None:
    for n, table in enumerate(random_game(name, {"players": 3}, 5)):
        if n % 25 and not table.over:
            continue
        model = offered(table)
        shown = pages.table(model)
        read = Reader(shown)
        assert read.faults == []
        assert "/static/plain.css" in shown
        assert "/static/games/" not in shown
        assert {html.unescape(step) for step in STEP.findall(shown)} == {choice.step for choice in model.choices}
        assert all(" ".join(choice.says.split()) in read.text for choice in model.choices)
        assert read.text.count(str(model.view.pile)) >= 1
        assert ('id="hand"' in shown) == (table.turn is not None)


@pytest.mark.parametrize("name", GAMES)
def test_other_pages_work_for_a_game_without_a_board(name: str, plainly: None) -> None:
    found = find_board(name)
    assert type(found) is Board
    assert len(set(found.marks)) == GAMES[name].seats[-1]
    rules = pages.rules(models.RulesPage(viewer=None, game=game(name)))
    linked, named = set(re.findall(r'href="#([^"]+)"', rules)), set(re.findall(r' id="([^"]+)"', rules))
    assert linked <= named
    for shown in (rules, pages.lobby(lobby()), pages.table(page(open_table(name, players=2, seed=1), None))):
        assert Reader(shown).faults == []
    assert found.large("roma-1") is None


@pytest.mark.parametrize("name", GAMES)
def test_rules_explain_a_game_without_a_board(name: str, plainly: None) -> None:
    board, clauses = find_board(name), {clause.id: clause.says for clause in GAMES[name].clauses}
    for table in list(random_game(name, {"players": 3}, 5))[3:60:14]:
        view = table.view(table.turn)
        shown, topics = pages.table_fragment(offered(table)), {topic.key: topic for topic in board.topics(view)}
        named = set(re.findall(r'data-help="([^"]+)"', shown))
        assert named
        assert named <= set(topics)
        assert len(topics) == len(board.topics(view))
        for topic in topics.values():
            assert topic.means
            assert all(told.says == clauses.get(told.clause, told.says) for told in topic.means)
        (pile,) = [topic for key, topic in topics.items() if key == "field-pile"]
        assert "pile" in pile.means[0].says
        assert str(view.pile) in pile.now[0].says
        offers = [
            re.search(r'data-help="([^"]+)"', button)
            for button in re.findall(r'<button name="step"[^>]*tile[^>]*>', shown)
        ]
        assert all(topics[found[1]].now[-1].says.startswith("You can do this now") for found in offers if found)


@pytest.mark.parametrize("name", GAMES)
def test_hidden_cards_are_drawn_face_down(name: str, plainly: None) -> None:
    table = open_table(name, players=2, seed=1, memory_aid=False)
    drawn = find_board(name).draw(table.view(0), may_act=True)
    copied = msgspec.json.decode(msgspec.json.encode(table.view(0)), type=type(table.view(0)))
    assert find_board(name).draw(copied, may_act=True) == drawn
    assert not drawn.remembered
    assert find_board(name).draw(table.view(None), may_act=False).hand == ""
