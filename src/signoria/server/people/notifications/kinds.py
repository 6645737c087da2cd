"""Kinds of notifications and their sentences, channels, and what is switched on at first.

A sentence uses only names that everyone at the table sees, so it can show nothing hidden. What is stored are the values of
a sentence, and it is told in the language of its reader.
"""

from collections.abc import Sequence
from types import MappingProxyType
from typing import NamedTuple

from signoria.games import find_game
from signoria.kernel.language import all_of, say, say_count, to_say
from signoria.store.notifications import Switches
from signoria.store.outbox import EMAIL, PUSH, Details

CHANNELS = (PUSH, EMAIL)
"""Channels that reach a person without an open page."""
CHANNEL_TITLES = MappingProxyType({PUSH: to_say("Push message"), EMAIL: to_say("E-mail")})


class Kind(NamedTuple):
    """A kind of notification."""

    title: str
    """What it is about, for settings."""
    on: tuple[str, ...]
    """Channels that are on at first."""


TURN, INVITATION, REMATCH, SEAT, CHAT, END = "turn", "invitation", "rematch", "seat", "chat", "end"
# Translators: Cases in the notification settings: tell me when ...
KINDS = MappingProxyType(
    {
        TURN: Kind(to_say("It is my turn"), CHANNELS),
        INVITATION: Kind(to_say("Someone invites me"), CHANNELS),
        REMATCH: Kind(to_say("Someone asks for a rematch"), CHANNELS),
        SEAT: Kind(to_say("Someone sits down at my table"), (PUSH,)),
        CHAT: Kind(to_say("Someone writes at my table"), (PUSH,)),
        END: Kind(to_say("My game ends"), (PUSH,)),
    }
)
USUAL_SWITCHES: Switches = {name: kind.on for name, kind in KINDS.items()}
TITLE = "Signoria"

CONFIRM, RECOVER, NEW_ADDRESS, NEW_PASSWORD = "confirm", "recover", "new_address", "new_password"
"""Kinds of e-mails about the account, which cannot be switched off."""


def tell(kind: str, details: Details) -> str:
    """The sentence of a notification, in the language that is spoken now."""
    game, name = find_game(details["game"]).title, details.get("name") or say("A player")
    others = _names(details["game"], details.get("others", ()))
    match kind:
        case "turn" if others:
            return say("It is your turn in {game} with {others}.", game=game, others=others)
        case "turn":
            return say("It is your turn in {game}.", game=game)
        case "invitation":
            return say("{name} invites you to a game of {game}.", name=name, game=game)
        case "rematch":
            return say("{name} asks for a rematch of {game}.", name=name, game=game)
        case "seat":
            return say("{name} sits down at your table of {game}.", name=name, game=game)
        case "chat":
            return say("{name} writes a message at your table of {game}.", name=name, game=game)
    won = details.get("winners", ())
    over = say("Your game of {game} is over.", game=game)
    if others:
        over = say("Your game of {game} with {others} is over.", game=game, others=others)
    winners = _names(details["game"], won)
    return f"{over} {say_count('Winner: {winners}.', 'Winners: {winners}.', len(won), winners=winners)}"


def _names(game: str, seats: Sequence[str | int]) -> str:
    """Players in a sentence: by name, or as the game calls the seat of a bot."""
    names = [find_game(game).seat_name(seat) if isinstance(seat, int) else seat for seat in seats]
    return all_of(names) if names else ""
