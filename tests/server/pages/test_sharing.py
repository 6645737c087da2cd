"""Sharing: pictures, what other sites show of a link, and replays in pages of other sites."""

import asyncio
import re
import struct
from random import Random

import pytest

from signoria.server.errors import TooMany
from signoria.server.pages import pictures, sharing
from signoria.server.pages.pictures import Pictures
from signoria.web.kit.preview import HEIGHT, WIDTH, Preview, PreviewSeat, draw_preview
from signoria.web.kit.rasterize import as_png
from tests.databases import in_loop
from tests.server.application import Person, arrive, open_app
from tests.server.services import a_table, play


def size_of(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def shared(page: str) -> dict[str, str]:
    """What other sites show of a page."""
    return dict(re.findall(r'<meta property="og:(\S+)" content="([^"]*)">', page))


@in_loop
@pytest.mark.parametrize("game", ["patrician", "il-principe"])
async def test_finished_game_has_a_picture_of_every_position(sqlite_url: str, game: str) -> None:
    async with open_app(sqlite_url, pace=60_000) as (app, service):
        anna, bruno = await arrive(app, "Anna"), await arrive(app, "Bruno")
        assert anna.user and bruno.user
        room = await a_table(service, anna.user, bruno.user, game=game)
        await play(service, room, Random(1))
        visitor, here = Person(app, None, None), f"/tables/{room.row.id}"
        end = await visitor.look(f"{here}/picture.svg")
        assert end.headers["content-type"] == "image/svg+xml"
        points = [score["total"] for score in (room.row.result or {})["scores"]]
        assert "Anna" in end.text and all(f">{one}</text>" in end.text for one in points)
        assert "wins" in end.text or "share the win" in end.text
        middle = await visitor.look(f"{here}/replay/8/picture.svg")
        assert middle.text != end.text and "wins" not in middle.text
        place = "Bologna"  # on both maps
        assert f">{place}</text>" in middle.text and f">{place}</text>" not in end.text  # the board, the chart
        seconds = [await visitor.look(f"{here}/replay/{n}/picture.svg") for n in (8, 9)]
        assert seconds[0].text == middle.text != seconds[1].text
        png = await visitor.look(f"{here}/replay/8/picture.png")
        assert size_of(png.content) == (WIDTH, HEIGHT)
        assert png.headers["cross-origin-resource-policy"] == "cross-origin"
        assert "max-age=86400" in png.headers["cache-control"]
        assert (await visitor.look(f"{here}/replay/999999/picture.png")).status_code in (404, 422)
        assert (await visitor.look(f"{here}/picture.gif")).status_code == 404


@in_loop
async def test_picture_of_a_game_in_play_shows_no_points(sqlite_url: str) -> None:
    async with open_app(sqlite_url, pace=60_000) as (app, service):
        anna, bruno = await arrive(app, "Anna"), await arrive(app, "Bruno")
        assert anna.user and bruno.user
        room = await a_table(service, anna.user, bruno.user)
        await play(service, room, Random(1), until_n=12)
        drawn = (await anna.look(f"/tables/{room.row.id}/picture.svg")).text
        assert "Anna" in drawn and 'x="590"' not in drawn and 'x="408"' not in drawn
        assert ">Roma</text>" in drawn and drawn == (await bruno.look(f"/tables/{room.row.id}/picture.svg")).text
        assert (await anna.look(f"/tables/{room.row.id}/replay/3/picture.svg")).status_code == 409


@in_loop
async def test_pages_draw_no_picture(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """They only name it: drawing it takes longer than the rest of a page."""
    drawn: list[object] = []
    monkeypatch.setattr(sharing, "preview_of", lambda *given: drawn.append(given))
    async with open_app(sqlite_url, pace=60_000) as (app, service):
        anna, bruno = await arrive(app, "Anna"), await arrive(app, "Bruno")
        assert anna.user and bruno.user
        room = await a_table(service, anna.user, bruno.user)
        await play(service, room, Random(1), until_n=12)
        here = f"/tables/{room.row.id}"
        assert "Waiting for" in shared((await anna.look(here)).text)["description"]
        await play(service, room, Random(1))
        assert shared((await anna.look(f"{here}/replay/8")).text)["image"].endswith("/replay/8/picture.png")
        assert drawn == []


@in_loop
async def test_links_have_previews(sqlite_url: str) -> None:
    async with open_app(sqlite_url, pace=60_000, public_url="https://games.example.org") as (app, service):
        anna, bruno = await arrive(app, "Anna"), await arrive(app, "Bruno")
        anna.client.headers["origin"] = "https://games.example.org"
        assert anna.user and bruno.user
        room = await a_table(service, anna.user, bruno.user)
        await play(service, room, Random(1))
        visitor, here = Person(app, None, None), f"/tables/{room.row.id}"
        told = shared((await visitor.look(here)).text)
        assert told["image"] == f"https://games.example.org{here}/picture.png"
        assert told["url"] == f"https://games.example.org{here}" and "win" in told["description"]
        assert told["title"] == "Patrician · Signoria"
        page = (await visitor.look(f"{here}/replay/5")).text
        assert shared(page)["image"] == f"https://games.example.org{here}/replay/5/picture.png"
        assert f"https://games.example.org/embed/{room.row.id}/5" in page
        chairs = {"seat-0": "me", "seat-1": "open"}
        opened = await anna.send("/tables", game="patrician", seats=2, clock=0, access="invited", **chairs)
        link = re.search(
            r'value="https://games.example.org(/invited/[^"]+)"', (await anna.look(opened.headers["location"])).text
        )
        assert link
        told = shared((await visitor.look(link[1])).text)
        assert told["description"] == "Anna invites you to a game." and told["url"].endswith(link[1])


@in_loop
async def test_replay_can_be_embedded_and_nothing_else(sqlite_url: str) -> None:
    async with open_app(sqlite_url, pace=60_000) as (app, service):
        anna, bruno = await arrive(app, "Anna"), await arrive(app, "Bruno")
        assert anna.user and bruno.user
        room = await a_table(service, anna.user, bruno.user)
        await play(service, room, Random(1))
        frame = await anna.look(f"/embed/{room.row.id}/4")
        assert "frame-ancestors *" in frame.headers["content-security-policy"]
        assert "form-action 'none'" in frame.headers["content-security-policy"]
        assert "<form" not in frame.text and "/account" not in frame.text and "<script" not in frame.text
        assert f'href="/embed/{room.row.id}/5"' in frame.text
        replay = await anna.look(f"/tables/{room.row.id}/replay/4")
        assert "frame-ancestors 'none'" in replay.headers["content-security-policy"]
        going_on = await a_table(service, anna.user, bruno.user)
        assert (await anna.look(f"/embed/{going_on.row.id}/0")).status_code == 409


def test_names_are_escaped_and_shortened_in_pictures() -> None:
    seat = PreviewSeat("A", "#000", "#fff", "<b>" + "x" * 40, 5, True)
    drawn = draw_preview(Preview("Game & more", "It <ends>.", (seat,), ((0,), (3,), (5,))))
    assert "<b>" not in drawn and "&lt;b&gt;" in drawn and "…" in drawn
    assert size_of(as_png(drawn)) == (WIDTH, HEIGHT)


@in_loop
async def test_picture_is_drawn_once_and_only_so_many_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn, go_on = [], asyncio.Event()

    async def slowly(svg: str) -> bytes:
        drawn.append(svg)
        await go_on.wait()
        return svg.encode()

    monkeypatch.setattr(pictures, "_rasterized", slowly)
    found = Pictures()
    texts = ["same", *(f"svg {n}" for n in range(pictures.MOST_WAITING)), "same"]
    asked = [asyncio.create_task(found.as_png(text)) for text in texts]
    await asyncio.sleep(0)
    with pytest.raises(TooMany):
        await found.as_png("one more")
    go_on.set()
    assert await asyncio.gather(*asked) == [text.encode() for text in texts]
    assert drawn.count("same") == 1
    assert await found.as_png("same") == b"same" and drawn.count("same") == 1


@in_loop
async def test_addresses_share_the_time_for_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn, go_on = list[str](), asyncio.Semaphore(0)

    async def slowly(svg: str) -> bytes:
        drawn.append(svg)
        await go_on.acquire()
        return svg.encode()

    monkeypatch.setattr(pictures, "_rasterized", slowly)
    found, most = Pictures(), pictures.MOST_WAITING
    asked = [asyncio.create_task(found.as_png(f"a{n}", "10.0.0.1")) for n in range(most + 1)]
    await asyncio.sleep(0)
    others = [asyncio.create_task(found.as_png(text, "10.0.0.2")) for text in ("b", f"a{most - 1}")]
    await asyncio.sleep(0)
    for _ in range(most + 1):
        go_on.release()
    assert await asyncio.gather(*others) == [b"b", f"a{most - 1}".encode()]
    assert drawn[:2] == ["a0", "b"]
    answers = await asyncio.gather(*asked, return_exceptions=True)
    assert [n for n, one in enumerate(answers) if isinstance(one, TooMany)] == [most]
    assert drawn.count(f"a{most - 1}") == 1


@in_loop
async def test_picture_that_nobody_waits_for_is_not_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn, ended = list[str](), list[str]()

    async def forever(svg: str) -> bytes:
        drawn.append(svg)
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(svg)
        return b""

    monkeypatch.setattr(pictures, "_rasterized", forever)
    found = Pictures()
    first, second, third, again = [asyncio.create_task(found.as_png(text)) for text in ("1", "2", "3", "3")]
    await asyncio.sleep(0.01)
    assert drawn == ["1"]
    for task in (second, first, again):
        task.cancel()
        await asyncio.wait((task,))
    await asyncio.sleep(0.01)
    assert (drawn, ended) == (["1", "3"], ["1"])
    third.cancel()
    await asyncio.wait((third,))
    fourth, fifth = [asyncio.create_task(found.as_png(text)) for text in ("4", "5")]
    await asyncio.sleep(0)
    fourth.cancel()  # when it is about to begin
    await asyncio.sleep(0.01)
    assert drawn[-1] == "5"
    fifth.cancel()
    await asyncio.wait((fourth, fifth))


@in_loop
async def test_picture_that_cannot_be_drawn_says_so() -> None:
    with pytest.raises(RuntimeError, match="could not be drawn"):
        await Pictures().as_png("this is no SVG")


@in_loop
async def test_picture_that_takes_too_long_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "SECONDS", 0.0)
    with pytest.raises(TooMany, match="too many pictures"):
        await Pictures().as_png("<svg/>")
