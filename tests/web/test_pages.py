"""Every page can be rendered, is well-formed, and escapes user input."""

import re
from pathlib import Path

import msgspec
import pytest

from signoria.games import GAMES
from signoria.web import environment, models, pages, rules
from signoria.web.board import boards, find_board
from signoria.web.files import STATIC, static_file
from tests.web.html_reader import Reader
from tests.web.page_models import PAGES, every_page, game, lobby, waiting

NASTY = """<script>alert(1)</script>'"><img src=x onerror=alert(1)> {{ 7 * 7 }} &amp;"""


def drawn(words: str) -> dict[str, str]:
    more: dict[str, tuple[str, ...]] = {"invited": (words,)}
    return {
        name: getattr(pages, name.split()[0])(model, *more.get(name, ())) for name, model in every_page(words).items()
    }


PARTS = ("lobby_own", "lobby_public")
"""What `lobby_fragment` consists of."""


def test_all_pages_are_tested() -> None:
    assert set(every_page()) == set(PAGES)
    assert {name.split()[0] for name in PAGES} | {"static_url", "table_fragment", "large_card", *PARTS} == set(
        pages.__all__
    )


@pytest.mark.parametrize("name", PAGES)
def test_pages_are_well_formed_without_inline_scripts_or_styles(name: str) -> None:
    assert Reader(drawn("Anna")[name]).faults == []


@pytest.mark.parametrize("name", PAGES)
def test_user_input_is_escaped(name: str) -> None:
    reader, plain = Reader(drawn(NASTY)[name]), Reader(drawn("Anna")[name])
    assert reader.faults == []
    assert [tag for tag, _ in reader.tags] == [tag for tag, _ in plain.tags]
    assert not any(name.startswith("on") for _, given in reader.tags for name in given)
    assert reader.text.count("49") == plain.text.count("49")


def test_pages_load_nothing_from_other_hosts() -> None:
    for page in drawn("Anna").values():
        for tag, given in Reader(page).tags:
            for name in ("src", "href", "action", "hx-post", "hx-sse:connect"):
                address = given.get(name)
                assert address is None or address.startswith(("/", "#")), f"<{tag} {name}={address}>"


def test_fragment_equals_the_part_in_its_page() -> None:
    for name, model in every_page().items():
        if name.split()[0] == "table":
            assert pages.table_fragment(model) in pages.table(model)  # type: ignore[arg-type]
    assert pages.lobby_fragment(lobby()).startswith('<main id="lobby"')
    assert pages.lobby_fragment(lobby()) in pages.lobby(lobby())


def test_every_form_works_without_javascript() -> None:
    for page in drawn("Anna").values():
        for tag, given in Reader(page).tags:
            if tag == "form":
                assert given["method"] == ("get" if given["action"] == "/tables" and "aria-label" in given else "post")
                assert given.get("hx-post", given["action"]) == given["action"]


def test_static_file_addresses_change_with_their_content() -> None:
    address = pages.static_url("app.css")
    assert address.startswith("/static/app.css?v=")
    assert len(address) > len("/static/app.css?v=") + 8
    for _, given in Reader(pages.lobby(lobby())).tags:
        for value in (given.get("src"), given.get("href")):
            if value and value.startswith("/static/"):
                assert static_file(value.removeprefix("/static/").partition("?")[0])


def test_our_scripts_stay_small_and_use_no_eval() -> None:
    script = (STATIC / "app.js").read_text()
    assert script.count("\n") < 400
    assert "eval(" not in script
    assert "innerHTML" not in script


def test_htmx_includes_its_licence() -> None:
    assert "Permission to use, copy, modify" in (STATIC / "htmx" / "LICENSE").read_text()


def test_lobby_offers_new_visitors_both_games_to_play_now() -> None:
    text = Reader(pages.lobby(lobby(viewer=None, mine=(), open=(), running=(), finished=()))).text
    assert text.count("Play now") == 2
    assert "Sign in" in text


def test_title_alerts_the_player_whose_turn_it_is() -> None:
    assert "<title>(1) Signoria</title>" in pages.lobby(lobby())
    assert "<title>Signoria</title>" in pages.lobby(lobby(mine=()))


def test_open_table_offers_seats_bots_and_an_invitation() -> None:
    reader = Reader(pages.table_fragment(waiting()))
    actions = {given["action"] for tag, given in reader.tags if tag == "form"}
    assert {f"/tables/t1/{what}" for what in ("sit", "stand", "bot", "fill", "salt", "close", "chat")} <= actions
    assert "/tables/t1/start" not in actions
    full = msgspec.structs.replace(waiting(), seats=waiting().seats[:3])
    assert 'action="/tables/t1/start"' in pages.table_fragment(full)


def test_all_templates_are_used() -> None:
    own = [board.static.parent for board in boards().values() if board.static]
    folders = (Path(environment.__file__).parent, *own)
    templates = {folder: list((folder / "templates").iterdir()) for folder in folders}
    told = "".join(path.read_text() for folder in folders for path in (*templates[folder], *folder.rglob("*.py")))
    for folder, paths in templates.items():
        assert [path.name for path in paths if not re.search(rf'[":]{path.name}"', told)] == [], folder


TEMPLATES = [
    path for board in boards().values() if board.static for path in (board.static.parent / "templates").iterdir()
]


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: f"{path.parents[2].name}/{path.name}")
def test_printed_figures_are_not_repeated_in_templates(path: Path) -> None:
    """These figures must come from the components or from the view."""
    source = path.read_text()
    for markup in (r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", r"<[^>]*>"):
        source = re.sub(markup, "", source, flags=re.DOTALL)
    assert re.findall(r"[^\n]*\d[^\n]*", source) == []


def test_illustrated_rules_show_the_printed_figures() -> None:
    patrician = Reader(str(find_board("patrician").told())).text
    assert "worth 6 points" in patrician
    assert "worth 2 points more" in patrician
    principe = Reader(str(find_board("il-principe").told())).text
    assert "draws 4 building cards, takes 5 ducats, and lays 2 cards face down" in principe
    for told in ("100 buildings, 15 cities", "65 buildings, 10 cities", "12, 16 or 20 cards", "6, 8 or 10 cards"):
        assert told in principe


@pytest.mark.parametrize("name", GAMES)
def test_rules_page_has_an_anchor_for_every_clause(name: str) -> None:
    clauses, rulings = GAMES[name].clauses, GAMES[name].rulings
    page = pages.rules(models.RulesPage(viewer=None, game=game(name), clauses=clauses, rulings=rulings))
    assert [clause.id for clause in clauses if page.count(f'<div id="{clause.id}">') != 1] == []
    named, linked = set(re.findall(r'id="([^"]+)"', page)), set(re.findall(r'href="#([^"]+)"', page))
    assert linked <= named
    parts = rules.parts(find_board(name).headings, clauses)
    assert [clause for part in parts for clause in part.clauses] == list(clauses)
    assert [part.title for part in parts] == list(find_board(name).headings.values())
