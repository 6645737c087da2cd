"""Explanations of cards, shown when a card is enlarged."""

from functools import cache

from markupsafe import Markup

from signoria.games.patrician.board.page import page
from signoria.games.patrician.board.words import NAMES
from signoria.games.patrician.rulebook.components import FIGURES, Card, standard
from signoria.kernel.words import counted, spelled
from signoria.web.kit.meaning import Meaning

SET, POINTS = spelled(FIGURES.game.portrait_set), counted(FIGURES.game.portrait_points, "point")
"""How many portraits make a set, and its points (P22)."""
WHO = {
    "captain": ("A captain", "Two captains"),
    "lady": ("A lady", "Two ladies"),
    "elder": ("An elder", "Two elders"),
}


def meanings(card: Card) -> list[Meaning]:
    """Explanations of everything on a card, from the top."""
    city = NAMES[card.city]
    build = (
        f"Build a floor in {city}."
        if card.crests == 1
        else f"Build two floors in {city}, on the same site or one on each."
    )
    told = [Meaning(f"crest-{card.city}", build, "P11")]
    if card.portrait:
        who = WHO[card.portrait][card.portraits - 1]
        told.append(Meaning(f"p-{card.portrait}", f"{who}: {SET} of a kind score {POINTS} at the end.", "P22"))
    if card.symbol == "move":
        move = "You may move the top floor of a tower to the other site, in another city where you have a floor."
        told.append(Meaning("move", move, "P14"))
    if card.symbol == "any":
        told.append(Meaning("any", f"Take any face-up card, not only the one at {city}.", "P15"))
    if card.start:
        star = "You may place a messenger at the end of your turn, if the game uses messengers."
        told.append(Meaning("star", star, "M2"))
    return told


@cache
def draw_large(name: str) -> Markup | None:
    """A large card next to its explanation; None if there is no such card."""
    card = next((card for card in standard().cards if card.id == name), None)
    return None if card is None else Markup(page().large(card, NAMES[card.city], meanings(card)))
