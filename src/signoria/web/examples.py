"""Examples of clauses as pages show them: pictures of real positions, and what the rules say about each step."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from signoria.games import GAMES, AnyGame
from signoria.kernel.examples import CountedPoints, Example, ShownExample, Tried, show
from signoria.kernel.language import all_of, capital, per_language, say, say_count
from signoria.web.board import Board
from signoria.web.kit.picture import Panel


class Judged(NamedTuple):
    """What the rules say about a step, or points that they count."""

    kind: str
    """`yes` for a legal step, `no` for a refused one, `points` or `won`."""
    title: str
    """The step, or whose points these are."""
    says: tuple[str, ...]
    """What it leads to, why it is refused, or where the points come from."""


class DrawnExample(NamedTuple):
    """An example with its pictures."""

    says: str
    panels: tuple[Panel, ...]
    after: tuple[Panel, ...]
    """The position after the step; empty if it is not drawn."""
    verdicts: tuple[Judged, ...]

    @property
    def words(self) -> str:
        """Everything that can be read, for the search."""
        return " ".join([self.says, *(text for one in self.verdicts for text in (one.title, *one.says))])


@per_language()
def examples_of(board: Board) -> Mapping[str, tuple[DrawnExample, ...]]:
    """All examples of a game, by clause; empty for a game that has none."""
    game = GAMES[board.name]
    found: dict[str, tuple[DrawnExample, ...]] = {}
    for example in game.examples:
        found[example.clause] = (*found.get(example.clause, ()), _draw(game, board, example))
    return found


def _draw(game: AnyGame, board: Board, example: Example) -> DrawnExample:
    shown = show(example)
    verdicts = [_tried(game, board, shown.view, one) for one in shown.tried]
    verdicts += [_scored(game, line) for line in shown.lines]
    if shown.reason:
        winners = all_of([game.seat_name(seat) for seat in shown.winners])
        verdicts.append(Judged("won", say("{players} wins", players=winners), (capital(shown.reason),)))
    panels = tuple(board.draw_example(shown, after=False))
    return DrawnExample(shown.says, panels, _changed(board, shown), tuple(verdicts))


def _changed(board: Board, shown: ShownExample) -> tuple[Panel, ...]:
    """The parts that look different after the step; none if that is not drawn."""
    if shown.after is None:
        return ()
    before = board.draw_example(shown._replace(tried=()), after=False)
    return tuple(panel for panel in board.draw_example(shown, after=True) if panel not in before)


def _tried(game: AnyGame, board: Board, view: Any, tried: Tried) -> Judged:
    if tried.refusal is not None:
        return Judged("no", board.tell_step(tried.step), (tried.refusal.says,))
    components = getattr(view, "components", None)
    told = tuple(game.words.retell(components, event, game.seat_name) for event in tried.events)
    return Judged("yes", board.tell_step(tried.step), told)


def _scored(game: AnyGame, line: CountedPoints) -> Judged:
    points = say_count("{n} point", "{n} points", line.points)
    title = say("{player}: {points}", player=game.seat_name(line.seat), points=points)
    return Judged("points", title, (capital(line.detail),) if line.detail else ())
