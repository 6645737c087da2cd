"""Every table there is to see, page by page: of one kind, of a game, of somebody."""

from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from signoria.games import GAMES
from signoria.server.errors import BadField
from signoria.server.gate.who import viewer_model, who_of
from signoria.server.listing import Listing, list_tables
from signoria.server.offered import game_models
from signoria.server.pages.common import house_of, html, see, user_of
from signoria.server.public_lists import STATES
from signoria.server.showing import table_line
from signoria.store import people
from signoria.web import pages
from signoria.web.models import Notice, TablesPage

PAGE = 25
"""Tables on a page."""
LISTS = {
    "mine": "My games",
    "open": "Open tables",
    "running": "Games being played",
    "finished": "Finished games",
}


async def tables(request: Request) -> Response:
    """Tables of one kind; whoever wants their own signs in first."""
    house, user, asked = house_of(request), user_of(request), request.query_params
    of = asked.get("of", "open")
    if of not in LISTS:
        raise BadField("of", f"of: {of[:20]!r}; possible are {', '.join(LISTS)}.")
    if of == "mine" and user is None:
        return see("/sign-in?back=/tables?of=mine")
    game, player = asked.get("game", ""), asked.get("player", "").strip()[:40]
    if game and game not in GAMES:
        raise BadField("game", f"There is no game {game[:40]!r}; there is {', '.join(GAMES)}.")
    wanted = Listing(STATES.get(of), game or None, player or None, asked.get("after", ""))
    async with house.database.read() as db:
        found = await list_tables(db, who_of(request).user, wanted, PAGE)
        hosts = await people.names_of(db, {row.host_id for row in found.rows if row.host_id})
    same = {"of": of} | ({"game": game} if game else {}) | ({"player": player} if player else {})
    now = house.now()
    return html(
        pages.tables(
            TablesPage(
                viewer=viewer_model(user),
                notice=Notice(says=f"Nobody here is called {player}.") if found.nobody else None,
                lists=LISTS,
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
