"""A guest sets a password to keep the name and games, and creates a token."""

import re

import httpx
from playwright.sync_api import expect

from tests.e2e.conftest import Arrive
from tests.e2e.servers import SLOW
from tests.e2e.visitors import PATIENCE

PASSWORD = "una parola lunga"


def test_guest_sets_a_password_and_signs_in_again(arrive: Arrive) -> None:
    guest = arrive()
    guest.go("/")
    guest.page.locator("form.patrician button.main").click()
    guest.see("#table")
    table_id = guest.table_id
    guest.go("/account")
    guest.page.get_by_label("Your name at tables").fill(f"Ginevra {table_id[:6]}")
    guest.press("Change")
    guest.see("#notice.good", "Ginevra")
    name = guest.name
    guest.page.locator("#password").fill(PASSWORD)
    guest.press("Create account")
    guest.see("#notice.good", "password")
    guest.press("Sign out")
    guest.see("header", "Sign in")
    assert guest.page.locator("#mine").count() == 0

    elsewhere = arrive()
    elsewhere.go("/sign-in")
    elsewhere.page.get_by_label("Name").fill(name)
    elsewhere.page.get_by_label("Password").fill("no idea at all")
    elsewhere.forgives("status of 4")
    elsewhere.press("Sign in")
    elsewhere.see("#notice", re.compile("password", re.IGNORECASE))
    assert elsewhere.page.get_by_label("Name").input_value() == name
    elsewhere.page.get_by_label("Password").fill(PASSWORD)
    elsewhere.press("Sign in")
    elsewhere.see("header", name)
    elsewhere.see(f"#mine a[href='/tables/{table_id}']")
    elsewhere.go(f"/tables/{table_id}")
    elsewhere.see("#table #hand")


def test_token_works_until_it_is_revoked(arrive: Arrive) -> None:
    guest = arrive()
    guest.go("/")
    guest.page.locator("form.il-principe button.main").click()
    guest.see("#table")
    guest.go("/account")
    guest.page.get_by_label("Name of the token").fill("a bot of mine")
    guest.press("Create token")
    token = guest.page.locator("#fresh").input_value()
    assert _me(guest.address, token).json()["name"] == guest.name
    guest.go("/account")
    assert token not in guest.page.content()
    guest.see("#account", "a bot of mine")
    guest.page.get_by_role("button", name="Revoke a bot of mine").click()
    expect(guest.page.get_by_text("a bot of mine")).to_have_count(0, timeout=PATIENCE)
    assert _me(guest.address, token).status_code == 401


def _me(address: str, token: str) -> httpx.Response:
    """The person a token belongs to."""
    return httpx.get(f"{address}/api/v1/me", headers={"Authorization": f"Bearer {token}"}, timeout=SLOW)
