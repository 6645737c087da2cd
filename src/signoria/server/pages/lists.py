"""The page with all tables, with filters and pages."""

from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from signoria.games import GAMES
from signoria.kernel.language import say, to_say
from signoria.server.errors import BadField
from signoria.server.lobby.catalogue import game_models
from signoria.server.lobby.public_lists import STATES
from signoria.server.lobby.table_lines import table_line
from signoria.server.lobby.table_lists import TableFilter, list_tables
from signoria.server.pages.common import html, redirect, service_of, user_of
from signoria.server.people.sessions import identity_of, viewer_model
from signoria.store import people
from signoria.web import pages
from signoria.web.models import Notice, TablesPage

PAGE = 25
"""Tables per page."""
LISTS = {
    "mine": to_say("My games"),
    "open": to_say("Open tables"),
    "running": to_say("Games in progress"),
    "finished": to_say("Finished games"),
}


async def tables(request: Request) -> Response:
    """Tables of one kind; your own tables require signing in."""
    service, user, query = service_of(request), user_of(request), request.query_params
    of = query.get("of", "open")
    if of not in LISTS:
        raise BadField("of", say("of: {of!r} is not valid; use {lists}.", of=of[:20], lists=", ".join(LISTS)))
    if of == "mine" and user is None:
        return redirect("/sign-in?back=/tables?of=mine")
    game, player = query.get("game", ""), query.get("player", "").strip()[:40]
    if game and game not in GAMES:
        raise BadField(
            "game", say("There is no game {game!r}. Games: {games}.", game=game[:40], games=", ".join(GAMES))
        )
    wanted = TableFilter(STATES.get(of), game or None, player or None, query.get("after", ""))
    async with service.database.read() as db:
        found = await list_tables(db, identity_of(request).user, wanted, PAGE)
        hosts = await people.names_of(db, {row.host_id for row in found.rows if row.host_id})
    same = {"of": of} | ({"game": game} if game else {}) | ({"player": player} if player else {})
    now = service.now()
    return html(
        pages.tables(
            TablesPage(
                viewer=viewer_model(user),
                notice=Notice(says=say("There is no player called {player}.", player=player)) if found.nobody else None,
                lists={of: say(title) for of, title in LISTS.items()},
                of=of,
                games=game_models(),
                game=game,
                player=player,
                tables=tuple(table_line(row, user, now, hosts) for row in found.rows),
                newest=f"/tables?{urlencode(same)}" if wanted.after else "",
                older=f"/tables?{urlencode({**same, 'after': found.next})}" if found.next else "",
            )
        )
    )
