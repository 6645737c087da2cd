"""Texts that people write for others: messages and reports."""

import pytest

from signoria.server.errors import BadField
from signoria.server.people.texts import MOST_MARKS, readable
from signoria.server.play import table_chat
from tests.databases import in_loop
from tests.server.application import arrive, open_app
from tests.server.people.test_friends import make_moderator
from tests.server.services import a_table

REORDERING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("moc.elpmaxe\u202e tahc", "moc.elpmaxe tahc"),
        (REORDERING, ""),
        ("שלום Anna", "שלום Anna"),
        ("\u200fשלום\u200e 5", "\u200fשלום\u200e 5"),
        ("e" + "\u0301" * 300 + "!", "e" + "\u0301" * MOST_MARKS + "!"),
        ("👩\u200d🌾 \u2764\ufe0f", "👩\u200d🌾 \u2764\ufe0f"),
        ("नमस्ते", "नमस्ते"),
    ],
)
def test_text_is_shown_as_it_is_written(typed: str, shown: str) -> None:
    assert readable(typed) == shown


@in_loop
async def test_message_and_report_cannot_change_the_direction_of_the_text_around_them(sqlite_url: str) -> None:
    async with open_app(sqlite_url, pace=60_000) as (app, service):
        anna, bruno, host = [await arrive(app, name) for name in ("Anna", "Bruno", "Carla")]
        assert anna.user and bruno.user
        await make_moderator(service, host)
        room = await a_table(service, anna.user, bruno.user)
        here = f"/tables/{room.row.id}"
        await bruno.send(f"{here}/chat", text=f"hello {REORDERING}you")
        assert "<bdi>hello you</bdi>" in (await anna.look(here)).text
        assert (await bruno.call(f"/api/v1{here}/chat", text="a\u202eb")).json()["text"] == "ab"
        with pytest.raises(BadField, match="empty"):
            await table_chat.say(service, room, bruno.user, REORDERING)
        await anna.send(
            "/people/Bruno/report", text="He\u202e insulted me.", table=room.row.id, message=room.messages[0].id
        )
        page = (await host.look("/moderation")).text
        assert '<blockquote dir="auto">He insulted me.</blockquote>' in page and "<q><bdi>hello you</bdi></q>" in page
        assert not any(letter in page for letter in REORDERING)
