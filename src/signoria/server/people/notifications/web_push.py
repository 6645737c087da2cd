"""Push messages to browsers (RFC 8030, 8291, 8292): checking endpoints, encrypting and sending.

A browser names the address of its push service, so anyone can make this server send a request there. Only HTTPS to public
addresses is allowed. The address is checked when the name is resolved for the connection, so that a name cannot change
in between. Redirects are not followed.
"""

import asyncio
import base64
import hashlib
import ipaddress
import re
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib.util import find_spec
from typing import Any
from urllib.parse import urlsplit

import msgspec

from signoria.kernel.errors import BadOption
from signoria.kernel.language import say
from signoria.server.errors import BadField
from signoria.server.people.notifications.errors import SendingFailed, SendingRefused, TargetGone
from signoria.store.notifications import PushSubscription

LONGEST_ENDPOINT = 1000
KEY_BYTES, SECRET_BYTES = 65, 16
"""Sizes of a browser's public key and secret."""
URL_SAFE = str.maketrans("-_", "+/")
"""Letters of base64 in addresses, and those that stand for them elsewhere."""
KEY_LETTERS = 43
"""Characters of the server's private key: 32 bytes in base64."""
TIMEOUT = 10.0
"""Seconds that a push service may take."""
RESOLVING = 4
"""Names of push services resolved at the same time."""
KEPT = 2 * 24 * 3600
"""Seconds for which a push service keeps a message for a browser that is off."""
LASTS = 12 * 3600
"""Seconds for which a signature is valid."""
GONE = (404, 410)
_LABEL = "[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
HOST_NAME = re.compile(rf"(?=.{{1,253}}$)(?:{_LABEL}\.)+(?=[a-z]){_LABEL}")
"""The name of a public host. An IP address in any notation is none: its last part begins with a digit."""
NOT_PUBLIC = (".local", ".internal", ".localhost")
TRANSLATED, ASSIGNED = ipaddress.ip_network("64:ff9b::/96"), ipaddress.ip_network("2000::/3")
"""IPv6 networks: IPv4 addresses behind a translator (RFC 6052), and what is in use on the public internet."""


def is_public(host: str) -> bool:
    """Whether an IP address belongs to the public internet. An IPv4 address inside an IPv6 address is looked at too."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    if isinstance(address, ipaddress.IPv6Address):
        within = address.ipv4_mapped or address.sixtofour
        if address in TRANSLATED:
            within = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if within is not None:
            return is_public(str(within))
        if address not in ASSIGNED:
            return False
    return address.is_global and not address.is_multicast


def check_endpoint(endpoint: str, *, private: bool = False) -> str:
    """The address of a push service; raises `BadField` unless it is HTTPS to a public host.

    With `private`, for tests, any address is allowed.
    """
    try:
        parts = urlsplit(endpoint)
        port = parts.port
    except ValueError:
        raise _not_an_endpoint() from None
    host = parts.hostname or ""
    if (
        len(endpoint) > LONGEST_ENDPOINT
        or not host
        or parts.username is not None
        or parts.netloc.endswith(":")
        or not (endpoint.isascii() and endpoint.isprintable())
    ):
        raise _not_an_endpoint()
    if private:
        return endpoint
    if parts.scheme != "https" or port not in (None, 443):
        raise BadField("endpoint", say("endpoint: a push service must use HTTPS on the usual port."))
    named = HOST_NAME.fullmatch(host) is not None and not host.endswith(NOT_PUBLIC)
    if not named and not is_public(host):
        raise BadField("endpoint", say("endpoint: a push service must have a public address."))
    return endpoint


def _not_an_endpoint() -> BadField:
    return BadField("endpoint", say("endpoint: this is not the address of a push service."))


def check_keys(p256dh: str, auth: str) -> None:
    """Check the keys of a browser; raises `BadField`."""
    for field, value, size in (("p256dh", p256dh, KEY_BYTES), ("auth", auth, SECRET_BYTES)):
        try:
            wrong = len(_decoded(value)) != size
        except ValueError:
            wrong = True
        if wrong:
            raise BadField(f"keys.{field}", say("{field}: this is not a key of a browser.", field=f"keys.{field}"))


def _decoded(value: str) -> bytes:
    standard = value.translate(URL_SAFE) + "=" * (-len(value) % 4)
    return base64.b64decode(standard, validate=True)


def _encoded(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def new_private_key() -> str:
    """A new private key for push messages."""
    from py_vapid import Vapid02  # type: ignore[import-untyped]  # an optional dependency

    vapid = Vapid02()
    vapid.generate_keys()
    return _encoded(vapid.private_key.private_numbers().private_value.to_bytes(32, "big"))


class WebPush:
    """Encrypts push messages, signs them and sends them."""

    def __init__(self, key: str, contact: str | None, *, private: bool = False) -> None:
        """Raises `BadOption` if a setting is missing or wrong."""
        if find_spec("pywebpush") is None:
            raise BadOption(
                say("SIGNORIA_VAPID_KEY needs the package pywebpush: pip install 'signoria[notifications]'.")
            )
        if not (contact or "").startswith(("mailto:", "https://")):
            raise BadOption(
                say("SIGNORIA_VAPID_KEY also needs SIGNORIA_VAPID_CONTACT; example: mailto:host@example.org.")
            )
        from py_vapid import Vapid02

        not_a_key = BadOption(say("SIGNORIA_VAPID_KEY is not a key; `signoria admin vapid-keys` makes one."))
        if len(key) != KEY_LETTERS:
            raise not_a_key
        try:
            self._vapid = Vapid02.from_raw(key.encode())
        except Exception:  # its libraries raise different errors for a text that is not a key
            raise not_a_key from None
        self._contact, self._private = contact, private
        self._session: Any = None
        self._resolver: Any = None
        self.public_key = self._public_key()

    def _public_key(self) -> str:
        """The public key, as browsers want it."""
        numbers = self._vapid.public_key.public_numbers()
        return _encoded(b"\x04" + numbers.x.to_bytes(32, "big") + numbers.y.to_bytes(32, "big"))

    def check(self, endpoint: str) -> str:
        """The address of a push service; raises `BadField` if it is not allowed."""
        return check_endpoint(endpoint, private=self._private)

    async def send(self, browser: PushSubscription, message: msgspec.Struct, topic: str) -> None:
        """Send a message to a browser; raises `TargetGone`, `SendingFailed` or `SendingRefused`.

        A later message with the same topic replaces it while the browser is off.
        """
        import aiohttp
        from pywebpush import WebPusher  # type: ignore[import-untyped]

        try:
            self.check(browser.endpoint)
            keys = {"p256dh": browser.p256dh, "auth": browser.auth}
            pusher = WebPusher({"endpoint": browser.endpoint, "keys": keys})
            body = pusher.encode(msgspec.json.encode(message), content_encoding="aes128gcm")["body"]
        except (BadField, ValueError) as error:
            raise SendingRefused(str(error)) from None
        headers = self._signed(browser.endpoint) | {
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(KEPT),
            "Urgency": "high",
            "Topic": hashlib.sha256(topic.encode()).hexdigest()[:32],
        }
        try:
            async with self._opened().post(
                browser.endpoint, data=body, headers=headers, allow_redirects=False
            ) as answer:
                status = answer.status
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            raise SendingFailed(f"The push service could not be reached: {type(error).__name__}.") from None
        except ValueError as error:  # no library can read this address
            raise SendingRefused(f"The push service cannot be reached: {type(error).__name__}.") from None
        if status in GONE:
            raise TargetGone("The browser has cancelled its subscription.")
        if status == 429 or status >= 500:
            raise SendingFailed(f"The push service answered with {status}.")
        if status >= 300:
            raise SendingRefused(f"The push service answered with {status}.")

    def _signed(self, endpoint: str) -> dict[str, str]:
        parts = urlsplit(endpoint)
        claims = {"sub": self._contact, "aud": f"{parts.scheme}://{parts.netloc}", "exp": int(time.time()) + LASTS}
        signed: dict[str, str] = self._vapid.sign(claims)
        return signed

    def _opened(self) -> Any:
        """The HTTP client, which connects only to public addresses."""
        import aiohttp

        if self._session is None:
            resolver = self._resolver = None if self._private else _public_resolver()
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(resolver=resolver, limit=8, force_close=True),
                timeout=aiohttp.ClientTimeout(total=TIMEOUT),
                cookie_jar=aiohttp.DummyCookieJar(),
                trust_env=False,
            )
        return self._session

    async def close(self) -> None:
        """Close all connections."""
        if self._session is not None:
            await self._session.close()
            self._session = None
        if self._resolver is not None:
            await self._resolver.close()
            self._resolver = None


def _public_resolver() -> Any:
    """Resolves names, but only to public addresses."""
    from aiohttp.abc import AbstractResolver, ResolveResult

    class PublicResolver(AbstractResolver):
        """Resolves names, but only to public addresses.

        It has threads of its own: a name server may take as long as it likes, and the rest of the program must be able to
        resolve names meanwhile, such as that of the mail server.
        """

        def __init__(self) -> None:
            self._threads = ThreadPoolExecutor(RESOLVING, "push-names")

        async def resolve(
            self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
        ) -> list[ResolveResult]:
            """The public addresses of a name; raises `OSError` if there are none."""
            asked = partial(socket.getaddrinfo, host, port, family=family, type=socket.SOCK_STREAM)
            infos = await asyncio.get_running_loop().run_in_executor(self._threads, asked)
            found = [
                ResolveResult(
                    hostname=host,
                    host=str(address[0]),
                    port=port,
                    family=kind,
                    proto=proto,
                    flags=socket.AI_NUMERICHOST | socket.AI_NUMERICSERV,
                )
                for kind, _, proto, _, address in infos
                if is_public(str(address[0]))
            ]
            if not found:
                raise OSError(f"{host} has no public address")
            return found

        async def close(self) -> None:
            """Wait for no name any more."""
            self._threads.shutdown(wait=False, cancel_futures=True)

    return PublicResolver()
