"""The clauses of a game under headings, as the page of its rules shows them."""

from collections.abc import Mapping
from itertools import groupby
from typing import NamedTuple

from signoria.kernel.game import Clause

FIRST = "The rules"
"""The heading of clauses that have none of their own."""


class Part(NamedTuple):
    """Clauses under a heading."""

    title: str
    anchor: str
    clauses: tuple[Clause, ...]


def parts(headings: Mapping[str, str], clauses: tuple[Clause, ...]) -> tuple[Part, ...]:
    """The clauses of a game; `headings` are named by the clause that comes first under them."""
    heading, under = FIRST, []
    for clause in clauses:
        heading = headings.get(clause.id, heading)
        under.append((heading, clause))
    return tuple(
        Part(
            title,
            "about-" + title.partition(":")[0].partition(",")[0].lower().replace(" ", "-"),
            tuple(c for _, c in run),
        )
        for title, run in groupby(under, key=lambda pair: pair[0])
    )
