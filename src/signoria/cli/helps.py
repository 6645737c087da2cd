"""The help of commands and the errors about what was typed, in the language that is spoken.

Commands mark their help with `to_say` and `to_say_docstring`. Typer's own words are English; we translate them where it
writes them.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

import typer

from signoria.cli.options import IN_HELP, help_of_game_options
from signoria.games import some_clauses
from signoria.kernel.language import LANGUAGES, labelled, say, to_say
from signoria.server.settings import PORT

HEADINGS = (to_say("Arguments"), to_say("Options"), to_say("Commands"))
PLACEHOLDERS = (
    *(to_say("OPTIONS"), to_say("COMMAND"), to_say("ARGS"), to_say("GAME"), to_say("FILE"), to_say("FOLDER")),
    *(to_say("NAME"), to_say("NUMBER"), to_say("ADDRESS"), to_say("KEY"), to_say("TIME"), to_say("MINUTES")),
    *(to_say("CARD"), to_say("TABLE"), to_say("FAULT"), to_say("CLAUSE")),
)
"""Words that stand for what is typed."""
SHOW_HELP = to_say("Show this message and exit.")
REQUIRED = to_say("required")
DEFAULT = to_say("default: {value}")
DETAILS = re.compile(r"(?s)(.*?)  \[(.*)\]")
"""What Typer adds to the help of an option: `  [default: 3; x>=0]`."""

USAGE_ERRORS = (
    to_say("No such command {name}."),
    to_say("No such command {name}. Did you mean {names}?"),
    to_say("No such option: {name}"),
    to_say("No such option: {name} (Possible options: {names})"),
    to_say("Missing command."),
    to_say("Missing argument {name}."),
    to_say("Missing option {name}."),
    to_say("Option {name} requires an argument."),
    to_say("Option {name} requires {number} arguments."),
    to_say("Option {name} does not take a value."),
    to_say("Got unexpected extra argument(s) ({arguments})"),
)
INVALID = to_say("Invalid value for {name}: {reason}")
REASONS = (
    to_say("Input should be a valid integer, unable to parse string as an integer"),
    to_say("Input should be a valid number, unable to parse string as a number"),
    to_say("Input should be greater than or equal to {number}"),
    to_say("Input should be less than or equal to {number}"),
    to_say("Value error, {value} is not one of {values}."),
)


class HelpFormatter(typer.Context.formatter_class):  # type: ignore[misc, valid-type]
    """Writes help with Typer's words translated."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """The line that begins with `Usage:`."""
        super().write_usage(prog, args, labelled(say("Usage"), "") if prefix is None else prefix)

    def write_heading(self, heading: str) -> None:
        """The heading above arguments, options or commands."""
        self.write(f"{labelled(say(heading), '').rstrip()}\n")

    def write_dl(self, rows: Sequence[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """A list of options or commands."""
        super().write_dl([(first, with_details(second)) for first, second in rows], col_max, col_spacing)


class HelpContext(typer.Context):
    """A context whose help is written by `HelpFormatter`."""

    formatter_class = HelpFormatter


def with_details(text: str) -> str:
    """The help of an option, with the words in brackets behind it translated."""
    found = DETAILS.fullmatch(text)
    if found is None:
        return say(SHOW_HELP) if text == SHOW_HELP else text
    told = []
    for detail in found[2].split("; "):
        default = matching(DEFAULT, detail)
        told.append(say(DEFAULT, **default) if default else say(REQUIRED) if detail == REQUIRED else detail)
    return f"{found[1]}  [{'; '.join(told)}]"


def translate_help(command: Any) -> None:
    """Translate the help of a command and of all commands in it."""
    values = {
        **IN_HELP,
        **help_of_game_options(),
        "languages": ", ".join(LANGUAGES),
        "clauses": some_clauses(),
        "port": PORT,
    }
    for one in all_commands(command):
        one.context_class = HelpContext
        one.help = say(one.help, **values)
        one.options_metavar = with_placeholders(one.options_metavar)
        if hasattr(one, "subcommand_metavar"):
            one.subcommand_metavar = with_placeholders(one.subcommand_metavar)
        for parameter in one.params:
            parameter.help = say(parameter.help, **values)
            parameter.metavar = parameter.metavar and with_placeholders(parameter.metavar)


def with_placeholders(typed: str) -> str:
    """What can be typed, such as `NAME[,NAME...]`, with the words in capitals translated."""
    return re.sub(r"[A-Z]+", lambda word: say(word[0]) if word[0] in PLACEHOLDERS else word[0], typed)


def all_commands(command: Any) -> Iterator[Any]:
    """A command and all commands in it."""
    yield command
    for inner in getattr(command, "commands", {}).values():
        yield from all_commands(inner)


def tell_usage_error(error: typer.TyperException) -> str:
    """What was typed wrongly, in the language that is spoken. A sentence that we do not know stays English."""
    sentence = error.format_message()
    invalid = matching(INVALID, sentence)
    if invalid:
        return say(INVALID, name=invalid["name"], reason=_translated(REASONS, invalid["reason"]))
    return _translated(USAGE_ERRORS, sentence)


def _translated(known: Sequence[str], sentence: str) -> str:
    for message in sorted(known, key=len, reverse=True):  # the longest says most
        values = matching(message, sentence)
        if values is not None:
            return say(message, **values)
    return sentence


def matching(message: str, sentence: str) -> dict[str, str] | None:
    """The values with which a message became this sentence; None if it is another one."""
    pattern = re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+?)", re.escape(message))
    found = re.fullmatch(pattern, sentence, re.DOTALL)
    return None if found is None else found.groupdict()
