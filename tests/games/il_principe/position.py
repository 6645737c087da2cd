"""Hand-made positions for tests of clauses."""

from collections.abc import Sequence
from typing import Any

from signoria.games.il_principe.examples.position import Cards, PrincipeTable, position
from signoria.games.il_principe.rulebook.steps import Pass, Step
from signoria.games.il_principe.view import Auction, PlayerView
from signoria.games.il_principe.words.events import Event

__all__ = [
    "Cards",
    "PrincipeTable",
    "all_pass",
    "auction",
    "clause",
    "do",
    "gone",
    "part",
    "player",
    "players",
    "position",
    "roles",
    "says",
    "told",
]


def do(table: PrincipeTable, *steps: Step) -> tuple[Event, ...]:
    """Make several steps and return their events."""
    return tuple(event for step in steps for event in table.apply(step))


def told(events: Sequence[Event], *kinds: type[Event]) -> list[Event]:
    """The events of certain kinds."""
    return [event for event in events if isinstance(event, kinds)]


def all_pass(table: PrincipeTable) -> tuple[Event, ...]:
    """All players still in an auction pass."""
    return do(table, *[Pass()] * len(auction(table).bidding))


def player(table: PrincipeTable, seat: int) -> PlayerView:
    """A player with nothing hidden."""
    return table.open_view().players[seat]


def players(table: PrincipeTable, what: str) -> list[Any]:
    """One field of every player, with nothing hidden: `ducats`, `points`, `cards`, ..."""
    return [getattr(player, what) for player in table.open_view().players]


def gone(table: PrincipeTable, colour: str) -> int:
    """Cards of a colour that left the game unsold."""
    remembered = table.view().remembered
    assert remembered is not None
    return remembered.gone.get(colour, 0)


def auction(table: PrincipeTable) -> Auction:
    """The current auction."""
    found = table.view().auction
    assert found is not None
    return found


def roles(table: PrincipeTable) -> dict[str, int]:
    """Who holds which role."""
    return {role: player.seat for player in table.view().players for role in player.roles}


def part(table: PrincipeTable, name: str) -> list[int]:
    """One part of all players' scores."""
    return [score.row[name] for score in table.scores]


def clause(table: PrincipeTable, step: Step) -> str | None:
    """The clause that forbids a step now."""
    refusal = table.why_not(step)
    return refusal.clause if refusal else None


def says(table: PrincipeTable, step: Step) -> str:
    """Why a step cannot be made now, with its clause."""
    refusal = table.why_not(step)
    assert refusal is not None
    return str(refusal)
