"""The page of a table for one viewer."""

from typing import Any, Literal

import msgspec

from signoria.kernel.language import Told
from signoria.kernel.scores import Outcome, Score
from signoria.kernel.words import Sentence
from signoria.web.models.common import GameModel, LevelModel, Model, NoteModel, Page, SeatModel


class LogLine(Model, frozen=True, kw_only=True, cache_hash=True):
    """A public event."""

    n: int
    """The step that caused it."""
    seat: int | None
    """Who did it; None for what happens to the table."""
    says: Sentence
    brief: Sentence | None = None
    """The same in a few words, for a caption; without words to leave it out, None for `says`."""
    clause: str
    headline: bool
    """An important event, such as a new round or a big win."""
    chapter: str
    """The turn or round it belongs to."""


class ChatLine(Model, frozen=True, kw_only=True):
    """A message at a table."""

    id: int
    seat: int | None
    name: str
    """Empty for a message of the server."""
    says: str
    at: str
    profile: str = ""
    """The name of the author's account; empty for a message of the server."""
    may_block: bool = False
    """Whether the viewer may block its author."""


class ScoreSheet(Model, frozen=True, kw_only=True):
    """The final or current score."""

    scores: tuple[Score, ...]
    outcome: Outcome | None


class CourseTurn(Model, frozen=True, kw_only=True):
    """The score after a turn or a phase."""

    n: int
    """The step that ended it."""
    chapter: Told
    """Empty for the deal."""
    brief_chapter: Told
    """The same inside a sentence."""
    chapter_group: Told
    """What it has in common with the chapters beside it."""
    totals: tuple[int, ...]
    """Points of each seat."""
    places: tuple[int, ...]
    """Places from 1, after the tiebreaks of the rules."""
    events: tuple[Any, ...]
    """Its important events: the game's own event objects."""


class FairDeal(Model, frozen=True, kw_only=True):
    """The proof of a fair shuffle: shown before the game, and revealed at the end."""

    commitment: str
    salts: tuple[str, ...]
    """The shuffle word of each seat; empty until the game is over."""
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
    """The events that it caused."""


class TablePage(Page, frozen=True, kw_only=True):
    """A table: waiting for players, in play, or over."""

    id: str
    game: GameModel
    state: Literal["open", "playing", "over", "closed"]
    version: str
    """Changes with everything visible here; the id of a live event."""
    n: int
    """Number of steps so far. Each step is sent with it, so that nothing is done twice."""
    told: int = 0
    """Number of steps without those that were undone."""
    mover: int | None = None
    """The seat that made the last of them."""
    past: bool = False
    """A past position, where no moves can be made."""
    options: tuple[str, ...]
    players_rules: NoteModel | None = None
    """What holds at this table because of the number of players, for those who wait for the game."""
    memory_aid: bool = True
    """Whether the card tracker is on."""
    clock: str
    stand_in: str
    """The title of the bot that plays for absent players."""
    rated: bool
    seats: tuple[SeatModel, ...]
    seat: int | None
    """The seat whose view this is; None for a spectator."""
    my_seats: tuple[int, ...]
    """More than one if several people play on this device."""
    stood_in: bool = False
    """Whether a bot plays for this viewer."""
    hand_over: int | None
    """The seat on this device that plays next, once its player has taken the device."""
    is_host: bool
    invitation: str | None
    """The invite link, for those who may share it."""
    may_sit: bool
    friends: tuple[str, ...] = ()
    """The names of people whom the viewer follows and can invite."""
    may_invite: bool = False
    """Whether the viewer may invite people by name."""
    may_share: bool = False
    """Whether the viewer may add another player on this device."""
    removed: bool = False
    """Whether the host has removed the viewer from this table."""
    turn: int | None
    choosing: tuple[int, ...] = ()
    """The seats that have not yet made a choice that everyone makes at the same time; empty without such a choice."""
    asked: str
    """The state in a sentence: who has to do what, also while waiting and at the end."""
    question: str
    """The question for this viewer, with details; empty if it is not their turn."""
    deadline_ms: int | None
    """When the clock runs out (milliseconds since 1970); None without a clock."""
    chapter: str
    view: Any
    """The game's own view; None before the deal."""
    choices: tuple["ChoiceModel", ...]
    may_undo: bool
    may_hint: bool = False
    """Whether the viewer may ask for a hint now."""
    hint: "Hint | None" = None
    sealed: "tuple[SealedLot, ...]" = ()
    """Auctions of this round in which the server can bid for this viewer; nobody else sees it."""
    early: "EarlyChoice | None" = None
    """The choice that everyone makes at the same time, which this viewer can make before being asked."""
    plans: "tuple[Plan, ...]" = ()
    """What this viewer can decide in advance for later in this round; nobody else sees it."""
    order_note: str = ""
    """Why the server dropped an order of this viewer."""
    may_leave: bool
    may_return: bool
    may_resign: bool
    may_call_stand_in: bool
    """The player to move has not moved for a while, so others may let a bot play."""
    log: tuple[LogLine, ...]
    """The last lines, oldest first."""
    chat: tuple[ChatLine, ...]
    unseen: int = 0
    """Number of hidden messages from people whom the viewer has blocked."""
    sheet: ScoreSheet | None
    course: tuple[CourseTurn, ...] = ()
    """The points over the game; empty until the game is over."""
    lately: tuple[Any, ...] = ()
    """Events of the last steps, in order: the game's own event objects, all public."""
    recap: tuple[Any, ...] = ()
    """Events of the section of the game that ended lately, such as a round; empty if none did."""
    recent: tuple[RecentStep, ...] = ()
    """The last steps, oldest first, for the animation of moves."""
    fair: FairDeal
    rematch: str | None
    """The id of the rematch."""
    levels: tuple[LevelModel, ...]
    lesson: "LessonModel | None" = None
    """The current lesson of a guided game; None in other games."""
    kept: dict[Any, Any] = msgspec.field(default_factory=dict)
    """A cache of parts of this table that were drawn before."""
    now_ms: int | None = None
    """When the page was rendered, so that the countdown is right even if the browser's clock is wrong."""


class SealedLot(Model, frozen=True, kw_only=True):
    """An auction, and the viewer's automatic bid in it."""

    lot: str
    """The name of the lot."""
    now: bool
    """Whether it is being auctioned now."""
    most: int | None
    """The server bids up to this, or passes if it is 0; None: the player bids."""


class EarlyChoice(Model, frozen=True, kw_only=True):
    """A choice that everyone makes at the same time, for a viewer who has not been asked yet."""

    choice: str
    """Its name."""
    steps: tuple[Any, ...]
    """The steps that it can begin with."""
    plans: "tuple[Plan, ...]"
    """Everything that can be chosen; empty once the viewer has chosen."""
    chosen: tuple[Any, ...]
    """The steps that the viewer has chosen; empty if they still have to choose."""


class Plan(Model, frozen=True, kw_only=True):
    """Something that the viewer can decide in advance."""

    choice: str
    """The name of the choice."""
    steps: tuple[Any, ...]
    value: str
    """The steps as JSON, as forms send them."""
    says: str
    """The steps in words; empty where the game draws them itself."""
    chosen: bool
    """Whether the viewer has decided this."""


class LessonModel(Model, frozen=True, kw_only=True):
    """A lesson of a guided game, one or two sentences."""

    name: str
    says: str
    clause: str
    at: tuple[str, ...]
    """The ids of the highlighted elements."""
    tour: tuple[tuple[str, str], ...] = ()
    """Parts of the table that it introduces, in order: the id of each element, and a sentence about it."""
    over: bool
    """Whether the learner can go on to a full game."""
    ends: bool = False
    """Whether this part of the guided game is over; the next part comes next."""


class HintLine(Model, frozen=True, kw_only=True):
    """A step that a bot suggests. `step` is its JSON."""

    step: str
    says: str
    share: int
    """How strongly the bot prefers it, in percent."""
    chance: int | None
    """The bot's chance to win with it, in percent."""


class Hint(Model, frozen=True, kw_only=True):
    """The moves that the strongest bot suggests, the best first."""

    who: str
    lines: tuple[HintLine, ...]


class ChoiceModel(Model, frozen=True, kw_only=True):
    """A legal step in words. `step` is its JSON."""

    step: str
    says: str
