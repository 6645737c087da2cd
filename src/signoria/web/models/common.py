"""What pages have in common: who looks, what is said to them, games and seats."""

from typing import Literal

import msgspec


class Model(msgspec.Struct, frozen=True, kw_only=True):
    """Something that a template draws."""


class Viewer(Model, frozen=True, kw_only=True):
    """Whoever looks at the page."""

    id: str
    name: str
    guest: bool
    """Without a password: name, games and rating are lost with this browser's cookie."""
    unasked: bool = True
    """Steps that leave no choice are made for them."""


class Notice(Model, frozen=True, kw_only=True):
    """A sentence about what was just asked for: why it could not be done, or that it was."""

    says: str
    clause: str | None = None
    """The clause that it rests on, linked to the rules."""
    good: bool = False
    again: bool = False
    """Whoever asks once more gets it."""


class Page(Model, frozen=True, kw_only=True):
    """What every page has."""

    viewer: Viewer | None
    """None for somebody who has not done anything here yet."""
    notice: Notice | None = None


class RatingModel(Model, frozen=True, kw_only=True):
    """Somebody's rating in a game: the mean, and how far the truth is likely to be from it (95%)."""

    mean: float
    reach: float
    games: int


class SeatModel(Model, frozen=True, kw_only=True):
    """A seat at a table."""

    seat: int
    title: str
    """As the game calls it: White, Player 2."""
    colour: str
    """A CSS class: `seat-0` to `seat-4`."""
    kind: Literal["empty", "person", "bot"]
    name: str
    """The person's name here, or the bot's level; empty for an empty seat."""
    mine: bool
    away: bool
    """A bot stands in for this person."""
    resigned: bool
    rating: RatingModel | None
    points: int | None = None
    """Final points, once the game is over."""
    won: bool = False
    may_block: bool = False
    """The viewer may block the person who sits there."""
    blocked: bool = False
    """The viewer has blocked this person."""


class GameModel(Model, frozen=True, kw_only=True):
    """A game that can be played."""

    name: str
    title: str
    intro: str
    options: tuple["OptionModel", ...]
    numbers: "NoteModel | None"
    """What the number of players changes."""
    seats: tuple[int, ...] = (2, 3, 4, 5)
    """How many may play."""
    usual: int = 3
    """How many usually do."""


class NoteModel(Model, frozen=True, kw_only=True):
    """A sentence and its clause."""

    says: str
    clause: str


class OptionModel(Model, frozen=True, kw_only=True):
    """An option of a game, as a form asks for it."""

    name: str
    title: str
    says: str
    """What it means, in a sentence."""
    clause: str
    choices: tuple[tuple[str, str], ...]
    """Empty for yes or no; otherwise values and their words, the usual one first."""


class LevelModel(Model, frozen=True, kw_only=True):
    """A bot that people can play against."""

    id: str
    title: str
    says: str
