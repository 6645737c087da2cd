"""Joining and leaving a table: through the lobby, by invitation, temporarily and for good."""

import random

from tests.e2e.conftest import Arrive
from tests.e2e.visitors import Visitor

SIT = """id => fetch(`/tables/${id}/sit`, { method: "POST", body: new URLSearchParams({ seat: "1" }) })
  .then(answer => answer.status)"""


def test_only_an_invited_guest_can_sit_down(arrive: Arrive) -> None:
    host, guest, stranger = arrive(), arrive(), arrive()
    stranger.go("/")
    table_id = host.open_table("il-principe", "me", "open", access="invited")
    invitation = host.page.locator("#invitation").input_value()
    assert invitation.startswith(f"{host.address}/invited/")

    stranger.go(f"/tables/{table_id}")
    stranger.see("#waiting")
    assert stranger.page.get_by_text("Sit here").count() == 0
    assert invitation.rpartition("/")[2] not in stranger.page.content()
    stranger.forgives("status of 403")
    assert stranger.page.evaluate(SIT, table_id) == 403

    guest.go(invitation)
    guest.see("h1", "You are invited to Il Principe")
    guest.page.get_by_label("Your name").fill("Lucrezia")
    guest.press("Sit here")
    guest.see("#waiting", "Lucrezia")
    assert guest.name == "Lucrezia"
    host.see("#waiting", "Lucrezia")
    host.press("Start the game")
    for visitor in (host, guest):
        visitor.see("#table.is-playing #hand")
    stranger.see("#table.is-playing")
    assert stranger.page.locator("#hand").count() == 0


def test_lobby_updates_open_and_playing_tables_live(arrive: Arrive) -> None:
    host, other = arrive(), arrive()
    other.go("/")
    other.see("#open")
    table_id = host.open_table("patrician", "me", "open", ambassadors=True, clock="600")
    line = other.see(f"#open li:has(a[href='/tables/{table_id}'])", "Ambassadors")
    assert host.name in line.inner_text()
    host.press("Fill and start")
    other.see(f"#running li:has(a[href='/tables/{table_id}'])")
    assert other.page.locator(f"#open a[href='/tables/{table_id}']").count() == 0
    other.page.locator(f"#running a[href='/tables/{table_id}'].button").click()
    other.see("#table.is-playing #board")
    assert other.page.locator("#hand").count() == 0


def test_bot_plays_for_a_player_who_leaves_or_resigns(arrive: Arrive) -> None:
    host, guest = arrive(), arrive()
    guest.go(f"/tables/{host.open_table('patrician', 'me', 'open')}")
    guest.press("Sit here")
    host.press("Start the game")
    host.see("#table.is-playing #hand")
    host.press("Take a break")
    guest.see("#chat", f"{host.name} left")
    guest.see("#players", "away")
    guest.see("#table.my-turn")
    _whole_turn(guest)
    guest.see("#table.my-turn")  # the bot has moved
    host.press("Take my seat back")
    guest.see("#chat", f"{host.name} is back")
    _whole_turn(guest)
    host.see("#table.my-turn")
    host.press("Resign")
    host.press("Yes, resign")
    guest.see("#players", "resigned")
    guest.see("#table.my-turn")
    assert host.page.get_by_text("Take my seat back").count() == 0


def _whole_turn(visitor: Visitor) -> None:
    """Play until it is the other player's turn."""
    dice, turns = random.Random(6), visitor.page.locator(".facts-line")
    visitor.see("#table.my-turn")
    before = turns.inner_text()
    while visitor.page.locator("#table.my-turn").count() and turns.inner_text() == before:
        visitor.step(dice)


def test_page_keeps_working_when_a_chat_author_deletes_their_account(arrive: Arrive) -> None:
    host, guest = arrive(), arrive()
    guest.go(f"/tables/{host.open_table('patrician', 'me', 'open')}")
    guest.press("Sit here")
    host.press("Start the game")
    for visitor in (host, guest):
        visitor.see("#table.is-playing #hand")
    guest.page.locator("#chat-text").fill("Arrivederci")
    guest.page.locator("#chat-text").press("Enter")
    host.see("#chat", "Arrivederci")
    guest.go("/")
    guest.page.evaluate("() => fetch('/account/delete', { method: 'POST' })")
    host.page.locator("#chat", has_text="Arrivederci").wait_for(state="detached")
    host.see("#table.my-turn")
    host.follows(host.step(random.Random(5)))
