"""`signoria admin`, on the database of a server with games."""

import asyncio
import json
import re
import sqlite3
from pathlib import Path

import pytest

from signoria.cli import run
from signoria.server.people.notifications.web_push import WebPush, new_private_key
from signoria.server.people.sessions import Identity
from signoria.server.play.bot_failures import RESUMED
from signoria.server.run.lock import single_server
from signoria.server.settings import read_settings
from signoria.store import people
from signoria.store.emails import RECOVER, add_email_token, find_email_token
from tests.cli.test_cli import Capture, output, refused
from tests.server.application import arrive, open_app
from tests.server.people.test_account_deletion import game_against_bots, until_over

pytestmark = pytest.mark.slow

PASSWORD = "correct horse"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database in which Ann, who has a password, resigned a game that bots finished."""
    file = tmp_path_factory.mktemp("played") / "signoria.db"

    async def play() -> None:
        async with open_app(str(file)) as (app, service):
            ann = await arrive(app, "Ann")
            assert (await ann.send("/account/password", password=PASSWORD)).status_code < 400
            table = await game_against_bots(ann)
            seats = (await service.room(table)).seats_of(ann.user.id if ann.user else None)
            assert (await ann.send(f"/tables/{table}/resign", seat=seats[0])).status_code == 303
            await until_over(service, table)
            await game_against_bots(ann)

    asyncio.run(play())
    return file


@pytest.fixture
def database(played: Path, tmp_path: Path, capsys: Capture) -> str:
    """A copy of it, by way of a backup."""
    file = tmp_path / "copy.db"
    told = output(capsys, "admin", "backup", str(tmp_path / "signoria.gz"), "--database", str(played))
    assert re.search(r"signoria\.gz: .*\b1 users, .* 2 tables, ", told)
    assert ", 1 users, " in output(capsys, "admin", "restore", str(tmp_path / "signoria.gz"), "--database", str(file))
    return str(file)


def test_exported_records_verify(database: str, tmp_path: Path, capsys: Capture) -> None:
    records = tmp_path / "games.jsonl"
    output(capsys, "admin", "export", str(records), "--database", database)
    assert "1 game verified, all right." in output(capsys, "verify", str(records))
    assert "Ann" not in records.read_text()
    assert json.loads(output(capsys, "admin", "export", "-", "--database", database)) == json.loads(records.read_text())


def test_user_is_deleted_only_after_confirmation(
    database: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("typer.confirm", lambda _question: False)
    assert run(["admin", "delete-user", "ann", "--database", database]) == 1
    assert "Nothing was deleted." in capsys.readouterr().out
    assert output(capsys, "admin", "delete-user", "ann", "--yes", "--database", database) == "Ann was deleted.\n"
    assert "There is no user called 'Ann'" in refused(
        capsys, "admin", "delete-user", "Ann", "--yes", "--database", database
    )
    assert len(output(capsys, "admin", "export", "-", "--database", database).splitlines()) == 1  # the game stays


def test_forgotten_password_can_be_replaced(database: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    typed = ["short", "battery staple"]
    monkeypatch.setattr("typer.prompt", lambda *_question, **_how: typed.pop(0))
    assert "8 to 200" in refused(capsys, "admin", "set-password", "Ann", "--database", database)

    async def make_token() -> None:
        async with open_app(database) as (app, service):
            async with service.database.write() as w:
                found = await people.user_named(w.db, "Ann")
                assert found is not None
                await add_email_token(w.db, "hash", found[0].id, RECOVER, "ann@example.org", service.now() + 60_000)
            await app.state.accounts.make_token(Identity(found[0]), "bot")

    asyncio.run(make_token())
    said = "Ann has a new password. All their sessions have ended and all their tokens are revoked.\n"
    assert output(capsys, "admin", "set-password", "Ann", "--database", database) == said

    async def sign_in() -> None:
        async with open_app(database) as (app, service):
            arrived = await app.state.accounts.sign_in("1.2.3.4", "Ann", "battery staple")
            async with service.database.read() as db:
                assert await people.tokens_of(db, arrived.identity.require_user().id) == []
                assert await find_email_token(db, "hash", RECOVER, service.now()) is None

    asyncio.run(sign_in())


def test_paused_game_can_be_resumed(database: str, capsys: Capture) -> None:
    with sqlite3.connect(database) as db:
        table = db.execute(
            "UPDATE tables SET due_at = NULL, attempts = 4 WHERE state = 'playing' RETURNING id"
        ).fetchall()
        assert len(table) == 1
    db.close()
    output(capsys, "admin", "resume", table[0][0], "--database", database)
    with sqlite3.connect(database) as db:
        assert db.execute("SELECT due_at > 0, attempts FROM tables WHERE state = 'playing'").fetchall() == [(1, 0)]
        assert db.execute("SELECT text, user_id FROM messages ORDER BY id DESC").fetchone() == (str(RESUMED), None)
    db.close()
    assert "There is no paused game" in refused(capsys, "admin", "resume", table[0][0], "--database", database)


def test_key_for_push_messages_fits_the_settings(capsys: Capture) -> None:
    name, _, key = output(capsys, "admin", "vapid-keys").strip().partition("=")
    settings = read_settings({}, {name: key})
    assert settings.vapid_key == key
    assert WebPush(key, "mailto:host@example.org").public_key != WebPush(new_private_key(), "mailto:x@y.org").public_key


def test_some_commands_are_refused_while_a_server_runs(database: str, tmp_path: Path, capsys: Capture) -> None:
    with single_server(database, "http://127.0.0.1:8420/"):
        told = refused(capsys, "admin", "delete-user", "Ann", "--yes", "--database", database)
        assert "already running at http://127.0.0.1:8420/" in told
        output(capsys, "admin", "backup", str(tmp_path / "second.gz"), "--database", database)
        output(capsys, "admin", "export", str(tmp_path / "games.jsonl"), "--database", database)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["admin", "restore", "/nowhere"], "/nowhere cannot be read"),
        (["admin", "backup", "/nowhere/x"], "cannot be written"),
        (["admin", "export", "/nowhere/x"], "/nowhere/x cannot be written"),
        (["admin", "delete-user"], "NAME"),
        (["serve", "--port", "99999"], "--port: 99999"),
        (["serve", "--workers", "2"], "2 processes need PostgreSQL"),
        (["serve", "--host", "no such host"], "--host: unknown address"),
        (["serve", "--log-format", "xml"], "auto, text or json"),
        (["serve", "--database", "mysql://ann:secret@host/x"], "kind of database 'mysql'"),
        (["serve", "--public-url", "example.org"], "'example.org'"),
    ],
)
def test_bad_input_gives_one_clear_line(
    arguments: list[str], says: str, capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "signoria.db").touch()
    monkeypatch.setenv("SIGNORIA_DATABASE", str(tmp_path / "signoria.db"))
    told = refused(capsys, *arguments)
    assert says in told
    assert "secret" not in told


def test_unusable_database_gives_one_clear_line(capsys: Capture, tmp_path: Path) -> None:
    (tmp_path / "signoria.db").write_text("this is no database at all, " * 100)
    told = refused(capsys, "serve", "--port", "0", "--database", str(tmp_path / "signoria.db"))
    assert "not a SQLite database" in told


def test_missing_database_is_an_error(tmp_path: Path, capsys: Capture) -> None:
    missing = tmp_path / "elsewhere" / "signoria.db"
    for command in (("backup", str(tmp_path / "b.gz")), ("export", "-"), ("delete-user", "Ann", "--yes")):
        told = refused(capsys, "admin", *command, "--database", str(missing))
        assert f"There is no database at {missing}" in told.replace("\n", "")
    assert not missing.parent.exists()
    assert not (tmp_path / "b.gz").exists()
