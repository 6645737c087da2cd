"""A table in play: what one viewer sees of it, in words and in lists."""

from typing import Any, Literal

import msgspec

from signoria.kernel.game import Outcome, Score
from signoria.kernel.words import Sentence
from signoria.web.models.common import GameModel, LevelModel, Model, Page, SeatModel


class LogLine(Model, frozen=True, kw_only=True):
    """Something public that happened."""

    n: int
    """The step that brought it about."""
    seat: int | None
    says: Sentence
    clause: str
    headline: bool
    """Worth a line of its own: a round begun, something big won."""
    chapter: str
    """The turn or round it belongs to."""


class ChatLine(Model, frozen=True, kw_only=True):
    """A message at a table."""

    id: int
    seat: int | None
    name: str
    """Empty where the house speaks."""
    says: str
    at: str
    may_block: bool = False
    """The viewer may block its author."""


class ScoreSheet(Model, frozen=True, kw_only=True):
    """The end of a game, or how it stands."""

    scores: tuple[Score, ...]
    outcome: Outcome | None


class CourseTurn(Model, frozen=True, kw_only=True):
    """How the game stood after a turn or a phase."""

    n: int
    """The step that ended it."""
    chapter: str
    totals: tuple[int, ...]
    """Points of each seat."""
    places: tuple[int, ...]
    """Their places, from 1, ties decided as the rules do."""
    events: tuple[Any, ...]
    """What was worth a headline in it: the game's own events."""


class FairDeal(Model, frozen=True, kw_only=True):
    """What proves that nobody chose the cards: shown before, and opened at the end."""

    commitment: str
    salts: tuple[str, ...]
    """What each seat added; empty until the game is over."""
    seed: str | None
    """None until the game is over."""


class RecentStep(Model, frozen=True, kw_only=True):
    """One of the last steps that stand."""

    k: int
    """Steps that stood after it."""
    seat: int
    step: Any
    """The step itself if this viewer made it, else None: events tell what everybody may know of it."""
    events: tuple[Any, ...]
    """What it brought about."""


class TablePage(Page, frozen=True, kw_only=True):
    """A table: waiting for players, in play, or over."""

    id: str
    game: GameModel
    state: Literal["open", "playing", "over", "closed"]
    version: str
    """Changes with everything that can be seen here; the id of a live event."""
    n: int
    """Steps so far: a step is sent with it, so that nothing is done twice."""
    told: int = 0
    """Steps that stand: those that were taken back do not count."""
    mover: int | None = None
    """Who made the last of them."""
    past: bool = False
    """A moment that has passed: nothing can be chosen."""
    options: tuple[str, ...]
    memory_aid: bool = True
    """Whether it shows what everybody could have remembered."""
    clock: str
    stand_in: str
    """The title of the level that plays for whoever is absent."""
    rated: bool
    seats: tuple[SeatModel, ...]
    seat: int | None
    """Whose view this is; None for what everybody sees."""
    my_seats: tuple[int, ...]
    """More than one: several people on this device."""
    stood_in: bool = False
    """A bot plays for this viewer."""
    hand_over: int | None
    """The seat of this device that is to be shown next, when its person has taken the device."""
    is_host: bool
    invitation: str | None
    """The link, for those who may pass it on."""
    may_sit: bool
    may_share: bool = False
    """The viewer may take an empty seat for somebody else on the same device."""
    removed: bool = False
    """The host has removed the viewer from this table."""
    turn: int | None
    asked: str
    """What is asked, of whom, in one sentence; also while waiting, and when over."""
    question: str
    """What is asked of this viewer, with what there is to know about it; empty when nothing is."""
    deadline_ms: int | None
    """When the clock runs out (milliseconds since 1970); None without one."""
    chapter: str
    view: Any
    """The game's own view; None before the deal."""
    choices: tuple["ChoiceModel", ...]
    may_undo: bool
    may_hint: bool = False
    """This viewer is asked, and may ask what a bot would consider."""
    hint: "Hint | None" = None
    sealed: "tuple[SealedLot, ...]" = ()
    """Auctions of this round that this viewer may tell the house to bid in; nobody else sees it."""
    may_leave: bool
    may_return: bool
    may_resign: bool
    may_call_stand_in: bool
    """Somebody who is asked seems to be gone; the others may let a bot play."""
    log: tuple[LogLine, ...]
    """The last lines, oldest first."""
    chat: tuple[ChatLine, ...]
    unseen: int = 0
    """Messages of people whom the viewer has blocked."""
    sheet: ScoreSheet | None
    course: tuple[CourseTurn, ...] = ()
    """The score over the game, from the deal on; empty until the game is over."""
    lately: tuple[Any, ...] = ()
    """What the last steps brought about, in order: the game's own events, all of them public."""
    recent: tuple[RecentStep, ...] = ()
    """The last steps, oldest first: pieces are seen to move as they did."""
    fair: FairDeal
    rematch: str | None
    """The id of the table where they meet again."""
    levels: tuple[LevelModel, ...]
    lesson: "LessonModel | None" = None
    """What the coach of a guided game says now; None in other games."""
    kept: dict[Any, Any] = msgspec.field(default_factory=dict)
    """What was drawn of this table before and can be drawn again as it is; whoever draws it looks there and adds to it."""
    now_ms: int | None = None
    """When this was drawn, so that a clock counts down rightly in a browser whose own clock is wrong."""


class SealedLot(Model, frozen=True, kw_only=True):
    """An auction, and what its viewer has told the house to bid in it."""

    lot: str
    """What is auctioned, by its name."""
    now: bool
    """It is going on."""
    most: int | None
    """The house raises up to this, or passes for 0; None: it asks."""


class LessonModel(Model, frozen=True, kw_only=True):
    """One or two sentences of the coach in a guided game."""

    name: str
    says: str
    clause: str
    at: tuple[str, ...]
    """The ids of what it speaks of: they are marked."""
    over: bool
    """The guided game is over; next comes a whole one."""


class HintLine(Model, frozen=True, kw_only=True):
    """A step that a bot would consider. `step` is its JSON."""

    step: str
    says: str
    share: int
    """Of a hundred: how much of its thinking went there."""
    chance: int | None
    """Of a hundred games that it imagined from there, so many were won."""


class Hint(Model, frozen=True, kw_only=True):
    """What the strongest bot would consider, the best first."""

    who: str
    lines: tuple[HintLine, ...]


class ChoiceModel(Model, frozen=True, kw_only=True):
    """A step that can be made, in words. `step` is its JSON."""

    step: str
    says: str
