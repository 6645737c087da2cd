"""How templates become pages: everything is escaped, nothing may be missing, and static files carry their content's hash."""

import hashlib
from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

STATIC = Path(__file__).parent / "static"
"""The folder behind `/static/`."""


@cache
def static_url(name: str) -> str:
    """The address of a static file: it changes with the content, so that a browser may keep it for a year."""
    digest = hashlib.sha256((STATIC / name).read_bytes()).hexdigest()
    return f"/static/{name}?v={digest[:12]}"


@lru_cache(4096)
def in_single_quotes(text: str) -> Markup:
    """Text for an attribute in single quotes, where JSON needs no escapes for its double ones."""
    return Markup(text.replace("&", "&amp;").replace("<", "&lt;").replace("'", "&#39;"))


@lru_cache(4096)
def step_value(step: msgspec.Struct) -> Markup:
    """A step's JSON as the value of a button."""
    return in_single_quotes(msgspec.json.encode(step).decode())


def rated(rating: Any) -> str:
    """A rating as people read it: its mean, and how far the truth may be from it."""
    digits = 0 if rating.mean >= 100 else 1
    return f"{rating.mean:.{digits}f} ± {rating.reach:.{digits}f}"


def groupby_run(entries: Iterable[Any], field: str) -> list[tuple[Any, list[Any]]]:
    """Entries that follow each other and have the same value in a field, each run under its value."""
    return [(value, list(run)) for value, run in groupby(entries, attrgetter(field))]


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("signoria.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.globals |= {"static_url": static_url, "step_value": step_value}
    environment.filters |= {"in_single_quotes": in_single_quotes, "rated": rated, "groupby_run": groupby_run}
    return environment


ENVIRONMENT = _environment()
"""Complete as it is: what only some templates know is given to them where they are drawn."""


def macros(name: str, **known: Any) -> Any:
    """The macros of a template, to be called from Python; `known` are names that all of them know."""
    return ENVIRONMENT.get_template(name).make_module(known)
