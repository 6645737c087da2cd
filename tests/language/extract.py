"""Finds messages in Python source, also inside f-strings and nested calls, which Babel's own extractor does not see."""

import ast
import io
import tokenize
from collections.abc import Collection, Iterator
from typing import IO, Any

Found = tuple[int, str, tuple[str | None, ...], list[str]]
ABOVE = 3
"""A comment for translators stands at most this many lines above the call it is about."""

DOCSTRING = "to_say_docstring"
"""The decorator that marks the docstring of a function."""


def extract_python(
    file: IO[bytes], keywords: Collection[str], comment_tags: Collection[str], options: Any
) -> Iterator[Found]:
    """Every call of one of the keywords, with its constant arguments and the comment for translators above it; and every
    docstring that is marked.
    """
    source = file.read()
    comments = _comments(source, tuple(comment_tags))
    tree = ast.parse(source)
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    for call in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
        name = str(getattr(call.func, "id", None) or getattr(call.func, "attr", None))
        if name not in keywords:
            continue
        texts = tuple(
            one.value if isinstance(one, ast.Constant) and isinstance(one.value, str) else None for one in call.args
        )
        if texts and any(text and text.strip() for text in texts):
            near = [comments[line] for line in range(call.lineno - ABOVE, call.lineno + 1) if line in comments]
            yield call.lineno, name, texts, near
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and DOCSTRING in map(ast.unparse, node.decorator_list):
            yield node.lineno, "to_say", (ast.get_docstring(node),), []


def _comments(source: bytes, tags: tuple[str, ...]) -> dict[int, str]:
    """The comments for translators, by line."""
    found = {}
    for token in tokenize.tokenize(io.BytesIO(source).readline):
        text = token.string.lstrip("# ")
        if token.type == tokenize.COMMENT and text.startswith(tags):
            found[token.start[0]] = text
    return found
