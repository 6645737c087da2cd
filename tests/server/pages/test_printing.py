"""Documents to print, as the server sends them."""

from signoria.games.il_principe import IL_PRINCIPE
from signoria.games.patrician import PATRICIAN
from tests.databases import in_loop
from tests.server.application import arrive, open_app


@in_loop
async def test_unknown_documents_are_not_found(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, _):
        anna = await arrive(app, "Anna")
        for name in ("rules-xx", "deck-en", "rules-en-XA"):
            assert (await anna.look(f"/rules/patrician/{name}.pdf")).status_code == 404


@in_loop
async def test_documents_are_made_once_and_linked_from_the_rules(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, _):
        anna = await arrive(app, "Anna")
        for game in (PATRICIAN, IL_PRINCIPE):
            page = (await anna.look(f"/rules/{game.name}")).text
            assert f'href="/rules/{game.name}/calculator"' in page
            assert f'href="/rules/{game.name}/player-aid-en.pdf"' in page
        answer = await anna.look("/rules/patrician/score-sheet-it.pdf")
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "application/pdf"
        assert 'filename="patrician-score-sheet-it.pdf"' in answer.headers["content-disposition"]
        assert answer.content.startswith(b"%PDF")
        assert (await anna.look("/rules/patrician/score-sheet-it.pdf")).content == answer.content
