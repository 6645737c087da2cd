"""A short version of the campaign: a little of everything, with time limits twenty times as long."""

from pathlib import Path

import pytest

from signoria.soak.campaign import run_fault
from signoria.soak.context import Context
from signoria.soak.postgres import Databases

SHORT = 0.0001
pytestmark = pytest.mark.slow  # each starts the real server


def short(fault: str, tmp_path: Path, database: str = "sqlite", postgres: Databases | None = None) -> list[str]:
    """The failures that a short version of a fault finds."""
    context = Context(tmp_path, scale=SHORT, seed=1, postgres=postgres, slack=20.0)
    run_fault(context, fault, database)
    assert all(row.done or row.note for row in context.rows)
    return [sentence for row in context.rows for sentence in row.failures]


@pytest.mark.parametrize("fault", ["clients", "disk", "fuzz", "greedy", "crowd", "time"])
def test_short_campaign_finds_no_failures(fault: str, tmp_path: Path) -> None:
    assert short(fault, tmp_path) == []


@pytest.mark.xdist_group("three processes")
def test_play_continues_through_every_kind_of_failover(tmp_path: Path, postgres: str) -> None:
    assert short("failover", tmp_path, "postgresql", Databases(postgres)) == []
