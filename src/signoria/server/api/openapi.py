"""The OpenAPI 3.1 description of the API, made from the operations and their request and response models."""

import ast
import inspect
import re
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from http import HTTPStatus
from importlib import metadata
from itertools import pairwise
from typing import Any, get_args, get_origin

import msgspec

from signoria.games import GAMES
from signoria.server.api.calls import JSON
from signoria.server.api.operations import Operation
from signoria.server.api.per_game import events_type, per_game, step_type
from signoria.server.api.requests import GameName
from signoria.server.api.responses.play import StepEvent, TurnEvent, UndoEvent
from signoria.server.api.responses.tables import ChatMessage, TableInfo
from signoria.server.guard.error_responses import PROBLEM, Problem
from signoria.server.people.cookies import NAME

Json = dict[str, Any]
Schemas = dict[Any, Json]
"""By type."""

REFS = "#/components/schemas/{name}"
STREAMED = (
    *(TableInfo, UndoEvent, ChatMessage),
    *per_game(StepEvent, events_type).values(),
    *per_game(TurnEvent, step_type).values(),
)
"""The events of a stream; see its operation."""
PARAMETERS: dict[str, Json] = {
    "id": {"description": "The id of the table.", "schema": {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,40}$"}},
    "n": {
        "description": "The number of steps made.",
        "schema": {"type": "integer", "minimum": 0, "maximum": 999_999_999},
    },
    "block": {"description": "The id of the block.", "schema": {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,40}$"}},
    "report": {
        "description": "The number of the report.",
        "schema": {"type": "integer", "minimum": 0, "maximum": 999_999_999},
    },
    "name": {"description": "The name of a player.", "schema": {"type": "string", "minLength": 1, "maxLength": 40}},
    "game": {"description": "The game.", "schema": {"type": "string", "enum": list(get_args(GameName))}},
}
REFUSALS = {
    400: "The body is not valid JSON.",
    401: "The caller is not signed in, or the token is unknown.",
    403: "The request came from another site, or has neither a token nor an origin.",
    404: "There is no such table.",
    413: "The body is too large.",
    415: "The body is not application/json.",
    422: "A parameter or field is invalid; `field` says which.",
    429: "Too many requests; `Retry-After` says when to try again.",
    503: "The database is not available; `Retry-After` says when to try again.",
}
ABOUT = """Everything that people can do at a table, for programs.

Create a token on the account page and send it as `Authorization: Bearer TOKEN`; a browser's cookie works too. Public data
can be read without either. Times are milliseconds since 1970 (UTC). Seats are numbered from 0. Errors are problem+json
(RFC 9457): `detail` is a sentence for people, `type` is the kind of error, and `field` or `clause` says what is wrong."""


def document(operations: Sequence[Operation]) -> Json:
    """The description of these operations."""
    wanted = list(
        dict.fromkeys(
            [Problem, *STREAMED]
            + [kind for operation in operations for kind in (*operation.body, *operation.answers, operation.query)]
        )
    )
    schemas, components = msgspec.json.schema_components(wanted, ref_template=REFS)
    by_type = dict(zip(wanted, schemas, strict=True))
    describe_fields(components, wanted)
    paths: dict[str, Json] = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _operation(operation, by_type, components)
    for kind in {operation.query for operation in operations} - {
        kind for operation in operations for kind in operation.body
    }:
        del components[kind.__name__]  # its fields are parameters
    described = {
        "openapi": "3.1.0",
        "info": {"title": "Signoria", "version": metadata.version("signoria"), "description": ABOUT},
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "description": "Create it on the account page."},
                "cookie": {"type": "apiKey", "in": "cookie", "name": NAME, "description": "A browser's session."},
            },
        },
    }
    return _with_short_names(described)


def _operation(operation: Operation, schemas: Schemas, components: Json) -> Json:
    described: Json = {
        "operationId": operation.id,
        "summary": operation.summary,
        "description": f"{inspect.getdoc(operation.handler)} {operation.more}".strip(),
        "tags": [operation.tag],
        "security": [{"token": []}, {"cookie": []}] + ([] if operation.needs_user else [{}]),
        "parameters": [*_in_path(operation.path), *_in_query(schemas[operation.query], components)],
        "responses": _responses(operation, schemas),
    }
    if "text/event-stream" in operation.media_type:
        described["parameters"].append(
            {
                "name": "Last-Event-ID",
                "in": "header",
                "description": "The id of the last event you know.",
                "schema": {"type": "string"},
            }
        )
    if operation.body:
        content: Json = {"schema": _one_of(operation.body, schemas)}
        if operation.example is not None:
            content["example"] = operation.example
        described["requestBody"] = {"required": True, "content": {JSON: content}}
    return described


def _in_path(path: str) -> list[Json]:
    return [
        {"name": name, "in": "path", "required": True, **PARAMETERS[name]} for name in re.findall(r"\{(\w+)\}", path)
    ]


def _in_query(reference: Json, components: Json) -> list[Json]:
    struct = components[reference["$ref"].rpartition("/")[2]]
    return [
        {
            "name": name,
            "in": "query",
            "required": name in struct.get("required", ()),
            "description": schema.get("description", ""),
            "schema": {key: value for key, value in schema.items() if key != "description"},
        }
        for name, schema in struct["properties"].items()
    ]


def _responses(operation: Operation, schemas: Schemas) -> Json:
    answer: Json = {
        "description": operation.summary + ".",
        "content": {operation.media_type: {"schema": _one_of(operation.answers, schemas)}},
    }
    if operation.status == 201:
        answer["headers"] = {"Location": {"description": "The address of the new table.", "schema": {"type": "string"}}}
    common = {401, 422, 429, 503}
    common |= {403} if operation.method in ("POST", "PATCH", "DELETE") else set()
    common |= {400, 413, 415} if operation.body else set()
    common |= {404} if "{id}" in operation.path else set()
    refused = {status: REFUSALS[status] for status in common} | operation.refuses
    return {str(operation.status): answer} | {
        str(status): {
            "description": f"{HTTPStatus(status).phrase}. {says}",
            "content": {PROBLEM: {"schema": schemas[Problem]}},
        }
        for status, says in sorted(refused.items())
    }


def _one_of(kinds: Iterable[Any], schemas: Schemas) -> Json:
    found = [schemas[kind] for kind in kinds]
    return found[0] if len(found) == 1 else {"anyOf": found}


def _with_short_names(described: Json) -> Json:
    """Names schemas of a game after its folder, such as `chess.View`, and not after their module."""
    text = msgspec.json.encode(described).decode()
    for game in GAMES.values():
        folder = game.package.rpartition(".")[2]
        text = re.sub(rf"\b{re.escape(game.package)}\.(?:[a-z]\w*\.)*(?=[A-Z])", f"{folder}.", text)
    short: Json = msgspec.json.decode(text)
    return short


# Descriptions of fields are the docstrings below them in the code.


def describe_fields(components: Json, wanted: Iterable[Any]) -> None:
    """Add the docstrings below fields to the properties of these schemas."""
    for kind in _structs(wanted):
        for name in (kind.__name__, f"{kind.__module__}.{kind.__qualname__}"):
            properties = components.get(name, {}).get("properties", {})
            for field, says in field_docs(kind).items():
                if field in properties:
                    properties[field].setdefault("description", says)


def _structs(kinds: Iterable[Any]) -> set[type[msgspec.Struct]]:
    """All structs that these types consist of."""
    found: set[type[msgspec.Struct]] = set()
    waiting = list(kinds)
    while waiting:
        kind = waiting.pop()
        waiting += get_args(kind)
        kind = get_origin(kind) or kind
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and kind not in found:
            found.add(kind)
            waiting += [field.type for field in msgspec.structs.fields(kind)]
    return found


@cache
def field_docs(struct: type[msgspec.Struct]) -> dict[str, str]:
    """The docstrings below the fields of a struct, by JSON name."""
    found: dict[str, str] = {}
    for owner in reversed(struct.__mro__):
        body = _classes(owner.__module__).get(owner.__name__, [])
        for line, following in pairwise(body):
            match line, following:
                case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(says))):
                    found[name] = " ".join(says.split())
    names = {field.name: field.encode_name for field in msgspec.structs.fields(struct)}
    return {names.get(name, name): says for name, says in found.items()}


@cache
def _classes(module: str) -> dict[str, list[ast.stmt]]:
    """The docstrings in the classes of a module of Signoria or of a game."""
    packages = {__name__.partition(".")[0], *(game.package.partition(".")[0] for game in GAMES.values())}
    if module.partition(".")[0] not in packages:
        return {}
    lines = ast.parse(inspect.getsource(sys.modules[module])).body
    return {line.name: line.body for line in lines if isinstance(line, ast.ClassDef)}
