"""The rules, and enlarged cards."""

import asyncio

from starlette.requests import Request
from starlette.responses import Response

from signoria.games import GAMES, some_clauses
from signoria.kernel.language import language, say
from signoria.server.errors import NotFound
from signoria.server.lobby.catalogue import game_model
from signoria.server.pages.common import game_of, html, redirect, user_of
from signoria.server.people.sessions import viewer_model
from signoria.web import pages
from signoria.web.board import find_board
from signoria.web.models import RulesPage, RulesSearch, Viewer
from signoria.web.rules import LONGEST_QUERY
from signoria.web.rules import search as find_rules


class RulePages:
    """Draws all rules once for each language in a thread, because that takes a second. Their parts are kept."""

    def __init__(self) -> None:
        self._drawn: set[str] = set()
        self._one = asyncio.Semaphore(1)

    async def prepare(self) -> None:
        """Draw the rules in the language that is spoken now, unless that was done before."""
        if language() not in self._drawn:
            async with self._one:
                if language() not in self._drawn:  # another request may have wanted the same
                    await asyncio.to_thread(_draw)
                    self._drawn.add(language())


def rule_pages() -> dict[str, str]:
    """All rules for a reader without an account, by address."""
    drawn: dict[str, str] = {}
    for game in GAMES:
        model = rules_model(game, None)
        drawn |= {f"/rules/{game}": pages.rules(model), f"/rules/{game}/full": pages.full_rules(model)}
        drawn |= {f"/rules/{game}/rulings": pages.rulings(model), f"/rules/{game}/clauses": pages.clauses(game)}
    return drawn


def _draw() -> None:
    rule_pages()
    for game in GAMES:
        find_rules(find_board(game), game)


async def prepare_rules(request: Request) -> None:
    """Draw the rules in the reader's language, unless that was done before."""
    rules_drawn: RulePages = request.app.state.rule_pages
    await rules_drawn.prepare()


async def rules(request: Request) -> Response:
    """A game for new players, on one page."""
    return html(pages.rules(await _model(request)))


async def full_rules(request: Request) -> Response:
    """All clauses of a game, with examples."""
    return html(pages.full_rules(await _model(request)))


async def rulings(request: Request) -> Response:
    """What the rulebooks leave open, and how we play it."""
    return html(pages.rulings(await _model(request)))


async def search(request: Request) -> Response:
    """Clauses and rulings with the words of a query."""
    model = await _model(request)
    query = " ".join(request.query_params.get("q", "")[:LONGEST_QUERY].split())
    hits = find_rules(find_board(model.game.name), query)
    return html(pages.rules_search(RulesSearch(viewer=model.viewer, game=model.game, query=query, hits=hits)))


async def clauses(request: Request) -> Response:
    """The clauses alone, to be shown beside a table: a part of its page."""
    game = game_of(request).name
    await prepare_rules(request)
    response = html(pages.clauses(game))
    response.headers["Cache-Control"] = "private, max-age=300"
    return response


async def _model(request: Request) -> RulesPage:
    game = game_of(request).name
    await prepare_rules(request)
    return rules_model(game, viewer_model(user_of(request)))


def rules_model(name: str, viewer: Viewer | None) -> RulesPage:
    """The rules of a game."""
    return RulesPage(viewer=viewer, game=game_model(name))


async def card(request: Request) -> Response:
    """An enlarged card with its explanation: a part of a table's page."""
    game, name = request.path_params["game"], request.path_params["card"]
    drawn = pages.large_card(game, name)
    if drawn is None:
        raise NotFound(say("There is no card {name!r} in {game!r}.", name=name[:40], game=game[:40]))
    response = html(drawn)
    response.headers["Cache-Control"] = "private, max-age=300"
    return response


async def clause(request: Request) -> Response:
    """Redirect to a clause in its rules."""
    wanted = request.path_params["clause"]
    for game in GAMES.values():
        if any(wanted == clause.id for clause in game.clauses):
            return redirect(f"/rules/{game.name}/full#{wanted}")
    raise NotFound(
        say(
            "There is no rule {wanted!r}. Rules have numbers like {some_clauses}.",
            wanted=wanted[:20],
            some_clauses=some_clauses(),
        )
    )
