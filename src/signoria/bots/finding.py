"""Finds bots by name and level: our own, and those that other packages provide (entry points `signoria.bots`).

An entry point is a function that takes a level and returns a bot. `greedy` gives it None, `search:10000` gives it "10000".
"""

from collections.abc import Callable
from functools import cache
from importlib.metadata import EntryPoint, entry_points

from signoria.bots.bot import Bot
from signoria.bots.greedy import GreedyBot
from signoria.bots.levels import LEVELS, current_id
from signoria.bots.net import NetBot
from signoria.bots.random import RandomBot
from signoria.bots.search import SearchBot
from signoria.kernel.errors import BadOption
from signoria.kernel.language import say

GROUP = "signoria.bots"

Maker = Callable[[str | None], Bot]


def without_level(name: str, kind: Callable[[], Bot]) -> Maker:
    """The factory of a bot without levels."""

    def make(level: str | None) -> Bot:
        if level is not None:
            raise BadOption(say("bots: {name} has no levels; remove :{level}.", name=name, level=level))
        return kind()

    return make


BOTS: dict[str, Maker] = {
    "random": without_level("random", RandomBot),
    "greedy": without_level("greedy", GreedyBot),
    "search": SearchBot,
    "net": NetBot,
    **{level.id: without_level(level.id, level.bot) for level in LEVELS},
}
"""Our own bots by name."""


@cache
def installed() -> dict[str, EntryPoint]:
    """Bots from other packages; they cannot replace ours."""
    return {entry.name: entry for entry in entry_points(group=GROUP) if entry.name not in BOTS}


def find_bot(name: str) -> Bot:
    """A bot by its name and level; raises `BadOption` if there is no such bot or it cannot be created."""
    kind, _, level = name.strip().partition(":")
    kind, asked = current_id(kind), level if ":" in name else None
    if kind in BOTS:
        return BOTS[kind](asked)
    if kind not in installed():
        raise BadOption(
            say("bots: there is no {kind!r}; choose from {value}.", kind=kind, value=", ".join([*BOTS, *installed()]))
        )
    entry = installed()[kind]
    try:
        bot = entry.load()(asked)
    except BadOption:
        raise
    except Exception as error:
        raise BadOption(
            say(
                "bots: {kind} ({value}) cannot be created: {name}: {error}.",
                kind=kind,
                value=entry.value,
                name=type(error).__name__,
                error=error,
            )
        ) from error
    if not callable(getattr(bot, "decide", None)):
        raise BadOption(
            say(
                "bots: {kind} ({value}) is not a bot: it has no method `decide(view, rng, budget)`.",
                kind=kind,
                value=entry.value,
            )
        )
    return bot  # type: ignore[no-any-return]


def split_names(names: str) -> list[str]:
    """Split `greedy, random` into a list."""
    return [name.strip() for name in names.split(",")]


def names_of(names: str, players: int) -> list[str]:
    """The bot of each seat, from `greedy` (for all seats) or `greedy,random,random` (one each); raises `BadOption`."""
    named = split_names(names)
    if len(named) == 1:
        named *= players
    if len(named) != players:
        raise BadOption(
            say(
                "bots: {count} given; name one for all seats, or one for each of the {players} seats.",
                count=len(named),
                players=players,
            )
        )
    return named


def find_bots(names: str, players: int) -> tuple[Bot, ...]:
    """A new bot for every seat, so that no bot sees another one's view; raises `BadOption`."""
    return tuple(find_bot(name) for name in names_of(names, players))
