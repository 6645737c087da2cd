"""How Jinja compiles our templates: with cheaper code for what a page does hundreds of times.

Drawing tables is most of what a move costs the server, and a third of that was Jinja's own work.
"""

from functools import lru_cache
from typing import Any

from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame
from markupsafe import Markup, escape

escaped_text = lru_cache(8192)(escape)
"""A text as HTML. Pages show the same names, labels and ids again and again."""


def escaped(value: Any) -> str:
    """A value as HTML, like `markupsafe.escape`, which takes seven times as long to mark each result as safe again."""
    kind = type(value)
    if kind is Markup:
        return value  # type: ignore[no-any-return]
    if kind is str:
        return escaped_text(value)
    return str(value) if kind is int else escape(value)


class TemplateCode(CodeGenerator):
    """The Python code of a template: `page.seat` and `page.draw(seat)` mean the same as in Python.

    Jinja asks its environment for attributes, because `page.seat` may also be the item `page["seat"]`, and calls
    functions through its context, because they may want it passed (`pass_context`). Our templates need neither.
    """

    def visit_Template(self, node: nodes.Template, frame: Frame | None = None) -> None:  # noqa: N802
        """The whole template."""
        super().visit_Template(node, frame)
        self.writeline(f"from {__name__} import escaped as escape")

    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:  # noqa: N802
        """A call."""
        if forward_caller or node.dyn_args or node.dyn_kwargs:
            super().visit_Call(node, frame, forward_caller=forward_caller)
            return
        self.visit(node.node, frame)
        self.write("(")
        for argument in (*node.args, *node.kwargs):
            self.visit(argument, frame)
            self.write(", ")
        self.write(")")

    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:  # noqa: N802
        """An attribute."""
        self.visit(node.node, frame)
        self.write(f".{node.attr}")
