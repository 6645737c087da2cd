"""Hints: what the strongest bot would play, based only on what the asking seat sees."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from signoria.bots import Explanation
from signoria.bots.levels import LADDER
from signoria.kernel.language import say
from signoria.server.errors import Conflict, NotAllowed
from signoria.server.play.room import CachedHint, Room, encode_step
from signoria.store.tables import TableRow
from signoria.web.models import Hint, HintLine

STRONGEST = LADDER[-1]
SHOWN = 3
"""The most moves shown."""
LEAST = 0.05
"""The least share of the bot's preference for a move after the first to be shown."""


class HintRequester(NamedTuple):
    """The owner whose share of the bots' time a hint counts against."""

    person: str
    address: str = ""


Consider = Callable[[Any, HintRequester], Awaitable[Explanation]]


class PendingHint:
    """A hint that a bot is working out, for everyone who asked the same."""

    def __init__(self, thought: asyncio.Task[Explanation]) -> None:
        self.thought, self.waiting = thought, 0


def why_no_hints(row: TableRow) -> str | None:
    """A sentence: why there are no hints at a table; None if there are."""
    if row.hints == "none":
        return say("Hints are off at this table.")
    if row.rated:  # before the end nobody may choose whether a game counts
        return say("Rated games have no hints.")
    return None


async def give_hint(room: Room, seat: int, requester: HintRequester, consider: Consider) -> None:
    """Let the bot think for the seat to move, and keep its hint until the game moves on.

    Raises `NotAllowed`, `Conflict` if it is not the seat's turn, and what `consider` raises if too many hints are
    waiting. If the game has moved on in the meantime, the hint is dropped.
    """
    if sentence := why_no_hints(room.row):
        raise NotAllowed(sentence)
    if room.position is None or room.row.turn != seat:
        raise Conflict(say("You can ask for a hint only on your turn."))
    n, view = room.n, room.position.table.view(seat)
    if not view.legal or room.cached_hints.get(seat, CachedHint(-1, None)).n == n:
        return
    explanation = await _shared(room, (seat, n), lambda: consider(view, requester))
    if room.n == n:
        room.cached_hints[seat] = CachedHint(n, _in_words(room, view, explanation))
        room.drawn.clear()


async def _shared(room: Room, key: tuple[int, int], think: Callable[[], Awaitable[Explanation]]) -> Explanation:
    """One computation for everyone who asks the same; cancelled when the last of them has left."""
    if key not in room.pending_hints:
        room.pending_hints[key] = PendingHint(asyncio.ensure_future(think()))
    pending_hint: PendingHint = room.pending_hints[key]
    pending_hint.waiting += 1
    try:
        return await asyncio.shield(pending_hint.thought)
    finally:
        pending_hint.waiting -= 1
        if not pending_hint.waiting or pending_hint.thought.done():
            if room.pending_hints.get(key) is pending_hint:
                del room.pending_hints[key]
            pending_hint.thought.cancel()


def _in_words(room: Room, view: Any, explanation: Explanation) -> Hint:
    tell = room.game.words.tell
    best, *others = explanation.considered
    worth = (best, *(looked for looked in others if looked.weight >= LEAST))
    return Hint(
        who=STRONGEST.title,
        lines=tuple(
            HintLine(
                step=encode_step(looked.step),
                says=tell(view, looked.step).partition("\n")[0],
                share=round(100 * looked.weight),
                chance=None if looked.chance is None else round(100 * looked.chance),
            )
            for looked in worth[:SHOWN]
        ),
    )
