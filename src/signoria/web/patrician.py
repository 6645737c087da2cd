"""Patrician drawn: cities with their towers, cards, what lies before each player."""

from collections import Counter
from functools import cache, lru_cache
from typing import Any, NamedTuple

from markupsafe import Markup

from signoria.patrician.components import Card, city_name
from signoria.patrician.names import CITY_IDS, COLOURS, ROADS, seat_name
from signoria.patrician.steps import Build, Keep, Messenger, Move, Play, Stay, Step, Take
from signoria.patrician.view import CityView, PlayerView, Remembered, View
from signoria.web.drawn import MARKS, Drawn, Target, begin, end, mark, target
from signoria.web.environment import macros

NAMES = {city: city_name(city) for city in CITY_IDS}
SIDES = ("left", "right")
SEATS = tuple(mark("patrician", seat, seat_name(seat)) for seat in range(len(COLOURS)))
FLOORS = tuple(
    Markup('<i class="seat-{}">{}</i>').format(seat, letters) for seat, letters in enumerate(MARKS["patrician"])
)
PORTRAITS = {"captain": ("captain", "2 captains"), "lady": ("lady", "2 ladies"), "elder": ("elder", "2 elders")}
NOTHING: tuple[tuple[Step, str], ...] = ((Stay(), "Move nothing"), (Keep(), "Place no messenger now"))
SYMBOLS = {"any": "any card", "move": "move"}


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
    me = view.seat
    hand = Markup() if me is None else _hand(view, view.players[me], cards, legal, may_act)
    players = tuple(_player(view, player, cards) for player in view.players)
    nothing = [(words, Target(step, True)) for step, words in NOTHING if step in legal]
    board = page.board(view, cities, _draw_roads(_roads(view, legal, may_act)), nothing)
    return Drawn(hand, board, players, _remembered(view, view.remembered, cards) if view.remembered else Markup())


def _hand(view: View, mine: PlayerView, cards: dict[str, Card], legal: frozenset[Step], may_act: bool) -> Markup:
    held = [(cards[card], target(Play(card), legal, may_act)) for card in mine.hand if card]
    played = [cards[card] for card in mine.stack if card]
    return Markup(_page().hand(held, played, cards.get(view.card or "")))


def _player(view: View, player: PlayerView, cards: dict[str, Card]) -> Markup:
    known = () if player.seat == view.seat else tuple(cards[card] for card in player.hand if card)
    top = cards[player.stack[-1]] if player.stack and player.stack[-1] else None
    portraits = tuple(view.remembered.portraits[player.seat].items()) if view.remembered else ()
    return _draw_player(player, known, top, portraits)


@lru_cache(2048)
def _draw_player(
    player: PlayerView, known: tuple[Card, ...], top: Card | None, portraits: tuple[tuple[str, int], ...]
) -> Markup:
    return Markup(_page().player(player, known, top, portraits))


def _city(view: View, city: CityView, cards: dict[str, Card], legal: frozenset[Step], may_act: bool) -> Markup:
    here = city.id == view.city
    site_steps: tuple[Step, Step] = (
        (Build(0), Build(1)) if here and view.asked == "build" else (Move(city.id, 0), Move(city.id, 1))
    )
    left, right, take = (target(step, legal, may_act) for step in (*site_steps, Take(city.id)))
    return _draw_city(city, cards[city.card] if city.card else None, here, left, right, take)


@lru_cache(8192)
def _draw_city(
    city: CityView, card: Card | None, here: bool, left: Target | None, right: Target | None, take: Target | None
) -> Markup:
    sites = tuple((site, _label(city, i), city.towers[i]) for i, site in enumerate((left, right)))
    return Markup(_page().city(city, card, here, sites, take))


def _label(city: CityView, site: int) -> str:
    """A tower in words: `Roma, left site: Black 2, White 1; White on top`."""
    tower = city.towers[site]
    owners = ", ".join(f"{seat_name(seat)} {count}" for seat, count in Counter(tower).most_common())
    top = f"; {seat_name(tower[-1])} on top" if len(set(tower)) > 1 else ""
    return f"{NAMES[city.id]}, {SIDES[site]} site: {owners or 'empty'}{top}"


def _roads(view: View, legal: frozenset[Step], may_act: bool) -> tuple[Road, ...]:
    """Roads where messengers travel; none at a table without them."""
    if not view.messengers and not any(player.messengers_left for player in view.players):
        return ()
    asked = may_act and view.asked == "messenger"
    return tuple(
        Road(ends, view.messengers.get("-".join(ends)), target(Messenger(ends), legal, asked))
        for ends in ROADS
        if len(view.cities) == len(CITY_IDS) or "pistoia" not in ends
    )


@lru_cache(1024)
def _draw_roads(roads: tuple[Road, ...]) -> Markup:
    return Markup(_page().roads(roads)) if roads else Markup()


def _remembered(view: View, all_of_it: Remembered, cards: dict[str, Card]) -> Markup:
    others = [
        (SEATS[seat], _in_words(hand, cards), _in_words(stack, cards))
        for seat, (hand, stack) in enumerate(zip(all_of_it.hands, all_of_it.stacks, strict=True))
        if seat != view.seat
    ]
    unseen = all_of_it.unseen
    return Markup(_page().remembered(others, all_of_it.won, len(unseen), _in_words(unseen, cards)))


def _in_words(ids: tuple[str | None, ...], cards: dict[str, Card]) -> str:
    return "; ".join([brief(cards[card]) if card else "an unknown card" for card in ids])


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
    return Markup(_page().face(card, NAMES[card.city], parts))


@lru_cache(512)
def brief(card: Card) -> str:
    """A card in few words: `Roma, lady ★`."""
    shows = (
        PORTRAITS[card.portrait][card.portraits - 1] if card.portrait else SYMBOLS.get(card.symbol or "", "2 floors")
    )
    return f"{NAMES[card.city]}, {shows}{' ★' if card.start else ''}"


@cache
def _page() -> Any:
    return macros(
        "patrician.html",
        names=NAMES,
        seats=SEATS,
        floors=FLOORS,
        draw_card=draw_card,
        brief=brief,
        begin=begin,
        end=end,
    )
