"""Endpoints for people whom the caller has blocked. Blocking a person at a table is in `seats`."""

from signoria.server.api.calls import ApiCall
from signoria.server.api.operations import ROOT, account_operation
from signoria.server.api.requests import BlockNamed
from signoria.server.api.responses.people import Block, BlockCount, BlockList
from signoria.server.people import blocking
from signoria.store import blocks as store


async def blocks(call: ApiCall) -> BlockList:
    """The people you have blocked."""
    async with call.service.database.read() as db:
        rows = await store.blocks_of(db, call.signed_in_user.id)
    return BlockList(blocks=tuple(Block(id=row.id, name=row.name, since=row.created_at) for row in rows))


async def block_named(call: ApiCall) -> BlockCount:
    """Block a person by name."""
    wanted = await call.body(BlockNamed)
    return BlockCount(blocked=len((await blocking.block_named(call.service, call.signed_in_user, wanted.name)).blocked))


async def unblock(call: ApiCall) -> BlockList:
    """Unblock a person; returns those who are still blocked."""
    await blocking.unblock(call.service, call.signed_in_user, call.request.path_params["block"])
    return await blocks(call)


BLOCKING = (
    "You no longer see their messages, and you cannot join each other's tables. They are not told. Your open streams end; "
    "reconnect to get them without their messages."
)
OPERATIONS = (
    account_operation(
        method="GET",
        path=f"{ROOT}/blocks",
        handler=blocks,
        summary="People you have blocked",
        answers=(BlockList,),
    ),
    account_operation(
        method="POST",
        path=f"{ROOT}/blocks",
        handler=block_named,
        summary="Block a person by name",
        more=BLOCKING,
        body=(BlockNamed,),
        answers=(BlockCount,),
        example={"name": "Bruno"},
        refuses={409: "This is you, or you have blocked too many people."},
    ),
    account_operation(
        method="DELETE",
        path=f"{ROOT}/blocks/{{block}}",
        handler=unblock,
        summary="Unblock a person",
        answers=(BlockList,),
        refuses={404: "There is no block with this id."},
    ),
)
