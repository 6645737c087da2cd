"""The state of the table in sentences, for the terminal and for pictures."""

from signoria.games.patrician.rulebook.components import city_name
from signoria.games.patrician.texts import say, say_count
from signoria.games.patrician.view import View
from signoria.games.patrician.words.names import ASKED, asks, seat_name


def tell_turn(view: View) -> str:
    """Who has to do what."""
    if view.turn is None:
        return say("The game is over.")
    asked = asks(ASKED.index(view.asked), city_name(view.city) if view.city else "")
    return say("{player} has to {asked}.", player=seat_name(view.turn), asked=asked)


def tell_pile(view: View) -> str:
    """How many cards are left."""
    return say_count("{n} card in the pile.", "{n} cards in the pile.", view.pile)


def tell_ambassadors(view: View) -> str:
    """Who has which ambassador; empty in a game without them."""
    holders = [
        f"{name} {say('nobody') if seat is None else seat_name(seat)}"
        for name, seat in (view.ambassadors or {}).items()
    ]
    return say("Ambassadors: {holders}", holders=", ".join(holders)) if holders else ""
