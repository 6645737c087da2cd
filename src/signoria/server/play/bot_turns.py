"""Bots that think in the server: their turns at tables, and hints."""

import logging
from collections import OrderedDict
from functools import partial
from random import SystemRandom
from typing import Any

from signoria.bots import Adviser, Budget, Explanation, Seated, find_bot
from signoria.kernel.errors import SignoriaError
from signoria.kernel.language import say
from signoria.server.errors import TooMany, Unavailable
from signoria.server.play import bot_failures
from signoria.server.play.bot_failures import FALLBACK_BOT, BotFailed, count_failure
from signoria.server.play.bot_pool import HINTS, BotPool, NoThread, QueueFull, Ticket
from signoria.server.play.hints import STRONGEST, HintRequester
from signoria.server.play.room import Room
from signoria.server.play.service import TableService

PATIENCE = 20.0
"""Seconds that a bot may think before the fallback bot moves for it."""
LATE = 2.0
"""Seconds that it may take longer than that."""
HINTS_EACH = 2
"""Hints that one person may wait for."""

log = logging.getLogger("signoria.bot_turns")


class BotTurns:
    """Lets bots decide, and replaces those that fail."""

    def __init__(self, service: TableService, bot_pool: BotPool) -> None:
        self.service, self.bot_pool = service, bot_pool
        self._failed: OrderedDict[str, int] = OrderedDict()
        """By table: how often its bot failed since its last decision."""
        self._stuck: set[str] = set()
        """Tables whose bot still thinks, long after another bot decided for it."""

    async def act(self, room: Room, seat: int, n: int, bot: str, ticket: Ticket) -> None:
        """Let a bot make the step that it is asked for; raises `BotFailed` if no bot can decide."""
        assert room.position is not None
        view = room.position.table.view(seat)
        step = view.forced
        if step is None:
            step = await self._decide(room, view, seat, n, bot, ticket)
        ticket.leave()
        await self.service.make_step(room, None, seat, n, step)
        self.service.metrics.bot_turns.labels(bot).inc()
        self.service.due.set()

    async def _decide(self, room: Room, view: Any, seat: int, n: int, bot: str, ticket: Ticket) -> Any:
        """The step of a bot, or of the fallback bot if it fails; raises `BotFailed` if that fails too.

        No other step is ever made: the table waits instead. A bot that keeps failing loses its seat.
        """
        table_id = room.row.id
        try:
            step = await self._think(view, bot, table_id, ticket)
        except BotFailed as failed:
            log.warning("%s", failed, extra={"fields": {"table": table_id}})
            if bot == FALLBACK_BOT:
                await bot_failures.announce_once(self.service, room, seat, bot_failures.waiting_message(bot))
                raise
            if failed.again and count_failure(self._failed, table_id) >= bot_failures.OWN_ATTEMPTS:
                await bot_failures.hand_over(self.service, room, seat, n, bot_failures.failed_often_message(bot))
            else:
                await bot_failures.announce_once(
                    self.service, room, seat, bot_failures.replaced_message(bot, failed.why)
                )
            return await self._decide(room, view, seat, n, FALLBACK_BOT, ticket)
        if room.played_by_bot(seat) == bot:
            self._failed.pop(table_id, None)
        return step

    async def _think(self, view: Any, level: str, table_id: str, ticket: Ticket) -> Any:
        """The step of a bot of this level; raises `BotFailed`."""
        if table_id in self._stuck and level != FALLBACK_BOT:
            raise BotFailed(level, "slow", again=False)  # it still thinks: it gets no second thread
        try:
            budget = Budget(seconds=PATIENCE, stop=ticket.stop)
            seated = Seated(level, find_bot(level), SystemRandom(), budget)
            with self.service.metrics.bot_seconds.labels(level).time():
                step = await self._run(ticket, partial(seated.decide, view), table_id)
        except SignoriaError as error:
            log.warning("no bot %s: %s", level, error)
            raise self._failure(level, "error") from error
        except (TimeoutError, NoThread) as error:
            raise self._failure(level, "slow") from error
        if seated.forfeit:
            raise self._failure(level, "error", seated.forfeit)
        return step

    async def _run(self, ticket: Ticket, work: Any, table_id: str) -> Any:
        try:
            return await ticket.run(work, PATIENCE + LATE, partial(self._stuck.discard, table_id))
        except TimeoutError:
            self._stuck.add(table_id)
            raise

    def _failure(self, level: str, why: str, says: str = "") -> BotFailed:
        self.service.metrics.bot_failures.labels(level, why).inc()
        return BotFailed(level, why, says)

    async def consider(self, view: Any, requester: HintRequester) -> Explanation:
        """The strongest bot's opinion of a position; raises `Unavailable` or `TooMany` if it has no time."""
        adviser = find_bot(STRONGEST.id)
        assert isinstance(adviser, Adviser)
        address = requester.address or requester.person
        if self.bot_pool.waiting(HINTS, address, requester.person) >= HINTS_EACH:
            raise TooMany(
                say(
                    "You are already waiting for {hints_each} hints. Ask again when one has arrived.",
                    hints_each=HINTS_EACH,
                ),
                5,
            )
        try:
            async with self.bot_pool.ask(HINTS, address, requester.person) as ticket:
                work = partial(adviser.explain, view, None, Budget(seconds=PATIENCE, stop=ticket.stop))
                return await ticket.run(work, PATIENCE + LATE)
        except QueueFull:
            raise Unavailable(say("Too many players are waiting for a hint. Try again in half a minute."), 30) from None
        except (TimeoutError, NoThread):
            self._failure(STRONGEST.id, "slow")
            raise Unavailable(say("The bot took too long. Ask for a hint again in a minute."), 60) from None
        except SignoriaError:
            raise
        except Exception as error:
            self._failure(STRONGEST.id, "error")
            log.exception("no hint could be given")
            raise Unavailable(say("The bot failed. Ask for a hint again in a minute."), 60) from error
