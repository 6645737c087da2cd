"""If a database cannot be used, the error says why, without secrets."""

import asyncio
import socket
import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import make_url, text

from signoria.store import database as database_module
from signoria.store.database import Database
from signoria.store.errors import StoreError
from tests.databases import in_loop, opened


async def refused(url: str) -> str:
    with pytest.raises(StoreError) as error:
        await Database(url).start()
    sentence = str(error.value)
    assert "hush" not in sentence
    assert sentence.endswith(".")
    return sentence


@in_loop
async def test_file_that_is_not_a_database(tmp_path: Path) -> None:
    path = tmp_path / "poem.txt"
    path.write_text("Nel mezzo del cammin di nostra vita mi ritrovai per una selva oscura" * 20)
    sentence = await refused(str(path))
    assert str(path) in sentence
    assert "not a SQLite database" in sentence


@in_loop
async def test_folder_instead_of_a_file(tmp_path: Path) -> None:
    assert "the file cannot be opened or created; does its folder exist" in await refused(str(tmp_path))


@in_loop
async def test_folder_that_cannot_be_created(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "cannot be used: its folder cannot be created" in await refused(
        str(tmp_path / "file" / "folder" / "games.db")
    )


@in_loop
async def test_damaged_file(sqlite_url: str) -> None:
    async with opened(sqlite_url):
        pass
    path = Path(sqlite_url)
    content = path.read_bytes()
    path.write_bytes(content[:100] + b"\xff" * (len(content) - 100))
    assert "the file is damaged; restore a backup" in await refused(sqlite_url)


@in_loop
async def test_file_that_another_program_has_locked(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with opened(sqlite_url):
        pass
    monkeypatch.setattr("signoria.store.sqlite.WAIT", 0.05)
    other = sqlite3.connect(sqlite_url, isolation_level=None)
    other.execute("PRAGMA locking_mode = EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    try:
        assert "another program is using it" in await refused(sqlite_url)
    finally:
        other.close()


@in_loop
async def test_server_that_does_not_exist() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    said = await refused(f"postgresql://anna:hush@127.0.0.1:{port}/games")
    assert said.startswith(
        f"The database postgresql://anna:***@127.0.0.1:{port}/games cannot be used: it cannot be reached"
    )


@in_loop
async def test_server_that_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_module, "WAIT", 0.1)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        said = await refused(f"postgresql://anna:hush@127.0.0.1:{silent.getsockname()[1]}/games")
    assert "it does not answer; are host and port right" in said


@in_loop
async def test_wrong_password() -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readexactly(8)  # a request for encryption
        writer.write(b"N")
        await reader.read(1024)
        fields = b"SFATAL\0C28P01\0Mpassword authentication failed for user anna, who said hush\0\0"
        writer.write(b"E" + (len(fields) + 4).to_bytes(4, "big") + fields)
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        assert "wrong user or password" in await refused(f"postgresql://anna:hush@127.0.0.1:{port}/games")


@in_loop
async def test_database_that_does_not_exist(postgres: str) -> None:
    url = make_url(postgres).set(database="nowhere", password="hush").render_as_string(hide_password=False)
    assert "there is no database of that name; create it with createdb" in await refused(url)


@in_loop
async def test_user_that_does_not_exist(postgres_url: str) -> None:
    url = make_url(postgres_url).set(username="stranger", password="hush").render_as_string(hide_password=False)
    assert "the user may not connect from this machine" in await refused(url)


@in_loop
async def test_user_who_may_not_create_tables(bare_postgres_url: str) -> None:
    database = Database(bare_postgres_url)
    async with database.write() as w:
        await w.db.execute(text("DROP ROLE IF EXISTS onlooker"))
        await w.db.execute(text("CREATE ROLE onlooker LOGIN"))
    await database.stop()
    url = make_url(bare_postgres_url).set(username="onlooker", password="hush").render_as_string(hide_password=False)
    assert "the user may not create tables there" in await refused(url)
