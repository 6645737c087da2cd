"""Rate limits and concurrency limits, with a test clock."""

from contextlib import ExitStack

import pytest
from starlette.middleware import Middleware

from signoria.server.errors import TooMany
from signoria.server.guard.limits import (
    AT_AN_ADDRESS,
    RateLimiter,
    RateLimitMiddleware,
    StreamLimiter,
    TokenBuckets,
    client_address,
    wait_in_words,
)
from signoria.server.settings import Rates, rate
from tests.server.guard.asgi import ask, small_app


class Clock:
    def __init__(self) -> None:
        self.time = 100.0

    def __call__(self) -> float:
        return self.time


def test_bucket_empties_and_refills() -> None:
    clock = Clock()
    buckets = TokenBuckets(rate("2/s up to 4"), clock)
    assert [buckets.take("a") for _ in range(4)] == [None] * 4
    assert buckets.take("a") == pytest.approx(0.5)
    assert buckets.take("b") is None
    clock.time += 0.5
    assert buckets.take("a") is None
    assert buckets.take("a") == pytest.approx(0.5)
    clock.time += 1000
    assert [buckets.take("a") for _ in range(5)].count(None) == 4


def test_waiting_for_retry_after_is_enough() -> None:
    clock = Clock()
    buckets = TokenBuckets(rate("7/min up to 1"), clock)
    assert buckets.take("a") is None
    wait = buckets.take("a")
    assert wait is not None
    clock.time += wait + 1e-9
    assert buckets.take("a") is None


def test_least_recently_used_buckets_are_forgotten() -> None:
    buckets = TokenBuckets(rate("1/h"), Clock(), most_keys=3)
    for key in "abca":
        buckets.take(key)
    buckets.take("d")
    assert len(buckets) == 3
    assert buckets.take("b") is None  # forgotten, so its bucket is full again
    assert buckets.take("a") is not None


def test_limit_can_be_turned_off() -> None:
    buckets = TokenBuckets(rate("off"), Clock())
    assert {buckets.take("a") for _ in range(10_000)} == {None}
    assert len(buckets) == 0


def test_kinds_are_counted_separately() -> None:
    limits = RateLimiter(Rates(steps=rate("1/s"), chat=rate("1/s")), Clock())
    limits.check("steps", "ann", "moves")
    limits.check("chat", "ann", "messages")
    with pytest.raises(TooMany, match=r"moves.* 1 second") as refused:
        limits.check("steps", "ann", "moves")
    assert refused.value.retry_after == pytest.approx(1)


def test_address_that_asks_too_often_gets_retry_after() -> None:
    clock = Clock()
    an_app = small_app(
        Middleware(RateLimitMiddleware, limits=RateLimiter(Rates(requests=rate("6/min up to 2")), clock))
    )
    assert [ask(an_app).status_code for _ in range(3)] == [200, 200, 429]
    refused = ask(an_app)
    assert refused.headers["retry-after"] == "10"
    assert "10 seconds" in refused.text
    assert ask(an_app, address=("5.6.7.8", 1)).status_code == 200
    clock.time += 10
    assert ask(an_app).status_code == 200


def test_monitoring_requests_are_not_counted() -> None:
    an_app = small_app(
        Middleware(RateLimitMiddleware, limits=RateLimiter(Rates(requests=rate("1/h")), Clock()), free=("/",))
    )
    assert [ask(an_app).status_code for _ in range(3)] == [200] * 3


@pytest.mark.parametrize(
    ("client", "counted"),
    [
        (("1.2.3.4", 1), "1.2.3.4"),
        (("::ffff:1.2.3.4", 1), "1.2.3.4"),
        (("2001:db8:1:2:3:4:5:6", 1), "2001:db8:1:2::/64"),
        (("2001:db8:1:2::1", 1), "2001:db8:1:2::/64"),
        (("testclient", 1), "testclient"),
        (None, ""),
    ],
)
def test_ipv6_network_counts_as_one_address(client: tuple[str, int] | None, counted: str) -> None:
    assert client_address({"client": client}) == counted


def test_waiting_times_in_words() -> None:
    assert [wait_in_words(wait) for wait in (0.01, 1.2, 89, 90, 3600)] == [
        "1 second", "2 seconds", "89 seconds", "2 minutes", "60 minutes",
    ]  # fmt: skip


def test_number_at_the_same_time_is_limited() -> None:
    holds = StreamLimiter(most_each=2, most_in_all=3)
    with holds.hold("ann", "1.1.1.1"), holds.hold("ann", "1.1.1.2"):
        with pytest.raises(TooMany, match="2 live pages"), holds.hold("ann", "1.1.1.3"):
            pass
        with holds.hold(None, "ben"), pytest.raises(TooMany, match="full"), holds.hold("cleo", "1.1.1.4"):
            pass
        assert len(holds) == 2
    assert len(holds) == 0
    assert not holds._held


def test_more_guests_do_not_raise_the_limit_of_an_address() -> None:
    holds = StreamLimiter(most_each=2, most_in_all=10_000)
    with ExitStack() as open_pages:
        for guest in range(2 * AT_AN_ADDRESS):
            open_pages.enter_context(holds.hold(f"guest {guest}", "1.1.1.1"))
        with pytest.raises(TooMany, match="100 live pages"), holds.hold("one more", "1.1.1.1"):
            pass
        with holds.hold("somebody else", "1.1.1.2"):
            pass
    assert not holds._held
