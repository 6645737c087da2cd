"""How templates become pages: everything is escaped, nothing may be missing, and static files carry their content's hash."""

import hashlib
import re
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from jinja2.ext import Extension
from markupsafe import Markup

STATIC = Path(__file__).parent / "static"
"""The folder behind `/static/`."""


class Lean(Extension):
    """Templates are indented for whoever reads them; pages are not."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """The source without indentation and empty lines."""
        return re.sub(r"\s*\n\s*", "\n", source)


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


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("signoria.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        extensions=[Lean],
    )
    environment.globals |= {"static_url": static_url, "step_value": step_value}
    environment.filters["in_single_quotes"] = in_single_quotes
    return environment


ENVIRONMENT = _environment()


@cache
def template(name: str) -> Template:
    """A template, compiled once."""
    return ENVIRONMENT.get_template(name)


def macros(name: str, **known: Any) -> Any:
    """The macros of a template, to be called from Python; `known` are names that all of them know."""
    return ENVIRONMENT.get_template(name, globals=known).module
