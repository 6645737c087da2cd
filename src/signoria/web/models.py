"""What a page shows. The server fills these in for one viewer; templates draw them and know nothing else."""

from typing import Any, Literal

import msgspec

from signoria.kernel.game import Outcome, Score


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
    """As the game calls it: White, Medici."""
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


class TableLine(Model, frozen=True, kw_only=True):
    """A table in the lobby."""

    id: str
    game: str
    title: str
    state: Literal["open", "playing", "over", "closed"]
    options: tuple[str, ...]
    """Options in words: `Messengers`, `tokens hidden`."""
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


class GameModel(Model, frozen=True, kw_only=True):
    """A game that can be played."""

    name: str
    title: str
    intro: str
    options: tuple["OptionModel", ...]
    numbers: "NoteModel"
    """What the number of players changes."""


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


class LogLine(Model, frozen=True, kw_only=True):
    """Something public that happened."""

    n: int
    """The step that brought it about."""
    seat: int | None
    says: str
    clause: str
    headline: bool
    """Worth a line of its own: a city scored, a round begun."""
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
    events: tuple[Any, ...]
    """What was worth a headline in it: the game's own events."""


class FairDeal(Model, frozen=True, kw_only=True):
    """What proves that nobody chose the cards: shown before, and opened at the end."""

    commitment: str
    salts: tuple[str, ...]
    """What each seat added; empty until the game is over."""
    seed: str | None
    """None until the game is over."""


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
    turn: int | None
    asked: str
    """What is asked, of whom, in one sentence; also while waiting, and when over."""
    question: str
    """What is asked of this viewer, with what there is to know about it; empty when nothing is."""
    deadline_ms: int | None
    """When the clock runs out (milliseconds since 1970); None without one."""
    chapter: str
    view: Any
    """The game's own view (patrician.view.View, il_principe.view.View); None before the deal."""
    choices: tuple["ChoiceModel", ...]
    may_undo: bool
    may_hint: bool = False
    """This viewer is asked, and may ask what a bot would consider."""
    unrated_by_hint: bool = False
    """The game was rated until somebody asked for a hint."""
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
    sheet: ScoreSheet | None
    course: tuple[CourseTurn, ...] = ()
    """The score over the game, from the deal on; empty until the game is over."""
    lately: tuple[Any, ...] = ()
    """What the last steps brought about, in order: the game's own events, all of them public."""
    fair: FairDeal
    rematch: str | None
    """The id of the table where they meet again."""
    levels: tuple[LevelModel, ...]
    lesson: "LessonModel | None" = None
    """What the coach of a guided game says now; None in other games."""
    kept: dict[Any, Any] = {}
    """What was drawn of this table before and can be drawn again as it is; whoever draws it looks there and adds to it."""
    now_ms: int | None = None
    """When this was drawn, so that a clock counts down rightly in a browser whose own clock is wrong."""


class SealedLot(Model, frozen=True, kw_only=True):
    """An auction, and what its viewer has told the house to bid in it."""

    lot: str
    """A colour, or a role."""
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


class LogPage(Page, frozen=True, kw_only=True):
    """Everything public that happened at a table."""

    id: str
    game: GameModel
    over: bool
    """Lines are linked to the replay once the game is over."""
    seats: tuple[SeatModel, ...]
    log: tuple[LogLine, ...]


class CheckLine(Model, frozen=True, kw_only=True):
    """Something that a fair deal promises, and whether it holds."""

    says: str
    holds: bool


class Check(Page, frozen=True, kw_only=True):
    """The fair deal of a finished game, checked."""

    id: str
    game: GameModel
    seats: tuple[SeatModel, ...]
    fair: FairDeal
    checks: tuple[CheckLine, ...]


class Replay(Page, frozen=True, kw_only=True):
    """A finished game at one of its positions."""

    id: str
    game: GameModel
    n: int
    last: int
    seat: int | None
    """Whose view; None for a spectator's or the open one."""
    open: bool
    """Everything is shown, every hand."""
    seats: tuple[SeatModel, ...]
    chapter: str
    asked: str
    view: Any
    happened: tuple[LogLine, ...]
    """What the step before this position brought about."""
    lately: tuple[Any, ...] = ()
    """What the turn brought about so far: the game's own events."""
    log: tuple[LogLine, ...]
    """The whole game, each line with its step."""
    sheet: ScoreSheet
    course: tuple[CourseTurn, ...] = ()
    """The score over the game."""
    levels: tuple[LevelModel, ...] = ()
    """Bots to play on against."""


class TokenModel(Model, frozen=True, kw_only=True):
    """A token for programs."""

    id: str
    name: str
    made: str
    used: str


class Account(Page, frozen=True, kw_only=True):
    """Name, password, tokens, ratings."""

    ratings: dict[str, RatingModel]
    """By the title of the game."""
    tokens: tuple[TokenModel, ...]
    fresh_token: str | None
    """Shown once, right after it was made."""


class SignIn(Page, frozen=True, kw_only=True):
    """Name and password."""

    name: str = ""
    """What was typed before."""
    back: str = ""
    """The page to go on to."""


class RatingLine(Model, frozen=True, kw_only=True):
    """A line of the ranking."""

    place: int
    name: str
    bot: bool
    rating: RatingModel


class Ratings(Page, frozen=True, kw_only=True):
    """Who plays best."""

    games: tuple[tuple[str, tuple[RatingLine, ...]], ...]


class RulesPage(Page, frozen=True, kw_only=True):
    """The clauses of a game, each with an anchor."""

    game: GameModel
    clauses: tuple[Any, ...]
    """kernel.game.Clause"""
    rulings: tuple[Any, ...]


class OperationModel(msgspec.Struct, frozen=True, kw_only=True):
    """Something that a program can ask for."""

    method: str
    path: str
    summary: str
    says: tuple[str, ...]
    """The rest of what there is to say, in paragraphs."""
    example: str
    """A message as JSON; empty where nothing is sent."""
    refuses: tuple[tuple[int, str], ...]
    """By status, why it may be refused."""


class ProgramsPage(Page, frozen=True, kw_only=True):
    """What programs can do here, as people read it."""

    parts: tuple[tuple[str, tuple[OperationModel, ...]], ...]
    """What belongs together, with its title."""


class Wrong(Page, frozen=True, kw_only=True):
    """Something cannot be done: a page that says what, and what is possible instead."""

    status: int
    title: str
    says: str
