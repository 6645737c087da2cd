"""The players' areas: hand, stack, floors, tokens, portraits."""

from collections import Counter
from typing import NamedTuple

from markupsafe import Markup

from signoria.games.patrician.board.cards import BACK, looks, tracked
from signoria.games.patrician.board.page import page, seat_marks
from signoria.games.patrician.board.words import NAMES, brief
from signoria.games.patrician.rulebook.components import Card
from signoria.games.patrician.rulebook.steps import Keep, Play, Stay, Step
from signoria.games.patrician.texts import say, say_count
from signoria.games.patrician.view import CardOutlook, PlayerView, Remembered, View
from signoria.games.patrician.words.names import seat_name
from signoria.kernel.language import per_language, to_say
from signoria.web.drawn import Same, Target, target
from signoria.web.kit.sprite import use
from signoria.web.tracker import TrackedCard, TrackedCards, draw_tracker

UNKNOWN = Markup('<span class="card" role="img" aria-label="{}">{}</span>')
NOTHING: tuple[tuple[Step, str], ...] = ((Stay(), to_say("Skip move")), (Keep(), to_say("No messenger")))

Portraits = tuple[tuple[str, int], ...]


def draw_hand(view: View, mine: PlayerView, cards: dict[str, Card], legal: frozenset[Step], may_act: bool) -> Markup:
    """The viewer's own cards."""
    places = mine.places if any(mine.places) else ()
    swaps = may_act and view.asked == "build" and view.turn == view.seat
    held = [_draw_held(_held(view, cards, card, legal, may_act, swaps)) if card else None for card in places]
    played = tuple([cards[card] for card in mine.stack if card])
    card = cards.get(view.card or "")
    nothing = [(say(words), Target(step, True)) for step, words in NOTHING if step in legal]
    laid = card if view.turn == view.seat else None
    stack = _draw_stack(played, _portraits(view, mine)) if played else ""
    return Markup(page().hand(held, stack, laid, _track(view), nothing))


@per_language(2048)
def _draw_stack(played: tuple[Card, ...], portraits: Portraits) -> Markup:
    return Markup(page().stack(played, portraits))


class HeldCard(NamedTuple):
    """A card of the viewer's hand."""

    card: Card
    target: Target | None
    then: str
    """What its player could take after playing it; empty if they are not asked to play."""
    leads_to: str
    """The ids of those cards on the board."""


def _held(
    view: View, cards: dict[str, Card], name: str, legal: frozenset[Step], may_act: bool, swaps: bool
) -> HeldCard:
    """A card, to be played, or instead of the card that was played this turn."""
    card, play = cards[name], view.plays.get(name)
    pressed = Target(Play(name), False, instead=True) if swaps else target(Play(name), legal, may_act)
    if play is None:
        return HeldCard(card, pressed, "", "")
    beside = _beside(view, play, cards)
    return HeldCard(card, pressed, _then(card, beside), " ".join(f"card-{one.id}" for one in beside.values()))


def _beside(view: View, play: CardOutlook, cards: dict[str, Card]) -> dict[str, Card]:
    return {city.id: cards[city.card] for city in view.cities if city.card and city.id in play.takes}


def then(view: View, card: Card, play: CardOutlook, cards: dict[str, Card]) -> str:
    """Which card the player could take after playing this one, in a sentence."""
    return _then(card, _beside(view, play, cards))


def _then(card: Card, beside: dict[str, Card]) -> str:
    """Which card P15 will let the player take, in a sentence."""
    if not beside:
        return say("No cards are left to take.")
    if card.city not in beside:
        return say("There is no card at {city}, so you take any face-up card.", city=NAMES[card.city])
    if len(beside) == 1:
        return say("You take the card at {city}: {card}.", city=NAMES[card.city], card=brief(beside[card.city]))
    return say("You take any face-up card.")


@per_language(2048)
def _draw_held(one: HeldCard) -> Markup:
    return Markup(page().held(one))


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


@per_language(2048)
def draw_score(player: PlayerView) -> Markup:
    """A player's points so far, in a line."""
    return Markup(page().score_line(player))


def _portraits(view: View, player: PlayerView) -> Portraits:
    """Portraits so far, if they are tracked or the whole stack is visible."""
    if view.remembered:
        return tuple(view.remembered.portraits[player.seat].items())
    seen = view.portraits[player.seat]
    return tuple(seen.items()) if seen and player.stack else ()


@per_language(2048)
def _draw_player(player: PlayerView, held: tuple[Card | None, ...], top: Card | None, portraits: Portraits) -> Markup:
    return Markup(page().player(player, held, top, portraits))


def draw_remembered(view: View, all_of_it: Remembered, cards: dict[str, Card]) -> Markup:
    """The card tracker: what the others hold and have played, who won which token, and what nobody has seen."""
    return _draw_remembered(view.seat, Same(all_of_it), tuple(cards.values()))


@per_language(1024)
def _draw_remembered(own: int | None, remembered: Same, deck: tuple[Card, ...]) -> Markup:
    all_of_it = remembered.part
    places = []
    for seat, (hand, stack) in enumerate(zip(all_of_it.hands, all_of_it.stacks, strict=True)):
        if seat != own:
            in_hand, played = _tracked_titles()[seat]
            places.append(TrackedCards(in_hand, _tracked(hand, deck)))
            places.append(TrackedCards(played, _tracked(stack, deck)))
    if all_of_it.won:
        won = tuple(TrackedCard(_tokens(city, *winners)) for city, winners in all_of_it.won.items())
        places.append(TrackedCards(Markup.escape(say("Tokens won")), won, say("high, low")))
    unseen = all_of_it.unseen
    left = say_count("{n} card", "{n} cards", len(unseen))
    places.append(TrackedCards(Markup.escape(say("Not seen yet")), _tracked(unseen, deck), left))
    return draw_tracker(places)


@per_language()
def _tracked_titles() -> tuple[tuple[Markup, Markup], ...]:
    """For each seat the titles of the cards in its hand and of those that it has played."""
    names = [(mark, seat_name(seat)) for seat, mark in enumerate(seat_marks())]
    return tuple(
        (mark + " " + say("{player}, in hand", player=name), mark + " " + say("{player}, played", player=name))
        for mark, name in names
    )


@per_language()
def _unknown() -> Markup:
    return UNKNOWN.format(say("an unknown card"), BACK)


def _tokens(city: str, high: int, low: int) -> Markup:
    crest = use(f"crest-{city}", f"crest of-{city}", says=NAMES[city])
    return Markup("{}{}{}").format(crest, seat_marks()[high], seat_marks()[low])


@per_language(2048)
def _tracked(ids: tuple[str | None, ...], deck: tuple[Card, ...]) -> tuple[TrackedCard, ...]:
    """Cards in the order of the box, with unknown ones at the end; those that look the same once, with their number."""
    known = [card for card in deck if card.id in ids]
    alike = Counter(map(looks, known))
    first = {looks(card): card for card in reversed(known)}
    drawn = [TrackedCard(tracked(first[look]), count) for look, count in alike.items()]
    hidden = ids.count(None)
    return (*drawn, TrackedCard(_unknown(), hidden)) if hidden else tuple(drawn)
