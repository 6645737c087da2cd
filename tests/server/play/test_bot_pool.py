"""Bots think in a fixed number of threads, and a hanging bot does not block others."""

import asyncio
from collections.abc import Callable
from threading import Event

import pytest

from signoria.server.play.bot_pool import HINTS, SPARE, UNWATCHED, WATCHED, BotPool, NoThread, QueueFull, Ticket
from signoria.server.run.metrics import Metrics
from tests.databases import in_loop
from tests.server.services import until

PATIENCE = 30.0


class Thought:
    """Work that runs until the test ends it."""

    def __init__(self) -> None:
        self.begun, self.may_end = Event(), Event()

    def __call__(self) -> str:
        self.begun.set()
        self.may_end.wait(PATIENCE)
        return "thought"


async def think(ticket: Ticket, work: Callable[[], str], seconds: float = PATIENCE) -> str:
    async with ticket:
        return await ticket.run(work, seconds)


@in_loop
async def test_number_of_thinking_bots_is_limited_by_threads() -> None:
    bot_pool, thoughts = BotPool(2, Metrics()), [Thought() for _ in range(3)]
    running = [
        asyncio.create_task(think(bot_pool.ask(WATCHED, address, address), thought))
        for address, thought in zip("abc", thoughts, strict=True)
    ]
    await until(lambda: all(thought.begun.is_set() for thought in thoughts[:2]))
    assert not thoughts[2].begun.is_set()
    assert (bot_pool.free, bot_pool.waiting(WATCHED)) == (0, 1)
    thoughts[0].may_end.set()
    await until(thoughts[2].begun.is_set)
    for thought in thoughts:
        thought.may_end.set()
    assert await asyncio.gather(*running) == ["thought"] * 3
    assert bot_pool.free == 2
    bot_pool.close()


@in_loop
async def test_waiting_time_does_not_count_as_thinking_time() -> None:
    bot_pool, thoughts = BotPool(1, Metrics()), [Thought(), Thought()]
    first, second = (
        asyncio.create_task(think(bot_pool.ask(WATCHED, address, address), thought, seconds))
        for address, thought, seconds in zip("ab", thoughts, (600.0, 50.0), strict=True)
    )
    await until(thoughts[0].begun.is_set)
    real = asyncio.get_running_loop().time
    asyncio.get_running_loop().time = lambda: real() + 60.0  # type: ignore[method-assign]
    thoughts[0].may_end.set()
    await until(thoughts[1].begun.is_set)
    await asyncio.wait([second], timeout=0.01)  # it would be given up now
    thoughts[1].may_end.set()
    assert [await first, await second] == ["thought"] * 2
    bot_pool.close()


@in_loop
async def test_one_address_never_takes_the_last_thread() -> None:
    bot_pool, thoughts = BotPool(2, Metrics()), [Thought() for _ in range(3)]
    running = [
        asyncio.create_task(think(bot_pool.ask(WATCHED, address, "a"), thought))
        for address, thought in zip("aab", thoughts, strict=True)
    ]
    await until(lambda: thoughts[0].begun.is_set() and thoughts[2].begun.is_set())  # in two threads, in any order
    assert not thoughts[1].begun.is_set()
    for thought in thoughts:
        thought.may_end.set()
    await asyncio.gather(*running)
    assert thoughts[1].begun.is_set()
    bot_pool.close()


@in_loop
async def test_hints_never_take_all_threads() -> None:
    bot_pool, thoughts = BotPool(2, Metrics()), [Thought() for _ in range(4)]
    hints = [asyncio.create_task(think(bot_pool.ask(HINTS, "a", "a"), thought)) for thought in thoughts[:3]]
    await until(thoughts[0].begun.is_set)
    turn = asyncio.create_task(think(bot_pool.ask(UNWATCHED, "b", "b"), thoughts[3]))
    await until(thoughts[3].begun.is_set)
    assert not thoughts[1].begun.is_set()
    for thought in thoughts:
        thought.may_end.set()
    await asyncio.gather(turn, *hints)
    bot_pool.close()


@in_loop
async def test_stuck_thread_is_replaced_and_may_recover(caplog: pytest.LogCaptureFixture) -> None:
    bot_pool, thought, came_back = BotPool(1, Metrics()), Thought(), []
    async with bot_pool.ask(WATCHED, "a", "a") as ticket:
        with pytest.raises(TimeoutError):
            await ticket.run(thought, 0.01, lambda: came_back.append(1))
        assert ticket.stop.is_set()
        assert await ticket.run(lambda: "another thread", PATIENCE) == "another thread"
    assert bot_pool.stuck == 1
    assert "stuck threads: 1" in caplog.text
    assert await think(bot_pool.ask(WATCHED, "b", "b"), lambda: "and so on") == "and so on"
    thought.may_end.set()
    await until(lambda: came_back == [1])
    assert bot_pool.stuck == 0
    bot_pool.close()


@in_loop
async def test_number_of_replaced_stuck_threads_is_limited() -> None:
    bot_pool, thought = BotPool(1, Metrics()), Thought()
    for _ in range(SPARE + 2):
        with pytest.raises(TimeoutError):
            await think(bot_pool.ask(WATCHED, "a", "a"), thought, 0.0)
    assert bot_pool.stuck == SPARE + 2
    ticket = bot_pool.ask(WATCHED, "a", "a")
    assert not ticket.called.done()
    with pytest.raises(NoThread):
        await ticket.run(thought, 0.0)
    ticket.leave()
    thought.may_end.set()
    await until(lambda: bot_pool.stuck == 0)
    assert await think(bot_pool.ask(WATCHED, "a", "a"), lambda: "again") == "again"
    bot_pool.close()


@in_loop
async def test_cancelled_request_leaves_the_queue_or_stops_its_bot() -> None:
    bot_pool = BotPool(1, Metrics())
    ticket = bot_pool.ask(HINTS, "a", "a")
    running = asyncio.create_task(think(ticket, lambda: str(ticket.stop.wait(PATIENCE))))
    waiting = asyncio.create_task(think(bot_pool.ask(HINTS, "b", "b"), lambda: "never"))
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.wait([waiting])
    assert bot_pool.waiting(HINTS) == 0
    running.cancel()
    await asyncio.wait([running])
    assert (bot_pool.free, bot_pool.stuck) == (1, 0)
    bot_pool.close()


@in_loop
async def test_exit_exceptions_end_only_the_bot() -> None:
    def leave() -> str:
        raise SystemExit

    bot_pool = BotPool(1, Metrics())
    with pytest.raises(RuntimeError, match="SystemExit"):
        await think(bot_pool.ask(WATCHED, "a", "a"), leave)
    with pytest.raises(RuntimeError, match="StopIteration"):
        await think(bot_pool.ask(WATCHED, "a", "a"), lambda: str(next(iter(()))))
    bot_pool.close()


@in_loop
async def test_full_queue_refuses_or_displaces_the_owner_with_most_requests() -> None:
    bot_pool, thought = BotPool(1, Metrics()), Thought()
    running = asyncio.create_task(think(bot_pool.ask(WATCHED, "a", "a"), thought))
    places = [bot_pool.ask(UNWATCHED, "a", "a") for _ in range(4)]
    with pytest.raises(QueueFull):
        bot_pool.ask(UNWATCHED, "a", "a")
    modest = bot_pool.ask(UNWATCHED, "b", "b")
    with pytest.raises(QueueFull):
        await think(places[-1], thought)
    thought.may_end.set()
    await running
    for ticket in (*places, modest):
        ticket.leave()
    bot_pool.close()


@in_loop
async def test_bot_that_starts_after_shutdown_began_is_stopped_too() -> None:
    bot_pool, thought = BotPool(1, Metrics()), Thought()
    first, second = bot_pool.ask(WATCHED, "a", "a"), bot_pool.ask(HINTS, "b", "b")
    running = asyncio.create_task(think(first, thought))
    await until(thought.begun.is_set)
    bot_pool.hurry()
    assert first.stop.is_set()
    assert not second.stop.is_set()
    thought.may_end.set()
    async with second:
        assert second.stop.is_set()
    await running
    bot_pool.close()
