"""Explanations of cards, shown when a card is enlarged."""

from markupsafe import Markup
from msgspec import structs

from signoria.games.patrician.board.cards import large_name
from signoria.games.patrician.board.page import page
from signoria.games.patrician.board.words import NAMES, portrait_points, portrait_set
from signoria.games.patrician.rulebook.components import Card, standard
from signoria.games.patrician.texts import say
from signoria.kernel.language import per_language, to_say
from signoria.web.kit.meaning import Meaning


def meanings(card: Card) -> list[Meaning]:
    """Explanations of everything on a card, from the top."""
    city = NAMES[card.city]
    build = (
        say("Build a floor in {city}.", city=city)
        if card.crests == 1
        else say("Build two floors in {city}, on the same site or one on each.", city=city)
    )
    told = [Meaning(f"crest-{card.city}", build, "P11")]
    if card.portrait:
        told.append(Meaning(f"p-{card.portrait}", _portraits(card.portrait, card.portraits), "P22"))
    if card.symbol == "move":
        move = say("You may move the top floor of a tower to the other site, in another city where you have a floor.")
        told.append(Meaning("move", move, "P14"))
    if card.symbol == "any":
        told.append(Meaning("any", say("Take any face-up card, not only the one at {city}.", city=city), "P15"))
    if card.start:
        told.append(Meaning("star", say("You may place a messenger at the end of your turn."), "M2"))
    return told


def _portraits(who: str, count: int) -> str:
    worth = {"set": portrait_set(), "points": portrait_points()}
    one = {
        "captain": to_say("A captain: {set} of a kind score {points} at the end."),
        "lady": to_say("A lady: {set} of a kind score {points} at the end."),
        "elder": to_say("An elder: {set} of a kind score {points} at the end."),
    }
    two = {
        "captain": to_say("Two captains: {set} of a kind score {points} at the end."),
        "lady": to_say("Two ladies: {set} of a kind score {points} at the end."),
        "elder": to_say("Two elders: {set} of a kind score {points} at the end."),
    }
    return say((one if count == 1 else two)[who], **worth)


def draw_large(name: str) -> Markup | None:
    """A large card next to its explanation, by its `large_name`; None if there is no such card."""
    return _large_cards().get(name)


@per_language()
def _large_cards() -> dict[str, Markup]:
    """All cards; those with a star also as games without messengers draw them (M2)."""
    faces = [face for card in standard().cards for face in {card, structs.replace(card, start=False)}]
    return {large_name(card): Markup(page().large(card, NAMES[card.city], meanings(card))) for card in faces}
