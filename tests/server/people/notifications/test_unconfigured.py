"""A server without a mail server and a push key does not mention e-mail and push messages."""

import pytest

from signoria.kernel.errors import BadOption
from signoria.server.app import create_app
from signoria.server.settings import Settings
from tests.databases import in_loop
from tests.server.application import arrive, open_app
from tests.server.people.notifications.post_office import VAPID_KEY, Browser


@in_loop
async def test_options_that_the_server_lacks_are_not_shown(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, _):
        anna = await arrive(app, "Anna")
        assert 'id="email"' not in (await anna.look("/account")).text
        assert "/recover" not in (await anna.look("/sign-in")).text
        page = (await anna.look("/account/notifications")).text
        assert "This browser" in page and "When Signoria is closed" not in page and "E-mail" not in page
        for path in ("/recover", "/recover/x", "/mail/confirm/x", "/mail/stop/x"):
            assert (await anna.look(path)).status_code == 404, path
        assert (await anna.send("/account/address", address="anna@example.org")).status_code == 404
        told = (await anna.look("/api/v1/notifications")).json()
        assert (told["channels"], told["push_key"]) == ([], None)
        browser = Browser("https://push.example.org/x")
        keys = {"endpoint": browser.endpoint, "p256dh": browser.p256dh, "auth": browser.auth}
        assert (await anna.client.post("/api/v1/notifications/browsers", json=keys)).status_code == 404


@pytest.mark.parametrize(
    ("settings", "missing"),
    [
        ({"smtp": "smtp://localhost"}, "SIGNORIA_PUBLIC_URL"),
        ({"smtp": "smtp://localhost", "public_url": "https://x.org"}, "SIGNORIA_MAIL_FROM"),
        ({"smtp": "ftp://localhost", "public_url": "https://x.org", "mail_from": "a@x.org"}, "SIGNORIA_SMTP"),
        ({"smtp": "smtp://[localhost", "public_url": "https://x.org", "mail_from": "a@x.org"}, "SIGNORIA_SMTP"),
        ({"vapid_key": VAPID_KEY}, "SIGNORIA_VAPID_CONTACT"),
        ({"vapid_key": "short", "vapid_contact": "mailto:a@x.org"}, "vapid-keys"),
    ],
)
def test_incomplete_settings_are_refused_with_what_is_missing(settings: dict[str, str], missing: str) -> None:
    with pytest.raises(BadOption, match=missing):
        create_app(Settings(**settings))  # type: ignore[arg-type]
