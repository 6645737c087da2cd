"""The players' areas (hand, buildings, ducats, crests, roles) and the score track."""

from collections import Counter
from typing import NamedTuple

from markupsafe import Markup

from signoria.games.il_principe.board.page import FACES, SEATS, page
from signoria.games.il_principe.rulebook.components import COLOUR_IDS
from signoria.games.il_principe.rulebook.steps import Decline, Offer, Pass, Play, Step, Turn
from signoria.games.il_principe.texts import say
from signoria.games.il_principe.view import Counts, PlayerView, Remembered, View
from signoria.games.il_principe.words import amounts
from signoria.games.il_principe.words.names import FAMILIES
from signoria.games.il_principe.words.telling import play_effect, too_few_ducats
from signoria.kernel.language import per_language
from signoria.web.drawn import Same, Target
from signoria.web.models import EarlyChoice
from signoria.web.tracker import TrackedCard, TrackedCards, draw_tracker

LAP, CELL, TOP = 50, 21.2, 5
"""Spaces of the track, the width of one, and where markers begin."""


class HandCard(NamedTuple):
    """A card of the viewer's hand."""

    colour: str
    number: int
    """Of its colour, from 1."""
    last: bool
    """The last of its colour: the one that is fully visible."""
    target: Target | None
    effect: str = ""
    """What playing this many cards of its colour would lead to."""


def draw_hand(
    view: View, mine: PlayerView, legal: frozenset[Step], may_act: bool, early: EarlyChoice | None = None
) -> Markup:
    """The viewer's cards, and moves other than pressing a card.

    With `early`, the viewer lays cards before being asked, because everyone does so at the same time (I11).
    """
    hand, form = mine.hand or {}, "offer"
    asked = view.asked if may_act and view.turn == view.seat else ""
    chosen: dict[str, int] = {}
    if early and early.chosen:
        asked, chosen = "", Counter(step.colour for step in early.chosen)
    elif early:
        asked, form, legal = "offer", "order", frozenset(early.steps)
    choosing = f"{view.round}-{mine.laid}" if asked in ("offer", "act") else ""
    cards = [
        _draw_card(
            HandCard(
                colour,
                n,
                n == hand[colour],
                _card_target(view, colour, n, legal) if may_act else None,
                play_effect(view, Play(colour, n)) if asked == "act" else "",
            ),
            choosing,
            form,
        )
        for colour in COLOUR_IDS
        for n in range(1, hand.get(colour, 0) + 1)
    ]
    down = [Turn(colour) for colour in COLOUR_IDS if colour in mine.down] if view.asked == "turn" else []
    turns = [(step.colour, Target(step, True)) for step in down if step in legal]
    nothing = [Target(step, True) for step in (Pass(), Decline()) if step in legal and not view.auction]
    too_few = _too_few_ducats(view, mine)
    return Markup(page().hand(view, mine, cards, asked, turns, nothing, form, chosen, too_few))


def _too_few_ducats(view: View, mine: PlayerView) -> str:
    """Why the viewer can bid no more in the current auction; empty if they can, or if it is not theirs to bid in (I22)."""
    auction = view.auction
    if auction is None or not auction.outbid or view.turn == view.seat:
        return ""
    takes_part = auction.cards or mine.seat in auction.bidding or auction.spoken[mine.seat]
    return too_few_ducats(auction, mine) if takes_part else ""


@per_language(4096)
def _draw_card(card: HandCard, choosing: str, form: str) -> Markup:
    return Markup(page().hand_card(card, choosing, form))


def _card_target(view: View, colour: str, number: int, legal: frozenset[Step]) -> Target:
    step = Offer(colour) if view.asked == "offer" else Play(colour, number)
    return Target(step, step in legal)


def draw_player(view: View, player: PlayerView) -> Markup:
    """What everyone sees of a player, and what the viewer knows in addition."""
    ducats, known = player.ducats, {}
    if view.remembered and player.hand is None:
        ducats, known = view.remembered.ducats[player.seat], view.remembered.known[player.seat]
    return _draw_player(Same((player, known)), ducats, player.seat == view.seat, player.seat == view.principe)


@per_language(2048)
def _draw_player(known: Same, ducats: int | None, own: bool, prince: bool) -> Markup:
    player, cards = known.part
    return Markup(page().player(player, ducats, cards, own, prince))


def draw_remembered(all_of_it: Remembered) -> Markup:
    """The card tracker: everybody's ducats and cards as far as they are known, and what nobody has seen."""
    return _draw_remembered(Same(all_of_it))


@per_language(1024)
def _draw_remembered(remembered: Same) -> Markup:
    all_of_it = remembered.part
    places = []
    for seat, ducats in enumerate(all_of_it.ducats):
        known, bought, spent = all_of_it.known[seat], all_of_it.bought[seat], all_of_it.spent[seat]
        money = {"ducats": amounts.ducats(ducats)}
        note = say("at least; {ducats}", **money) if known else say("unknown; {ducats}", **money)
        in_hand, won, used = _tracked_titles()[seat]
        places.append(TrackedCards(in_hand, _tracked(known), note))
        if bought:
            places.append(TrackedCards(won, _tracked(bought)))
        if spent:
            places.append(TrackedCards(used, _tracked(spent)))
    if all_of_it.gone:
        places.append(TrackedCards(Markup.escape(say("Removed unsold")), _tracked(all_of_it.gone)))
    unseen = Markup.escape(say("Not seen yet"))
    places.append(TrackedCards(unseen, _tracked(all_of_it.unseen), say("in the pile or in hands")))
    return draw_tracker(places)


@per_language()
def _tracked_titles() -> tuple[tuple[Markup, Markup, Markup], ...]:
    """For each seat the titles of the cards that it holds, has won and has used."""
    return tuple(
        (
            mark + " " + say("{player}, in hand", player=name),
            mark + " " + say("{player}, won in auctions", player=name),
            mark + " " + say("{player}, offered, played or used", player=name),
        )
        for mark, name in zip(SEATS, FAMILIES, strict=True)
    )


def _tracked(counts: Counts) -> tuple[TrackedCard, ...]:
    drawn = _tracked_cards()
    return tuple(TrackedCard(drawn[colour], counts[colour]) for colour in COLOUR_IDS if counts.get(colour))


@per_language()
def _tracked_cards() -> dict[str, Markup]:
    """A card of each colour."""
    labels = {colour: f"{amounts.colour_name(colour)}, {amounts.building_name(colour)}" for colour in COLOUR_IDS}
    card = Markup('<span class="card" role="img" aria-label="{}">{}</span>')
    return {colour: card.format(label, FACES[colour]) for colour, label in labels.items()}


class Marker(NamedTuple):
    """A family on the score track."""

    seat: int
    points: int
    x: float
    y: float
    lap: bool
    """On its second lap."""


def draw_track(view: View) -> Markup:
    """The score track, with a second lap from 51 points on."""
    return _draw_track(tuple(player.points for player in view.players))


@per_language(1024)
def _draw_track(points: tuple[int, ...]) -> Markup:
    markers: list[Marker] = []
    fields = [min(score - LAP, LAP) if score > LAP else score for score in points]
    for seat, score in enumerate(points):
        below = fields[:seat].count(fields[seat])
        x = round(5.5 + CELL * fields[seat] + 5 * below, 1)
        markers.insert(0, Marker(seat, score, x, TOP - 4 * below, score > LAP))
    said = ", ".join(f"{FAMILIES[seat]} {amounts.points(score)}" for seat, score in enumerate(points))
    return Markup(page().track(markers, said))


def rule() -> str:
    """The track itself: one space per point, every fifth with its number."""
    return (
        '<symbol id="d-track" viewBox="0 0 1100 50"><path d="M8 34h1080" class="bar"/>'
        f"{''.join(map(_space, range(LAP + 1)))}</symbol>"
    )


def _space(n: int) -> str:
    x = f"{17.5 + n * CELL:.1f}"
    if n % 5:
        return f'<path d="M{x} 34v-5"/>'
    kind = "mile between" if n % 10 else "mile"
    return f'<path d="M{x} 34v-9"/><text class="{kind}" x="{x}" y="46">{n}</text>'
