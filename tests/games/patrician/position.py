"""Hand-made positions for tests of clauses."""

from signoria.games.patrician.examples.position import PatricianTable, position
from signoria.games.patrician.rulebook.components import CITY_IDS
from signoria.games.patrician.rulebook.steps import Step

__all__ = ["PatricianTable", "clause", "part", "position", "tower", "winners"]


def tower(table: PatricianTable, city: str, site: int) -> str:
    """Whose floors stand on a site, from the ground up."""
    return "".join(map(str, table.view().cities[CITY_IDS.index(city)].towers[site]))


def winners(table: PatricianTable, city: str) -> tuple[int | None, int | None]:
    """Who won the high and the low token of a city."""
    return table.view().cities[CITY_IDS.index(city)].won


def part(table: PatricianTable, seat: int, name: str) -> int:
    """One part of a seat's score."""
    return table.scores[seat].row[name]


def clause(table: PatricianTable, step: Step) -> str | None:
    """The clause that forbids a step now."""
    refusal = table.why_not(step)
    return refusal.clause if refusal else None
