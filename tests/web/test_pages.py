"""Every page can be rendered, is well-formed, and escapes user input."""

import re
from pathlib import Path

import msgspec
import pytest

from signoria.games import GAMES
from signoria.games.il_principe.rulebook.components import city_grade, city_name, standard
from signoria.games.patrician.words.events import FloorBuilt
from signoria.kernel.language import speaking
from signoria.web import environment, models, pages, rules
from signoria.web.board import boards, find_board
from signoria.web.files import STATIC, static_file
from tests.web.html_reader import Reader
from tests.web.page_models import PAGES, every_page, game, lobby, waiting

NASTY = """<script>alert(1)</script>'"><img src=x onerror=alert(1)> {{ 7 * 7 }} &amp;"""


def drawn(words: str) -> dict[str, str]:
    more: dict[str, tuple[str, ...]] = {"invited": (words, words)}
    return {
        name: getattr(pages, name.split()[0])(model, *more.get(name, ())) for name, model in every_page(words).items()
    }


PARTS = ("lobby_own", "lobby_public")
"""What `lobby_fragment` consists of."""


def test_all_pages_are_tested() -> None:
    assert set(every_page()) == set(PAGES)
    parts = {"static_url", "table_fragment", "large_card", "clauses", "help_topic", "help_topics", *PARTS}
    assert {name.split()[0] for name in PAGES} | parts == set(pages.__all__)


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


def test_replay_highlights_what_an_event_is_about() -> None:
    model = every_page()["replay"]
    assert isinstance(model, models.Replay)
    city = model.view.cities[0].id
    shown = pages.replay(msgspec.structs.replace(model, events=(FloorBuilt("P12", 0, city, 0, 1),)))
    assert [given["id"] for _, given in Reader(shown).tags if "data-about" in given] == [f"city-{city}"]


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


SEARCHES = re.compile("/(tables|moderation)|/rules/.+/(search|calculator)")
"""Pages with a form that only looks for something or counts."""


def test_every_form_works_without_javascript() -> None:
    for page in drawn("Anna").values():
        for tag, given in Reader(page).tags:
            if tag == "form":
                assert given["method"] == "post" or (
                    given["method"] == "get" and SEARCHES.fullmatch(given["action"] or "")
                )
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


def test_play_now_proposes_an_opponent_and_a_friendly_game() -> None:
    page = pages.lobby(lobby())
    for name in GAMES:
        form = page[page.index(f'class="{name}"><input type="hidden" name="game" value="{name}"') :].partition(
            "</form>"
        )[0]
        assert re.findall(r'<option value="([^"]+)" selected', form) == ["4", "architetto"]
        assert re.findall(r'<option value="([^"]+)"[^>]*>[A-Z]', form) == [
            "own-level",
            *(level.id for level in lobby().games[0].levels),
        ]
        assert re.findall(r'type="radio" name="rated" value="(\w+)"( checked)?', form) == [
            ("off", " checked"),
            ("on", ""),
        ]


def test_new_table_has_a_switch_between_friendly_and_rated() -> None:
    model = every_page()["new_table"]
    assert isinstance(model, models.NewTable)
    for filled, checked in (({}, "off"), ({"rated": "on"}, "on"), ({"rated": "off"}, "off")):
        page = pages.new_table(msgspec.structs.replace(model, filled=filled))
        assert re.findall(r'name="rated" value="(\w+)" checked', page) == [checked]


def test_invitation_names_the_host_the_colours_and_whether_the_game_is_rated() -> None:
    model = waiting(viewer=None, rated=True)
    text = Reader(pages.invited(model, "secret", "Bruno")).text
    assert "Bruno invites you" in text
    assert "Rated game" in text
    assert all(seat.title in text for seat in model.seats)
    friendly = Reader(pages.invited(msgspec.structs.replace(model, rated=False), "secret", "")).text
    assert "Friendly game" in friendly
    assert "Rated" not in friendly


WITHOUT_FOOT = ("embed", "table", "replay", "lobby_fragment")


def test_site_pages_share_one_layout_and_a_footer() -> None:
    for name, page in drawn("Anna").items():
        tags = Reader(page).tags
        ((_, main),) = [(tag, given) for tag, given in tags if tag == "main"]
        feet = [given for tag, given in tags if tag == "footer"]
        if name.startswith(WITHOUT_FOOT) and not name.startswith("tables"):
            assert not feet, name
        else:
            assert "page" in (main["class"] or "").split(), name
            assert len(feet) == 1, name


def test_page_not_found_helps() -> None:
    found = Reader(pages.wrong(models.Wrong(viewer=None, status=404, title="Page not found", says="There is no page.")))
    links = {given["href"] for tag, given in found.tags if tag == "a"}
    assert {"/", "/tables?of=open", "/tables?of=finished", *(f"/rules/{name}" for name in GAMES)} <= links
    assert "invite link" in found.text
    other = Reader(pages.wrong(models.Wrong(viewer=None, status=500, title="Sorry", says="Something went wrong."))).text
    assert "invite link" not in other


def test_every_drawing_is_named_or_skipped_by_screen_readers() -> None:
    for name, page in drawn("Anna").items():
        for tag, given in Reader(page).tags:
            heard = given.get("role") == "img" and (given.get("aria-label") or given.get("title"))
            if tag == "svg" or "mark" in (given.get("class") or "").split():
                assert given.get("aria-hidden") == "true" or heard, (name, given)


@pytest.mark.parametrize("name", GAMES)
def test_rules_beside_a_table_have_every_clause(name: str) -> None:
    part = pages.clauses(name)
    assert Reader(part).faults == []
    assert [clause.id for clause in GAMES[name].clauses if f'id="rule-{clause.id}"' not in part] == []
    drawn = part.split('id="rule-')[1:]
    assert [one[:4] for one in drawn if '<figure class="example' not in one] == []


BESIDE = ("table", "replay", "log_page", "check", "new_table", "invited", "calculator", "help_page")
"""Pages beside which the rules open."""


def test_rule_links_open_beside_the_page() -> None:
    for name, page in drawn("Anna").items():
        for tag, given in Reader(page).tags:
            if tag == "a" and (given["href"] or "").startswith("/rules/clause/"):
                assert given["target"] == "rules", name
        beside = name.split()[0] in BESIDE
        assert ('id="rules-beside"' in page) == beside, name


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
    board = find_board("il-principe")
    principe = Reader(str(board.told() + board.reference())).text
    assert "draws 4 building cards, takes 5 ducats, and lays 2 cards face down" in principe
    for city in standard().cities:
        assert city_name(city.id) in principe
    assert principe.count("reconstructed") >= sum(city_grade(city.id) == "reconstructed" for city in standard().cities)
    assert "There is no last round" in principe
    assert 'class="map"' in board.reference()
    for told in ("100 buildings, 15 cities", "65 buildings, 10 cities", "12, 16 or 20 cards", "6, 8 or 10 cards"):
        assert told in principe


@pytest.mark.parametrize("query", ["regio's", "REGIO’S"])
def test_search_takes_a_straight_apostrophe_for_a_curly_one(query: str) -> None:
    with speaking("nl"):
        assert rules.search(find_board("il-principe"), query)


@pytest.mark.parametrize("name", GAMES)
def test_rules_page_has_an_anchor_for_every_clause(name: str) -> None:
    clauses, model = GAMES[name].clauses, models.RulesPage(viewer=None, game=game(name))
    page = pages.full_rules(model)
    assert [clause.id for clause in clauses if page.count(f'<div id="{clause.id}" data-clause>') != 1] == []
    rulings = pages.rulings(model)
    assert [one.id for one in GAMES[name].rulings if rulings.count(f'id="ruling-{one.id}"') != 1] == []
    anchors = {
        f"/rules/{name}{path}": set(re.findall(r' id="([^"]+)"', shown))
        for path, shown in (("", pages.rules(model)), ("/full", page), ("/rulings", rulings))
    }
    for here, shown in ((f"/rules/{name}", pages.rules(model)), (f"/rules/{name}/full", page), ("", rulings)):
        for path, anchor in re.findall(r'href="(/rules/[^"#]*)?#([^"]+)"', shown):
            assert anchor in anchors.get(path or here, {anchor}), (path, anchor)
    parts = rules.parts(find_board(name).headings, clauses)
    assert [clause for part in parts for clause in part.clauses] == list(clauses)
    assert [part.title for part in parts] == list(find_board(name).headings.values())
