"""How the campaign is run and told: what fails is said, what was not tried does not hold."""

import asyncio
from pathlib import Path
from random import Random
from typing import Any

import pytest

from signoria.cli import run
from signoria.soak import campaign
from signoria.soak.campaign import Fault, run_fault
from signoria.soak.client import Client
from signoria.soak.context import Context
from signoria.soak.faults.greedy import all_routes
from signoria.soak.mutations import Sample, mutated
from signoria.soak.report import Report, Row, as_markdown, failures_of
from signoria.soak.watching import LivePage


def a_row(**fields: Any) -> Row:
    usual: dict[str, Any] = {
        "fault": "kill",
        "database": "sqlite",
        "case": "",
        "done": 3,
        "full": 100,
        "unit": "kills",
        "must_hold": "all",
    }
    return Row(**(usual | fields))


def test_a_row_says_whether_it_holds() -> None:
    assert a_row().verdict == "holds"
    assert a_row(done=0).verdict == "not run"
    row = a_row()
    for number in range(5):
        row.fail(f"failure {number}")
    assert (row.verdict, row.failed, row.failures) == ("FAILS", 5, ["failure 0", "failure 1", "failure 2"])
    assert failures_of([row])[0] == "kill, sqlite: failure 0"
    assert "3 of 100 kills" in as_markdown([row], commands=True)
    assert not Report(machine="", seed=1, scale=1, seconds=1, stopped=False, rows=[a_row(), row]).holds


def test_a_campaign_that_fails_itself_is_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def breaks(context: Context, database: str) -> None:
        context.row("breaks", database, "nothing", 1, "times").done = 1
        async with asyncio.TaskGroup() as group:
            group.create_task(_raises())

    async def _raises() -> None:
        raise ValueError("no good")

    monkeypatch.setitem(campaign.FAULTS, "breaks", Fault(breaks))
    context = Context(tmp_path, scale=1, seed=1)
    run_fault(context, "breaks", "sqlite")
    assert context.rows[0].verdict == "FAILS"
    assert "ValueError in test_campaign.py" in context.rows[0].failures[0]


def test_the_command_names_the_faults(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["soak", "earthquake"]) == 2
    assert "there is kill, failover, clients" in capsys.readouterr().err


def test_nobody_outside_is_ever_asked() -> None:
    with pytest.raises(ValueError, match=r"127\.0\.0\.0/8"):
        Client(1, "192.0.2.1")


def test_the_same_seed_makes_the_same_requests() -> None:
    samples = [Sample("POST", "/tables/x/steps", {"seat": 0, "n": 3}), Sample("POST", "/api/v1/tables", {"game": "x"})]
    made = [[mutated(sample, Random(seed), 80) for seed in range(200) for sample in samples] for _ in range(2)]
    assert made[0] == made[1]
    assert len(set(made[0])) > 200
    for request in made[0]:
        assert "\r\n\r\n" not in request.head and request.head.startswith(request.method)


def test_every_route_is_known() -> None:
    routes = all_routes()
    assert ("POST", "/tables/{id}/steps") in routes and ("GET", "/api/v1/tables") in routes
    assert len(routes) > 60


def test_a_live_page_is_read_in_any_pieces() -> None:
    import gzip

    async def read() -> None:
        body = gzip.compress(b"retry: 1000\n\nid: 3.0.1\ndata: x\n\nid: 4.0.1\ndata: y\n\n")
        sent = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n" + b"%x\r\n%b\r\n" % (len(body), body)
        page = LivePage(b"")
        for place in range(len(sent)):
            page.data_received(sent[place : place + 1])
        assert (page.status, page.events, page.n) == (200, 2, 4)

    asyncio.run(read())
