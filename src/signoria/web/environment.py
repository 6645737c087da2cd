"""The template environment: everything is escaped, and undefined names are errors."""

from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from itertools import groupby
from operator import attrgetter
from typing import Any

import msgspec
from jinja2 import BaseLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


class Templates(BaseLoader):
    """Loads shared templates by name, and those of another package as `package:name`."""

    def get_source(self, environment: Environment, template: str) -> tuple[str, str | None, Callable[[], bool] | None]:
        """The text of a template."""
        package, _, name = template.rpartition(":")
        return _templates_of(package or "signoria.web").get_source(environment, name)


@cache
def _templates_of(package: str) -> PackageLoader:
    return PackageLoader(package)


@lru_cache(4096)
def in_single_quotes(text: str) -> Markup:
    """Text for an attribute in single quotes, so that double quotes in JSON need no escapes."""
    return Markup(text.replace("&", "&amp;").replace("<", "&lt;").replace("'", "&#39;"))


@lru_cache(4096)
def step_value(step: msgspec.Struct) -> Markup:
    """A step's JSON as the value of a button."""
    return in_single_quotes(msgspec.json.encode(step).decode())


def rated(rating: Any) -> str:
    """A rating for people: its mean and margin of error."""
    digits = 0 if rating.mean >= 100 else 1
    return f"{rating.mean:.{digits}f} ± {rating.reach:.{digits}f}"


def groupby_run(entries: Iterable[Any], field: str) -> list[tuple[Any, list[Any]]]:
    """Runs of consecutive entries with the same value in a field, each with that value."""
    return [(value, list(run)) for value, run in groupby(entries, attrgetter(field))]


def in_words(number: int) -> str:
    """A small number as a word."""
    return NUMBERS[number] if number < len(NUMBERS) else str(number)


def _environment() -> Environment:
    environment = Environment(
        loader=Templates(),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.globals["step_value"] = step_value
    environment.filters |= {
        "in_single_quotes": in_single_quotes,
        "rated": rated,
        "groupby_run": groupby_run,
        "in_words": in_words,
    }
    return environment


ENVIRONMENT = _environment()
"""Shared by all templates. Names that only some templates need are passed when they are rendered."""


def macros(name: str, **known: Any) -> Any:
    """The macros of a template, to be called from Python; `known` are names that all of them can use."""
    return ENVIRONMENT.get_template(name).make_module(known)
