"""The owner who has used the least time comes first, regardless of the length of their queue."""

import pytest

from signoria.server.play import fair_queue
from signoria.server.play.fair_queue import FairQueue, Limit, Owner

LIMITS = {"watched": Limit(200, 8.0), "unwatched": Limit(200, 1.0), "hints": Limit(16, 4.0)}
ATTACKER = "10.0.0.1"


def queue(**limits: Limit) -> FairQueue:
    return FairQueue({**LIMITS, **limits})


def serve(fair: FairQueue, seconds: float = 0.9) -> str:
    """One decision from start to end."""
    found = fair.next()
    assert found is not None
    fair.done(found[0], seconds)
    return str(found[1])


def test_new_address_is_next_despite_116_tables_of_another() -> None:
    fair = queue()
    for table in range(116):
        assert fair.put(Owner("watched", ATTACKER, f"guest {table % 4}"), f"attacker {table}") is None
    running = [fair.next(), fair.next()]
    fair.put(Owner("watched", "10.0.0.2", "stranger"), "stranger")
    assert running[0] is not None
    fair.done(running[0][0], 0.9)
    assert serve(fair) == "stranger"


def test_people_at_one_address_take_turns_regardless_of_their_queue_length() -> None:
    fair = queue()
    for table in range(100):
        fair.put(Owner("watched", "school", "greedy"), f"greedy {table}")
    fair.put(Owner("watched", "school", "modest"), "modest")
    assert "modest" in [serve(fair), serve(fair)]


def test_addresses_share_time_not_decisions() -> None:
    fair = queue()
    for _ in range(100):
        fair.put(Owner("watched", "a", "slow"), "slow")
        fair.put(Owner("watched", "b", "quick"), "quick")
    served = []
    for _ in range(50):
        found = fair.next()
        assert found is not None
        fair.done(found[0], 0.9 if found[1] == "slow" else 0.1)
        served.append(found[1])
    assert 0.7 < served.count("slow") * 0.9 / (served.count("quick") * 0.1) < 1.5


def test_one_address_leaves_capacity_for_others() -> None:
    fair = FairQueue(LIMITS, most_at_once=2)
    for n in range(4):
        fair.put(Owner("watched" if n % 2 else "unwatched", "greedy", f"guest {n}"), n)
    began = [fair.next(), fair.next()]
    assert None not in began
    assert fair.next() is None
    fair.put(Owner("unwatched", "stranger", "stranger"), "stranger")
    found = fair.next()
    assert found is not None
    assert found[1] == "stranger"
    assert fair.next() is None
    assert began[0] is not None
    fair.done(began[0][0], 1.0)
    assert fair.next() is not None


def test_unwatched_tables_come_last_but_still_progress() -> None:
    fair = queue()
    for _ in range(150):
        fair.put(Owner("unwatched", ATTACKER, "guest"), "unwatched")
        fair.put(Owner("watched", "b", "somebody"), "watched")
    served = [serve(fair) for _ in range(90)]
    assert 5 <= served.count("unwatched") <= 15


def test_being_idle_gains_no_advantage() -> None:
    fair = queue()
    for _ in range(20):
        fair.put(Owner("watched", "a", "a"), "a")
    for _ in range(10):
        serve(fair)
    for _ in range(20):
        fair.put(Owner("watched", "b", "b"), "b")
    served = [serve(fair) for _ in range(10)]
    assert 4 <= served.count("b") <= 6


def test_returning_does_not_reset_used_time() -> None:
    fair = queue()
    for _ in range(20):
        fair.put(Owner("watched", "b", "b"), "b")
    served = []
    for _ in range(21):  # one at a time, each asked for when the last is done
        if fair.waiting("watched", "a") == 0:
            fair.put(Owner("watched", "a", "a"), "a")
        served.append(serve(fair))
    assert served.count("a") <= 11


def test_full_queue_drops_the_newest_request_of_the_largest_owner() -> None:
    fair = queue(hints=Limit(4))
    for place in range(4):
        assert fair.put(Owner("hints", ATTACKER, f"guest {place % 2}"), f"attacker {place}") is None
    assert fair.put(Owner("hints", ATTACKER, "guest 2"), "one more") in {"attacker 2", "attacker 3"}
    assert fair.put(Owner("hints", "10.0.0.2", "stranger"), "stranger") in {"attacker 2", "attacker 3"}
    assert fair.put(Owner("hints", ATTACKER, "guest 0"), "too many") == "too many"
    assert fair.waiting("hints") == 4
    assert fair.waiting("hints", "10.0.0.2", "stranger") == 1


def test_of_140_hints_by_14_guests_a_few_wait_including_a_new_address() -> None:
    fair = queue()
    given_up = [fair.put(Owner("hints", ATTACKER, f"guest {place % 14}"), place) for place in range(140)]
    assert sum(one is not None for one in given_up) == 140 - 16
    assert fair.put(Owner("hints", "10.0.0.2", "stranger"), "stranger") != "stranger"
    assert "stranger" in {serve(fair), serve(fair)}


def test_kind_that_may_not_run_is_skipped() -> None:
    fair = queue()
    fair.put(Owner("hints", "a", "a"), "hint")
    assert fair.next(without=("hints",)) is None
    fair.put(Owner("unwatched", "a", "a"), "turn")
    assert fair.next(without=("hints",)) == (Owner("unwatched", "a", "a"), "turn")
    assert fair.next() == (Owner("hints", "a", "a"), "hint")
    assert fair.next() is None


def test_cancelled_request_leaves_the_queue() -> None:
    fair = queue()
    owner = Owner("hints", "a", "a")
    fair.put(owner, "hint")
    assert fair.remove(owner, "hint")
    assert not fair.remove(owner, "hint")
    assert len(fair) == 0
    assert fair.next() is None


def test_absent_owners_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fair_queue, "MOST", 400)
    fair = queue()
    for place in range(2000):
        fair.put(Owner("watched", f"address {place}", "somebody"), place)
        found = fair.next()
        assert found is not None
        fair.done(found[0], 100.0)
    assert len(fair._root.members["watched"].members) <= 400
