"""Models that pages share: viewer, notice, games and seats."""

from typing import Literal

import msgspec


class Model(msgspec.Struct, frozen=True, kw_only=True):
    """Something that a template draws."""


class Viewer(Model, frozen=True, kw_only=True):
    """The person who views the page."""

    id: str
    name: str
    guest: bool
    """Has no password, so name, games and rating are lost with this browser's cookie."""
    unasked: bool = True
    """Whether forced moves are played for them."""


class Notice(Model, frozen=True, kw_only=True):
    """A message about the last request: an error or a confirmation."""

    says: str
    clause: str | None = None
    """The clause that it is based on, linked to the rules."""
    good: bool = False
    again: bool = False
    """Asking again confirms the request."""


class ShareModel(Model, frozen=True, kw_only=True):
    """What other sites show of a link to a page, and how to share it."""

    url: str
    picture: str
    """The address of a picture."""
    title: str
    says: str
    embed: str
    """The address of the replay for pages of other sites; empty if there is none."""


class Page(Model, frozen=True, kw_only=True):
    """What every page has."""

    viewer: Viewer | None
    """None for a new visitor."""
    notice: Notice | None = None
    share: ShareModel | None = None
    """What other sites show of a link to this page, if there is more to show than its title."""


class RatingModel(Model, frozen=True, kw_only=True):
    """A player's rating in a game: the mean and its margin of error (95%)."""

    mean: float
    reach: float
    games: int


class RatingChangeModel(Model, frozen=True, kw_only=True):
    """A player's rating before and after a finished game."""

    before: float
    after: float


class SeatModel(Model, frozen=True, kw_only=True):
    """A seat at a table."""

    seat: int
    title: str
    """The game's name for the seat: White, Player 2."""
    colour: str
    """A CSS class: `seat-0` to `seat-4`."""
    kind: Literal["empty", "person", "bot"]
    name: str
    """The player's name at this table, or the bot's level; empty for an empty seat."""
    mine: bool
    away: bool
    """Whether a bot plays for this person."""
    resigned: bool
    rating: RatingModel | None
    points: int | None = None
    """Final points, once the game is over."""
    won: bool = False
    change: RatingChangeModel | None = None
    """What the game changed in the player's rating, once it is over; None if it was not rated."""
    time_left: str = ""
    """What the seat has left of a total time, while its clock stands still: `9:30`."""
    vacation: str = ""
    """Until when the clock of the seat stands still, because its player is on vacation; empty if it does not."""
    profile: str = ""
    """The name of the person's account, if it has a page of its own; empty for bots, and for people who share a device."""
    may_block: bool = False
    """Whether the viewer may block this person."""
    blocked: bool = False
    """Whether the viewer has blocked this person."""


class GameModel(Model, frozen=True, kw_only=True):
    """A game that can be played."""

    name: str
    title: str
    intro: str
    options: tuple["OptionModel", ...]
    numbers: "NoteModel | None"
    """A note about how the number of players changes the game."""
    seats: tuple[int, ...]
    """Possible numbers of players."""
    usual: int
    """The usual number of players."""
    levels: tuple["LevelModel", ...]
    """The bots that play it."""


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
    """Empty for a yes/no option; otherwise values and their labels, the default first."""


class LevelModel(Model, frozen=True, kw_only=True):
    """A bot that people can play against."""

    id: str
    title: str
    says: str
