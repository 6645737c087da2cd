"""What a program sends, read with care: who asks, what the address says, and a body that is exactly what it should be."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeVar

import msgspec
from starlette.requests import Request

from signoria.server.api.choices import choices_at
from signoria.server.errors import BadField, NotFound, ServerError, bad_field
from signoria.server.gate.rate import Limits
from signoria.server.gate.who import who_of
from signoria.server.house import House
from signoria.server.room import Room
from signoria.store.people import User

JSON = "application/json"
TABLE_ID = re.compile(r"[A-Za-z0-9_-]{1,40}")
WHOLE = re.compile(r"0|[1-9][0-9]{0,8}")

Wanted = TypeVar("Wanted")


class NotJson(ServerError):
    """A body that is no JSON."""

    title = "That is no JSON"


class WrongKind(ServerError):
    """A body of another kind than JSON."""

    status = 415
    title = "That is another kind of message"


class Asked(NamedTuple):
    """A request, and the house that it was sent to."""

    request: Request
    query: Any
    """What the address says after its question mark, as the operation reads it."""

    @property
    def house(self) -> House:
        """The house that answers."""
        house: House = self.request.app.state.house
        return house

    @property
    def user(self) -> User | None:
        """Whoever asks; None for somebody whom the house does not know."""
        return who_of(self.request).user

    @property
    def person(self) -> User:
        """Whoever asks; raises `SignInFirst` where the house knows nobody."""
        return who_of(self.request).somebody()

    def limit(self, kind: str, what: str) -> None:
        """Count one act of this person; raises `TooMany`."""
        limits: Limits = self.request.app.state.limits
        limits.check(kind, self.person.id, what)

    async def room(self) -> Room:
        """The table that the address names; raises `NotFound`."""
        table_id = self.request.path_params["id"]
        if not TABLE_ID.fullmatch(table_id):
            raise NotFound("There is no table of that id: one has letters, figures, - and _.")
        room = await self.house.room(table_id)
        self.house.attend(room, self.user.id if self.user else None)
        return room

    async def given(self, kind: type[Wanted]) -> Wanted:
        """The body as it has to be; raises `WrongKind`, `NotJson` or `BadField`."""
        sent_as = self.request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if sent_as != JSON:
            raise WrongKind(f"This was sent as {sent_as[:80] or 'nothing'!r}; a message here is {JSON}.")
        try:
            return msgspec.json.decode(await self.request.body(), type=kind)
        except msgspec.ValidationError as error:
            raise _bad_field(error, kind) from None
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise NotJson(f"This is no JSON: {str(error).rstrip('.')}.") from None
        except RecursionError:
            raise NotJson("This is nested too deeply to be a message of ours.") from None


def read_query(given: list[tuple[str, str]], kind: type[Wanted]) -> Wanted:
    """What an address says after its question mark; raises `BadField`."""
    values: dict[str, Any] = dict(given)
    if len(values) < len(given):
        names = [name for name, _ in given]
        twice = next(name for name in names if names.count(name) > 1)
        raise BadField(twice, f"{twice[:80]}: is given more than once.")
    values = {name: int(value) if WHOLE.fullmatch(value) else value for name, value in values.items()}
    try:
        return msgspec.convert(values, kind)
    except msgspec.ValidationError as error:
        raise _bad_field(error, kind) from None


def _bad_field(error: msgspec.ValidationError, kind: Any) -> BadField:
    """What is wrong with which field, and what it can be where that is a few words."""
    bad = bad_field(error)
    choices = ", ".join(choices_at(kind, bad.field or ""))
    return (
        BadField(bad.field or "", f"{str(bad).rstrip('.')}; possible: {choices}.", possible=choices) if choices else bad
    )


def whole(params: Mapping[str, Any], name: str) -> int:
    """A whole number out of the path; raises `BadField`."""
    text = str(params[name])
    if not WHOLE.fullmatch(text):
        raise BadField(name, f"{name}: {text[:40]!r} is no whole number from 0.")
    return int(text)
