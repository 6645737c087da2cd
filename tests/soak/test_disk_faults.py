"""The campaign's failing disk: the chosen call fails once, and every other call works as usual."""

import asyncio
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from signoria.soak.control import Control
from signoria.soak.disk_faults import COMMIT, ERRORS, OF_KIND, OPEN, READ, WRITE, install
from signoria.soak.faults.disk import FAILURES, Failure
from signoria.store import sqlite_driver


async def play(path: Path, control: Control, failure: Failure) -> tuple[int, int]:
    """Add two rows while the second write or the commit may fail; return the rows before and after a rollback."""
    with ThreadPoolExecutor(1) as executor:
        connection = sqlite_driver.Connection(str(path), 1.0, executor)
        connection.execute("CREATE TABLE things (n)")
        cursor = connection.cursor()
        await cursor.execute("BEGIN")
        await cursor.execute("INSERT INTO things VALUES (1)")
        control["fail_in"] = 1
        for call in (lambda: cursor.execute("INSERT INTO things VALUES (2)"), connection.commit):
            try:
                await call()
            except sqlite3.OperationalError as error:
                assert error.sqlite_errorname == ERRORS[failure.error].name
        control["fail_in"] = 0
        found = connection.execute("SELECT count(*) FROM things").fetchone()[0]
        await connection.rollback()
        kept = connection.execute("SELECT count(*) FROM things").fetchone()[0]
        await connection.close()
        return found, kept


def expected(failure: Failure) -> tuple[int, int]:
    error = ERRORS[failure.error]
    if failure.kind == WRITE:
        return (0, 0) if error.gives_up else (1, 1)
    if failure.kind == COMMIT:
        return (2, 2) if error.too_late else (0, 0) if error.gives_up else (2, 0)
    return (2, 2)


@pytest.fixture
def control(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Control:
    monkeypatch.setattr(sqlite_driver, "open_file", sqlite_driver.open_file)  # restored afterwards
    made = Control(tmp_path / "control")
    install(made)
    return made


@pytest.mark.parametrize("failure", FAILURES, ids=lambda failure: f"{failure.name}-{failure.error}")
def test_only_the_chosen_call_fails(failure: Failure, tmp_path: Path, control: Control) -> None:
    control["fail_kind"], control["fail_error"] = failure.kind, failure.error
    assert asyncio.run(play(tmp_path / "x.db", control, failure)) == expected(failure)
    assert control["failed"] == (failure.kind in (WRITE, COMMIT))


def test_opening_the_file_and_reading_it_can_fail(tmp_path: Path, control: Control) -> None:
    with ThreadPoolExecutor(1) as executor:
        connection = sqlite_driver.Connection(str(tmp_path / "x.db"), 1.0, executor)
        control["fail_in"], control["fail_kind"], control["fail_error"] = 1, READ, OF_KIND[READ][0]
        connection.execute("PRAGMA user_version")
        with pytest.raises(sqlite3.OperationalError, match="disk I/O error"):
            connection.execute("SELECT 1")
        connection.execute("SELECT 1")
        connection.stop()
        control["fail_in"], control["fail_kind"], control["fail_error"] = 1, OPEN, OF_KIND[OPEN][0]
        with pytest.raises(sqlite3.OperationalError, match="unable to open database file"):
            sqlite_driver.Connection(str(tmp_path / "x.db"), 1.0, executor)
