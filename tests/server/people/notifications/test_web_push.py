"""Push endpoints are public HTTPS addresses, also when their names are resolved."""

import asyncio
import socket
from threading import current_thread
from typing import Any

import pytest

from signoria.kernel.errors import BadOption
from signoria.server.errors import BadField
from signoria.server.people.notifications.errors import SendingFailed, SendingRefused
from signoria.server.people.notifications.open_pages import BrowserNote
from signoria.server.people.notifications.web_push import WebPush, check_endpoint, check_keys, is_public
from signoria.store.notifications import PushSubscription
from tests.databases import in_loop
from tests.server.people.notifications.post_office import VAPID_KEY, Browser

CONTACT = "mailto:host@example.org"
NOTE = BrowserNote("u", "turn", "Signoria", "It is your turn.", "/tables/t", "turn:t")


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://push.example.org/x",
        "https://push.example.org:8443/x",
        "https://127.0.0.1/x",
        "https://10.1.2.3/x",
        "https://169.254.169.254/latest/meta-data",
        "https://[::1]/x",
        "https://[::ffff:127.0.0.1]/x",
        "https://0x7f000001/x",
        "https://2130706433/x",
        "https://localhost/x",
        "https://intranet/x",
        "https://db.internal/x",
        "https://user:password@push.example.org/x",
        "ftp://push.example.org/x",
        "https:///x",
        "not an address",
        "https://push.example.org/x\0",
        "https://push.example.org/x\r\nHost: db",
        "https://push.example.org/" + "x" * 1000,
        "https://push.example.org]/x",
        "https://[push.example.org/x",
        "https://push.example.org:/x",
        "https://push.example.org:99999999/x",
        "https://push..example.org/x",
        "https://" + "x" * 64 + ".example.org/x",
        "https://" + "x." * 150 + "org/x",
        "https://pu sh.example.org/x",
        "https://%31%32%37.0.0.1/x",
        "https://127.0.0.0x1/x",
        "https://127.0.0.1./x",
        "https://db.internal./x",
    ],
)
def test_other_endpoints_are_refused(endpoint: str) -> None:
    with pytest.raises(BadField):
        check_endpoint(endpoint)


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://fcm.googleapis.com/fcm/send/x",
        "https://push.example.org:443/x",
        "https://Push.Example.org/x",
        "https://8.8.8.8/x",
    ],
)
def test_endpoints_of_push_services_are_accepted(endpoint: str) -> None:
    assert check_endpoint(endpoint) == endpoint


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("8.8.8.8", True),
        ("192.168.0.1", False),
        ("100.64.0.1", False),
        ("::1", False),
        ("fe80::1%eth0", False),
        ("2001:4860:4860::8888", True),
        ("::ffff:10.0.0.1", False),
        ("224.0.0.1", False),
        ("64:ff9b::808:808", True),
        ("64:ff9b::a00:1", False),
        ("2002:7f00:1::", False),
        ("::127.0.0.1", False),
        ("fec0::1", False),
    ],
)
def test_public_addresses(address: str, public: bool) -> None:
    assert is_public(address) == public


def test_keys_of_a_browser_have_the_right_size() -> None:
    browser = Browser("https://push.example.org/x")
    check_keys(browser.p256dh, browser.auth)
    for p256dh, auth in (
        ("", browser.auth),
        (browser.p256dh, "short"),
        ("é", browser.auth),
        (browser.p256dh + "\0", browser.auth),
        (browser.p256dh, f"{browser.auth[:5]} {browser.auth[5:]}"),
    ):
        with pytest.raises(BadField):
            check_keys(p256dh, auth)


@in_loop
async def test_name_that_resolves_to_a_private_address_is_not_contacted(monkeypatch: pytest.MonkeyPatch) -> None:
    browser, asked = Browser("https://push.example.org/x"), []

    def resolve(host: str, port: int, **_: object) -> list[Any]:
        asked.append((host, current_thread().name.rpartition("_")[0]))
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    async def resolve_for_everyone(*_: object, **__: object) -> None:
        raise AssertionError("a slow name server would hold up the names of the mail server and the database")

    monkeypatch.setattr("socket.getaddrinfo", resolve)
    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", resolve_for_everyone)
    push = WebPush(VAPID_KEY, CONTACT)
    with pytest.raises(SendingFailed):
        await push.send(PushSubscription("p", "u", browser.endpoint, browser.p256dh, browser.auth, 1, "s"), NOTE, "t")
    assert set(asked) == {("push.example.org", "push-names")}
    with pytest.raises(SendingRefused):  # stored before the server had this rule
        await push.send(
            PushSubscription("p", "u", "https://127.0.0.1/x", browser.p256dh, browser.auth, 1, "s"), NOTE, "t"
        )
    threads = push._resolver._threads
    await push.close()
    with pytest.raises(RuntimeError):  # its threads are given back
        threads.submit(print)


@pytest.mark.parametrize(
    ("key", "contact"),
    [("short", CONTACT), (VAPID_KEY, None), (VAPID_KEY, "me"), ("!" * 43, CONTACT)],
    ids=["short key", "no contact", "contact without a scheme", "key of other letters"],
)
def test_wrong_settings_are_refused(key: str, contact: str | None) -> None:
    with pytest.raises(BadOption, match="SIGNORIA_VAPID"):
        WebPush(key, contact)


def test_public_key_fits_the_private_key() -> None:
    assert WebPush(VAPID_KEY, CONTACT).public_key == WebPush(VAPID_KEY, CONTACT).public_key
    assert len(WebPush(VAPID_KEY, CONTACT).public_key) == 87
