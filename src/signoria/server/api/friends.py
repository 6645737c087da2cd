"""Endpoints for following and muting people, and for reporting them."""

from signoria.server.api.calls import ApiCall
from signoria.server.api.operations import ROOT, Handler, Operation, account_operation
from signoria.server.api.requests import PersonName, SendReport
from signoria.server.api.responses.people import ReportSent, TieInfo, TieList
from signoria.server.guard.limits import RateLimiter, client_address
from signoria.server.people import friends, moderation
from signoria.server.people.sessions import TIES_READ
from signoria.store import ties
from signoria.store.ties import FOLLOW, MUTE


async def list_ties(call: ApiCall) -> TieList:
    """The people whom the caller follows and mutes. Nobody else sees them."""
    async with call.service.database.read() as db:
        known = await ties.ties_of(db, call.signed_in_user.id, TIES_READ)
    return TieList(
        follows=tuple(TieInfo(name=tie.name, since=tie.created_at) for tie in known if tie.kind == FOLLOW),
        mutes=tuple(TieInfo(name=tie.name, since=tie.created_at) for tie in known if tie.kind == MUTE),
    )


async def follow(call: ApiCall) -> TieList:
    """Follow a person: their open tables come first in your lobby."""
    await friends.follow(call.service, call.signed_in_user, (await call.body(PersonName)).name)
    return await list_ties(call)


async def unfollow(call: ApiCall) -> TieList:
    """Stop following a person."""
    await friends.unfollow(call.service, call.signed_in_user, (await call.body(PersonName)).name)
    return await list_ties(call)


async def mute(call: ApiCall) -> TieList:
    """Hide the messages of a person. You can still play together, and they are not told."""
    await friends.mute(call.service, call.signed_in_user, (await call.body(PersonName)).name)
    return await list_ties(call)


async def unmute(call: ApiCall) -> TieList:
    """Show the messages of a person again."""
    await friends.unmute(call.service, call.signed_in_user, (await call.body(PersonName)).name)
    return await list_ties(call)


async def report(call: ApiCall) -> ReportSent:
    """Report a person to the host of the server."""
    wanted = await call.body(SendReport)
    limits: RateLimiter = call.request.app.state.rate_limiter
    limits.check("reports_here", client_address(call.request.scope), "reports from your address")
    room = await call.service.room(wanted.table) if wanted.table else None
    about = call.request.path_params["name"]
    await moderation.report(call.service, call.signed_in_user, about, wanted.text, room, wanted.message)
    return ReportSent(sent=True)


def _tie(do: str, handler: Handler, summary: str, refuses: dict[int, str]) -> Operation:
    """A change of whom the caller follows or mutes."""
    return account_operation(
        method="POST",
        path=f"{ROOT}/ties/{do}",
        handler=handler,
        summary=summary,
        body=(PersonName,),
        answers=(TieList,),
        example={"name": "Bruno"},
        refuses=refuses,
    )


UNKNOWN = {404: "There is no player of that name."}
TOO_MANY = "You follow and mute too many people"
OPERATIONS = (
    account_operation(
        method="GET",
        path=f"{ROOT}/ties",
        handler=list_ties,
        summary="People you follow and mute",
        answers=(TieList,),
    ),
    _tie("follow", follow, "Follow a person", UNKNOWN | {409: f"{TOO_MANY}, or you have blocked this person."}),
    _tie(
        "unfollow",
        unfollow,
        "Stop following a person",
        {404: "There is no player of that name, or you do not follow them."},
    ),
    _tie("mute", mute, "Mute a person", UNKNOWN | {409: f"{TOO_MANY}."}),
    _tie(
        "unmute",
        unmute,
        "Unmute a person",
        {404: "There is no player of that name, or you have not muted them."},
    ),
    account_operation(
        method="POST",
        path=f"{ROOT}/people/{{name}}/report",
        handler=report,
        summary="Report a person to the host of the server",
        body=(SendReport,),
        answers=(ReportSent,),
        example={"text": "Insults at a table."},
        refuses={
            404: "There is no player of that name, or they have not written that message.",
            409: "You have sent too many reports today.",
        },
    ),
)
