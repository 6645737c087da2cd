"""The page of moderators: reports, what they can do about people and tables, and the log."""

from collections.abc import Awaitable, Callable
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response

from signoria.kernel.language import say
from signoria.server.errors import ServerError
from signoria.server.pages.common import Handler, SubmittedForm, html, redirect, service_of, user_of
from signoria.server.people import moderation
from signoria.server.people.sessions import identity_of, viewer_model
from signoria.server.play.times import ago
from signoria.store import moderation as store
from signoria.store import people
from signoria.store.errors import NameTaken
from signoria.store.people import User
from signoria.web import pages
from signoria.web.models import ModerationLogLine, ModerationPage, Notice, ReportModel, StandingModel

LISTED = 50
"""Reports and lines of the log on the page."""


async def moderation_page(request: Request, notice: Notice | None = None, status: int = 200) -> Response:
    """The page of moderators; unknown to everyone else."""
    service = service_of(request)
    viewer = await moderation.require_moderator(service, user_of(request))
    now, name = service.now(), request.query_params.get("name", "").strip()[:40]
    async with service.database.read() as db:
        reports, log = await store.open_reports(db, LISTED), await store.latest_log(db, LISTED)
        found = await people.user_named(db, name) if name else None
        standing = await store.standing_of(db, found[0].id) if found else None
    person = None
    if found and standing:
        muted = standing.muted_until is not None and standing.muted_until > now
        person = StandingModel(
            name=found[0].name, muted=muted, banned=standing.banned_at is not None, moderator=standing.moderator
        )
    elif name:
        notice = notice or Notice(says=say("There is no player called {name}.", name=name))
    model = ModerationPage(
        viewer=viewer_model(viewer),
        notice=notice,
        reports=tuple(
            ReportModel(
                id=one.id, by=one.by, about=one.about, table=one.table_id or "", says=one.text, quoted=one.quoted,
                since=ago(now - one.at),
            )
            for one in reports
        ),
        name=name,
        person=person,
        log=tuple(
            ModerationLogLine(since=ago(now - line.at), says=moderation.told(line), why=line.text)
            for line in log
        ),
    )  # fmt: skip
    return html(pages.moderation(model), status)


def _form(do: Callable[[SubmittedForm, User], Awaitable[str]]) -> Handler:
    """A form of moderators; returns to the page, which then shows this person."""

    async def act(form: SubmittedForm) -> Response:
        identity_of(form.request).require_browser()
        moderator = await moderation.require_moderator(form.service, form.user)
        try:
            name = await do(form, moderator)
        except (ServerError, NameTaken) as error:
            return await moderation_page(form.request, Notice(says=str(error)), getattr(error, "status", 409))
        return redirect("/moderation" + (f"?name={quote(name)}" if name else ""))

    return act


def _why(form: SubmittedForm) -> str:
    return form.text("why", 1000)


@_form
async def dismiss(form: SubmittedForm, moderator: User) -> str:
    """Answer a report."""
    await moderation.dismiss(form.service, moderator, form.integer("report"))
    return ""


@_form
async def mute(form: SubmittedForm, moderator: User) -> str:
    """Mute a person for a while, or let them write again."""
    await moderation.mute(form.service, moderator, form.text("name", 40), form.text("how_long", 10), _why(form))
    return form.text("name", 40)


@_form
async def ban(form: SubmittedForm, moderator: User) -> str:
    """Ban a person."""
    await moderation.ban(form.service, moderator, form.text("name", 40), _why(form))
    return form.text("name", 40)


@_form
async def unban(form: SubmittedForm, moderator: User) -> str:
    """Let a person sign in again."""
    await moderation.unban(form.service, moderator, form.text("name", 40), _why(form))
    return form.text("name", 40)


@_form
async def rename(form: SubmittedForm, moderator: User) -> str:
    """Give a person another name."""
    await moderation.rename(form.service, moderator, form.text("name", 40), form.text("new", 40), _why(form))
    return ""


@_form
async def close_table(form: SubmittedForm, moderator: User) -> str:
    """Close a table that has not started."""
    table = form.text("table", 200).rstrip("/").rpartition("/")[2]
    await moderation.close_table(form.service, moderator, await form.service.room(table), _why(form))
    return ""
