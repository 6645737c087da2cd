"""The help of every command and the errors about what was typed, in every language."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
import typer

from signoria.cli import app, run
from signoria.cli.helps import HEADINGS, SHOW_HELP, all_commands, translate_help
from signoria.cli.options import help_of_game_options
from signoria.kernel.language import say, speak, speaking
from tests.language.messages import languages, marked, packages

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def english_system(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("LC_ALL", "C")
    yield
    speak("en")


def tree() -> Any:
    """All commands with their help as it is in the source."""
    return typer.main.get_command(app)


def paths(command: Any, typed: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """What is typed for every command, and the command."""
    yield typed, command
    for name, inner in getattr(command, "commands", {}).items():
        yield from paths(inner, (*typed, name))


def helps(command: Any) -> list[str]:
    """The texts of a command's help."""
    return [command.help, *(parameter.help for parameter in command.params)]


def flat(text: str) -> str:
    return " ".join(text.split())


def test_every_help_is_marked() -> None:
    known = {one.id for one in marked(packages()[0])} | {f"{{{name}}}" for name in help_of_game_options()}
    assert [text for command in all_commands(tree()) for text in helps(command) if text not in known] == []


@pytest.mark.parametrize("language", languages())
def test_help_of_every_command_is_translated(capsys: Capture, monkeypatch: pytest.MonkeyPatch, language: str) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    english, translated = tree(), tree()
    translate_help(english)
    with speaking(language):
        translate_help(translated)
        usual = [say(text) for text in (*HEADINGS[1:2], SHOW_HELP, "Usage")]
    for (typed, before), (_, after) in zip(paths(english), paths(translated), strict=True):
        assert run(["--language", language, *typed, "--help"]) == 0
        told = flat(capsys.readouterr().out)
        for source, text in zip(helps(before), helps(after), strict=True):
            assert source != text
            assert flat(text) in told
            assert flat(source) not in told
        assert [text for text in usual if text not in told] == []
        assert not re.search(r"Usage:|Show this message|\[default: |\[required\]|; required\]|Commands:", told)


def test_help_follows_the_system(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    assert run(["play", "--help"]) == 0
    assert "Im Terminal gegen Bots spielen." in capsys.readouterr().out
    assert run(["--language", "en", "play", "--help"]) == 0
    assert "Play against bots in the terminal." in capsys.readouterr().out


ERRORS = [
    ["frob"],
    ["plau"],
    ["simulate"],
    ["simulate", "patrician", "--frob"],
    ["simulate", "patrician", "--player", "3"],
    ["simulate", "patrician", "--games"],
    ["simulate", "patrician", "--games", "x"],
    ["simulate", "patrician", "--games", "0"],
    ["simulate", "patrician", "x", "y"],
    ["simulate", "patrician", "--json=3"],
    ["demo", "--pause", "99"],
    ["demo", "--pause", "x"],
    ["deck"],
    ["arena", "patrician"],
    ["soak", "--database", "x"],
    ["lab", "patrician", "--compare", "a"],
]


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("arguments", ERRORS, ids=" ".join)
def test_usage_errors_are_translated(capsys: Capture, arguments: list[str], language: str) -> None:
    english = re.compile(r"\b(No such|Did you|Missing|requires|does not|Got|Invalid|Input|Value error|Possible)\b")
    assert run(arguments) == 2
    assert english.search(capsys.readouterr().err)
    assert run(["--language", language, *arguments]) == 2
    told = capsys.readouterr().err
    assert told.startswith("signoria: ")
    assert not english.search(told)
