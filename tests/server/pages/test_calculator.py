"""The score calculator as a page."""

from urllib.parse import urlencode

from tests.databases import in_loop
from tests.games.il_principe.test_calculator import facts as principe_facts
from tests.games.il_principe.test_calculator import finished as finished_principe
from tests.games.patrician.test_calculator import facts, finished
from tests.server.application import arrive, open_app

SETTING = {"players": 3, "messengers": True, "ambassadors": True}


def address(game: str, **fields: object) -> str:
    return f"/rules/{game}/calculator?{urlencode(fields)}"


@in_loop
async def test_facts_in_an_address_give_the_score_sheet(sqlite_url: str) -> None:
    table = finished(SETTING, 11)
    async with open_app(sqlite_url) as (app, _):
        anna = await arrive(app, "Anna")
        options = {"players": 3, "messengers": "on", "ambassadors": "on", "name-0": "Zoë <b>", "count": 1}
        answer = await anna.look(address("patrician", **options, **facts(table)))
        assert answer.status_code == 200
        result = answer.text.partition('id="result"')[2].partition("</section>")[0]
        for score in table.scores:
            assert f"<b>{score.total}</b>" in result
        assert '/rules/clause/P20"' in result
        assert "Zoë &lt;b&gt;" in result
        other = finished_principe({"players": 2, "variant": False}, 4)
        answer = await anna.look(address("il-principe", players=2, count=1, **principe_facts(other)))
        assert answer.status_code == 200
        for score in other.scores:
            assert f"<b>{score.total}</b>" in answer.text.partition('id="result"')[2]


@in_loop
async def test_form_keeps_what_was_entered_and_names_what_is_wrong(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, _):
        anna = await arrive(app, "Anna")
        answer = await anna.look(address("patrician", players=2, count=1, **{"captain-1": "99"}))
        assert answer.status_code == 422
        assert 'href="#f-captain-1"' in answer.text
        field = answer.text.partition('id="f-captain-1"')[2].partition(">")[0]
        assert 'value="99"' in field
        assert 'aria-invalid="true"' in field
        assert 'id="result"' not in answer.text
        fresh = await anna.look("/rules/patrician/calculator")
        assert fresh.status_code == 200
        assert 'role="alert"' not in fresh.text


@in_loop
async def test_bad_addresses_are_refused(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, _):
        anna = await arrive(app, "Anna")
        for players in ("1", "6", "x", "٣"):
            assert (await anna.look(address("patrician", players=players))).status_code == 422
        many = {f"x{n}": "" for n in range(300)}
        assert (await anna.look(address("patrician", **many))).status_code == 422
        assert (await anna.look("/rules/chess/calculator")).status_code == 404
