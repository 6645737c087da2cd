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
from signoria.cli.calibrate import calibrate_command
from signoria.cli.deck import deck
from signoria.cli.demo import demo
from signoria.cli.examples import examples
from signoria.cli.exploit import exploit
from signoria.cli.gate import gate
from signoria.cli.helps import tell_usage_error, translate_help
from signoria.cli.lab import lab
from signoria.cli.output import INTERRUPTED
from signoria.cli.perft import perft
from signoria.cli.play import play
from signoria.cli.print_documents import print_documents
from signoria.cli.replay import replay
from signoria.cli.rules import rules
from signoria.cli.serve import serve
from signoria.cli.simulate import simulate
from signoria.cli.soak import soak
from signoria.cli.train import train
from signoria.cli.verify import verify
from signoria.kernel.errors import BadOption, SignoriaError
from signoria.kernel.language import ENGLISH, LANGUAGES, is_known, say, speak, to_say, to_say_docstring
from signoria.kernel.os_errors import tell_reason

BAD_INPUT = 2
OUTPUT_CLOSED = 1

app = typer.Typer(
    name="signoria",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


@app.callback(invoke_without_command=True)
@to_say_docstring
def version(
    show: Annotated[bool, typer.Option("--version", help=to_say("Print the version and exit."))] = False,
    language: Annotated[
        str | None,
        typer.Option(help=to_say("The language of what is printed: {languages}. Usually that of the system.")),
    ] = None,
) -> None:
    """Board games: play in the browser or the terminal, simulate, check and replay games, look up rules."""
    if language is not None and not is_known(language):
        possible = ", ".join(LANGUAGES)
        raise BadOption(
            say("language: {language!r} is not possible; use {possible}.", language=language, possible=possible)
        )
    speak(language or system_language())
    if show:
        typer.echo(f"signoria {metadata.version('signoria')}")
        raise typer.Exit


for command in (
    serve,
    play,
    demo,
    simulate,
    arena,
    lab,
    train,
    gate,
    exploit,
    verify,
    replay,
    bench,
    bench_server,
    soak,
    rules,
    examples,
    perft,
):
    app.command()(command)
app.command("calibrate")(calibrate_command)
app.command("print")(print_documents)
app.add_typer(deck, name="deck")
app.add_typer(admin, name="admin")


def system_language() -> str:
    """The language of the system, from LC_ALL, LC_MESSAGES or LANG; English if we do not speak it."""
    said = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    name = said.partition(".")[0].partition("_")[0].lower()
    return name if name in LANGUAGES else ENGLISH


def language_of(arguments: list[str]) -> str:
    """The language that `--language` names before the command, or that of the system."""
    for argument, value in zip(arguments, [*arguments[1:], ""], strict=False):
        name, _, joined = argument.partition("=")
        if name == "--language" and is_known(joined or value):
            return joined or value
        if not name.startswith("-"):
            break
    return system_language()


def main() -> None:
    """Run the command line. For bad input, print one line on standard error and exit with status 2."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command and return its exit status."""
    speak(language_of(arguments))
    command = typer.main.get_command(app)
    translate_help(command)
    try:
        status = command(arguments or ["--help"], standalone_mode=False)
        sys.stdout.flush()
    except SignoriaError as error:
        return refuse(str(error))
    except typer.TyperException as error:
        return refuse(tell_usage_error(error))
    except BrokenPipeError:
        return stop_writing()
    except OSError as error:
        return refuse(f"{error.filename or say('output')}: {tell_reason(error)}.")
    if status == INTERRUPTED:
        print(f"signoria: {say('stopped.')}", file=sys.stderr)
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
