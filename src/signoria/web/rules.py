"""The clauses of a game under headings, for the rules page."""

from collections.abc import Mapping
from itertools import groupby
from typing import NamedTuple

from signoria.kernel.clauses import Clause

FIRST = "The rules"
"""The heading of clauses without their own heading."""


class Part(NamedTuple):
    """Clauses under a heading."""

    title: str
    anchor: str
    clauses: tuple[Clause, ...]


def parts(headings: Mapping[str, str], clauses: tuple[Clause, ...]) -> tuple[Part, ...]:
    """The clauses of a game under `headings`, which are keyed by the first clause under each."""
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
