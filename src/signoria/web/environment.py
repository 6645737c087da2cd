"""How templates become pages: everything is escaped, and nothing may be missing."""

import html
import re
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

import markupsafe
import msgspec
from jinja2 import BaseLoader, Environment, PackageLoader, StrictUndefined, Template, nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.ext import Extension
from markupsafe import Markup


class Templates(BaseLoader):
    """Templates that all pages share by their name, and those of another package as `package:name`."""

    def get_source(self, environment: Environment, template: str) -> tuple[str, str | None, Callable[[], bool] | None]:
        """The text of a template."""
        package, _, name = template.rpartition(":")
        return _templates_of(package or "signoria.web").get_source(environment, name)


@cache
def _templates_of(package: str) -> PackageLoader:
    return PackageLoader(package)


class Lean(Extension):
    """Templates are indented for whoever reads them; pages are not."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """The source without indentation and empty lines."""
        return re.sub(r"\s*\n\s*", "\n", source)


def escaped(value: Any) -> str:
    """What markupsafe's `escape` gives, without the class around it: a template only joins it to the rest."""
    kind = type(value)
    if kind is Markup:
        return value  # type: ignore[no-any-return]
    if kind is str:
        return _escaped(value)
    return str(value) if kind is int else markupsafe.escape(value)


_escaped = lru_cache(8192)(html.escape)


class LeanCode(CodeGenerator):
    """Compiles templates to what one would write by hand: a call is a call, an attribute is an attribute.

    What they print is escaped by `escaped`. Altogether a page takes about half the time.
    """

    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:  # noqa: N802
        """A call, without looking whether what is called would like to know the context: nothing of ours does."""
        self.visit(node.node, frame)
        self.write("(")
        for given in (*node.args, *node.kwargs):
            self.visit(given, frame)
            self.write(", ")
        self.write(")")

    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:  # noqa: N802
        """Texts in a row, escaped as a whole where they are printed."""
        self.write("''.join(map(str, (")
        for part in node.nodes:
            self.visit(part, frame)
            self.write(", ")
        self.write(")))")

    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:  # noqa: N802
        """An attribute; never a key."""
        self.visit(node.node, frame)
        self.write(f".{node.attr}")

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: CodeGenerator._FinalizeInfo) -> None:
        if frame.eval_ctx.volatile or not frame.eval_ctx.autoescape or finalize.src is not None:
            super()._output_child_pre(node, frame, finalize)
        else:
            self.write("environment.escaped(")


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
        loader=Templates(),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        extensions=[Lean],
    )
    environment.code_generator_class = LeanCode
    environment.escaped = escaped  # type: ignore[attr-defined]
    environment.globals["step_value"] = step_value
    environment.filters["in_single_quotes"] = in_single_quotes
    return environment


ENVIRONMENT = _environment()


@cache
def template(name: str) -> Template:
    """A template, compiled once."""
    found = ENVIRONMENT.get_template(name)
    found.globals = dict(found.globals)  # a chain of dicts otherwise, which is copied at every drawing
    return found


def macros(name: str, **known: Any) -> Any:
    """The macros of a template, to be called from Python; `known` are names that all of them know."""
    return ENVIRONMENT.get_template(name, globals=known).module
