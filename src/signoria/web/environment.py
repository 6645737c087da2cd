"""The template environments, one for each language: everything is escaped, and undefined names are errors.

Templates are translated when they are compiled: `{% trans %}` becomes the text of the language, with its values at their
places. So drawing a page costs the same in every language.
"""

import re
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from itertools import groupby
from operator import attrgetter
from typing import Any

import msgspec
from jinja2 import BaseLoader, Environment, PackageLoader, StrictUndefined, nodes
from jinja2.ext import InternationalizationExtension
from jinja2.parser import Parser
from markupsafe import Markup

from signoria.kernel.language import (
    LANGUAGES,
    capital,
    is_singular,
    labelled,
    language,
    number,
    per_language,
    percent,
    texts_of,
)
from signoria.kernel.words import spelled
from signoria.web.template_code import TemplateCode
from signoria.web.theme import colour_schemes, theme


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
    return f"{number(rating.mean, digits)} ± {number(rating.reach, digits)}"


def rating_change(change: Any) -> str:
    """A rating before and after a game: `25.0 → 26.4 (+1.4)`."""
    digits = 0 if change.before >= 100 else 1
    before, after = (round(rating, digits) for rating in (change.before, change.after))
    sign = "\N{MINUS SIGN}" if after < before else "+"
    gained = number(abs(round(after - before, digits)), digits)
    return f"{number(before, digits)} → {number(after, digits)} ({sign}{gained})"


def groupby_run(entries: Iterable[Any], field: str) -> list[tuple[Any, list[Any]]]:
    """Runs of consecutive entries with the same value in a field, each with that value."""
    return [(value, list(run)) for value, run in groupby(entries, attrgetter(field))]


PLACE = re.compile(r"%\((\w+)\)s")
"""The place of a value in a message."""


class Translated(InternationalizationExtension):
    """`{% trans %}`, translated when a template is compiled."""

    def parse(self, parser: Parser) -> nodes.Node | list[nodes.Node]:
        """Parse a message; the texts of its package translate it."""
        self._texts = texts_of((parser.name or "").rpartition(":")[0])
        return super().parse(parser)

    def _make_node(
        self,
        singular: str,
        plural: str | None,
        context: str | None,
        variables: dict[str, nodes.Expr],
        plural_expr: nodes.Expr | None,
        vars_referenced: bool,
        num_called_num: bool,
    ) -> Any:
        """The translation: a text, or the choice between singular and plural."""
        translations = self._texts.translations(self.environment.language)  # type: ignore[attr-defined]
        if plural is None or plural_expr is None:
            said = translations.pgettext(context, singular) if context else translations.gettext(singular)
            return _spread(said, variables)
        one, many = (
            translations.npgettext(context, singular, plural, n)
            if context
            else translations.ngettext(singular, plural, n)
            for n in (1, 2)
        )
        test = nodes.Call(nodes.Name("is_singular", "load"), [plural_expr], [], None, None)
        return nodes.If(test, [_spread(one, variables)], [], [_spread(many, variables)])


def _spread(said: str, variables: dict[str, nodes.Expr]) -> nodes.Output:
    """A translated message as the parts of a template: texts, and its values between them."""
    parts: list[nodes.Expr] = []
    for place, part in enumerate(PLACE.split(said)):
        if place % 2:
            parts.append(variables[part])
        elif part:
            parts.append(nodes.TemplateData(part.replace("%%", "%")))
    return nodes.Output(parts)


@per_language()
def environment() -> Environment:
    """The environment of the language that is spoken now. Names that only some templates need are passed to them."""
    made = Environment(
        loader=Templates(),
        extensions=[Translated],
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.code_generator_class = TemplateCode
    made.extend(language=language(), newstyle_gettext=True)
    made.policies["ext.i18n.trimmed"] = True
    made.globals |= {"step_value": step_value, "is_singular": is_singular, "percent": percent, "labelled": labelled}
    made.globals |= {"language": language, "languages": LANGUAGES, "theme": theme, "colour_schemes": colour_schemes}
    made.filters |= {
        "capital": capital,
        "in_single_quotes": in_single_quotes,
        "rated": rated,
        "rating_change": rating_change,
        "groupby_run": groupby_run,
        "in_words": spelled,
        "number": number,
    }
    return made


def macros(name: str, **known: Any) -> Any:
    """The macros of a template, to be called from Python; `known` are names that all of them can use."""
    return environment().get_template(name).make_module(known)
