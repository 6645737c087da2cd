"""Bots think in a fixed number of threads, from when it is their turn, and a hung one takes nobody's."""

import asyncio
from collections.abc import Callable
from threading import Event

import pytest

from signoria.server.metrics import Metrics
from signoria.server.thinking import HINTS, SPARE, UNWATCHED, WATCHED, NoThread, Place, QueueFull, Thinking
from tests.databases import in_loop
from tests.server.houses import until

PATIENCE = 30.0


class Thought:
    """Work that lasts until the test ends it."""

    def __init__(self) -> None:
        self.begun, self.may_end = Event(), Event()

    def __call__(self) -> str:
        self.begun.set()
        self.may_end.wait(PATIENCE)
        return "thought"


async def think(place: Place, work: Callable[[], str], seconds: float = PATIENCE) -> str:
    async with place:
        return await place.run(work, seconds)


@in_loop
async def test_no_more_think_than_there_are_threads() -> None:
    thinking, thoughts = Thinking(2, Metrics()), [Thought() for _ in range(3)]
    running = [
        asyncio.create_task(think(thinking.ask(WATCHED, address, address), thought))
        for address, thought in zip("abc", thoughts, strict=True)
    ]
    await until(lambda: all(thought.begun.is_set() for thought in thoughts[:2]))
    assert not thoughts[2].begun.is_set()
    assert (thinking.free, thinking.waiting(WATCHED)) == (0, 1)
    thoughts[0].may_end.set()
    await until(thoughts[2].begun.is_set)
    for thought in thoughts:
        thought.may_end.set()
    assert await asyncio.gather(*running) == ["thought"] * 3
    assert thinking.free == 2
    thinking.close()


@in_loop
async def test_waiting_is_not_thinking() -> None:
    thinking, thought = Thinking(1, Metrics()), Thought()
    first = asyncio.create_task(think(thinking.ask(WATCHED, "a", "a"), thought, 600.0))
    second = asyncio.create_task(think(thinking.ask(WATCHED, "b", "b"), lambda: "at once", 5.0))
    await until(thought.begun.is_set)
    real = asyncio.get_running_loop().time
    asyncio.get_running_loop().time = lambda: real() + 60.0  # type: ignore[method-assign]
    thought.may_end.set()
    assert await second == "at once"
    await first
    thinking.close()


@in_loop
async def test_one_address_never_takes_the_last_thread() -> None:
    thinking, thoughts = Thinking(2, Metrics()), [Thought() for _ in range(3)]
    running = [
        asyncio.create_task(think(thinking.ask(WATCHED, address, "a"), thought))
        for address, thought in zip("aab", thoughts, strict=True)
    ]
    await until(thoughts[2].begun.is_set)
    assert [thought.begun.is_set() for thought in thoughts] == [True, False, True]
    for thought in thoughts:
        thought.may_end.set()
    await asyncio.gather(*running)
    assert thoughts[1].begun.is_set()
    thinking.close()


@in_loop
async def test_hints_never_take_all_threads() -> None:
    thinking, thoughts = Thinking(2, Metrics()), [Thought() for _ in range(4)]
    hints = [asyncio.create_task(think(thinking.ask(HINTS, "a", "a"), thought)) for thought in thoughts[:3]]
    await until(thoughts[0].begun.is_set)
    turn = asyncio.create_task(think(thinking.ask(UNWATCHED, "b", "b"), thoughts[3]))
    await until(thoughts[3].begun.is_set)
    assert not thoughts[1].begun.is_set()
    for thought in thoughts:
        thought.may_end.set()
    await asyncio.gather(turn, *hints)
    thinking.close()


@in_loop
async def test_a_stuck_thread_is_replaced_and_comes_back(caplog: pytest.LogCaptureFixture) -> None:
    thinking, thought, came_back = Thinking(1, Metrics()), Thought(), []
    async with thinking.ask(WATCHED, "a", "a") as place:
        with pytest.raises(TimeoutError):
            await place.run(thought, 0.01, lambda: came_back.append(1))
        assert place.stop.is_set()
        assert await place.run(lambda: "another thread", PATIENCE) == "another thread"
    assert thinking.stuck == 1
    assert "keeps a thread busy" in caplog.text
    assert await think(thinking.ask(WATCHED, "b", "b"), lambda: "and so on") == "and so on"
    thought.may_end.set()
    await until(lambda: came_back == [1])
    assert thinking.stuck == 0
    thinking.close()


@in_loop
async def test_stuck_threads_are_not_replaced_for_ever() -> None:
    thinking, thought = Thinking(1, Metrics()), Thought()
    for _ in range(SPARE + 2):
        with pytest.raises(TimeoutError):
            await think(thinking.ask(WATCHED, "a", "a"), thought, 0.0)
    assert thinking.stuck == SPARE + 2
    place = thinking.ask(WATCHED, "a", "a")
    assert not place.called.done()
    with pytest.raises(NoThread):
        await place.run(thought, 0.0)
    place.leave()
    thought.may_end.set()
    await until(lambda: thinking.stuck == 0)
    assert await think(thinking.ask(WATCHED, "a", "a"), lambda: "again") == "again"
    thinking.close()


@in_loop
async def test_whoever_hangs_up_leaves_the_queue_or_hurries_the_bot() -> None:
    thinking = Thinking(1, Metrics())
    place = thinking.ask(HINTS, "a", "a")
    running = asyncio.create_task(think(place, lambda: str(place.stop.wait(PATIENCE))))
    waiting = asyncio.create_task(think(thinking.ask(HINTS, "b", "b"), lambda: "never"))
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.wait([waiting])
    assert thinking.waiting(HINTS) == 0
    running.cancel()
    await asyncio.wait([running])
    assert (thinking.free, thinking.stuck) == (1, 0)
    thinking.close()


@in_loop
async def test_what_ends_a_process_ends_a_thought() -> None:
    def leave() -> str:
        raise SystemExit

    thinking = Thinking(1, Metrics())
    with pytest.raises(RuntimeError, match="SystemExit"):
        await think(thinking.ask(WATCHED, "a", "a"), leave)
    with pytest.raises(RuntimeError, match="StopIteration"):
        await think(thinking.ask(WATCHED, "a", "a"), lambda: str(next(iter(()))))
    thinking.close()


@in_loop
async def test_a_full_queue_refuses_or_displaces_the_greedy() -> None:
    thinking, thought = Thinking(1, Metrics()), Thought()
    running = asyncio.create_task(think(thinking.ask(WATCHED, "a", "a"), thought))
    places = [thinking.ask(UNWATCHED, "a", "a") for _ in range(4)]
    with pytest.raises(QueueFull):
        thinking.ask(UNWATCHED, "a", "a")
    modest = thinking.ask(UNWATCHED, "b", "b")
    with pytest.raises(QueueFull):
        await think(places[-1], thought)
    thought.may_end.set()
    await running
    for place in (*places, modest):
        place.leave()
    thinking.close()


@in_loop
async def test_whoever_begins_to_think_after_everybody_was_hurried_is_hurried_too() -> None:
    thinking, thought = Thinking(1, Metrics()), Thought()
    first, second = thinking.ask(WATCHED, "a", "a"), thinking.ask(HINTS, "b", "b")
    running = asyncio.create_task(think(first, thought))
    await until(thought.begun.is_set)
    thinking.hurry()
    assert first.stop.is_set()
    assert not second.stop.is_set()
    thought.may_end.set()
    async with second:
        assert second.stop.is_set()
    await running
    thinking.close()
