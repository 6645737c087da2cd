"""The lobby: tables in lists, and the form that opens one."""

from typing import Literal

from signoria.web.models.common import GameModel, Model, Page, SeatModel


class TableLine(Model, frozen=True, kw_only=True):
    """A table in the lobby."""

    id: str
    game: str
    title: str
    state: Literal["open", "playing", "over", "closed"]
    options: tuple[str, ...]
    """Options in words: `Long evening`, `tokens hidden`."""
    clock: str
    """`no clock`, `5 minutes a move`."""
    invited: bool
    """Whether the table is invite only."""
    seats: tuple[SeatModel, ...]
    turn: int | None
    my_turn: bool
    since: str
    """How long ago the turn began, the table was opened or the game ended: `3 minutes ago`."""
    since_ms: int
    host: str
    """The name of the host."""


class PublicTables(Model, frozen=True, kw_only=True):
    """The public tables."""

    open: tuple[TableLine, ...]
    running: tuple[TableLine, ...]
    finished: tuple[TableLine, ...]
    more: frozenset[str] = frozenset()
    """Lists with more tables than are shown."""


class PlayNow(Model, frozen=True, kw_only=True):
    """What "Play now" proposes for a game: the bots of the viewer's last game against bots, or an easy first game."""

    level: str
    seats: int


class InvitationLine(Model, frozen=True, kw_only=True):
    """An invitation of the viewer to an open table."""

    table: str
    title: str
    """The title of the game."""
    by: str
    """Who invites."""


class Lobby(Page, frozen=True, kw_only=True):
    """The lobby."""

    games: tuple[GameModel, ...]
    mine: tuple[TableLine, ...]
    """The viewer's tables; those that wait for the viewer come first."""
    open: tuple[TableLine, ...]
    running: tuple[TableLine, ...]
    finished: tuple[TableLine, ...]
    at_once: dict[str, PlayNow]
    """What "Play now" proposes for each game."""
    friends: tuple[TableLine, ...] = ()
    """Open tables of people whom the viewer follows."""
    invitations: tuple[InvitationLine, ...] = ()
    """Tables to which the viewer is invited by name, newest first."""
    guided: tuple[str, ...] = ()
    """Games with a guided game."""
    now_ms: int | None = None
    """When the page was rendered, so that its script can say how long ago something was."""
    more: frozenset[str] = frozenset()
    """Lists with more tables than are shown."""


class TablesPage(Page, frozen=True, kw_only=True):
    """Tables of one kind, a page of them."""

    lists: dict[str, str]
    """All kinds of list and their titles."""
    of: str
    """The kind of list shown."""
    games: tuple[GameModel, ...]
    game: str
    """Only tables of this game are listed; empty for all."""
    player: str
    """Only tables of this player are listed; empty for all."""
    tables: tuple[TableLine, ...]
    newest: str
    """The address of the first page; empty on it."""
    older: str
    """The address of the next page; empty on the last."""

    @property
    def title(self) -> str:
        """The title of the list."""
        return self.lists[self.of]


class NewTable(Page, frozen=True, kw_only=True):
    """The form that opens a table."""

    game: GameModel
    games: tuple[GameModel, ...]
    clocks: tuple[tuple[str, str], ...]
    """Seconds per move, with labels."""
    filled: dict[str, str]
    """What was entered before, if there was an error; keys are field names of the form."""
    aid: bool
    """Whether the card tracker is on."""
