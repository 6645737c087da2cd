"""`signoria rules`: prints the rules in our own words."""

from typing import Annotated

import typer
from rich.padding import Padding

from signoria.cli.options import Json
from signoria.cli.output import console, print_json
from signoria.games import GAMES
from signoria.kernel.clauses import Clause
from signoria.kernel.errors import BadOption
from signoria.kernel.language import say as translate
from signoria.kernel.language import to_say, to_say_docstring


@to_say_docstring
def rules(
    clauses: Annotated[
        list[str] | None, typer.Argument(metavar="CLAUSE", help=to_say("Clauses such as {clauses}; all without one."))
    ] = None,
    json: Json = False,
) -> None:
    """Print rules by their numbers, with our rulings."""
    known = {clause.id: clause for game in GAMES.values() for clause in game.told_clauses}
    rulings = [ruling for game in GAMES.values() for ruling in game.told_rulings]
    found = [find_clause(known, name) for name in clauses or known]
    if json:
        print_json(
            [
                clause._asdict() | {"rulings": [ruling._asdict() for ruling in rulings if ruling.clause == clause.id]}
                for clause in found
            ]
        )
        return
    for clause in found:
        console.print(f"{clause.id}{f' {clause.title}' if clause.title else ''}", style="bold")
        console.print(Padding(clause.says, (0, 0, 0, 4)))
        decided = dict.fromkeys([clause.ruling, *(ruling.says for ruling in rulings if ruling.clause == clause.id)])
        for ruling in filter(None, decided):
            console.print(Padding(translate("Our ruling: {ruling}", ruling=ruling), (0, 0, 0, 4)), style="italic")


def find_clause(known: dict[str, Clause], name: str) -> Clause:
    """Find a clause by its id, in upper or lower case."""
    if name.upper() not in known:
        raise BadOption(
            translate("rules: there is no rule {name!r}. Rules: {known}.", name=name, known=", ".join(known))
        )
    return known[name.upper()]
