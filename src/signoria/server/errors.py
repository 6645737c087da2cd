"""Errors that requests are answered with. Each class knows its HTTP status; its text is a sentence for people."""

import re
from typing import ClassVar

import msgspec

from signoria.kernel.errors import SignoriaError

AT_FIELD = re.compile(r"^(?P<says>.*) - at `\$\.?(?P<field>[^`]*)`$", re.DOTALL)
NAMED = re.compile(r"(?:required|unknown) field `(?P<name>[^`]*)`")


class ServerError(SignoriaError):
    """Something that a request asked for and does not get."""

    status: ClassVar[int] = 400
    title: ClassVar[str] = "That cannot be done"
    headers: ClassVar[dict[str, str]] = {}
    """What the answer says besides. Where the rest of a message is not read, the connection ends with it."""

    def __init__(self, sentence: str, *, field: str | None = None, possible: str | None = None) -> None:
        super().__init__(sentence)
        self.field = field
        """The field of the form or of the message that is wrong, as it is called there."""
        self.possible = possible
        """What can be done instead, where that is not in the sentence."""


class SignInFirst(ServerError):
    """Only for people that the server knows."""

    status = 401
    title = "Sign in first"


class NotAllowed(ServerError):
    """Somebody else may do this, or nobody."""

    status = 403
    title = "That is not allowed"


class NotFound(ServerError):
    """There is no such page, table or thing, or none that this person may know of."""

    status = 404
    title = "There is no such thing"


class Conflict(ServerError):
    """It could have been done at another time, or before somebody else did something."""

    status = 409
    title = "Not as things are now"


class OtherRules(Conflict):
    """A game of another version of the rules, whose moves are not possible by the versions that this server knows."""

    title = "Played by other rules"


class StaleVersion(Conflict):
    """A step that was made for a position which has passed."""

    title = "The game has gone on"

    def __init__(
        self, sentence: str = "The game has gone on since then; this is how it stands now.", n: int | None = None
    ) -> None:
        super().__init__(sentence, field="n")
        self.n = n
        """The steps that there are now, where that is worth telling."""


class NotSure(Conflict):
    """A step that ends the turn or cannot be taken back, of somebody who wants to be asked once more."""

    title = "Are you sure?"


class RequestTimeout(ServerError):
    """A message whose end did not come."""

    status = 408
    title = "That took too long"
    headers: ClassVar = {"Connection": "close"}


class TooLarge(ServerError):
    """More than the server reads."""

    status = 413
    title = "That is too much"
    headers: ClassVar = {"Connection": "close"}


class BadField(ServerError):
    """A field with a value that it cannot have."""

    status = 422
    title = "Something is not right"

    def __init__(self, field: str, sentence: str, *, possible: str | None = None) -> None:
        super().__init__(sentence, field=field, possible=possible)


class TooMany(ServerError):
    """Too often, or too many of something."""

    status = 429
    title = "Too many at once"

    def __init__(self, sentence: str, retry_after: float | None = None) -> None:
        super().__init__(sentence)
        self.retry_after = retry_after
        """Seconds after which it can be tried again; None where waiting does not help."""


class Unavailable(ServerError):
    """The server cannot answer at the moment."""

    status = 503
    title = "Not at the moment"

    def __init__(self, sentence: str, retry_after: float | None = None) -> None:
        super().__init__(sentence)
        self.retry_after = retry_after


def bad_field(error: msgspec.ValidationError) -> BadField:
    """What is wrong with which field of a message, in a sentence."""
    found = AT_FIELD.match(str(error))
    says, where = (found["says"], found["field"]) if found else (str(error), "")
    if named := NAMED.search(says):
        where = f"{where}.{named['name']}" if where else named["name"]
        says = "this is no field here" if "unknown" in says else "is missing"
    where = where[:120] or "(the whole message)"
    return BadField(where, f"{where}: {says.replace('`', '')[:300]}.")
