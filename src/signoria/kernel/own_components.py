"""Components of a player's own: a file that lists the cards of their own box, in place of the list we play with."""

from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec


class OwnComponents(NamedTuple):
    """How a game reads and writes lists of its components."""

    option: str
    """The option that names the file, for `open_table` and the command line: `deck`."""
    help: str
    """What the file holds, for the command line, marked for translation."""
    heading: str
    """Comment lines that explain the file, for its top."""
    standard: Callable[[], msgspec.Struct]
    """The components we play with."""
    read: Callable[[str, str], msgspec.Struct]
    """read(text, source): the components that a text lists; raises `BadDeck` naming the source."""
    write: Callable[[Any], str]
    """write(components): what `read` reads."""
    summary: Callable[[Any], str]
    """summary(components): what there is, counted: `55 cards`."""
    recognises: Callable[[str], bool]
    """recognises(text): whether a text looks like a list of this game rather than another's."""


class NoComponents(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The components of a game whose rules already know all of them, such as a deck of ordinary cards."""
