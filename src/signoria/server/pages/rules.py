"""The rules, and enlarged cards."""

from starlette.requests import Request
from starlette.responses import Response

from signoria.games import GAMES, some_clauses
from signoria.server.errors import NotFound
from signoria.server.lobby.catalogue import game_model
from signoria.server.pages.common import html, redirect, user_of
from signoria.server.people.sessions import viewer_model
from signoria.web import pages
from signoria.web.models import RulesPage


async def rules(request: Request) -> Response:
    """All clauses of a game."""
    game = GAMES.get(request.path_params["game"])
    if game is None:
        raise NotFound(f"There is no game of that name. Games: {', '.join(GAMES)}.")
    model = RulesPage(
        viewer=viewer_model(user_of(request)), game=game_model(game.name), clauses=game.clauses, rulings=game.rulings
    )
    return html(pages.rules(model))


async def card(request: Request) -> Response:
    """An enlarged card with its explanation: a part of a table's page."""
    game, name = request.path_params["game"], request.path_params["card"]
    drawn = pages.large_card(game, name)
    if drawn is None:
        raise NotFound(f"There is no card {name[:40]!r} in {game[:40]!r}.")
    response = html(drawn)
    response.headers["Cache-Control"] = "public, max-age=300"
    return response


async def clause(request: Request) -> Response:
    """Redirect to a clause in its rules."""
    wanted = request.path_params["clause"]
    for game in GAMES.values():
        if any(wanted == clause.id for clause in game.clauses):
            return redirect(f"/rules/{game.name}#{wanted}")
    raise NotFound(f"There is no rule {wanted[:20]!r}. Rules have numbers like {some_clauses()}.")
