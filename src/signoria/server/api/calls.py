"""A call of the API: its caller, path, query and body, all validated."""

import re
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec import inspect
from starlette.requests import Request

from signoria.kernel.language import say
from signoria.server.errors import BadField, NotFound, ServerError, bad_field
from signoria.server.guard.limits import RateLimiter
from signoria.server.people.sessions import identity_of
from signoria.server.play.room import Room
from signoria.server.play.room_cache import TABLE_ID
from signoria.server.play.service import TableService
from signoria.store.people import User

JSON = "application/json"
WHOLE = re.compile(r"0|[1-9][0-9]{0,8}")

Wanted = TypeVar("Wanted")


class NotJson(ServerError):
    """A body that is not JSON."""

    title = "Invalid JSON"


class WrongKind(ServerError):
    """A body with another content type than JSON."""

    status = 415
    title = "Unsupported media type"


class ApiCall(NamedTuple):
    """A request to the API."""

    request: Request
    query: Any
    """The query parameters, as the operation reads them."""

    @property
    def service(self) -> TableService:
        """The table service."""
        service: TableService = self.request.app.state.service
        return service

    @property
    def user(self) -> User | None:
        """The caller; None if nobody is signed in."""
        return identity_of(self.request).user

    @property
    def user_id(self) -> str | None:
        """The id of the caller; None if nobody is signed in."""
        return self.user.id if self.user else None

    @property
    def signed_in_user(self) -> User:
        """The caller; raises `SignInFirst` if nobody is signed in."""
        return identity_of(self.request).require_user()

    def limit(self, kind: str, what: str) -> None:
        """Count one action of this person; raises `TooMany`."""
        limits: RateLimiter = self.request.app.state.rate_limiter
        limits.check(kind, self.signed_in_user.id, what)

    async def room(self) -> Room:
        """The table in the path; raises `NotFound`."""
        table_id = self.request.path_params["id"]
        if not TABLE_ID.fullmatch(table_id):
            raise NotFound(say("There is no table with that id. Ids consist of letters, digits, - and _."))
        room = await self.service.room(table_id)
        self.service.note_activity(room, self.user_id)
        return room

    async def body(self, kind: type[Wanted]) -> Wanted:
        """The body as this type; raises `WrongKind`, `NotJson` or `BadField`."""
        sent_as = self.request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if sent_as != JSON:
            raise WrongKind(f"The content type is {sent_as[:80] or 'nothing'!r}; it must be {JSON}.")
        try:
            return msgspec.json.decode(await self.request.body(), type=kind)
        except msgspec.ValidationError as error:
            raise _bad_field(error, kind) from None
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise NotJson(f"Invalid JSON: {str(error).rstrip('.')}.") from None
        except RecursionError:
            raise NotJson("Invalid JSON: nested too deeply.") from None


def read_query(pairs: list[tuple[str, str]], kind: type[Wanted]) -> Wanted:
    """The query parameters of an address; raises `BadField`."""
    values: dict[str, Any] = dict(pairs)
    if len(values) < len(pairs):
        [(twice, _)] = Counter(name for name, _ in pairs).most_common(1)
        raise BadField(twice, say("{twice}: given more than once.", twice=twice[:80]))
    values = {name: int(value) if WHOLE.fullmatch(value) else value for name, value in values.items()}
    try:
        return msgspec.convert(values, kind)
    except msgspec.ValidationError as error:
        raise _bad_field(error, kind) from None


def _bad_field(error: msgspec.ValidationError, kind: Any) -> BadField:
    """Which field is wrong and why, with its possible values if they are a few words."""
    bad = bad_field(error)
    choices = ", ".join(choices_at(kind, bad.field or ""))
    return (
        BadField(
            bad.field or "",
            say("{bad}; possible: {choices}.", bad=str(bad).rstrip("."), choices=choices),
            possible=choices,
        )
        if choices
        else bad
    )


def path_int(params: Mapping[str, Any], name: str) -> int:
    """A whole number in the path; raises `BadField`."""
    text = str(params[name])
    if not WHOLE.fullmatch(text):
        raise BadField(name, say("{name}: {text!r} is not a whole number from 0.", name=name, text=text[:40]))
    return int(text)


LITERALS = (inspect.LiteralType, inspect.NoneType)
"""What else may be in a list of a few words."""


@lru_cache(256)
def choices_at(kind: Any, field: str) -> tuple[str, ...]:
    """The possible values of a field, by its name in errors (`step.do`, `seats[1].bot`); none for other fields."""
    steps = tuple(re.sub(r"\[[^]]*\]", ".[]", field).split("."))
    return tuple(dict.fromkeys(map(str, _choices(inspect.type_info(kind), steps))))


def _choices(kind: inspect.Type, path: tuple[str, ...]) -> list[Any]:
    match kind:
        case inspect.Metadata():
            return _choices(kind.type, path)
        case inspect.UnionType() if path or all(isinstance(one, LITERALS) for one in kind.types):
            return [choice for one in kind.types for choice in _choices(one, path)]
        case inspect.LiteralType() if not path:
            return list(kind.values)
        case inspect.VarTupleType() if path[:1] == ("[]",):
            return _choices(kind.item_type, path[1:])
        case inspect.StructType() if path == (kind.tag_field,):
            return [kind.tag]
        case inspect.StructType() if path:
            return [
                choice for one in kind.fields if one.encode_name == path[0] for choice in _choices(one.type, path[1:])
            ]
    return []
