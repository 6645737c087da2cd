"""Request models: every body and query, field by field. Unknown fields are refused."""

from typing import TYPE_CHECKING, Annotated, Generic, Literal, TypeVar

import msgspec
from msgspec import Meta

from signoria.games import GAMES
from signoria.kernel.game import Option
from signoria.server.api.per_game import per_game, step_type

if TYPE_CHECKING:
    GameName = str
else:
    GameName = Literal[tuple(GAMES)]
Level = Literal["apprendista", "muratore", "capomastro", "architetto"]
Clock = Literal[0, 60, 180, 600, 3600, 86400, 259200, 604800]
SeatNumber = Annotated[int, Meta(ge=0, le=4)]
Version = Annotated[int, Meta(ge=0, le=1_000_000)]
Name = Annotated[str, Meta(max_length=24)]
Limit = Annotated[int, Meta(ge=1, le=100)]

S = TypeVar("S")


class RequestModel(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The body or the query of a request."""


class NoParameters(RequestModel, frozen=True, kw_only=True):
    """No parameters."""


class TableListQuery(RequestModel, frozen=True, kw_only=True):
    """Which tables to list."""

    state: Literal["open", "playing", "over", "mine"] = "open"
    """Tables where anybody may sit down, games to watch, games to look back at, or one's own."""
    limit: Limit = 25
    """How many at most."""
    game: GameName | msgspec.UnsetType = msgspec.UNSET
    """Of this game alone."""
    player: Annotated[str, Meta(min_length=1, max_length=24)] | msgspec.UnsetType = msgspec.UNSET
    """Where somebody of this name sits."""
    after: Annotated[str, Meta(pattern="^[0-9]{1,15}[.][A-Za-z0-9_-]{1,40}$")] | msgspec.UnsetType = msgspec.UNSET
    """`next` of the page before."""


class RankingQuery(RequestModel, frozen=True, kw_only=True):
    """How much of a ranking."""

    limit: Limit = 25
    """How many at most."""


class ViewQuery(RequestModel, frozen=True, kw_only=True):
    """Which seat's view is returned."""

    seat: SeatNumber | msgspec.UnsetType = msgspec.UNSET
    """One's own seat; left out: what a spectator sees."""


class OwnSeat(RequestModel, frozen=True, kw_only=True):
    """A seat of one's own."""

    seat: SeatNumber
    """The seat."""


class AnySeat(RequestModel, frozen=True, kw_only=True):
    """A seat, whoever has it."""

    seat: SeatNumber
    """The seat."""


class BlockAtTable(RequestModel, frozen=True, kw_only=True):
    """Whom to block: the person in a seat, or the author of a message. One of the two is given."""

    seat: SeatNumber | msgspec.UnsetType = msgspec.UNSET
    """The seat."""
    message: Annotated[int, Meta(ge=0, le=2_147_483_647)] | msgspec.UnsetType = msgspec.UNSET
    """The id of the message."""


class BlockNamed(RequestModel, frozen=True, kw_only=True):
    """Whom to block."""

    name: Annotated[str, Meta(min_length=1, max_length=40)]
    """Their name."""


class ReplayQuery(RequestModel, frozen=True, kw_only=True):
    """Which seat's view is returned: the game is over, so any will do."""

    seat: SeatNumber | Literal["open"] | msgspec.UnsetType = msgspec.UNSET
    """A seat; `open`: everything that was hidden; left out: what a spectator saw."""


class StreamQuery(RequestModel, frozen=True, kw_only=True):
    """Where a stream begins, and for whom."""

    seat: SeatNumber | msgspec.UnsetType = msgspec.UNSET
    """One's own seat: the stream then also says when it is asked, and what is legal."""
    after: Annotated[str, Meta(pattern="^[0-9]{1,9}([.][0-9]{1,18}){3}$", max_length=66)] | msgspec.UnsetType = (
        msgspec.UNSET
    )
    """The id of the last event that is known: what `Last-Event-ID` says, for whoever cannot send that header."""


class NewSeat(RequestModel, frozen=True, kw_only=True):
    """Who should get a seat of a new table."""

    kind: Literal["me", "open", "bot"]
    """Oneself, whoever comes, or a bot."""
    bot: Level | None = None
    """The level of the bot."""
    name: Name | None = None
    """How oneself is called at this table."""


class OpenTable(RequestModel, frozen=True, kw_only=True):
    """A table to be opened. It begins at once when every seat is taken."""

    game: GameName
    """What is played."""
    seats: Annotated[tuple[NewSeat, ...], Meta(min_length=2, max_length=5)]
    """Who plays, seat by seat; one at least is `me`."""
    options: dict[str, Option] = {}
    """Options by name, as `/api/v1/games` lists them; the rest as usual."""
    clock: Clock = 0
    """Seconds a move; 0 for no clock."""
    invited: bool = False
    """Only for those who have the invitation."""
    stand_in: Level = "muratore"
    """The bot that plays for whoever is absent."""
    rated: bool = True
    """Whether it counts for ratings."""
    hints: bool = True
    """Whether people may ask what a bot would consider."""
    memory_aid: bool | None = None
    """Whether everybody sees what everybody could have remembered; null: as the game is usually played."""


class Sit(RequestModel, frozen=True, kw_only=True):
    """Take an empty seat."""

    seat: SeatNumber
    """Which."""
    name: Name | None = None
    """How one is called at this table; one's own name without it."""
    invitation: Annotated[str, Meta(max_length=80)] | None = None
    """The secret of the invitation, where the table has one."""


class PutBot(RequestModel, frozen=True, kw_only=True):
    """A bot for a seat."""

    seat: SeatNumber
    """Which."""
    level: Level | None
    """The level; null empties a bot's seat."""


class Fill(RequestModel, frozen=True, kw_only=True):
    """Bots for all empty seats."""

    level: Level = "muratore"
    """Of what level."""


class SetSalt(RequestModel, frozen=True, kw_only=True):
    """A word of one's own for the shuffle."""

    seat: SeatNumber
    """One's own seat."""
    salt: Annotated[str, Meta(max_length=64, pattern="^[^\\x00]*$")]
    """The word."""


class PlayOn(RequestModel, frozen=True, kw_only=True):
    """A game of one's own from here on."""

    seat: SeatNumber
    """The seat that one takes; bots take the others."""
    level: Level = "muratore"
    """Of what level."""


class PostMessage(RequestModel, frozen=True, kw_only=True):
    """Something to be said at the table."""

    text: Annotated[str, Meta(min_length=1, max_length=500)]
    """What."""


class MakeStep(RequestModel, Generic[S], frozen=True, kw_only=True):
    """A step, for the position it was chosen in."""

    seat: SeatNumber
    """One's own seat."""
    n: Version
    """How many steps there were when it was chosen."""
    step: S
    """The step, as in a record and in `legal`."""


class CheckStep(RequestModel, Generic[S], frozen=True, kw_only=True):
    """A step to be judged, not made."""

    seat: SeatNumber
    """One's own seat."""
    step: S
    """The step."""


class Undo(RequestModel, frozen=True, kw_only=True):
    """Take one's last step back."""

    seat: SeatNumber
    """One's own seat."""
    n: Version
    """How many steps there are now."""


class SealBid(RequestModel, frozen=True, kw_only=True):
    """What the server is to bid in an auction."""

    seat: SeatNumber
    """One's own seat."""
    lot: Annotated[str, Meta(max_length=40)]
    """A colour or a role that is auctioned now, or a colour that comes later in this round."""
    most: Annotated[int, Meta(ge=0, le=1000)] | None
    """The server makes the least raise up to this, or passes; 0: it passes at once; null: it asks."""


MAKE_STEP = per_game(MakeStep, step_type)
CHECK_STEP = per_game(CheckStep, step_type)
