"""Options of a game: their values, their labels, and reading them from what people typed."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, TypeVar, get_args, get_origin

import msgspec

from signoria.kernel.errors import BadOption
from signoria.kernel.language import Texts, Told, any_of, say

Option = bool | int | str


Agreed = TypeVar("Agreed", bound=msgspec.Struct)


class OptionLabel(NamedTuple):
    """An option of a game as forms and the command line show it."""

    name: str
    """As in records and in the game's `Options`."""
    title: str
    says: Told = ""
    """What it means, in a sentence."""
    clause: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    """Its values and what they are called, the usual one first; empty for yes or no."""
    help: str = ""
    """What the command line says about it: `play six rounds instead of five`."""

    def told(self, texts: Texts) -> "OptionLabel":
        """The same in the language that is spoken now."""
        choices = tuple((value, texts.say(called)) for value, called in self.choices)
        said = {"title": texts.say(self.title), "says": texts.tell(self.says), "help": texts.say(self.help)}
        return self._replace(**said, choices=choices)


def plain_label(name: str, kind: Any) -> OptionLabel:
    """The label of an option, made from its name and type."""
    choices = tuple((str(value), str(value)) for value in _values(kind))
    return OptionLabel(name, name.replace("_", " ").capitalize(), choices=choices)


def read_options(
    given: Mapping[str, Option], kind: type[Agreed], title: str, seats: range, clauses: Mapping[str, str]
) -> Agreed:
    """Options by name, with defaults for the others; raises `BadOption` with what is possible.

    `clauses` are the clauses that introduce options, by name.
    """
    if given.get("players") not in seats:
        least, most, clause = seats[0], seats[-1], clauses["players"]
        if "players" not in given:
            says = say(
                "players: missing; {game} is for {least} to {most} ({clause}).",
                game=title,
                least=least,
                most=most,
                clause=clause,
            )
        else:
            says = say(
                "players: {found!r}; {game} is for {least} to {most} ({clause}).",
                found=given["players"],
                game=title,
                least=least,
                most=most,
                clause=clause,
            )
        raise BadOption(says)
    fields = {field.name: field for field in msgspec.structs.fields(kind)}
    for name, value in given.items():
        if name not in fields:
            raise BadOption(
                say(
                    "{name}: {game} has no such option. Its options are {options}.",
                    name=name,
                    game=title,
                    options=", ".join(fields),
                )
            )
        possible = _values(fields[name].type)
        if possible and value not in possible:
            if clauses.get(name):
                says = say(
                    "{name}: {value!r} is not possible; use {possible} ({clause}).",
                    name=name,
                    value=value,
                    possible=any_of(possible),
                    clause=clauses[name],
                )
            else:
                says = say(
                    "{name}: {value!r} is not possible; use {possible}.",
                    name=name,
                    value=value,
                    possible=any_of(possible),
                )
            raise BadOption(says)
    try:
        return msgspec.convert(given, kind)
    except msgspec.ValidationError as error:
        sentence, _, path = str(error).partition(" - at `$.")
        raise BadOption(f"{path.rstrip('`')}: {sentence}.") from error


def _values(kind: Any) -> tuple[Any, ...]:
    """The values that a type lists; empty for a type that lists none."""
    return get_args(kind) if get_origin(kind) is Literal else ()
