"""`signoria lab`: plays many games and writes an illustrated report about them."""

import shlex
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any

import typer

from signoria.bots import names_of
from signoria.cli.arena import check_folder
from signoria.cli.options import NOTHING, GameName, Given, Json, Players, Seed, wanted, with_game_options
from signoria.cli.output import compiling, console, print_json, progress
from signoria.kernel.errors import BadOption
from signoria.kernel.language import to_say, to_say_docstring
from signoria.lab.experiment import experiment_of, variant_of
from signoria.lab.playing import on_cores
from signoria.lab.report import findings, write_report
from signoria.lab.study import Side, Study, study


@with_game_options
@to_say_docstring
def lab(
    game: GameName,
    players: Players = None,
    given: Given = NOTHING,
    games: Annotated[int, typer.Option("--games", "-n", min=2, help=to_say("Number of games."))] = 50_000,
    bots: Annotated[
        str, typer.Option(metavar="NAME[,NAME...]", help=to_say("The bots: one for all seats, or one per seat."))
    ] = "greedy",
    compare: Annotated[
        tuple[str, str] | None,
        typer.Option(
            metavar="A B",
            help=to_say(
                "Compare two variants. Each is `standard`, a changed components file (.toml), a list of components, or"
                " options such as NAME or NAME=VALUE."
            ),
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE.html", help=to_say("Write the report to this file."))
    ] = None,
    seed: Seed = 1,
    sides: Annotated[
        bool, typer.Option(help=to_say("Also play with other numbers of players and with bots of other strength."))
    ] = True,
    cores: Annotated[int | None, typer.Option(min=1, help=to_say("Number of cores; default: all."))] = None,
    gpu: Annotated[
        bool, typer.Option("--gpu", help=to_say("Play on the GPU; bots that are not compiled use the cores."))
    ] = False,
    ray: Annotated[str | None, typer.Option(metavar="auto|ADDRESS", help=to_say("Play on a Ray cluster."))] = None,
    json: Json = False,
) -> None:
    """Play many games and report: scores, seat advantage, length, what things were worth, which clauses came into play.

    `signoria deck design GAME` prints the components file of a game. Change a copy of it and compare.
    """
    found, options, own = wanted(game, players, given)
    base = experiment_of(found, options, own, names_of(bots, options.players), seed)
    first, second = (variant_of(base, one) for one in compare) if compare else (base, None)
    if out is not None:
        check_folder(out)
    if out is None and not json:
        raise BadOption("out: name a file for the report, or use --json.")
    command = shlex.join(["signoria", *sys.argv[1:]])
    with compiling(), _player(cores, gpu, ray) as player, progress("Playing", None) as bar:

        def told(done: int, of: int) -> None:
            bar.update(bar.task_ids[0], completed=done, total=of)

        played = study(player, first, second, games, told, sides=sides)
    if out is not None:
        out.write_text(write_report(played, command), "utf-8")
    if json:
        print_json(_to_dict(played) | {"command": command})
        return
    for sentence in findings(played.base.main):
        console.print(sentence, soft_wrap=True)
    console.print(f"Report: {out}", soft_wrap=True)


def _player(cores: int | None, gpu: bool, ray: str | None) -> Any:
    """What plays the games, while it is in use."""
    if ray is not None:
        from signoria.lab.cluster import on_cluster

        return on_cluster(ray)
    if gpu:
        from signoria.lab.gpu import on_gpu

        return nullcontext(on_gpu())
    return nullcontext(on_cores(cores))


def _to_dict(played: Study) -> dict[str, Any]:
    def side(one: Side) -> dict[str, Any]:
        return {
            "main": one.main.to_dict(),
            "by_players": [results.to_dict() for results in one.by_players],
            "by_strength": [results.to_dict() for results in one.by_strength],
        }

    return {"base": side(played.base), "other": None if played.other is None else side(played.other)}
