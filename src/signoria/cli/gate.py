"""`signoria gate`: tests whether a network may be released: at equal time it has to beat the search that it replaces."""

from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import Annotated, Any

import msgspec
import typer

from signoria.arena import ArenaSummary, Setting, hypotheses, run_arena
from signoria.bots.weights import FOLDER, box_digest, cards_of, judgement_for, read_card, write_card
from signoria.cli.options import NOTHING, GameName, Given, Json, Seed, with_game_options
from signoria.cli.output import INTERRUPTED, compiling, console, print_json, progress, signs
from signoria.cli.train import position_of, tables_of
from signoria.games import AnyGame, find_game
from signoria.kernel.errors import BadOption
from signoria.kernel.language import to_say, to_say_docstring

TIMES = ("0.02s", "0.1s")
"""Thinking times for a decision; a network has to be better at both."""


@with_game_options
@to_say_docstring
def gate(
    game: GameName,
    players: Annotated[
        list[int] | None,
        typer.Option("--players", "-p", help=to_say("Number of players; several times for several tests.")),
    ] = None,
    given: Given = NOTHING,
    times: Annotated[str, typer.Option(metavar="TIME,TIME", help=to_say("Thinking times for a decision."))] = ",".join(
        TIMES
    ),
    games: Annotated[
        int, typer.Option("--games", "-n", min=1, help=to_say("Maximum number of games of each test."))
    ] = 1000,
    within: Annotated[
        float | None,
        typer.Option(
            min=0.05, metavar="MINUTES", help=to_say("Time for all tests; those without an answer stay undecided.")
        ),
    ] = None,
    sprt: Annotated[
        str, typer.Option(metavar="fair|P0,P1", help=to_say("The two win shares that the test compares."))
    ] = "fair",
    seed: Seed = 1,
    cores: Annotated[
        int | None, typer.Option(min=1, help=to_say("Number of processes; default: one per core."))
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help=to_say("Write the results of each test here."))
    ] = None,
    note: Annotated[bool, typer.Option("--note", help=to_say("Add the results to the cards of the networks."))] = False,
    json: Json = False,
) -> int:
    """Test networks against the search at equal time, until it is clear which one is better.

    Without --players and options of the game, every table is tested that a network was trained for.

    The exit status is 0 if the networks are better in all tests, and 1 otherwise.
    """
    began = monotonic()
    found = find_game(game)
    tables = tables_to_test(found, players, given)
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
    tests = [(table, time.strip()) for time in times.split(",") for table in tables]
    summaries: list[ArenaSummary] = []
    try:
        for table, time in tests:
            seconds = None
            if within is not None:
                seconds = (60 * within - (monotonic() - began)) / (len(tests) - len(summaries))
            summary = play(found, table, time, games, seconds, hypotheses(sprt, table["players"]), seed, cores)
            summaries.append(summary)
            name = name_of(found, table, time)
            if out is not None:
                (out / f"{name}.json").write_bytes(msgspec.json.encode(summary) + b"\n")
            if note:
                note_on_card(found, table, summary)
            if not json:
                console.print(f"{name}: {summary.sprt}", soft_wrap=True)
    except KeyboardInterrupt:
        return INTERRUPTED
    if json:
        print_json(summaries)
    return 0 if all(one.sprt is not None and one.sprt.verdict == "better" for one in summaries) else 1


def tables_to_test(game: AnyGame, players: Sequence[int] | None, given: Given) -> list[dict[str, Any]]:
    """The tables to test; raises `BadOption` if there is no network for one that was asked for, or none at all.

    Raises `BadWeights` if a network cannot be read: the bot would lose its games for that, and not because it is weaker.
    """
    trained = {one.box: one.options for card in cards_of(game).values() for one in card.settings}
    if given:
        asked = [table for number in players or game.seats for table in tables_of(game, number, given)]
        tables = [table for table in asked if digest_of(game, table) in trained]
    else:
        tables = [table for table in trained.values() if not players or table["players"] in players]
    missing = [number for number in players or () if all(table["players"] != number for table in tables)]
    if missing or not tables:
        which = f" for {missing[0]} players" if missing else ""
        raise BadOption(
            f"gate: there is no network{which} of {game.title} to test. Train one with `signoria train {game.name}`,"
            f" and name its folder in {FOLDER}."
        )
    for table in tables:
        judgement_for(position_of(game, table))
    return tables


def digest_of(game: AnyGame, table: dict[str, Any]) -> str:
    """The digest of the box of a table with these options."""
    return box_digest(position_of(game, table))


def name_of(game: AnyGame, table: dict[str, Any], time: str) -> str:
    """A name for a test: the game, the number of players, unusual options and the time."""
    usual = msgspec.to_builtins(game.options({"players": table["players"]}))
    others = [
        name if value is True else f"{name}-{value}".lower() for name, value in table.items() if value != usual[name]
    ]
    return "-".join([game.name, str(table["players"]), *others, time])


def play(
    game: AnyGame,
    table: dict[str, Any],
    time: str,
    games: int,
    seconds: float | None,
    shares: tuple[float, float],
    seed: int,
    cores: int | None,
) -> ArenaSummary:
    """One test at one table, with one thinking time."""
    setting = Setting.of(game.name, [f"net:{time}", f"search:{time}"], seed=seed, **table)
    began = monotonic()
    with progress("Playing", None) as bar:
        return run_arena(
            setting,
            games,
            sprt=shares,
            cores=cores,
            tell=lambda sentence: signs.print(sentence, soft_wrap=True),
            progress=lambda done, of: bar.update(bar.task_ids[0], completed=done, total=of),
            preparing=compiling(),
            enough=lambda: seconds is not None and monotonic() - began > seconds,
        )


def note_on_card(game: AnyGame, table: dict[str, Any], summary: ArenaSummary) -> None:
    """Add the result of a test to the card of the network that played; a test that is repeated replaces the older one."""
    box = digest_of(game, table)
    for weights, card in cards_of(game).items():
        if any(one.box == box for one in card.settings):
            path = weights.with_suffix(".json")
            card = read_card(path)
            test = {"options": table, **msgspec.to_builtins(summary.sprt)}
            same = ("options", "bot", "against")
            others = [one for one in card.results if any(one.get(key) != test[key] for key in same)]
            write_card(path, msgspec.structs.replace(card, results=(*others, test)))
            return
