"""Patrician in words: labels of drawings, for screen readers."""

from collections import Counter
from functools import lru_cache
from typing import NamedTuple

from signoria.games.patrician.rulebook.components import CITY_IDS, Card, city_name
from signoria.games.patrician.view import CityView
from signoria.games.patrician.words.names import seat_name

NAMES = {city: city_name(city) for city in CITY_IDS}
SIDES = ("left", "right")
PORTRAITS = {"captain": ("captain", "2 captains"), "lady": ("lady", "2 ladies"), "elder": ("elder", "2 elders")}
SYMBOLS = {"any": "any card", "move": "move"}


@lru_cache(512)
def brief(card: Card) -> str:
    """A short description of a card: `Roma, lady ★`."""
    shows = (
        PORTRAITS[card.portrait][card.portraits - 1] if card.portrait else SYMBOLS.get(card.symbol or "", "2 floors")
    )
    return f"{NAMES[card.city]}, {shows}{' ★' if card.start else ''}"


def in_words(ids: tuple[str | None, ...], cards: dict[str, Card]) -> str:
    """Short descriptions of cards; None is an unknown card."""
    return "; ".join([brief(cards[card]) if card else "an unknown card" for card in ids])


class Lead(NamedTuple):
    """Who would win a tower, and by how many floors; 0 if the top floor decides (P21)."""

    seat: int
    floors: int

    def __str__(self) -> str:
        return f"{seat_name(self.seat)} leads by {self.floors}" if self.floors else f"tied, {seat_name(self.seat)} wins"


def lead(city: CityView, site: int) -> Lead | None:
    """Who would win a tower; None if the site is empty."""
    seat = city.leads[site]
    return None if seat is None else Lead(seat, city.leads_by[site])


def tower_label(city: CityView, site: int) -> str:
    """A tower in words: `Roma, left site: Black 2, White 1; White on top; Black leads by 1`."""
    tower, leads = city.towers[site], lead(city, site)
    owners = ", ".join(f"{seat_name(seat)} {count}" for seat, count in Counter(tower).most_common())
    more = f"; {seat_name(tower[-1])} on top; {leads}" if leads and len(set(tower)) > 1 else ""
    return f"{NAMES[city.id]}, {SIDES[site]} site: {owners or 'empty'}{more}"
