"""The players' areas (hand, buildings, ducats, crests, roles) and the score track."""

from functools import lru_cache
from typing import Any, NamedTuple

from markupsafe import Markup

from signoria.games.il_principe.board.page import page
from signoria.games.il_principe.board.stage import bids
from signoria.games.il_principe.rulebook.components import COLOUR_IDS
from signoria.games.il_principe.rulebook.steps import Decline, Offer, Pass, Play, Step, Turn
from signoria.games.il_principe.view import PlayerView, View
from signoria.games.il_principe.words.names import FAMILIES
from signoria.kernel.words import counted
from signoria.web.drawn import Same, Target

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


def draw_hand(view: View, mine: PlayerView, legal: frozenset[Step], may_act: bool) -> Markup:
    """The viewer's cards, and moves other than pressing a card."""
    hand = mine.hand or {}
    asked = view.asked if may_act and view.turn == view.seat else ""
    laying = f"{view.round}-{mine.laid}" if asked == "offer" else ""
    cards = [
        _draw_card(
            HandCard(colour, n, n == hand[colour], _card_target(view, colour, n, legal) if may_act else None), laying
        )
        for colour in COLOUR_IDS
        for n in range(1, hand.get(colour, 0) + 1)
    ]
    down = [Turn(colour) for colour in COLOUR_IDS if colour in mine.down] if view.asked == "turn" else []
    turns = [(step.colour, Target(step, True)) for step in down if step in legal]
    nothing = [Target(step, True) for step in (Pass(), Decline()) if step in legal]
    return Markup(page().hand(view, mine, cards, asked, bids(legal), turns, nothing))


@lru_cache(4096)
def _draw_card(card: HandCard, laying: str) -> Markup:
    return Markup(page().hand_card(card, laying))


def _card_target(view: View, colour: str, number: int, legal: frozenset[Step]) -> Target:
    step = Offer(colour) if view.asked == "offer" else Play(colour, number)
    return Target(step, step in legal)


def draw_player(view: View, player: PlayerView) -> Markup:
    """What everyone sees of a player, and what the viewer knows in addition."""
    ducats, known = player.ducats, {}
    if view.remembered and player.hand is None:
        ducats, known = view.remembered.ducats[player.seat], view.remembered.known[player.seat]
    return _draw_player(Same((player, known)), ducats, player.seat == view.seat, player.seat == view.principe)


@lru_cache(2048)
def _draw_player(known: Same, ducats: int | None, own: bool, prince: bool) -> Markup:
    player, cards = known.part
    return Markup(page().player(player, ducats, cards, own, prince))


def draw_remembered(view: View, all_of_it: Any) -> Markup:
    """The card tracker."""
    return Markup(page().remembered(view, all_of_it))


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


@lru_cache(1024)
def _draw_track(points: tuple[int, ...]) -> Markup:
    markers: list[Marker] = []
    fields = [min(score - LAP, LAP) if score > LAP else score for score in points]
    for seat, score in enumerate(points):
        below = fields[:seat].count(fields[seat])
        x = round(5.5 + CELL * fields[seat] + 5 * below, 1)
        markers.insert(0, Marker(seat, score, x, TOP - 4 * below, score > LAP))
    said = ", ".join(f"{FAMILIES[seat]} {counted(score, 'point')}" for seat, score in enumerate(points))
    return Markup(page().track(markers, said))


def rule() -> str:
    """The track itself: one space per point, every fifth with its number."""
    fields = "".join(
        f'<path d="M{17.5 + n * CELL:.1f} 34v{-9 if n % 5 == 0 else -5}"/>'
        + (f'<text class="mile" x="{17.5 + n * CELL:.1f}" y="46">{n}</text>' if n % 5 == 0 else "")
        for n in range(LAP + 1)
    )
    return f'<symbol id="d-track" viewBox="0 0 1100 50"><path d="M8 34h1080" class="bar"/>{fields}</symbol>'
