"""Addresses of databases as people write them, and the messages for wrong ones."""

from pathlib import Path

import pytest
from sqlalchemy import make_url

from signoria.kernel.errors import BadOption
from signoria.store.address import driver_url, shown
from signoria.store.database import Database, database_url


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("games.db", "sqlite+aiosqlite:///games.db"),
        ("/var/lib/games.db", "sqlite+aiosqlite:////var/lib/games.db"),
        ("sqlite:///games.db", "sqlite+aiosqlite:///games.db"),
        ("sqlite:////var/games.db", "sqlite+aiosqlite:////var/games.db"),
        ("sqlite+aiosqlite:///games.db", "sqlite+aiosqlite:///games.db"),
        ("postgresql://anna:pw@host/games", "postgresql+asyncpg://anna:pw@host/games"),
        ("postgres://anna:pw@host:5433/games", "postgresql+asyncpg://anna:pw@host:5433/games"),
        ("postgresql+asyncpg://host/games", "postgresql+asyncpg://host/games"),
        ("postgresql://host/games?sslmode=require", "postgresql+asyncpg://host/games?ssl=require"),
    ],
)
def test_every_form_of_address_is_understood(said: str, meant: str) -> None:
    assert database_url(said) == meant
    assert database_url(meant) == meant


def test_home_folder_is_expanded() -> None:
    assert database_url("~/games.db") == f"sqlite+aiosqlite:///{Path.home()}/games.db"


def test_option_takes_precedence_over_environment_and_that_over_the_data_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SIGNORIA_DATABASE", "from-environment.db")
    assert database_url("option.db").endswith("/option.db")
    assert database_url().endswith("/from-environment.db")
    monkeypatch.setenv("SIGNORIA_DATABASE", "")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert database_url(None).endswith("/signoria/signoria.db")


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("mysql://anna:hush@host/games", "kind of database 'mysql'"),
        ("postgresql://anna:hush@host:port/games", "Invalid database address"),
        ("postgresql://anna:hush@host", "names no database"),
        (
            "postgresql://anna:hush@host/games?pool=9",
            "Unknown parameter 'pool' in the database address; allowed are host, port, ssl",
        ),
        ("sqlite://", "must be a file on disk"),
        ("sqlite:///:memory:", "must be a file on disk"),
        (":memory:", "must be a file on disk"),
        ("://hush", "Invalid database address"),
    ],
)
def test_error_about_a_wrong_address_hides_its_password(said: str, sentence: str) -> None:
    with pytest.raises(BadOption, match=sentence.replace("?", r"\?")) as refused:
        Database(said)
    assert "hush" not in str(refused.value)


def test_address_is_shown_without_its_password() -> None:
    assert shown(driver_url("postgresql://anna:hush@host/games")) == "postgresql://anna:***@host/games"
    assert shown(driver_url("games.db")) == "games.db"
    assert make_url(database_url("postgresql://anna:hush@host/games")).password == "hush"
