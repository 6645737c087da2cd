"""A real mail server and a real push service in this process, for tests."""

import base64
import os
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

import http_ece  # type: ignore[import-untyped]
import msgspec
from aiohttp import web
from aiosmtpd.controller import Controller
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from signoria.server.people.notifications.web_push import new_private_key

SITE = "https://games.example.org"
TRIES = 20
VAPID_KEY = new_private_key()


class Mailbox:
    """What the mail server has received."""

    def __init__(self) -> None:
        self.received: list[EmailMessage] = []
        self.answers: list[str] = []
        """Answers instead of accepting a message, used one after another."""

    async def handle_RCPT(self, _server: Any, _session: Any, envelope: Any, address: str, _options: Any) -> str:  # noqa: N802
        if self.answers:
            return self.answers.pop(0)
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802
        message = message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(message, EmailMessage)
        self.received.append(message)
        return "250 OK"

    def last(self) -> str:
        """The text of the last message."""
        return text_of(self.received[-1])


def text_of(message: EmailMessage) -> str:
    body = message.get_body()
    assert body is not None
    return str(body.get_content())


def _started(mailbox: Mailbox) -> tuple[Controller, int]:
    """A mail server on a free port; another program may take a port that was free a moment ago."""
    for _ in range(TRIES):
        with socket.create_server(("127.0.0.1", 0)) as found:
            port = found.getsockname()[1]
        controller = Controller(mailbox, hostname="127.0.0.1", port=port)
        with suppress(OSError):
            controller.start()
            return controller, port
    raise AssertionError("no port is free")


@contextmanager
def mail_server() -> Iterator[tuple[Mailbox, dict[str, Any]]]:
    """A mail server, and the settings of a server that uses it."""
    mailbox = Mailbox()
    controller, port = _started(mailbox)
    try:
        yield (
            mailbox,
            {
                "smtp": f"smtp://127.0.0.1:{port}",
                "mail_from": "Signoria <games@example.org>",
                "public_url": SITE,
            },
        )
    finally:
        controller.stop()


class Browser:
    """A browser with keys, which decrypts what its push service receives."""

    def __init__(self, address: str) -> None:
        self._key, self._secret = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)
        public = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.endpoint, self.p256dh, self.auth = address, _encoded(public), _encoded(self._secret)

    def read(self, body: bytes) -> dict[str, Any]:
        plain = http_ece.decrypt(body, private_key=self._key, auth_secret=self._secret, version="aes128gcm")
        return dict(msgspec.json.decode(plain))


def _encoded(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


class PushService:
    """What the push service has received: headers and encrypted bodies."""

    def __init__(self) -> None:
        self.received: list[tuple[str, dict[str, str], bytes]] = []
        self.statuses: list[int] = []
        """Answers instead of 201, used one after another."""
        self.address = ""

    async def take(self, request: web.Request) -> web.Response:
        status = self.statuses.pop(0) if self.statuses else 201
        body = await request.read()
        if status == 201:
            self.received.append((request.path, dict(request.headers), body))
        return web.Response(status=status, headers={"Location": "http://127.0.0.1:1/"} if status == 302 else {})


@asynccontextmanager
async def push_service() -> AsyncIterator[tuple[PushService, dict[str, Any]]]:
    """A push service, and the settings of a server that may use it."""
    service, app = PushService(), web.Application()
    app.router.add_post("/{path:.*}", service.take)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        service.address = f"http://127.0.0.1:{runner.addresses[0][1]}"
        yield service, {"vapid_key": VAPID_KEY, "vapid_contact": "mailto:host@example.org", "push_private": True}
    finally:
        await runner.cleanup()
