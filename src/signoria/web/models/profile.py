"""The profile of a player."""

from markupsafe import Markup

from signoria.web.models.common import Model, Page, RatingChangeModel, RatingModel


class ShareLine(Model, frozen=True, kw_only=True):
    """Games with something in common, and how many of them were won."""

    label: str
    profile: str = ""
    """The name of the opponent's account, if the line is about a person."""
    games: int
    wins: int

    @property
    def share(self) -> int:
        """The percentage of wins."""
        return round(100 * self.wins / self.games) if self.games else 0


class ShareList(Model, frozen=True, kw_only=True):
    """A titled list of such lines."""

    title: str
    lines: tuple[ShareLine, ...]


class SourceLine(Model, frozen=True, kw_only=True):
    """Average points from one source."""

    label: str
    average: float
    width: int
    """The length of its bar, in percent of the longest."""


class PlayedLine(Model, frozen=True, kw_only=True):
    """A finished game."""

    table: str
    """Empty if the viewer may not know the table."""
    when: str
    players: int
    points: int
    place: str
    """`first`, `second`."""
    won: bool
    change: RatingChangeModel | None


class GameProfile(Model, frozen=True, kw_only=True):
    """A player's statistics in one game."""

    name: str
    title: str
    rating: RatingModel | None
    total: ShareLine
    streak: int
    """Consecutive wins until now."""
    best_streak: int
    shares: tuple[ShareList, ...]
    sources: tuple[SourceLine, ...]
    average: float
    """The average number of points."""
    curve: Markup
    best: tuple[PlayedLine, ...]
    latest: tuple[PlayedLine, ...]


class ReportedMessage(Model, frozen=True, kw_only=True):
    """A message of a player that a viewer wants to report."""

    table: str
    id: int
    says: str


class ProfilePage(Page, frozen=True, kw_only=True):
    """A player."""

    name: str
    mine: bool
    guest: bool
    since: str
    """When the account was made."""
    visible: bool
    """Whether the viewer may see the statistics."""
    shown_to: str
    """Who may see them; only for the player."""
    games: tuple[GameProfile, ...]
    followed: bool = False
    """Whether the viewer follows this player."""
    muted: bool = False
    blocked: bool = False
    invite_to: tuple[tuple[str, str], ...] = ()
    """Names and titles of games to which the viewer can invite this player."""
    reported: ReportedMessage | None = None
    """The message that the viewer wants to report."""
