"""Endpoints for moderators: reports, what they can do about people and tables, and the log.

For everyone else they do not exist (`require_moderator`).
"""

from functools import partial

from signoria.server.api.calls import ApiCall, path_int
from signoria.server.api.operations import ROOT, Handler, Operation
from signoria.server.api.requests import MuteByHost, RenameByHost, WithReason
from signoria.server.api.responses.moderation import ModerationEntry, ModerationInfo, OpenReport, StandingInfo
from signoria.server.people import moderation
from signoria.server.people.friends import find_person
from signoria.store import moderation as store
from signoria.store.people import User

LISTED = 50
"""Reports and lines of the log in an answer."""


async def _moderator(call: ApiCall) -> User:
    return await moderation.require_moderator(call.service, call.user)


def _name(call: ApiCall) -> str:
    return str(call.request.path_params["name"])


async def moderation_log(call: ApiCall) -> ModerationInfo:
    """Open reports and the log of moderators."""
    await _moderator(call)
    async with call.service.database.read() as db:
        reports, log = await store.open_reports(db, LISTED), await store.latest_log(db, LISTED)
    return ModerationInfo(
        reports=tuple(
            OpenReport(
                id=one.id, by=one.by, about=one.about, table=one.table_id, text=one.text, quoted=one.quoted, at=one.at
            )
            for one in reports
        ),
        log=tuple(
            ModerationEntry(at=line.at, by=line.by, action=line.action, about=line.about, why=line.text) for line in log
        ),
    )


async def dismiss_report(call: ApiCall) -> ModerationInfo:
    """Mark a report as answered."""
    moderator = await _moderator(call)
    await moderation.dismiss(call.service, moderator, path_int(call.request.path_params, "report"))
    return await moderation_log(call)


async def standing(call: ApiCall) -> StandingInfo:
    """What moderators decided about a person."""
    await _moderator(call)
    return await _standing(call, _name(call))


async def _standing(call: ApiCall, name: str) -> StandingInfo:
    user = await find_person(call.service, name)
    async with call.service.database.read() as db:
        found = await store.standing_of(db, user.id)
    return StandingInfo(name=user.name, **found._asdict())


async def mute_person(call: ApiCall) -> StandingInfo:
    """Mute a person for a while, or unmute them."""
    moderator, wanted = await _moderator(call), await call.body(MuteByHost)
    await moderation.mute(call.service, moderator, _name(call), wanted.how_long, wanted.why)
    return await _standing(call, _name(call))


async def rename_person(call: ApiCall) -> StandingInfo:
    """Give a person another name."""
    moderator, wanted = await _moderator(call), await call.body(RenameByHost)
    return await _standing(call, await moderation.rename(call.service, moderator, _name(call), wanted.name, wanted.why))


async def ban_person(call: ApiCall) -> StandingInfo:
    """Ban a person: their sessions end, and they cannot sign in."""
    moderator, wanted = await _moderator(call), await call.body(WithReason)
    await moderation.ban(call.service, moderator, _name(call), wanted.why)
    return await _standing(call, _name(call))


async def unban_person(call: ApiCall) -> StandingInfo:
    """Let a person sign in again."""
    moderator, wanted = await _moderator(call), await call.body(WithReason)
    await moderation.unban(call.service, moderator, _name(call), wanted.why)
    return await _standing(call, _name(call))


async def close_by_moderator(call: ApiCall) -> ModerationInfo:
    """Close a table that has not started."""
    moderator, wanted = await _moderator(call), await call.body(WithReason)
    await moderation.close_table(call.service, moderator, await call.room(), wanted.why)
    return await moderation_log(call)


MODERATORS = "Only moderators can do this; for everyone else it does not exist."
NOT_A_MODERATOR = {404: "You are not a moderator, or there is no player of that name."}
_operation = partial(Operation, more=MODERATORS, tag="moderation", needs_user=True)


def _about_a_person(
    do: str, handler: Handler, summary: str, body: type, example: dict[str, str], conflict: str = ""
) -> Operation:
    """Something that a moderator does about a person."""
    return _operation(
        method="POST",
        path=f"{ROOT}/moderation/people/{{name}}/{do}",
        handler=handler,
        summary=summary,
        body=(body,),
        answers=(StandingInfo,),
        example=example,
        refuses=NOT_A_MODERATOR | ({409: conflict} if conflict else {}),
    )


OPERATIONS = (
    _operation(
        method="GET",
        path=f"{ROOT}/moderation",
        handler=moderation_log,
        summary="Open reports, and the log of moderators",
        answers=(ModerationInfo,),
        refuses={404: "You are not a moderator."},
    ),
    _operation(
        method="POST",
        path=f"{ROOT}/moderation/reports/{{report}}/dismiss",
        handler=dismiss_report,
        summary="Mark a report as answered",
        answers=(ModerationInfo,),
        refuses={404: "You are not a moderator, or the report has been answered already."},
    ),
    _operation(
        method="GET",
        path=f"{ROOT}/moderation/people/{{name}}",
        handler=standing,
        summary="What moderators decided about a person",
        answers=(StandingInfo,),
        refuses=NOT_A_MODERATOR,
    ),
    _about_a_person(
        "mute",
        mute_person,
        "Mute a person for a while",
        MuteByHost,
        {"how_long": "7", "why": "Insults at a table."},
    ),
    _about_a_person(
        "rename",
        rename_person,
        "Give a person another name",
        RenameByHost,
        {"name": "", "why": "An insulting name."},
        conflict="The name is taken.",
    ),
    _about_a_person(
        "ban",
        ban_person,
        "Ban a person",
        WithReason,
        {"why": "Insults again."},
        conflict="This person is a moderator.",
    ),
    _about_a_person("unban", unban_person, "Let a person sign in again", WithReason, {"why": "A mistake."}),
    _operation(
        method="POST",
        path=f"{ROOT}/moderation/tables/{{id}}/close",
        handler=close_by_moderator,
        summary="Close a table that has not started",
        body=(WithReason,),
        answers=(ModerationInfo,),
        example={"why": "An insulting name."},
        refuses={404: "You are not a moderator, or there is no such table.", 409: "The game has started."},
    ),
)
