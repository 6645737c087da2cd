"""The web application: routes, middleware, and background tasks."""

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
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from signoria.server.api.routes import api_routes
from signoria.server.guard.authentication import AuthenticationMiddleware
from signoria.server.guard.concurrency import ConcurrencyLimitMiddleware
from signoria.server.guard.error_responses import ErrorMiddleware, exception_handlers
from signoria.server.guard.headers import SecurityHeadersMiddleware
from signoria.server.guard.languages import LanguageMiddleware
from signoria.server.guard.limits import RateLimiter, RateLimitMiddleware, StreamLimiter, TableLimiter
from signoria.server.guard.origin import OriginMiddleware
from signoria.server.guard.size import SizeLimitMiddleware
from signoria.server.live.compression import accepts_gzip
from signoria.server.live.connections import LiveConnections
from signoria.server.live.missed_changes import MissedChanges
from signoria.server.lobby.public_lists import PublicLists
from signoria.server.pages import (
    api_reference,
    calculator,
    explaining,
    friends,
    install,
    lists,
    lobby,
    moderation,
    notifications,
    people,
    printing,
    profiles,
    replays,
    rules,
    sharing,
    table_forms,
    tables,
)
from signoria.server.pages.common import form_endpoint
from signoria.server.pages.pictures import Pictures
from signoria.server.pages.printing import Documents
from signoria.server.pages.rules import RulePages
from signoria.server.people.accounts import Accounts
from signoria.server.people.addresses import Addresses
from signoria.server.people.notifications.mail import Mailer
from signoria.server.people.notifications.sender import Sender
from signoria.server.people.notifications.web_push import WebPush
from signoria.server.people.sessions import Sessions, now_ms
from signoria.server.play.scheduler import Scheduler
from signoria.server.play.service import TableService
from signoria.server.run.access_log import AccessLogMiddleware
from signoria.server.run.clean_up import CleanUp
from signoria.server.run.metrics import Metrics, health_page, metrics_page
from signoria.server.settings import Settings
from signoria.store.database import Database, database_url
from signoria.web import pages
from signoria.web.files import STATIC, static_file

log = logging.getLogger(__name__)
FOREVER = "public, max-age=31536000, immutable"
"""Pages name static files with a hash of their content."""


SENDING = 3.0
"""Seconds for messages that are being sent when the server stops; others take over what is left."""
TEXTS = (".css", ".js", ".svg")
"""Files that are compressed once, with the best compression."""


class Static(StaticFiles):
    """Files that never change under the same address: shared files and those of the games' boards."""

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """The path of a file."""
        found = static_file(path)
        return (str(found), found.stat()) if found else ("", None)

    async def get_response(self, path: str, scope: Scope) -> Response:
        """The file, with headers that let browsers cache it."""
        response = await super().get_response(path, scope)
        if isinstance(response, FileResponse) and path.endswith(TEXTS) and accepts_gzip(Headers(scope=scope)):
            headers = {"content-encoding": "gzip", "vary": "accept-encoding"}
            response = Response(_well_packed(str(response.path)), 200, headers, response.media_type)
        if response.status_code == 200:
            response.headers["Cache-Control"] = FOREVER if scope["query_string"] else "public, max-age=300"
        return response


@cache
def _well_packed(path: str) -> bytes:
    return gzip.compress(Path(path).read_bytes(), mtime=0)


def page_routes() -> list[Route | Mount]:
    """Routes of all pages and forms."""
    arrivals = {
        "/play-now": lobby.play_now,
        "/learn": lobby.learn,
        "/tables": lobby.open_table,
        "/tables/{id}/sit": table_forms.sit,
        "/tables/{id}/chat": table_forms.chat,
        "/tables/{id}/replay/{n:int}/play-on": replays.play_on,
    }
    forms = {
        "/tables/{id}/steps": table_forms.make_step,
        "/tables/{id}/undo": table_forms.undo,
        "/tables/{id}/hint": table_forms.hint,
        "/tables/{id}/sealed": table_forms.seal,
        "/tables/{id}/orders": table_forms.choose,
        "/tables/{id}/stand": table_forms.stand,
        "/tables/{id}/remove": table_forms.remove,
        "/tables/{id}/block": table_forms.block,
        "/tables/{id}/bot": table_forms.put_bot,
        "/tables/{id}/start": table_forms.start,
        "/tables/{id}/fill": table_forms.fill,
        "/tables/{id}/close": table_forms.close,
        "/tables/{id}/leave": table_forms.leave,
        "/tables/{id}/return": table_forms.come_back,
        "/tables/{id}/resign": table_forms.resign,
        "/tables/{id}/stand-in": table_forms.stand_in,
        "/tables/{id}/salt": table_forms.set_salt,
        "/tables/{id}/rematch": table_forms.rematch,
        "/tables/{id}/unasked": table_forms.set_unasked,
        "/tables/{id}/invite": notifications.invite,
        "/tables/{id}/decline": notifications.decline,
        "/account/name": people.rename,
        "/account/password": people.set_password,
        "/account/unasked": people.set_unasked,
        "/account/tokens": people.make_token,
        "/account/tokens/delete": people.delete_tokens,
        "/account/tokens/{token}/delete": people.delete_token,
        "/account/blocks": people.block,
        "/account/blocks/{block}/delete": people.unblock,
        "/account/delete": people.delete_account,
        "/account/notifications": notifications.save_settings,
        "/account/profile": profiles.show_to,
        "/account/vacation": notifications.start_vacation,
        "/account/vacation/end": notifications.end_vacation,
        "/people/{name}/follow": friends.follow,
        "/people/{name}/unfollow": friends.unfollow,
        "/people/{name}/mute": friends.mute,
        "/people/{name}/unmute": friends.unmute,
        "/people/{name}/block": friends.block,
        "/people/{name}/report": friends.report,
        "/people/{name}/invite": friends.invite,
        "/moderation/dismiss": moderation.dismiss,
        "/moderation/mute": moderation.mute,
        "/moderation/rename": moderation.rename,
        "/moderation/ban": moderation.ban,
        "/moderation/unban": moderation.unban,
        "/moderation/close": moderation.close_table,
        "/account/browsers/{browser}/delete": notifications.remove_browser,
        "/account/address": notifications.set_address,
        "/account/address/delete": notifications.remove_address,
    }
    looks = {
        "/": lobby.lobby,
        "/lobby/stream": lobby.lobby_stream,
        "/tables": lists.tables,
        "/tables/new": lobby.new_table,
        "/tables/{id}": tables.table,
        "/tables/{id}/stream": tables.table_stream,
        "/tables/{id}/help": explaining.table_help,
        "/tables/{id}/moments/{n:int}": tables.table_moment,
        "/tables/{id}/log": replays.log,
        "/tables/{id}/record": replays.record,
        "/tables/{id}/check": replays.check,
        "/tables/{id}/replay/{n:int}": replays.replay,
        "/tables/{id}/replay/{n:int}/help": explaining.replay_help,
        "/tables/{id}/picture.{format}": sharing.picture,
        "/tables/{id}/replay/{n:int}/picture.{format}": sharing.position_picture,
        "/embed/{id}/{n:int}": replays.embed,
        "/invited/{secret}": tables.invited,
        "/account": people.account,
        "/account/notifications": notifications.settings_page,
        "/account/data": profiles.download,
        "/account/{part:path}": people.back_to_account,
        "/sign-in": people.sign_in_page,
        "/recover": notifications.recover_page,
        "/recover/{secret}": notifications.new_password_page,
        "/mail/confirm/{secret}": notifications.confirm_page,
        "/mail/stop/{secret}": notifications.stop_page,
        "/offline": install.offline,
        "/app.webmanifest": install.manifest,
        "/service-worker.js": install.service_worker,
        "/people/{name}": profiles.profile,
        "/moderation": moderation.moderation_page,
        "/ratings": people.ranking,
        "/programs": api_reference.programs,
        "/rules/clause/{clause}": rules.clause,
        "/rules/{game}": rules.rules,
        "/rules/{game}/full": rules.full_rules,
        "/rules/{game}/rulings": rules.rulings,
        "/rules/{game}/search": rules.search,
        "/rules/{game}/clauses": rules.clauses,
        "/rules/{game}/calculator": calculator.calculator,
        "/rules/{game}/{kind}-{language}.pdf": printing.document,
        "/cards/{game}/{card}": rules.card,
    }
    return [
        *(
            Route(path, form_endpoint(form, allow_guests=False), methods=["POST"]) for path, form in forms.items()
        ),  # steps first
        *(Route(path, form_endpoint(form, allow_guests=True), methods=["POST"]) for path, form in arrivals.items()),
        *(Route(path, page) for path, page in looks.items()),
        Route("/sign-in", people.sign_in, methods=["POST"]),
        Route("/sign-out", people.sign_out, methods=["POST"]),
        Route("/language", people.choose_language, methods=["POST"]),
        Route("/theme", people.choose_theme, methods=["POST"]),
        Route("/recover", notifications.ask_to_recover, methods=["POST"]),
        Route("/recover/{secret}", notifications.new_password, methods=["POST"]),
        Route("/mail/confirm/{secret}", notifications.confirm, methods=["POST"]),
        Route("/mail/stop/{secret}", notifications.stop, methods=["POST"]),
        Mount("/static", Static(directory=STATIC), name="static"),
    ]


def create_app(settings: Settings, metrics: Metrics | None = None) -> Starlette:
    """The application. On startup it opens its database and lets bots begin to move."""
    metrics = metrics or Metrics()
    limits = RateLimiter(settings.rates)
    database = Database(database_url(settings.database))
    sessions = Sessions(database, secure=settings.secure)
    service = TableService(database, settings, metrics, now_ms)
    connections = LiveConnections(database)
    public_lists = PublicLists(service)
    missed_changes = MissedChanges(service, public_lists, connections)
    sender = Sender(
        database,
        service.notifier,
        metrics,
        now_ms,
        service.closing,
        mailer=Mailer(settings.smtp, settings.mail_from, settings.public_origin) if settings.smtp else None,
        web_push=WebPush(settings.vapid_key, settings.vapid_contact, private=settings.push_private)
        if settings.vapid_key
        else None,
        mails_per_day=settings.mails_per_day,
    )

    async def ping() -> None:
        async with database.read() as db:
            await db.execute(text("SELECT 1"))

    async def can_write() -> bool:
        scheduler: Scheduler = app.state.scheduler
        return await scheduler.heartbeat.can_write()

    async def stop_when_told(scheduler: Scheduler) -> None:
        """Stop bots as soon as the server is told to stop, while running requests still finish."""
        await service.closing.wait()
        service.close()
        await scheduler.stop()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await database.start()
        scheduler = app.state.scheduler = Scheduler(service)
        acting, stopping = asyncio.create_task(scheduler.run()), asyncio.create_task(stop_when_told(scheduler))
        sending = asyncio.create_task(sender.run())
        beside = [
            asyncio.create_task(work) for work in (metrics.watch_loop(), missed_changes.run(), CleanUp(service).run())
        ]
        try:
            yield
        finally:
            service.close()
            await asyncio.wait((sending,), timeout=SENDING)
            for task in (sending, *beside):
                task.cancel()
            for ended in await asyncio.gather(stopping, acting, sending, *beside, return_exceptions=True):
                if isinstance(ended, Exception):
                    log.error("something failed while the server stopped", exc_info=ended)
            await service.finish_background_tasks()
            await connections.stop()
            await database.stop()

    app = Starlette(
        routes=[
            *page_routes(),
            *api_routes(),
            Route("/healthz", health_page(ping, service.closing, can_write)),
            Route("/metrics", metrics_page(metrics, settings)),
        ],
        middleware=[
            Middleware(AccessLogMiddleware, metrics=metrics),
            Middleware(SecurityHeadersMiddleware, secure=settings.secure),
            Middleware(GZipMiddleware, minimum_size=500, compresslevel=1),
            Middleware(LanguageMiddleware),
            Middleware(ErrorMiddleware, draw=pages.wrong, closing=service.closing),
            Middleware(RateLimitMiddleware, limits=limits),
            Middleware(OriginMiddleware, public_origin=settings.public_origin, hosts=settings.answers_to),
            Middleware(SizeLimitMiddleware),
            Middleware(ConcurrencyLimitMiddleware, most=settings.most_requests),
            Middleware(AuthenticationMiddleware, sessions=sessions, addresses=service.addresses),
        ],
        exception_handlers=exception_handlers(pages.wrong),
        lifespan=lifespan,
    )
    app.state.service = service
    app.state.connections = connections
    app.state.public_lists = public_lists
    app.state.rate_limiter = limits
    app.state.sessions = sessions
    app.state.settings = settings
    app.state.closing = service.closing
    app.state.accounts = Accounts(database, sessions, limits, secure=settings.secure, most_tokens=settings.most_tokens)
    app.state.addresses = Addresses(database, app.state.accounts, limits, now_ms)
    app.state.sender = sender
    app.state.pictures = Pictures()
    app.state.documents = Documents()
    app.state.rule_pages = RulePages()
    app.state.table_limiter = TableLimiter(database, limits, settings.most_tables_here)
    app.state.stream_limiter = StreamLimiter(settings.most_streams, settings.most_streams_in_all)
    return app
