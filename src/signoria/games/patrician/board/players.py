"""The players' areas: hand, stack, floors, tokens, portraits."""

from functools import lru_cache

from markupsafe import Markup

from signoria.games.patrician.board.page import SEATS, page
from signoria.games.patrician.board.words import in_words
from signoria.games.patrician.rulebook.components import Card
from signoria.games.patrician.rulebook.steps import Keep, Play, Stay, Step
from signoria.games.patrician.view import PlayerView, Remembered, View
from signoria.web.drawn import Target, target

NOTHING: tuple[tuple[Step, str], ...] = ((Stay(), "Skip move"), (Keep(), "No messenger"))

Portraits = tuple[tuple[str, int], ...]


def draw_hand(view: View, mine: PlayerView, cards: dict[str, Card], legal: frozenset[Step], may_act: bool) -> Markup:
    """The viewer's own cards."""
    places = mine.places if any(mine.places) else ()
    held = [(cards[card], target(Play(card), legal, may_act)) if card else None for card in places]
    played = [cards[card] for card in mine.stack if card]
    card = cards.get(view.card or "")
    nothing = [(words, Target(step, True)) for step, words in NOTHING if step in legal]
    laid = card if view.turn == view.seat else None
    return Markup(page().hand(held, played, _portraits(view, mine), laid, _track(view), nothing))


def _track(view: View) -> list[tuple[str, str]]:
    """The steps of the current turn, each `done`, `now` or `next`."""
    if view.turn is None:
        return []
    now = view.steps.index(view.asked)
    return [
        (step, "done" if place < now else "now" if place == now else "next") for place, step in enumerate(view.steps)
    ]


def draw_player(view: View, player: PlayerView, cards: dict[str, Card]) -> Markup:
    """What everyone sees of a player, and what the viewer knows in addition."""
    own = player.seat == view.seat
    hand = view.remembered.hands[player.seat] if view.remembered and None in player.hand else player.hand
    held = () if own else tuple(cards[card] if card else None for card in hand)
    top = cards[player.stack[-1]] if player.stack and player.stack[-1] else None
    return _draw_player(player, held, top, _portraits(view, player))


def _portraits(view: View, player: PlayerView) -> Portraits:
    """Portraits so far, if they are tracked or the whole stack is visible."""
    if view.remembered:
        return tuple(view.remembered.portraits[player.seat].items())
    seen = view.portraits[player.seat]
    return tuple(seen.items()) if seen and player.stack else ()


@lru_cache(2048)
def _draw_player(player: PlayerView, held: tuple[Card | None, ...], top: Card | None, portraits: Portraits) -> Markup:
    return Markup(page().player(player, held, top, portraits))


def draw_remembered(view: View, all_of_it: Remembered, cards: dict[str, Card]) -> Markup:
    """The card tracker, in words."""
    others = [
        (SEATS[seat], in_words(hand, cards), in_words(stack, cards))
        for seat, (hand, stack) in enumerate(zip(all_of_it.hands, all_of_it.stacks, strict=True))
        if seat != view.seat
    ]
    unseen = all_of_it.unseen
    return Markup(page().remembered(others, all_of_it.won, len(unseen), in_words(unseen, cards)))
