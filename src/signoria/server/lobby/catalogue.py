"""The choices for a new table: games with their options, bots."""

from signoria.bots.levels import LEVELS, current_id, levels_of
from signoria.games import GAMES, find_game
from signoria.kernel.language import inside, per_language, say
from signoria.kernel.options import Option
from signoria.store.tables import SeatRow, TableRow
from signoria.web.models import GameModel, LevelModel, NoteModel, OptionModel

NUMERALS = ("", "II", "III", "IV", "V")
"""Suffixes that tell apart bots of the same level at a table."""
LEVEL_TITLES = {level.id: level.title for level in LEVELS}


def level_ids(game: str) -> tuple[str, ...]:
    """The ids of the bots that play a game."""
    return tuple(level.id for level in levels_of(find_game(game)))


@per_language()
def level_models() -> tuple[LevelModel, ...]:
    """All bots that people can play against."""
    return tuple(LevelModel(id=level.id, title=level.title, says=say(level.says)) for level in LEVELS)


@per_language()
def game_model(name: str) -> GameModel:
    """A game as pages show it."""
    game = find_game(name)
    labels = [label.told(game.texts) for label in game.option_labels]
    options = tuple(
        OptionModel(
            name=label.name, title=label.title, says=str(label.says), clause=label.clause, choices=label.choices
        )
        for label in labels
    )
    note = game.players_note.told(game.texts) if game.players_note else None
    numbers = NoteModel(says=str(note.says), clause=note.clause) if note else None
    return GameModel(
        name=game.name,
        title=game.title,
        intro=game.texts.tell(game.intro),
        options=options,
        numbers=numbers,
        seats=tuple(game.seats),
        usual=game.usual_players,
        levels=tuple(level for level in level_models() if level.id in level_ids(name)),
    )


def game_models() -> tuple[GameModel, ...]:
    """All games."""
    return tuple(game_model(name) for name in GAMES)


def chosen_options(row: TableRow) -> tuple[str, ...]:
    """The options of a table that differ from the default, in words."""
    words = []
    for option in game_model(row.game).options:
        value: Option = row.options[option.name]
        if not option.choices and value is True:
            words.append(option.title)
        elif option.choices and value != option.choices[0][0]:
            title, chosen = inside(option.title), dict(option.choices)[str(value)]
            words.append(say("{option} {value}", option=title, value=chosen))
    if row.aid != find_game(row.game).memory_aid:
        words.append(say("card tracker") if row.aid else say("no card tracker"))
    return tuple(words)


def level_title(level: str) -> str:
    """A bot's name for people."""
    return LEVEL_TITLES.get(current_id(level), level)


def bot_name(row: TableRow, seat: SeatRow) -> str:
    """The name of a seat's bot at its table; no two there have the same name."""
    level = seat.bot or ""
    before = sum(other.bot == level for other in row.seats[: seat.seat])
    return f"{level_title(level)} {NUMERALS[before]}".rstrip()
