"""Metrics and the health check."""

import asyncio

import pytest
from starlette.applications import Starlette
from starlette.routing import Route

from signoria.server.run.metrics import Metrics, health_page, metrics_page
from signoria.server.settings import Settings
from tests.server.guard.asgi import ask, small_app

HERE = ("127.0.0.1", 5)
ELSEWHERE = ("1.2.3.4", 5)


def an_app(settings: Settings) -> Starlette:
    return small_app(routes=[Route("/metrics", metrics_page(Metrics(), settings))])


def test_all_metrics_are_counted() -> None:
    metrics = Metrics()
    metrics.steps.labels("patrician", "person").inc()
    metrics.commit_seconds.observe(0.004)
    metrics.streams.inc()
    metrics.rooms.set(3)
    metrics.bot_turns.labels("muratore").inc()
    metrics.bot_seconds.labels("muratore").observe(0.2)
    metrics.clocks.inc()
    metrics.notifications.labels("push", "sent").inc()
    metrics.outbox_dead.set(2)
    text = metrics.text().decode()
    for line in (
        'signoria_steps_total{by="person",game="patrician"} 1.0',
        'signoria_step_commit_seconds_bucket{le="0.005"} 1.0',
        "signoria_streams 1.0",
        "signoria_rooms 3.0",
        'signoria_bot_turns_total{level="muratore"} 1.0',
        'signoria_bot_seconds_count{level="muratore"} 1.0',
        "signoria_clocks_total 1.0",
        'signoria_notifications_total{channel="push",outcome="sent"} 1.0',
        "signoria_outbox_dead 2.0",
    ):
        assert line in text
    assert Metrics().text() != metrics.text()


@pytest.mark.parametrize(
    ("settings", "address", "headers", "status"),
    [
        (Settings(), HERE, {}, 200),
        (Settings(), ("::1", 5), {}, 200),
        (Settings(), ELSEWHERE, {}, 403),
        (Settings(), ("testclient", 5), {}, 403),
        (Settings(), HERE, {"X-Forwarded-For": "1.2.3.4"}, 403),
        (Settings(metrics_open=True), ELSEWHERE, {}, 200),
        (Settings(metrics_token="abc"), ELSEWHERE, {"Authorization": "Bearer abc"}, 200),
        (Settings(metrics_token="abc"), ELSEWHERE, {"Authorization": "Bearer abd"}, 403),
        (Settings(metrics_token="abc"), ELSEWHERE, {}, 403),
        (Settings(), ELSEWHERE, {"Authorization": "Bearer "}, 403),
    ],
)
def test_metrics_are_only_for_the_host(
    settings: Settings, address: tuple[str, int], headers: dict[str, str], status: int
) -> None:
    answer = ask(an_app(settings), path="/metrics", address=address, headers=headers)
    assert answer.status_code == status
    if status == 200:
        assert answer.headers["content-type"].startswith("text/plain")
        assert "signoria_loop_lag_seconds" in answer.text


def test_event_loop_delay_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("signoria.server.run.metrics.SAMPLE_EVERY", 0.001)

    async def run() -> None:
        metrics = Metrics()
        task = asyncio.create_task(metrics.watch_loop())
        async with asyncio.timeout(60):
            while "signoria_loop_lag_seconds_count 0.0" in metrics.text().decode():
                await asyncio.sleep(0.001)
        task.cancel()

    asyncio.run(run())


def test_healthy_while_the_database_answers() -> None:
    closing = asyncio.Event()

    async def ping() -> None: ...

    async def broken() -> None:
        raise ConnectionRefusedError("postgresql://user:secret@host")

    well = small_app(routes=[Route("/healthz", health_page(ping, closing))])
    unwell = small_app(routes=[Route("/healthz", health_page(broken, closing))])
    answer = ask(well, path="/healthz")
    assert answer.status_code == 200
    assert answer.json()["status"] == answer.json()["database"] == "ok"
    assert answer.json()["version"]
    answer = ask(unwell, path="/healthz")
    assert answer.status_code == 503
    assert answer.json()["database"] == "unreachable"
    assert "secret" not in answer.text
    closing.set()
    assert ask(well, path="/healthz").status_code == 503


def test_unhealthy_if_the_database_cannot_be_written() -> None:
    async def ping() -> None: ...

    for writable, status in ((True, 200), (False, 503)):

        async def can_write(writable: bool = writable) -> bool:
            return writable

        page = health_page(ping, asyncio.Event(), can_write)
        assert ask(small_app(routes=[Route("/healthz", page)]), path="/healthz").status_code == status


def test_unhealthy_if_the_database_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("signoria.server.run.metrics.PATIENCE", 0.01)

    async def slow() -> None:
        await asyncio.sleep(10)

    answer = ask(small_app(routes=[Route("/healthz", health_page(slow, asyncio.Event()))]), path="/healthz")
    assert answer.status_code == 503
