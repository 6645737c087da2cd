"""Request models: every body and query, field by field. Unknown fields are errors."""

from typing import TYPE_CHECKING, Annotated, Generic, Literal, TypeVar

import msgspec
from msgspec import Meta

from signoria.games import GAMES
from signoria.kernel.options import Option
from signoria.server.api.per_game import per_game, step_type

if TYPE_CHECKING:
    GameName = str
else:
    GameName = Literal[tuple(GAMES)]
Level = Literal[
    "garzone", "muratore", "scalpellino", "capomastro", "provveditore", "architetto",
    "costruttore", "speculatore", "avaro", "apprendista",
]  # fmt: skip
"""A bot from easiest to hardest, then bots with a style, which not every game has; `apprendista` is the older name of `garzone`."""
Clock = Literal[0, 60, 180, 600, 3600, 86400, 259200, 604800]
TotalTime = Literal[0, 300, 600, 900, 1800, 3600]
Increment = Literal[0, 5, 10, 15, 20, 30]
NoticeKind = Literal["turn", "invitation", "rematch", "seat", "chat", "end"]
Channel = Literal["push", "email"]
Minute = Annotated[int, Meta(ge=0, le=1439)]
SeatNumber = Annotated[int, Meta(ge=0, le=4)]
Version = Annotated[int, Meta(ge=0, le=1_000_000)]
Name = Annotated[str, Meta(max_length=24)]
Limit = Annotated[int, Meta(ge=1, le=100)]

S = TypeVar("S")


class RequestModel(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The body or query of a request."""


class NoParameters(RequestModel, frozen=True, kw_only=True):
    """No parameters."""


class TableListQuery(RequestModel, frozen=True, kw_only=True):
    """Which tables to list."""

    state: Literal["open", "playing", "over", "mine"] = "open"
    """Tables that anyone can join, games in progress, finished games, or your own tables."""
    limit: Limit = 25
    """The most tables to return."""
    game: GameName | msgspec.UnsetType = msgspec.UNSET
    """Only tables of this game."""
    player: Annotated[str, Meta(min_length=1, max_length=24)] | msgspec.UnsetType = msgspec.UNSET
    """Only tables of the player with this name."""
    after: Annotated[str, Meta(pattern="^[0-9]{1,15}[.][A-Za-z0-9_-]{1,40}$")] | msgspec.UnsetType = msgspec.UNSET
    """`next` of the previous page."""


class RankingQuery(RequestModel, frozen=True, kw_only=True):
    """Limits a ranking."""

    limit: Limit = 25
    """The most entries to return."""


class ViewQuery(RequestModel, frozen=True, kw_only=True):
    """Selects a view."""

    seat: SeatNumber | msgspec.UnsetType = msgspec.UNSET
    """Your own seat; leave it out for a spectator's view."""


class OwnSeat(RequestModel, frozen=True, kw_only=True):
    """A seat of your own."""

    seat: SeatNumber
    """The seat."""


class AnySeat(RequestModel, frozen=True, kw_only=True):
    """Any seat."""

    seat: SeatNumber
    """The seat."""


class BlockAtTable(RequestModel, frozen=True, kw_only=True):
    """Whom to block: the person in a seat, or the author of a message. Give one of the two."""

    seat: SeatNumber | msgspec.UnsetType = msgspec.UNSET
    """The seat."""
    message: Annotated[int, Meta(ge=0, le=2_147_483_647)] | msgspec.UnsetType = msgspec.UNSET
    """The id of the message."""


class BlockNamed(RequestModel, frozen=True, kw_only=True):
    """Whom to block."""

    name: Annotated[str, Meta(min_length=1, max_length=40)]
    """Their name."""


class ProfileSettings(RequestModel, frozen=True, kw_only=True):
    """Who may see your profile."""

    shown_to: Literal["everyone", "friends", "me"]
    """Everyone, people whom you follow, or only you."""


Reason = Annotated[str, Meta(max_length=1000)]


class PersonName(RequestModel, frozen=True, kw_only=True):
    """A person."""

    name: Annotated[str, Meta(min_length=1, max_length=40)]
    """Their name."""


class SendReport(RequestModel, frozen=True, kw_only=True):
    """A report to the host of the server."""

    text: Annotated[str, Meta(min_length=1, max_length=1000)]
    """What happened."""
    table: Annotated[str, Meta(min_length=1, max_length=40)] | None = None
    """The id of the table where it happened."""
    message: Annotated[int, Meta(ge=0)] | None = None
    """The id of a message of this person at that table; the host sees it as it was."""


class MuteByHost(RequestModel, frozen=True, kw_only=True):
    """For how long a person is muted."""

    how_long: Literal["1", "7", "30", "forever", "off"]
    """Days, forever, or off to let them write again."""
    why: Reason = ""
    """The reason, for the log."""


class RenameByHost(RequestModel, frozen=True, kw_only=True):
    """A new name for a person."""

    name: Annotated[str, Meta(max_length=40)] = ""
    """The new name; empty for a neutral one."""
    why: Reason = ""
    """The reason, for the log."""


class WithReason(RequestModel, frozen=True, kw_only=True):
    """Why a moderator does something."""

    why: Reason = ""
    """The reason, for the log."""


class StartVacation(RequestModel, frozen=True, kw_only=True):
    """A vacation."""

    days: Annotated[int, Meta(ge=1, le=366)]
    """How many days."""


class InviteNamed(RequestModel, frozen=True, kw_only=True):
    """Whom to invite."""

    name: Annotated[str, Meta(min_length=1, max_length=40)]
    """Their name."""


class NotificationChoice(RequestModel, frozen=True, kw_only=True):
    """How you want to be notified. What you leave out stays as it is."""

    switches: dict[NoticeKind, tuple[Channel, ...]] | msgspec.UnsetType = msgspec.UNSET
    """By kind: the channels on which you get it. Kinds that you leave out are off."""
    zone: Annotated[str, Meta(max_length=60)] | msgspec.UnsetType = msgspec.UNSET
    """Your time zone: `Europe/Rome`."""
    quiet_from: Minute | msgspec.UnsetType | None = msgspec.UNSET
    """When your quiet hours begin, in minutes after midnight; null for none."""
    quiet_until: Minute | msgspec.UnsetType | None = msgspec.UNSET
    """When your quiet hours end."""
    digest: Literal[5, 15, 60, 360, 1440] | msgspec.UnsetType = msgspec.UNSET
    """Minutes between two e-mails at least."""


class BrowserKeys(RequestModel, frozen=True, kw_only=True):
    """A browser's push subscription."""

    endpoint: Annotated[str, Meta(min_length=1, max_length=1000)]
    """The address of its push service."""
    p256dh: Annotated[str, Meta(max_length=200)]
    """Its public key, in base64."""
    auth: Annotated[str, Meta(max_length=100)]
    """Its secret, in base64."""


class BrowserName(RequestModel, frozen=True, kw_only=True):
    """A browser that gets push messages."""

    endpoint: Annotated[str, Meta(min_length=1, max_length=1000)]
    """The address of its push service."""


class ReplayQuery(RequestModel, frozen=True, kw_only=True):
    """Selects a view. The game is over, so any view is allowed."""

    seat: SeatNumber | Literal["open"] | msgspec.UnsetType = msgspec.UNSET
    """A seat; `open` for all hidden cards; leave it out for a spectator's view."""


class StreamQuery(RequestModel, frozen=True, kw_only=True):
    """Where a stream starts, and for which seat."""

    seat: SeatNumber | msgspec.UnsetType = msgspec.UNSET
    """Your own seat: the stream then also sends `turn` events with its legal steps."""
    after: Annotated[str, Meta(pattern="^[0-9]{1,9}([.][0-9]{1,18}){3}$", max_length=66)] | msgspec.UnsetType = (
        msgspec.UNSET
    )
    """The id of the last event you know; like `Last-Event-ID`, for clients that cannot send that header."""


class NewSeat(RequestModel, frozen=True, kw_only=True):
    """A seat of a new table."""

    kind: Literal["me", "open", "bot"]
    """You, an open seat, or a bot."""
    bot: Level | None = None
    """The level of the bot."""
    name: Name | None = None
    """Your name at this table."""


class OpenTable(RequestModel, frozen=True, kw_only=True):
    """A new table. The game starts immediately if every seat is taken."""

    game: GameName
    """The game."""
    seats: Annotated[tuple[NewSeat, ...], Meta(min_length=2, max_length=5)]
    """The seats in order; at least one is `me`."""
    options: dict[str, Option] = {}
    """Options by name, as listed by `/api/v1/games`; others have their defaults."""
    clock: Clock = 0
    """Seconds per move; 0 for no clock."""
    total_time: TotalTime = 0
    """Seconds that each player has for the whole game, instead of a clock per move; see `total_clocks`."""
    increment: Increment = 0
    """Seconds added to the total time after every turn."""
    invited: bool = False
    """Whether only people with the invite link can join."""
    stand_in: Level = "muratore"
    """The bot that plays for absent players."""
    rated: bool = True
    """Whether the game is rated."""
    hints: bool = True
    """Whether players may ask for hints."""
    memory_aid: bool | None = None
    """Whether the card tracker is on; null for the game's default."""


class Sit(RequestModel, frozen=True, kw_only=True):
    """Take an empty seat."""

    seat: SeatNumber
    """The seat."""
    name: Name | None = None
    """Your name at this table; your account's name by default."""
    invitation: Annotated[str, Meta(max_length=80)] | None = None
    """The secret of the invite link, if the table has one."""


class PutBot(RequestModel, frozen=True, kw_only=True):
    """A bot for a seat."""

    seat: SeatNumber
    """The seat."""
    level: Level | None
    """The level; null removes the bot."""


class Fill(RequestModel, frozen=True, kw_only=True):
    """Bots for all empty seats."""

    level: Level = "muratore"
    """The level."""


class SetSalt(RequestModel, frozen=True, kw_only=True):
    """A shuffle word."""

    seat: SeatNumber
    """Your own seat."""
    salt: Annotated[str, Meta(max_length=64, pattern="^[^\\x00]*$")]
    """The word."""


class PlayOn(RequestModel, frozen=True, kw_only=True):
    """A new game from this position."""

    seat: SeatNumber
    """Your seat; bots take the others."""
    level: Level = "muratore"
    """The level of the bots."""


class PostMessage(RequestModel, frozen=True, kw_only=True):
    """A chat message."""

    text: Annotated[str, Meta(min_length=1, max_length=500)]
    """The message."""


class MakeStep(RequestModel, Generic[S], frozen=True, kw_only=True):
    """A step, and the position it was chosen for."""

    seat: SeatNumber
    """Your own seat."""
    n: Version
    """The number of steps when it was chosen."""
    step: S
    """The step, as in records and in `legal`."""


class CheckStep(RequestModel, Generic[S], frozen=True, kw_only=True):
    """A step to check without making it."""

    seat: SeatNumber
    """Your own seat."""
    step: S
    """The step."""


class Undo(RequestModel, frozen=True, kw_only=True):
    """Undo your last step."""

    seat: SeatNumber
    """Your own seat."""
    n: Version
    """The current number of steps."""


class SealBid(RequestModel, frozen=True, kw_only=True):
    """An automatic bid."""

    seat: SeatNumber
    """Your own seat."""
    lot: Annotated[str, Meta(max_length=40)]
    """A colour or role that is being auctioned, or a colour that comes later in this round."""
    most: Annotated[int, Meta(ge=0, le=1000)] | None
    """The server bids the minimum up to this, then passes; 0: it passes immediately; null: you bid yourself."""


class Choose(RequestModel, Generic[S], frozen=True, kw_only=True):
    """A choice that is made before the seat is asked."""

    seat: SeatNumber
    """Your own seat."""
    choice: Annotated[str, Meta(max_length=40)]
    """The name of the choice, as in `possible`."""
    steps: Annotated[tuple[S, ...], Meta(max_length=20)]
    """The steps of one of the possibilities, in any order; none to withdraw the choice."""


CHOOSE = per_game(Choose, step_type)
MAKE_STEP = per_game(MakeStep, step_type)
CHECK_STEP = per_game(CheckStep, step_type)
