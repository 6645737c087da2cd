"""Whom somebody has blocked. Blocking somebody at a table is in `seats`."""

from signoria.server import blocking
from signoria.server.api.answers import Block, Blocked, Blocks
from signoria.server.api.asking import Asked
from signoria.server.api.given import BlockNamed
from signoria.store import blocks as store


async def blocks(asked: Asked) -> Blocks:
    """Whom you have blocked."""
    async with asked.house.database.read() as db:
        rows = await store.blocks_of(db, asked.person.id)
    return Blocks(blocks=tuple(Block(id=row.id, name=row.name, since=row.created_at) for row in rows))


async def block_named(asked: Asked) -> Blocked:
    """Block the person of a name."""
    wanted = await asked.given(BlockNamed)
    return Blocked(blocked=len((await blocking.block_named(asked.house, asked.person, wanted.name)).blocked))


async def unblock(asked: Asked) -> Blocks:
    """No longer block somebody; answered with those who are still blocked."""
    await blocking.unblock(asked.house, asked.person, asked.request.path_params["block"])
    return await blocks(asked)
