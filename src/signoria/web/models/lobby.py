"""The lobby: tables in lists, and the form that opens one."""

from typing import Literal

from signoria.web.models.common import GameModel, LevelModel, Model, Page, SeatModel


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
    """Only by invitation."""
    seats: tuple[SeatModel, ...]
    turn: int | None
    my_turn: bool
    since: str
    """How long ago the turn began, the table was opened, the game ended: `3 minutes ago`."""
    since_ms: int
    host: str
    """The name of whoever opened it."""


class PublicTables(Model, frozen=True, kw_only=True):
    """The tables that everybody sees."""

    open: tuple[TableLine, ...]
    running: tuple[TableLine, ...]
    finished: tuple[TableLine, ...]
    more: frozenset[str] = frozenset()
    """Lists that are longer than what is shown of them."""


class Lobby(Page, frozen=True, kw_only=True):
    """The first page."""

    games: tuple[GameModel, ...]
    levels: tuple[LevelModel, ...]
    mine: tuple[TableLine, ...]
    """Those that wait for this viewer first."""
    open: tuple[TableLine, ...]
    running: tuple[TableLine, ...]
    finished: tuple[TableLine, ...]
    at_once: dict[str, str]
    """What "Play now" chooses for this viewer, by game, in a sentence."""
    guided: tuple[str, ...] = ()
    """Games that can be learned by playing."""
    now_ms: int | None = None
    """When this was drawn, so that the page's script can say how long ago something was."""
    more: frozenset[str] = frozenset()
    """Lists that are longer than what is shown of them."""


class TablesPage(Page, frozen=True, kw_only=True):
    """Tables of one kind, a page of them."""

    lists: dict[str, str]
    """The kinds that there are, and their titles."""
    of: str
    """The kind that is shown."""
    games: tuple[GameModel, ...]
    game: str
    """The game that alone is listed; empty for all."""
    player: str
    """Whose games alone are listed; empty for everybody's."""
    tables: tuple[TableLine, ...]
    newest: str
    """The address of the first page; empty on it."""
    older: str
    """The address of the next page; empty on the last."""

    @property
    def title(self) -> str:
        """What is listed."""
        return self.lists[self.of]


class NewTable(Page, frozen=True, kw_only=True):
    """The form that opens a table."""

    game: GameModel
    games: tuple[GameModel, ...]
    levels: tuple[LevelModel, ...]
    clocks: tuple[tuple[str, str], ...]
    """Seconds a move and their words."""
    filled: dict[str, str]
    """What was typed before, where something was wrong with it: field names as in the form."""
    aid: bool
    """Whether the table is to show what everybody could have remembered."""
