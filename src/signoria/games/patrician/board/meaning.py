"""What a card means, in whole sentences: for whoever looks at it closely."""

from functools import cache

from markupsafe import Markup

from signoria.games.patrician.board.page import page
from signoria.games.patrician.board.words import NAMES
from signoria.games.patrician.rulebook.components import FIGURES, Card, standard
from signoria.kernel.words import counted, spelled
from signoria.web.kit.meaning import Meaning

SET, POINTS = spelled(FIGURES.game.portrait_set), counted(FIGURES.game.portrait_points, "point")
"""How many portraits make a set, and what it is worth (P22)."""
WHO = {
    "captain": ("A captain", "Two captains"),
    "lady": ("A lady", "Two ladies"),
    "elder": ("An elder", "Two elders"),
}


def meanings(card: Card) -> list[Meaning]:
    """Everything on a card, from the top."""
    city = NAMES[card.city]
    build = f"Build a floor in {city}." if card.crests == 1 else f"Build two floors in {city}, on one site or on both."
    told = [Meaning(f"crest-{card.city}", build, "P11")]
    if card.portrait:
        who = WHO[card.portrait][card.portraits - 1]
        told.append(Meaning(f"p-{card.portrait}", f"{who}: {SET} of a kind are worth {POINTS} at the end.", "P22"))
    if card.symbol == "move":
        move = "You may move the top floor of a tower elsewhere to the other site of its city, where you own a floor."
        told.append(Meaning("move", move, "P14"))
    if card.symbol == "any":
        told.append(Meaning("any", f"Take any card that lies open, not only the one at {city}.", "P15"))
    if card.start:
        star = "In a game with messengers you may place one at the end of the turn."
        told.append(Meaning("star", star, "M2"))
    return told


@cache
def draw_large(name: str) -> Markup | None:
    """A card of the box as large as it is in the hand, beside what it means; None where there is no such card."""
    card = next((card for card in standard().cards if card.id == name), None)
    return None if card is None else Markup(page().large(card, NAMES[card.city], meanings(card)))
