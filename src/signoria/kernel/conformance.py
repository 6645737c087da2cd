"""Checks that every game must pass; a new game runs them first.

    from signoria.kernel.conformance import check
    check(MY_GAME, {"players": 3}, seed=1)

Each function raises `AssertionError` with a sentence. Nothing here depends on a particular game.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec
import numpy as np

from signoria.kernel.errors import IllegalStep, NotOver, NotYourTurn, NoUndo
from signoria.kernel.fair_luck import deal
from signoria.kernel.game import SPECTATOR, Game
from signoria.kernel.luck import below, sow
from signoria.kernel.options import Option
from signoria.kernel.position import Position
from signoria.kernel.record import read_record
from signoria.kernel.table import Table, open_game, seed_bytes
from signoria.kernel.verify import replay

AnyGame = Game[Any, Any, Any]
AnyTable = Table[Any, Any, Any]


def check(
    game: AnyGame,
    options: Mapping[str, Option],
    seed: int,
    look_at: Callable[[AnyTable], None] | None = None,
    *,
    timid: bool = False,
) -> AnyTable:
    """Play one random game and check everything on the way; `look_at` adds the game's own checks at every step.

    Views are expensive to check, so they are checked at about one step in eight.
    """
    luck = new_luck(seed)
    table = open_game(game, options, seed=seed)
    check_fair_deal(table, seed)
    check_closed(table)
    for _ in random_play(table, luck, timid):
        check_legality(table)
        if below(luck, 8) == 0:
            check_views(table, luck)
            check_revealed(table, luck)
        check_undo(table, luck)
        if look_at is not None:
            look_at(table)
    check_end(table)
    check_replay(table)
    if look_at is not None:
        look_at(table)
    return table


def new_luck(seed: int) -> Any:
    """A started random generator for simulations."""
    luck = np.zeros(1, np.uint64)
    sow(luck, seed, 0)
    return luck


def random_play(table: AnyTable, luck: Any, timid: bool = False) -> Iterator[AnyTable]:
    """Yield the table before each step of a random game, then make the step.

    A timid player prefers steps that are listed early: in auctions that saves money for later.
    """
    while not table.over:
        yield table
        legal = table.legal
        table.apply(legal[min(below(luck, len(legal)) for _ in range(3 if timid else 1))])


def check_fair_deal(table: AnyTable, seed: int) -> None:
    """Before the first step: `Rules.fair_deal`, if the game has it, deals the same as `Game.fair_deal`."""
    game = table.game
    if game.rules.fair_deal is not None:
        dealt = Position(game, game.box(table.options, table.components))
        deal(dealt, seed_bytes(seed), table.salts)
        assert dealt == table.position, "`Rules.fair_deal` and `Game.fair_deal` deal differently."


def check_legality(table: AnyTable) -> None:
    """The legal steps are exactly those without a refusal; each has a name, a number and a JSON form that agree."""
    game, legal = table.game, table.legal
    assert legal, "A seat is asked, but no step is legal."
    assert len(legal) == len(set(legal)) <= game.most_legal, "A legal step is listed twice, or there are too many."
    known = {clause.id for clause in game.clauses}
    for number in range(game.steps):
        step = game.step_of(number)
        reason = table.position.refusal(number)
        assert (reason == 0) == (step in legal), f"{step}: reason {reason}, but legal steps are {legal}."
        if number % 8 == len(table.steps) % 8:  # a different eighth each time: sentences take longer than reasons
            assert game.number_of(step) == number, f"{step} does not have number {number}."
            refusal = table.why_not(step)
            assert (refusal is None) == (reason == 0), f"{step}: {refusal}, but reason {reason}."
            assert refusal is None or refusal.clause in known, f"{step} is refused by {refusal}, an unknown clause."
    for step in legal:
        again = msgspec.convert(msgspec.json.decode(msgspec.json.encode(step)), game.step_type)
        assert again == step, f"{step} comes back from JSON as {again}."


def check_undo(table: AnyTable, luck: Any) -> None:
    """Undo leaves the table as if the step had never been made; an illegal step changes nothing."""
    before, events, steps, legal = table.position.copy(), table.events, table.steps, table.legal
    step = legal[below(luck, len(legal))]
    illegal = next((other for other in map(table.game.step_of, range(table.game.steps)) if other not in legal), None)
    if illegal is not None:
        _refused(lambda: table.apply(illegal), IllegalStep)
    wrong = (table.position.seat + 1) % table.options.players
    _refused(lambda: table.apply(step, wrong), NotYourTurn)
    trial = table.copy()
    trial.apply(step)
    try:
        undone = trial.undo()
    except NoUndo:
        pass
    else:
        assert undone == step, f"Undo returns {undone}, but {step} was made."
        assert trial.position == before, f"Undo of {step} does not restore the state."
        assert (trial.events, trial.steps) == (events, steps), f"Undo of {step} does not restore events or steps."
    assert table.position == before, "A refused step changed the state."


def check_revealed(table: AnyTable, luck: Any) -> None:
    """A step that can be undone reveals nothing to its player: what it leads to does not depend on hidden cards."""
    game, before = table.game, table.position
    legal = table.legal
    step = legal[below(luck, len(legal))]
    after, other = before.copy(), before.seen_by(before.seat).redealt(luck)
    for position in (after, other):
        position.apply(game.number_of(step))
    if after.over or game.revealed(before, after) is not None:
        return
    seat = before.seat
    assert after.seen_by(seat) == other.seen_by(seat), f"{step} shows seat {seat} something hidden, but can be undone."


def check_views(table: AnyTable, luck: Any) -> None:
    """Dealing the hidden cards again changes nothing that a seat sees or could remember."""
    for seat in (*range(table.options.players), SPECTATOR):
        known = table.position.seen_by(seat)
        other = known.redealt(luck)
        whose = None if seat == SPECTATOR else seat
        assert view_bytes(table.at(other), whose) == view_bytes(table, whose), (
            f"The view of seat {seat} shows something hidden."
        )
        assert other.seen_by(seat) == known, f"A deal made for seat {seat} contradicts what that seat knows."


def view_bytes(table: AnyTable, seat: int | None) -> bytes:
    """A view encoded as JSON."""
    return msgspec.json.encode(table.view(seat))


def check_closed(table: AnyTable) -> None:
    """The seed and the record are not available before the end, and nothing can be undone yet."""
    _refused(lambda: table.seed, NotOver)
    _refused(lambda: table.record, NotOver)
    _refused(table.undo, NoUndo)


def check_end(table: AnyTable) -> None:
    """When the game is over, there is a winner and no more steps are possible."""
    outcome = table.outcome
    assert outcome is not None
    assert outcome.winners, "There is no winner."
    won = np.flatnonzero(table.sheet()[:, table.game.columns.index("won")]).tolist()
    assert won == list(outcome.winners), f"The score sheet says that {won} won, but the places say {outcome.winners}."
    assert table.legal == (), "The game is over, but a step is legal."
    assert table.turn is None
    _refused(lambda: table.apply(table.steps[-1].step), IllegalStep)
    _refused(table.undo, NoUndo)
    for score in table.scores:
        assert score.total == sum(part.points for part in score.parts), f"The parts of seat {score.seat} do not add up."


def check_replay(table: AnyTable) -> None:
    """A record replays to exactly the same game."""
    line = table.record.to_json()
    again = replay(table.game, read_record(line))
    assert again.position == table.position, "The replayed game ends differently."
    assert again.record.to_json() == line, "The record of the replayed game differs."


def _refused(action: Callable[[], Any], kind: type[Exception]) -> None:
    try:
        action()
    except kind as error:
        assert str(error), "The error has no message."
    else:
        raise AssertionError(f"{kind.__name__} was not raised.")
