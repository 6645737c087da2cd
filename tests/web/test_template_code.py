"""Templates escape every value, call macros and read attributes as Jinja's own code does."""

from types import SimpleNamespace
from typing import Any

import pytest
from jinja2 import UndefinedError
from markupsafe import Markup, escape

from signoria.web.environment import environment
from signoria.web.template_code import escaped


class Drawing:
    def __html__(self) -> str:
        return "<svg>"


class Shouting(str):
    def __str__(self) -> str:
        return f"<{self.upper()}>"


@pytest.mark.parametrize(
    "value", ["", "Anna", "<b>'\"&", Markup("<b>"), 0, -3, 1.5, True, None, Drawing(), Shouting("a"), ("<",), [1, "&"]]
)
def test_values_are_escaped_as_markupsafe_does(value: Any) -> None:
    assert escaped(value) == str(escape(value))


def test_equal_values_of_different_kinds_are_told_apart() -> None:
    assert [escaped(value) for value in (1, True, 1.0, "<", Markup("<"))] == ["1", "True", "1.0", "&lt;", "<"]


def drawn(source: str, **names: Any) -> str:
    return environment().from_string(source).render(**names)


def test_macros_and_functions_are_called_with_their_arguments() -> None:
    source = (
        "{% macro tag(name, kind='plain') %}<{{ name }} {{ kind }}>{% endmacro %}"
        "{% macro around(name) %}<{{ name }}>{{ caller() }}{% endmacro %}"
        "{{ tag('a') }}{{ tag('b', kind='&') }}{{ tag(*('c',), **{'kind': 'd'}) }}"
        "{% call around('e') %}{{ join('<', last='>') }}{% endcall %}"
    )
    assert drawn(source, join=lambda first, last: first + last) == "<a plain><b &amp;><c d><e>&lt;&gt;"


def test_unknown_names_and_attributes_are_errors() -> None:
    for source in ("{{ nobody }}", "{{ nobody.name }}", "{{ nobody() }}"):
        with pytest.raises(UndefinedError):
            drawn(source)
    with pytest.raises(AttributeError):
        drawn("{{ page.nothing }}", page=SimpleNamespace(n=1))
