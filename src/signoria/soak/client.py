"""A fast HTTP client without a library, from any address of this machine's own network (127.0.0.0/8).

The server counts requests by address, and all of 127.0.0.0/8 is this machine, so every `Client` can have its own.
"""

import asyncio
import ipaddress
from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import urlencode

import msgspec

from signoria.server.bench.client import Answer, Caller

LOOPBACK = ipaddress.ip_network("127.0.0.0/8")
HOME = "127.0.0.1"
PATIENCE = 30.0
"""Seconds after which a missing response is an error."""


RESTART = 300.0
"""Seconds that a server may take to restart, even on a busy machine."""


class NoAnswer(Exception):
    """The server closed the connection, could not be reached, or did not answer in time."""


class Client:
    """A client with one address and its own cookie or token."""

    def __init__(self, port: int, address: str = HOME, patience: float = PATIENCE) -> None:
        if ipaddress.ip_address(address) not in LOOPBACK:
            raise ValueError(f"{address} is not an address of this machine's own network (127.0.0.0/8).")
        self.port, self.address, self.patience = port, address, patience
        self.cookie = ""
        self.token = ""
        self._free: list[Caller] = []

    @property
    def origin(self) -> str:
        """The server's address as a browser sends it."""
        return f"http://{HOME}:{self.port}"

    def head(self, method: str, path: str, headers: Mapping[str, str]) -> bytes:
        """The head of a request."""
        lines = {"Host": f"{HOME}:{self.port}", "Accept-Encoding": "gzip", **headers}
        if self.token:
            lines["Authorization"] = f"Bearer {self.token}"
        elif self.cookie:
            lines["Cookie"] = self.cookie
        said = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        return f"{method} {path} HTTP/1.1\r\n{said}\r\n".encode()

    async def get(self, path: str, **headers: str) -> Answer:
        """Get a page."""
        return await self.ask(self.head("GET", path, headers))

    async def form(self, path: str, fields: Mapping[str, object], *, script: bool = True) -> Answer:
        """Send a form of a page, as its script or as the browser does."""
        body = urlencode({name: str(value) for name, value in fields.items()}).encode()
        headers = {
            "Origin": self.origin,
            "Content-Type": "application/x-www-form-urlencoded",
            "Content-Length": str(len(body)),
            **({"HX-Request": "true"} if script else {}),
        }
        return await self.ask(self.head("POST", path, headers) + body)

    async def send_json(self, path: str, body: Any, method: str = "POST") -> Answer:
        """Send a message to the API; without a body if it is None."""
        packed = b"" if body is None else msgspec.json.encode(body)
        headers = {"Content-Type": "application/json", "Content-Length": str(len(packed)), "Origin": self.origin}
        return await self.ask(self.head(method, path, headers) + packed)

    async def ask(self, request: bytes) -> Answer:
        """Send these bytes and return the response. Raises `NoAnswer`."""
        try:
            async with asyncio.timeout(self.patience):
                caller = await self._caller()
                try:
                    answer = await caller.ask(request)
                except BaseException:
                    caller.close()
                    raise
        except (OSError, ValueError) as error:
            raise NoAnswer(str(error) or type(error).__name__) from error
        except TimeoutError:
            raise NoAnswer(f"no answer in {self.patience:.0f} s") from None
        if answer.header("connection").lower() == "close":
            caller.close()
        else:
            self._free.append(caller)
        if given := answer.header("set-cookie"):
            self.cookie = given.partition(";")[0]
        return answer

    async def _caller(self) -> Caller:
        while self._free:
            caller = self._free.pop()
            if caller.open:
                return caller
        _, caller = await asyncio.get_running_loop().create_connection(
            Caller, HOME, self.port, local_addr=(self.address, 0)
        )
        return caller

    def hang_up(self) -> None:
        """Close idle connections."""
        for caller in self._free:
            caller.close()
        self._free.clear()


async def is_up(port: int) -> bool:
    """Whether the server accepts requests and can use its database."""
    client = Client(port, patience=5.0)
    with suppress(NoAnswer):
        answer = await client.get("/healthz")
        client.hang_up()
        return answer.status == 200
    return False


async def until_up(port: int, patience: float = PATIENCE) -> None:
    """Wait until the server accepts requests; raises `NoAnswer`."""
    try:
        async with asyncio.timeout(patience):
            while not await is_up(port):
                await asyncio.sleep(0.05)
    except TimeoutError:
        raise NoAnswer(f"the server was not up again after {patience:.0f} s") from None
