"""The web application: every address, what guards it, and what runs beside it."""

import asyncio
import gzip
import logging
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path

from sqlalchemy import text
from starlette.applications import Starlette
from starlette.datastructures import Headers as Asked
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from signoria.server.api.routes import api_routes
from signoria.server.duties import Duties
from signoria.server.gate.accounts import Accounts
from signoria.server.gate.asking import Asking
from signoria.server.gate.headers import Headers
from signoria.server.gate.holds import Holds
from signoria.server.gate.opening import Opening
from signoria.server.gate.origin import Origin
from signoria.server.gate.people import People, now_ms
from signoria.server.gate.problems import Problems, handlers
from signoria.server.gate.rate import Limits, Rated
from signoria.server.gate.size import Size
from signoria.server.gate.watch import Watch
from signoria.server.house import House
from signoria.server.metrics import Metrics, health_page, metrics_page
from signoria.server.missed_changes import MissedChanges
from signoria.server.packing import takes_packed
from signoria.server.pages import lists, lobby, people, programs, replays, rules, tables
from signoria.server.pages.common import acting
from signoria.server.public_lists import PublicLists
from signoria.server.settings import Settings
from signoria.server.visits import Visits
from signoria.store.database import Database, database_url
from signoria.web import pages
from signoria.web.files import STATIC, static_file

log = logging.getLogger(__name__)
FOREVER = "public, max-age=31536000, immutable"
"""Pages name static files with a hash of what is in them."""


TEXTS = (".css", ".js", ".svg")
"""Files that are packed once, as well as can be."""


class Static(StaticFiles):
    """Files that never change under the same address: those that all pages share, and those of the games' boards."""

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """Where a file lies."""
        found = static_file(path)
        return (str(found), found.stat()) if found else ("", None)

    async def get_response(self, path: str, scope: Scope) -> Response:
        """The file, to be kept."""
        response = await super().get_response(path, scope)
        if isinstance(response, FileResponse) and path.endswith(TEXTS) and takes_packed(Asked(scope=scope)):
            headers = {"content-encoding": "gzip", "vary": "accept-encoding"}
            response = Response(_well_packed(str(response.path)), 200, headers, response.media_type)
        if response.status_code == 200:
            response.headers["Cache-Control"] = FOREVER if scope["query_string"] else "public, max-age=300"
        return response


@cache
def _well_packed(path: str) -> bytes:
    return gzip.compress(Path(path).read_bytes(), mtime=0)


def page_routes() -> list[Route | Mount]:
    """Every page, and every form."""
    arrivals = {
        "/play-now": lobby.play_now,
        "/learn": lobby.learn,
        "/tables": lobby.open_table,
        "/tables/{id}/sit": tables.sit,
        "/tables/{id}/chat": tables.chat,
        "/tables/{id}/replay/{n:int}/play-on": replays.play_on,
    }
    forms = {
        "/tables/{id}/steps": tables.make_step,
        "/tables/{id}/undo": tables.undo,
        "/tables/{id}/hint": tables.hint,
        "/tables/{id}/sealed": tables.seal,
        "/tables/{id}/stand": tables.stand,
        "/tables/{id}/remove": tables.remove,
        "/tables/{id}/block": tables.block,
        "/tables/{id}/bot": tables.put_bot,
        "/tables/{id}/start": tables.start,
        "/tables/{id}/fill": tables.fill,
        "/tables/{id}/close": tables.close,
        "/tables/{id}/leave": tables.leave,
        "/tables/{id}/return": tables.come_back,
        "/tables/{id}/resign": tables.resign,
        "/tables/{id}/stand-in": tables.stand_in,
        "/tables/{id}/salt": tables.set_salt,
        "/tables/{id}/rematch": tables.rematch,
        "/tables/{id}/unasked": tables.set_unasked,
        "/account/name": people.rename,
        "/account/password": people.set_password,
        "/account/unasked": people.set_unasked,
        "/account/tokens": people.make_token,
        "/account/tokens/delete": people.delete_tokens,
        "/account/tokens/{token}/delete": people.delete_token,
        "/account/blocks": people.block,
        "/account/blocks/{block}/delete": people.unblock,
        "/account/delete": people.delete_account,
    }
    looks = {
        "/": lobby.lobby,
        "/lobby/stream": lobby.lobby_stream,
        "/tables": lists.tables,
        "/tables/new": lobby.new_table,
        "/tables/{id}": tables.table,
        "/tables/{id}/stream": tables.table_stream,
        "/tables/{id}/moments/{n:int}": tables.table_moment,
        "/tables/{id}/log": replays.log,
        "/tables/{id}/record": replays.record,
        "/tables/{id}/check": replays.check,
        "/tables/{id}/replay/{n:int}": replays.replay,
        "/invited/{secret}": tables.invited,
        "/account": people.account,
        "/account/{part:path}": people.back_to_account,
        "/sign-in": people.sign_in_page,
        "/ratings": people.ranking,
        "/programs": programs.programs,
        "/rules/clause/{clause}": rules.clause,
        "/rules/{game}": rules.rules,
        "/cards/{game}/{card}": rules.card,
    }
    return [
        *(Route(path, acting(form, welcome=False), methods=["POST"]) for path, form in forms.items()),  # steps first
        *(Route(path, acting(form, welcome=True), methods=["POST"]) for path, form in arrivals.items()),
        *(Route(path, page) for path, page in looks.items()),
        Route("/sign-in", people.sign_in, methods=["POST"]),
        Route("/sign-out", people.sign_out, methods=["POST"]),
        Mount("/static", Static(directory=STATIC), name="static"),
    ]


def create_app(settings: Settings, metrics: Metrics | None = None) -> Starlette:
    """The application. Its database is opened, and bots begin to move, when it starts."""
    metrics = metrics or Metrics()
    limits = Limits(settings.rates)
    database = Database(database_url(settings.database))
    people_known = People(database, secure=settings.secure)
    house = House(database, settings, metrics, now_ms)
    visits = Visits(database)
    public_lists = PublicLists(house)
    missed_changes = MissedChanges(house, public_lists, visits)

    async def ping() -> None:
        async with database.read() as db:
            await db.execute(text("SELECT 1"))

    async def can_write() -> bool:
        duties: Duties = app.state.duties
        return await duties.heartbeat.can_write()

    async def stop_when_told(duties: Duties) -> None:
        """Stop bots as soon as the server is told to stop, while requests that are running still finish."""
        await house.closing.wait()
        house.close()
        await duties.stop()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await database.start()
        duties = app.state.duties = Duties(house)
        acting, stopping = asyncio.create_task(duties.run()), asyncio.create_task(stop_when_told(duties))
        beside = [asyncio.create_task(work) for work in (metrics.watch_loop(), missed_changes.run())]
        try:
            yield
        finally:
            house.close()
            for task in beside:
                task.cancel()
            for ended in await asyncio.gather(stopping, acting, *beside, return_exceptions=True):
                if isinstance(ended, Exception):
                    log.error("something failed while the server stopped", exc_info=ended)
            await house.settle()
            await visits.stop()
            await database.stop()

    app = Starlette(
        routes=[
            *page_routes(),
            *api_routes(),
            Route("/healthz", health_page(ping, house.closing, can_write)),
            Route("/metrics", metrics_page(metrics, settings)),
        ],
        middleware=[
            Middleware(Watch, metrics=metrics),
            Middleware(Headers, secure=settings.secure),
            Middleware(GZipMiddleware, minimum_size=500, compresslevel=1),
            Middleware(Problems, draw=pages.wrong),
            Middleware(Rated, limits=limits),
            Middleware(Origin, public_origin=settings.public_origin, hosts=settings.answers_to),
            Middleware(Size),
            Middleware(Asking, people=people_known, addresses=house.addresses),
        ],
        exception_handlers=handlers(pages.wrong),
        lifespan=lifespan,
    )
    app.state.house = house
    app.state.visits = visits
    app.state.public_lists = public_lists
    app.state.limits = limits
    app.state.people = people_known
    app.state.settings = settings
    app.state.closing = house.closing
    app.state.accounts = Accounts(
        database, people_known, limits, secure=settings.secure, most_tokens=settings.most_tokens
    )
    app.state.opening = Opening(database, limits, settings.most_tables_here)
    app.state.holds = Holds(settings.most_streams, settings.most_streams_in_all)
    return app
