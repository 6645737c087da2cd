"""Every game there is, by name, and how to begin one."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, overload

from signoria.il_principe import IL_PRINCIPE
from signoria.il_principe import telling as principe_telling
from signoria.il_principe.events import Event as PrincipeEvent
from signoria.il_principe.steps import Step as PrincipeStep
from signoria.il_principe.view import View as PrincipeView
from signoria.kernel.errors import BadOption, BadRecord
from signoria.kernel.game import Game, Option
from signoria.kernel.record import Record, read_record
from signoria.kernel.table import Seed, Table, open_game
from signoria.kernel.telling import Telling
from signoria.kernel.verify import replay
from signoria.patrician import PATRICIAN
from signoria.patrician import telling as patrician_telling
from signoria.patrician.events import Event as PatricianEvent
from signoria.patrician.steps import Step as PatricianStep
from signoria.patrician.view import View as PatricianView

AnyGame = Game[Any, Any, Any]
AnyTable = Table[Any, Any, Any]

GAMES: dict[str, AnyGame] = {game.name: game for game in (PATRICIAN, IL_PRINCIPE)}


TELLINGS: dict[str, Telling] = {"patrician": patrician_telling.TELLING, "il-principe": principe_telling.TELLING}
"""Every game's words for its players."""


def find_game(name: str) -> AnyGame:
    """A game by its name; raises `BadOption` with those there are."""
    if name not in GAMES:
        raise BadOption(f"game: there is no {name!r}; there is {', '.join(GAMES)}.")
    return GAMES[name]


@overload
def open_table(
    game: Literal["patrician"],
    *,
    seed: Seed = None,
    salts: Sequence[str] | None = None,
    deck: Path | str | None = None,
    cities: Path | str | None = None,
    memory_aid: bool = True,
    **options: Option,
) -> Table[PatricianStep, PatricianView, PatricianEvent]: ...
@overload
def open_table(
    game: Literal["il-principe"],
    *,
    seed: Seed = None,
    salts: Sequence[str] | None = None,
    deck: Path | str | None = None,
    cities: Path | str | None = None,
    memory_aid: bool = True,
    **options: Option,
) -> Table[PrincipeStep, PrincipeView, PrincipeEvent]: ...
@overload
def open_table(
    game: str,
    *,
    seed: Seed = None,
    salts: Sequence[str] | None = None,
    deck: Path | str | None = None,
    cities: Path | str | None = None,
    memory_aid: bool = True,
    **options: Option,
) -> AnyTable: ...
def open_table(
    game: str,
    *,
    seed: Seed = None,
    salts: Sequence[str] | None = None,
    deck: Path | str | None = None,
    cities: Path | str | None = None,
    memory_aid: bool = True,
    **options: Option,
) -> AnyTable:
    """Set up a game: `open_table("patrician", players=3, messengers=True)`.

    `seed` fixes the deal (32 bytes, 64 hex digits, or a number that is easy to type); without one it is fresh.
    `salts` is what each seat adds to the shuffle. `deck` names a card list of your own for Patrician, `cities` a city
    table of your own for Il Principe. With `memory_aid` off, views show only what lies open. The rest are the game's
    options. Raises `BadOption` or `BadDeck`.
    """
    found = find_game(game)
    own = own_components(found, deck, cities)
    return open_game(found, options, seed=seed, salts=salts, own=own, memory_aid=memory_aid)


def own_components(game: AnyGame, deck: Path | str | None, cities: Path | str | None) -> Path | None:
    """The one file of components that a game takes; raises `BadOption` for another game's."""
    for name, given, owner in (("deck", deck, PATRICIAN), ("cities", cities, IL_PRINCIPE)):
        if given is not None and game.name != owner.name:
            raise BadOption(f"{name}: that is for {owner.title}, not for {game.title}.")
    given = cities if deck is None else deck
    return None if given is None else Path(given)


def from_record(record: Record | bytes | str) -> AnyTable:
    """The table at the end of a recorded game, every claim of the record checked; raises `BadRecord`."""
    if not isinstance(record, Record | bytes | str):
        raise BadRecord(f"No record: {type(record).__name__}; it is a Record, or its JSON as bytes or text.")
    read = record if isinstance(record, Record) else read_record(record)
    if read.game not in GAMES:
        raise BadRecord(f"game: {read.game!r} is not known; there is {', '.join(GAMES)}.")
    return replay(GAMES[read.game], read)
