"""Endpoints for invitations by name. Inviting and declining are operations at a table; see `seats`."""

from signoria.server.api.calls import ApiCall
from signoria.server.api.operations import ROOT, account_operation
from signoria.server.api.requests import InviteNamed
from signoria.server.api.responses.notifications import InvitationInfo, InvitationList
from signoria.server.api.responses.tables import TableInfo
from signoria.server.api.serializers import table_info
from signoria.server.lobby import inviting
from signoria.store.invitations import invitations_of

LISTED = 50


async def invite(call: ApiCall) -> TableInfo:
    """Invite a person by name."""
    room, wanted = await call.room(), await call.body(InviteNamed)
    call.limit("invitations", "invitations")
    await inviting.invite(call.service, room, call.signed_in_user, wanted.name)
    return table_info(room, call.user)


async def decline(call: ApiCall) -> InvitationList:
    """Decline an invitation."""
    await inviting.decline(call.service, await call.room(), call.signed_in_user)
    return await list_invitations(call)


async def list_invitations(call: ApiCall) -> InvitationList:
    """The caller's invitations."""
    async with call.service.database.read() as db:
        found = await invitations_of(db, call.signed_in_user.id, LISTED)
    return InvitationList(
        invitations=tuple(
            InvitationInfo(table=one.table_id, game=one.game, by=one.by, at=one.created_at) for one in found
        )
    )


OPERATIONS = (
    account_operation(
        method="GET",
        path=f"{ROOT}/invitations",
        handler=list_invitations,
        summary="Your invitations",
        answers=(InvitationList,),
    ),
)
