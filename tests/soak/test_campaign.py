"""The campaign reports what fails, and does not count as holding what it did not try."""

import asyncio
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from signoria.cli import run
from signoria.server.api.routes import OPERATIONS
from signoria.soak import campaign
from signoria.soak.bystander import Bystander, percentile
from signoria.soak.campaign import Fault, run_fault
from signoria.soak.client import Client
from signoria.soak.context import Context
from signoria.soak.control import Control
from signoria.soak.faults.crowd import by_address
from signoria.soak.faults.greedy import PERSONS, Greedy, all_routes, body_for, send
from signoria.soak.launcher import drop_notifications
from signoria.soak.mutations import Sample, mutated
from signoria.soak.players import Refused
from signoria.soak.report import FaultRow, Report, as_markdown, failures_of, merged
from signoria.soak.server import Server
from signoria.soak.watching import LivePage
from signoria.store.listening import Listening


def a_row(**fields: Any) -> FaultRow:
    usual: dict[str, Any] = {
        "fault": "kill",
        "database": "sqlite",
        "case": "",
        "done": 3,
        "full": 100,
        "unit": "kills",
        "must_hold": "all",
    }
    return FaultRow(**(usual | fields))


def test_verdict_of_a_row() -> None:
    assert a_row().verdict == "holds"
    assert a_row(done=0).verdict == "not run"
    row = a_row()
    for number in range(5):
        row.fail(f"failure {number}")
    assert (row.verdict, row.failed, row.failures) == ("FAILS", 5, ["failure 0", "failure 1", "failure 2"])
    assert failures_of([row])[0] == "kill, sqlite: failure 0"
    assert "3 of 100 kills" in as_markdown([row])
    assert not Report(seed=1, scale=1, seconds=1, stopped=False, rows=[a_row(), row]).holds


def test_error_in_the_campaign_itself_is_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_rows_of_earlier_runs_are_kept_until_they_are_measured_anew() -> None:
    faults = ("kill", "time", "greedy")
    earlier = [
        a_row(date="1"),
        a_row(fault="greedy", date="1"),
        a_row(fault="greedy", database="postgresql", full=0, failed=1, date="1"),
        a_row(fault="earthquake", date="1"),
    ]
    rows = [
        a_row(fault="greedy", database="postgresql", case="bots", date="2"),
        a_row(fault="greedy", done=0, date="2"),
        a_row(fault="time", case="suspend", done=0, date="2"),
        a_row(failed=1, date="2"),
    ]
    assert [(row.fault, row.database, row.case, row.date) for row in merged(earlier, rows, faults)] == [
        ("kill", "sqlite", "", "2"),
        ("time", "sqlite", "suspend", "2"),
        ("greedy", "sqlite", "", "1"),
        ("greedy", "postgresql", "bots", "2"),
        ("earthquake", "sqlite", "", "1"),
    ]


def test_saved_report_keeps_the_rows_of_earlier_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def works(context: Context, database: str) -> None:
        context.row("disk", database, "nothing", 1, "times").done = 1

    monkeypatch.setitem(campaign.FAULTS, "disk", Fault(works))
    file = tmp_path / "report.json"
    report = Report(seed=1, scale=1, seconds=1, stopped=False, rows=[a_row(date="2026-01-02"), a_row(fault="disk")])
    file.write_bytes(msgspec.json.encode(report))
    assert run(["soak", "disk", "--database", "sqlite", "--seed", "5", "--minutes", "1", "--save", str(file)]) == 0
    kill, disk = msgspec.json.decode(file.read_bytes(), type=Report).rows
    assert kill == a_row(date="2026-01-02")
    assert disk.command == "signoria soak disk --database sqlite --scale 0.1 --seed 5 --minutes 1.0"
    assert disk.date and disk.machine
    capsys.readouterr()
    for bad in (tmp_path, tmp_path / "no" / "folder"):
        assert run(["soak", "disk", "--save", str(bad)]) == 2
        assert "cannot be saved" in capsys.readouterr().err
    file.write_text("{}")
    assert run(["soak", "disk", "--save", str(file)]) == 2
    assert "is not a report of signoria soak" in capsys.readouterr().err


def test_cases_of_a_fault_share_its_time(tmp_path: Path) -> None:
    context = Context(tmp_path, scale=1, seed=1)
    assert [context.deadline for _ in context.each("ab")] == [float("inf")] * 2
    context.limit_time(2700)
    end = context.deadline
    shares = [round((end - context.deadline) / 1000) for _ in context.each("abc")]
    assert shares == [2, 1, 0]  # thousands of seconds that are left for the others
    assert context.deadline == end


def test_command_lists_the_faults(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["soak", "earthquake"]) == 2
    assert "kill, failover, clients" in capsys.readouterr().err


def test_clients_use_only_addresses_of_this_machine() -> None:
    with pytest.raises(ValueError, match=r"127\.0\.0\.0/8"):
        Client(1, "192.0.2.1")


def test_the_same_seed_makes_the_same_requests() -> None:
    samples = [Sample("POST", "/tables/x/steps", {"seat": 0, "n": 3}), Sample("POST", "/api/v1/tables", {"game": "x"})]
    made = [[mutated(sample, Random(seed), 80) for seed in range(200) for sample in samples] for _ in range(2)]
    assert made[0] == made[1]
    assert len(set(made[0])) > 200
    for request in made[0]:
        assert "\r\n\r\n" not in request.head and request.head.startswith(request.method)


def test_all_routes_are_listed() -> None:
    routes = all_routes()
    assert ("POST", "/tables/{id}/steps") in routes and ("GET", "/api/v1/tables") in routes
    assert len(routes) > 60


def test_live_page_can_arrive_in_any_pieces() -> None:
    import gzip

    async def read() -> None:
        body = gzip.compress(b"retry: 1000\n\nid: 3.0.1\ndata: x\n\nid: 4.0.1\ndata: y\n\n")
        sent = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n" + b"%x\r\n%b\r\n" % (len(body), body)
        page = LivePage(b"")
        for place in range(len(sent)):
            page.data_received(sent[place : place + 1])
        assert (page.status, page.events, page.n) == (200, 2, 4)

    asyncio.run(read())


def test_greedy_address_requests_every_route_as_intended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    heads: list[bytes] = []

    async def note(_self: Client, request: bytes) -> Any:
        heads.append(request.partition(b"\r\n")[0])

    monkeypatch.setattr(Client, "ask", note)
    greedy = Greedy(Server("", tmp_path), Random(1))
    greedy._tables = ["t"] * PERSONS
    for method, path in all_routes():
        request = greedy._request(method, path, 0)
        assert "{" not in request.path, path
        asyncio.run(send(Client(1), request))
        assert heads.pop().startswith(f"{method} ".encode())


def test_greedy_address_sends_valid_json_to_the_api() -> None:
    for operation in OPERATIONS:
        if operation.method == "POST" and operation.body:
            sent = body_for(operation.path)
            assert any(_fits(sent, kind) for kind in operation.body), operation.path


def _fits(sent: Any, kind: Any) -> bool:
    try:
        msgspec.convert(sent, kind)
    except msgspec.ValidationError:
        return False
    return True


def test_seed_decides_which_notifications_are_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def heard(seed: int) -> list[int]:
        told: list[int] = []
        with monkeypatch.context() as patched:
            patched.setattr(Listening, "_hear", lambda _self, number: told.append(number))
            control = Control(tmp_path / str(seed))
            control["seed"], control["drop_notify"] = seed, 500
            drop_notifications(control)
            for number in range(64):
                Listening._hear(None, number)  # type: ignore[arg-type, call-arg]
        return told

    assert heard(1) == heard(1) != heard(2)
    assert 0 < len(heard(1)) < 64


def test_a_normal_user_whom_the_server_refuses_counts_as_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    async def refuse(_bystander: Bystander) -> None:
        raise Refused("answered 404")

    monkeypatch.setattr(Bystander, "_turn", refuse)
    bystander = Bystander("soak-refused", 1)
    asyncio.run(bystander.for_a_while(0.01))
    assert bystander.errors == ["answered 404"]
    assert percentile(bystander.waits, 0.99) > 1e9  # no answer at all is not fast


def test_a_slow_list_is_not_hidden_by_others_of_its_route() -> None:
    asked = ["/tables", "/tables?of=finished"] * 2
    assert by_address(asked, [1.0, 90.0, 2.0, 80.0, 5.0]) == {
        "/tables": [1.0, 2.0],
        "/tables?of=finished": [90.0, 80.0],
    }
    assert by_address(asked, [1.0, 90.0]) == {}  # the log lacks requests, so nothing was measured
