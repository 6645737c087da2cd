"""Hints: what the strongest bot would consider, for whoever is asked, from what that seat sees and nothing else."""

from collections.abc import Awaitable, Callable
from typing import Any

from signoria.bots import Explanation
from signoria.bots.levels import LEVELS
from signoria.games import TELLINGS
from signoria.server.errors import Conflict, NotAllowed
from signoria.server.house import House
from signoria.server.room import Hinted, Room, encode
from signoria.store.tables import TableRow
from signoria.web.models import Hint, HintLine

STRONGEST = LEVELS[-1]
SHOWN = 3
"""Steps that are shown, at most."""
LEAST = 0.05
"""Share of the bot's thoughts that a step after the first needs in order to be shown."""

Consider = Callable[[Any], Awaitable[Explanation]]


def why_none(row: TableRow) -> str | None:
    """Why there are no hints at a table, in a sentence; None where there are."""
    if row.hints == "none":
        return "This table plays without hints."
    if row.rated:  # before the end nobody may choose whether a game counts
        return "Hints are for friendly games, and this game is rated."
    return None


async def give_hint(house: House, room: Room, seat: int, consider: Consider) -> None:
    """Let the bot think for a seat that is asked, and keep what it says for as long as the game stands there.

    Raises `NotAllowed`, or `Conflict` for a seat that is not asked; when
    the game has gone on meanwhile there is nothing left to say.
    """
    if sentence := why_none(room.row):
        raise NotAllowed(sentence)
    if room.position is None or room.row.turn != seat:
        raise Conflict("A hint is for whoever is asked; wait for your turn.")
    n, view = room.n, room.position.table.view(seat)
    if not view.legal or room.hinted.get(seat, Hinted(-1, None)).n == n:
        return
    told = await consider(view)
    if room.n == n:
        room.hinted[seat] = Hinted(n, _in_words(room, view, told))
        room.drawn.clear()


def _in_words(room: Room, view: Any, told: Explanation) -> Hint:
    tell = TELLINGS[room.row.game].tell
    best, *others = told.considered
    worth = (best, *(looked for looked in others if looked.weight >= LEAST))
    return Hint(
        who=STRONGEST.title,
        lines=tuple(
            HintLine(
                step=encode(looked.step),
                says=tell(view, looked.step).partition("\n")[0],
                share=round(100 * looked.weight),
                chance=None if looked.chance is None else round(100 * looked.chance),
            )
            for looked in worth[:SHOWN]
        ),
    )
