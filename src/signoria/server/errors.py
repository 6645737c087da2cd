"""Errors of requests. Each class has an HTTP status; its text is a sentence for people."""

import re
from typing import ClassVar

import msgspec

from signoria.kernel.errors import SignoriaError
from signoria.kernel.language import say, to_say

AT_FIELD = re.compile(r"^(?P<says>.*) - at `\$\.?(?P<field>[^`]*)`$", re.DOTALL)
NAMED = re.compile(r"(?:required|unknown) field `(?P<name>[^`]*)`")


class ServerError(SignoriaError):
    """A request that the server refuses."""

    status: ClassVar[int] = 400
    title: ClassVar[str] = to_say("Not possible")
    headers: ClassVar[dict[str, str]] = {}
    """Additional headers of the response. If the rest of a request is not read, the connection is closed."""

    def __init__(self, sentence: str, *, field: str | None = None, possible: str | None = None) -> None:
        super().__init__(sentence)
        self.field = field
        """The name of the wrong field in the form or message."""
        self.possible = possible
        """What is possible instead, if the sentence does not say it."""


class SignInFirst(ServerError):
    """Only for signed-in people and guests."""

    status = 401
    title = to_say("Sign in first")


class NotAllowed(ServerError):
    """A request by a person who may not make it."""

    status = 403
    title = to_say("Not allowed")


class NotFound(ServerError):
    """There is no such page, table or other item, or this person may not see it."""

    status = 404
    title = to_say("Not found")


class Conflict(ServerError):
    """Not possible in the current state, perhaps because another request came first."""

    status = 409
    title = to_say("Not possible right now")


class OtherRules(Conflict):
    """A game of another version of the rules, whose moves are not legal in the versions that this server knows."""

    title = to_say("Unknown version of the rules")


class StaleVersion(Conflict):
    """A step for an earlier position."""

    title = to_say("The game has moved on")

    def __init__(self, sentence: str | None = None, n: int | None = None) -> None:
        super().__init__(sentence or say("The game has moved on. This is the current position."), field="n")
        self.n = n
        """The current number of steps, if it is useful."""


class NotSure(Conflict):
    """A step that ends the turn or cannot be undone, by a player who wants to confirm such steps."""

    title = to_say("Are you sure?")


class RequestTimeout(ServerError):
    """A request that did not arrive completely in time."""

    status = 408
    title = to_say("Request timeout")
    headers: ClassVar = {"Connection": "close"}


class TooLarge(ServerError):
    """A request larger than the limit."""

    status = 413
    title = to_say("Request too large")
    headers: ClassVar = {"Connection": "close"}


class BadField(ServerError):
    """A field with an invalid value."""

    status = 422
    title = to_say("Invalid input")

    def __init__(self, field: str, sentence: str, *, possible: str | None = None) -> None:
        super().__init__(sentence, field=field, possible=possible)


class TooMany(ServerError):
    """Too many requests, or too many of something."""

    status = 429
    title = to_say("Too many requests")

    def __init__(self, sentence: str, retry_after: float | None = None) -> None:
        super().__init__(sentence)
        self.retry_after = retry_after
        """Seconds until it can be tried again; None if waiting does not help."""


class Unavailable(ServerError):
    """The server cannot answer at the moment."""

    status = 503
    title = to_say("Temporarily unavailable")

    def __init__(self, sentence: str, retry_after: float | None = None) -> None:
        super().__init__(sentence)
        self.retry_after = retry_after


def bad_field(error: msgspec.ValidationError) -> BadField:
    """A sentence that says which field of a message is wrong, and why."""
    found = AT_FIELD.match(str(error))
    says, where = (found["says"], found["field"]) if found else (str(error), "")
    if named := NAMED.search(says):
        where = f"{where}.{named['name']}" if where else named["name"]
        says = say("unknown field") if "unknown" in says else say("is missing")
    where = where[:120] or say("(the whole message)")
    return BadField(where, say("{where}: {says}.", where=where, says=says.replace("`", "")[:300]))
