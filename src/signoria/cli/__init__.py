"""The command line: `signoria --help`. One module a command."""

import sys

import typer

from signoria.cli.bench import bench
from signoria.cli.deck import deck
from signoria.cli.demo import demo
from signoria.cli.perft import perft
from signoria.cli.replay import replay
from signoria.cli.rules import rules
from signoria.cli.simulate import simulate
from signoria.cli.verify import verify
from signoria.kernel.errors import SignoriaError

BAD_INPUT = 2
INTERRUPTED = 130

app = typer.Typer(
    name="signoria",
    help="Patrician at the command line: simulate, check and replay games; look up rules and cards.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
for command in (demo, simulate, verify, replay, bench, rules, perft):
    app.command()(command)
app.add_typer(deck, name="deck")


def main() -> None:
    """Run the command line. Whatever is wrong with what was asked is one line on standard error, status 2."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command; its exit status."""
    try:
        status = app(arguments or ["--help"], standalone_mode=False)
    except (SignoriaError, typer.TyperException) as error:
        sentence = error.format_message() if isinstance(error, typer.TyperException) else str(error)
        print(f"signoria: {' '.join(sentence.split())}", file=sys.stderr)
        return BAD_INPUT
    except (KeyboardInterrupt, typer.Abort):
        print("signoria: stopped.", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # whoever reads our output has seen enough
        sys.stderr.close()
        return 0
    return status if isinstance(status, int) else 0
