"""How the lobby presents Il Principe: an introduction and the options of a table."""

from signoria.games.il_principe.rulebook.components import FIGURES, building_cards
from signoria.games.il_principe.texts import later, say
from signoria.kernel.clauses import Note
from signoria.kernel.language import to_say
from signoria.kernel.options import OptionLabel
from signoria.kernel.words import spelled

INTRO = to_say(
    "You lead a family in Renaissance Italy. Bid for building cards in auctions, use them to found cities, place your "
    "crests on the regions and compete for roles. Cities, regions and roles score points."
)
PLAYERS_NOTE = Note(
    later(
        "With two players, each draws {draws} cards, takes {ducats} ducats and offers {offers} cards every round. All minor "
        "roles and a third of the cards are not used, and the game ends differently.",
        draws=FIGURES.game.draws[0],
        ducats=FIGURES.game.income[0],
        offers=FIGURES.game.offers[0],
    ),
    "I4",
)


def players_rules(players: int, *, variant: bool) -> Note:
    """What the number of players decides at a table (I4, I10, I11, I31, I32)."""
    game, place = FIGURES.game, players - 2
    income = game.income_variant if variant else game.income[place]
    box = {"buildings": building_cards(players), "cities": game.city_cards[place]}
    if players == 2:
        more = say("There are no minor roles, and only {buildings} building cards and {cities} cities.", **box)
    else:
        more = say("There are {buildings} building cards and {cities} cities.", **box)
    everyone = say(
        "With {players} players, everyone draws {draws} cards, takes {ducats} ducats and offers {offers} cards every round.",
        players=spelled(players),
        draws=game.draws[place],
        ducats=income,
        offers=game.offers[place],
    )
    least = game.last_round_below[place]
    last = say("The last round begins when fewer than {least} building cards are left.", least=least)
    return Note(f"{everyone} {more} {last}", "I4" if players == 2 else "I10")


OPTION_LABELS = (
    OptionLabel(
        name="variant",
        title=to_say("Money variant"),
        says=later(
            "Start with {ducats} ducats, take {income} each round, and found cities from the first round on.",
            ducats=FIGURES.game.start_ducats_variant,
            income=FIGURES.game.income_variant,
        ),
        clause="I5",
        help=to_say("play the money variant."),
    ),
)
