"""Replays a record and checks it, without trusting the program that wrote it."""

from typing import Any

import msgspec

from signoria.kernel.errors import BadDeck, BadOption, BadRecord, IllegalStep
from signoria.kernel.game import E, Game, S, V
from signoria.kernel.language import say
from signoria.kernel.record import Record, convert, difference
from signoria.kernel.shuffle import SEED_BYTES, commitment
from signoria.kernel.table import Table, seed_bytes


def replay(game: Game[S, V, E], record: Record) -> Table[S, V, E]:
    """The table at the end of a recorded game; raises `BadRecord` at the first error."""
    table = deal_again(game, record)
    for n in range(len(record.actions)):
        make_step(table, record, n)
    if not table.over:
        raise BadRecord(
            say(
                "actions: end after {count} steps, but the game is not over. {asked}",
                count=len(record.actions),
                asked=table.asked,
            )
        )
    result = dict(record.result)
    if result.get("reason") == reason_alone(table):  # records of other programs need not have our fingerprint
        result["reason"] = table.record.result["reason"]
    _same(result, table.record.result, "result")
    return table


def reason_alone(table: Table[S, V, E]) -> str | None:
    """Why the winners won, without the fingerprint that our records add."""
    return table.outcome.reason if table.outcome else None


def deal_again(game: Game[S, V, E], record: Record) -> Table[S, V, E]:
    """The table of a record before its first step; the deal is checked against the seed and the salts."""
    if record.game != game.name:
        raise BadRecord(say("game: {game!r} is not {name!r}.", game=record.game, name=game.name))
    if not game.plays(record.rules):
        known = ", ".join(sorted({game.version, *game.older_versions}))
        raise BadRecord(
            say("rules: version {rules!r} is unknown; known versions: {known}.", rules=record.rules, known=known)
        )
    options = convert(record.options, game.options_type, "options")
    try:
        game.options(record.options)
    except BadOption as error:
        raise BadRecord(f"options.{error}") from error
    try:
        seed = seed_bytes(record.seed)
    except BadOption as error:
        raise BadRecord(str(error)) from error
    _same(record.options, msgspec.to_builtins(options), "options")
    if record.seed != seed.hex():
        raise BadRecord(say("seed: must be {value} lower-case hex digits.", value=2 * SEED_BYTES))
    _same(record.commitment, commitment(seed), "commitment")
    if len(record.salts) != options.players:
        raise BadRecord(
            say(
                "salts: {count} given; there must be one for each of the {players} seats.",
                count=len(record.salts),
                players=options.players,
            )
        )
    components = convert(record.components, game.components_type, "components")
    try:
        game.check_components(options, components)
    except BadDeck as error:
        raise BadRecord(str(error)) from error
    table = Table(game, options, components, seed, record.salts, rules=record.rules)
    _same(record.setup, msgspec.json.decode(msgspec.json.encode(table.setup)), "setup")
    return table


def make_step(table: Table[S, V, E], record: Record, n: int) -> None:
    """Make step n of a record at a table where the steps before it have been made."""
    action, field = dict(record.actions[n]), f"actions[{n}]"
    seat, of = action.pop("seat", None), action.pop("of", None)
    step = convert(action, table.game.step_type, field)
    if table.over:
        raise BadRecord(say("{field}: the game is over after {n} steps.", field=field, n=n))
    _same(seat, table.turn, f"{field}.seat")
    try:
        taken = table.make(step)
    except IllegalStep as error:
        raise BadRecord(
            say(
                "{field}: {step} is not legal. {sentence} ({clause})",
                field=field,
                step=step,
                sentence=error.sentence,
                clause=error.clause,
            )
        ) from error
    _same(of, taken.of, f"{field}.of")


def _same(claimed: Any, actual: Any, field: str) -> None:
    found = difference(claimed, actual, field)
    if found:
        raise BadRecord(found)
