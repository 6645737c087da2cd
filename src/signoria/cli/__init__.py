"""The command line: `signoria --help`. Every command has a module or a folder of its name."""

import os
import sys
from importlib import metadata
from typing import Annotated

import typer

from signoria.cli.admin import admin
from signoria.cli.arena import arena
from signoria.cli.bench import bench
from signoria.cli.bench_server import bench_server
from signoria.cli.deck import deck
from signoria.cli.demo import demo
from signoria.cli.output import INTERRUPTED
from signoria.cli.perft import perft
from signoria.cli.play import play
from signoria.cli.replay import replay
from signoria.cli.rules import rules
from signoria.cli.serve import serve
from signoria.cli.simulate import simulate
from signoria.cli.soak import soak
from signoria.cli.verify import verify
from signoria.kernel.errors import SignoriaError

BAD_INPUT = 2
OUTPUT_CLOSED = 1

app = typer.Typer(
    name="signoria",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


@app.callback(invoke_without_command=True)
def version(show: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False) -> None:
    """Board games: play in the browser or the terminal, simulate, check and replay games, look up rules."""
    if show:
        typer.echo(f"signoria {metadata.version('signoria')}")
        raise typer.Exit


for command in (serve, play, demo, simulate, arena, verify, replay, bench, bench_server, soak, rules, perft):
    app.command()(command)
app.add_typer(deck, name="deck")
app.add_typer(admin, name="admin")


def main() -> None:
    """Run the command line. For bad input, print one line on standard error and exit with status 2."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command and return its exit status."""
    try:
        status = app(arguments or ["--help"], standalone_mode=False)
        sys.stdout.flush()
    except (SignoriaError, typer.TyperException) as error:
        return refuse(error.format_message() if isinstance(error, typer.TyperException) else str(error))
    except BrokenPipeError:
        return stop_writing()
    except OSError as error:
        return refuse(f"{error.filename or 'output'}: {error.strerror}.")
    if status == INTERRUPTED:
        print("signoria: stopped.", file=sys.stderr)
    return status if isinstance(status, int) else 0


def refuse(sentence: str) -> int:
    """Print the error in one line and return the exit status for bad input."""
    print(f"signoria: {' '.join(sentence.split())}", file=sys.stderr)
    return BAD_INPUT


def stop_writing() -> int:
    """End quietly when the reader of our output stops reading (`signoria rules | head`).

    SIGPIPE stays ignored, which is Python's default. Otherwise a client that hangs up would end the server.
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return OUTPUT_CLOSED
