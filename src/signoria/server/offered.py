"""What can be chosen: games with their options, bots with their levels, clocks, in words."""

from functools import cache

from signoria.bots.levels import LEVELS
from signoria.games import GAMES, find_game
from signoria.kernel.game import Option
from signoria.store.tables import SeatRow, TableRow
from signoria.web.models import GameModel, LevelModel, NoteModel, OptionModel

AIDED = frozenset({"patrician"})
"""Games whose tables usually show what everybody could have remembered; in Il Principe ducats are hidden (I10)."""
OPTIONS: dict[str, tuple[OptionModel, ...]] = {
    "patrician": (
        OptionModel(
            name="messengers",
            title="Messengers",
            says="Messengers on the roads make the tokens of cities worth more.",
            clause="M1",
            choices=(),
        ),
        OptionModel(
            name="ambassadors",
            title="Ambassadors",
            says="Four ambassadors give extra points at the end.",
            clause="A1",
            choices=(),
        ),
        OptionModel(
            name="tokens",
            title="Tokens",
            says="How prestige tokens lie that somebody has won.",
            clause="P24",
            choices=(("open", "open"), ("hidden", "face down")),
        ),
    ),
    "il-principe": (
        OptionModel(
            name="variant",
            title="Money variant",
            says="Begin with 10 ducats, take 6 every round, and found cities from the first round on.",
            clause="I5",
            choices=(),
        ),
    ),
}
"""Options of each game, beyond the number of players."""

INTROS = {
    "patrician": (
        "Master builders raise pairs of towers in ten cities. Play a card, build its floors in the city it shows, and take "
        "the card that lies there. Most floors in a finished tower win its prestige; three equal portraits on your cards are "
        "worth 6 points more."
    ),
    "il-principe": (
        "Families of the Renaissance bid for buildings, found cities with them, set their crests on the regions of Italy, "
        "and compete for roles. Every round brings auctions; cities, regions and roles bring the points."
    ),
}
"""Each game in a few sentences, for somebody who has never heard of it."""

NUMBERS = {
    "patrician": ("With two, three or four players Pistoia stays in the box.", "P1"),
    "il-principe": (
        "Two players draw 5 cards, take 6 ducats and offer 3 cards every round. All minor roles and a third of the cards "
        "stay in the box, and the end has rules of its own.",
        "I4",
    ),
}
"""What the number of players changes, and the clause that says so."""

LEVEL_MODELS = tuple(LevelModel(id=level.id, title=level.title, says=level.says) for level in LEVELS)
LEVEL_IDS = tuple(level.id for level in LEVELS)
NUMERALS = ("", "II", "III", "IV", "V")
"""What bots of one level at one table are told apart by."""
LEVEL_TITLES = {level.id: level.title for level in LEVELS}


@cache
def game_model(name: str) -> GameModel:
    """A game as pages offer it."""
    game = find_game(name)
    says, clause = NUMBERS[name]
    numbers = NoteModel(says=says, clause=clause)
    return GameModel(name=game.name, title=game.title, intro=INTROS[name], options=OPTIONS[name], numbers=numbers)


def game_models() -> tuple[GameModel, ...]:
    """All games."""
    return tuple(game_model(name) for name in GAMES)


def chosen(row: TableRow) -> tuple[str, ...]:
    """The options of a table that differ from the usual, in words."""
    words = []
    for option in OPTIONS[row.game]:
        value: Option = row.options[option.name]
        if not option.choices and value is True:
            words.append(option.title)
        elif option.choices and value != option.choices[0][0]:
            words.append(f"{option.title.lower()} {dict(option.choices)[str(value)]}")
    if row.aid != (row.game in AIDED):
        words.append("with memory aid" if row.aid else "without memory aid")
    return tuple(words)


def level_title(level: str) -> str:
    """A bot's name for people."""
    return LEVEL_TITLES.get(level, level)


def bot_name(row: TableRow, seat: SeatRow) -> str:
    """What the bot of a seat is called at its table: no two there have the same name."""
    level = seat.bot or ""
    before = sum(other.bot == level for other in row.seats[: seat.seat])
    return f"{level_title(level)} {NUMERALS[before]}".rstrip()
