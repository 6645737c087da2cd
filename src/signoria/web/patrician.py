"""Patrician drawn: cities with their towers, cards, what lies before each player."""

from collections import Counter
from functools import lru_cache
from typing import Any, NamedTuple

from markupsafe import Markup

from signoria.patrician.components import Card, city_name
from signoria.patrician.names import CITY_IDS, COLOURS, ROADS, seat_name
from signoria.patrician.steps import Build, Messenger, Move, Play, Step, Take
from signoria.patrician.view import CityView, PlayerView, View
from signoria.web.drawn import MARKS, Drawn
from signoria.web.environment import macros

NAMES = {city: city_name(city) for city in CITY_IDS}
SIDES = ("left", "right")
SEATS = tuple((MARKS["patrician"][seat], seat_name(seat)) for seat in range(len(COLOURS)))
"""The mark and the name of every seat."""
PORTRAITS = {"captain": ("captain", "2 captains"), "lady": ("lady", "2 ladies"), "elder": ("elder", "2 elders")}
SYMBOLS = {"any": "any card", "move": "move"}


class Target(NamedTuple):
    """Something on the board that can be pressed, whether or not it is possible now."""

    step: Step
    can: bool


class Road(NamedTuple):
    """A road between two cities, and the messenger on it."""

    ends: tuple[str, str]
    messenger: int | None
    target: Target | None


def draw(view: View, may_act: bool) -> Drawn:
    """The table as this viewer sees it; `may_act` where it stands in a form of steps."""
    page, cards = _page(), {card.id: card for card in view.components.cards}
    legal = frozenset(view.legal) if may_act else frozenset()
    cities = [_city(view, city, cards, legal, may_act) for city in view.cities]
    known = [[cards[card] for card in player.hand if card] for player in view.players]
    me = view.seat
    hand = Markup() if me is None else _hand(view, view.players[me], cards, legal, may_act)
    players = tuple(
        page.player(view, player, [] if player.seat == me else known[player.seat], cards) for player in view.players
    )
    remembered = page.remembered(view, cards) if view.remembered else Markup()
    return Drawn(hand, page.board(view, cities, _roads(view, legal, may_act)), players, remembered)


def _hand(view: View, mine: PlayerView, cards: dict[str, Card], legal: frozenset[Step], may_act: bool) -> Markup:
    held = [(cards[card], _target(Play(card), legal, may_act)) for card in mine.hand if card]
    played = [cards[card] for card in mine.stack if card]
    return Markup(_page().hand(held, played, cards.get(view.card or "")))


def _target(step: Step, legal: frozenset[Step], may_act: bool) -> Target | None:
    return Target(step, step in legal) if may_act else None


def _city(view: View, city: CityView, cards: dict[str, Card], legal: frozenset[Step], may_act: bool) -> Markup:
    here = city.id == view.city
    site_steps: tuple[Step, Step] = (
        (Build(0), Build(1)) if here and view.asked == "build" else (Move(city.id, 0), Move(city.id, 1))
    )
    left, right, take = (_target(step, legal, may_act) for step in (*site_steps, Take(city.id)))
    return _draw_city(city, cards[city.card] if city.card else None, here, left, right, take)


@lru_cache(4096)
def _draw_city(
    city: CityView, card: Card | None, here: bool, left: Target | None, right: Target | None, take: Target | None
) -> Markup:
    labels = tuple(_label(city, site) for site in range(2))
    return Markup(_page().city(city, card, here, (left, right), take, labels))


def _label(city: CityView, site: int) -> str:
    """A tower in words: `Roma, left site: Black 2, White 1; White on top`."""
    tower = city.towers[site]
    owners = ", ".join(f"{seat_name(seat)} {count}" for seat, count in Counter(tower).most_common())
    top = f"; {seat_name(tower[-1])} on top" if len(set(tower)) > 1 else ""
    return f"{NAMES[city.id]}, {SIDES[site]} site: {owners or 'empty'}{top}"


def _roads(view: View, legal: frozenset[Step], may_act: bool) -> list[Road]:
    """Roads where messengers travel; none at a table without them."""
    if not view.messengers and not any(player.messengers_left for player in view.players):
        return []
    asked = may_act and view.asked == "messenger"
    return [
        Road(ends, view.messengers.get("-".join(ends)), _target(Messenger(ends), legal, asked))
        for ends in ROADS
        if len(view.cities) == len(CITY_IDS) or "pistoia" not in ends
    ]


@lru_cache(512)
def draw_card(card: Card) -> Markup:
    """What a card shows, with its marks."""
    parts = [("crest", "2 floors" if card.crests == 2 else "1 floor", card.crests)]
    if card.portrait:
        parts.append((card.portrait, PORTRAITS[card.portrait][card.portraits - 1], card.portraits))
    if card.symbol:
        parts.append((card.symbol, SYMBOLS[card.symbol], 1))
    if card.start:
        parts.append(("star", "star", 1))
    return Markup(macros("patrician_card.html").face(card, NAMES[card.city], parts))


@lru_cache(512)
def brief(card: Card) -> str:
    """A card in few words: `Roma, lady ★`."""
    shows = (
        PORTRAITS[card.portrait][card.portraits - 1] if card.portrait else SYMBOLS.get(card.symbol or "", "2 floors")
    )
    return f"{NAMES[card.city]}, {shows}{' ★' if card.start else ''}"


def _page() -> Any:
    return macros("patrician.html", names=NAMES, seats=SEATS, draw_card=draw_card, brief=brief)
