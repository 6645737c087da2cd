"""Patrician in words: labels of drawings, for screen readers."""

from collections import Counter
from typing import NamedTuple

from signoria.games.patrician.rulebook.components import CITY_IDS, FIGURES, Card, city_name
from signoria.games.patrician.texts import say, say_as, say_count
from signoria.games.patrician.view import CityView
from signoria.games.patrician.words.names import seat_name
from signoria.kernel.language import per_language
from signoria.kernel.words import spelled

NAMES = {city: city_name(city) for city in CITY_IDS}
PORTRAITS = ("captain", "lady", "elder")


def portrait_set() -> str:
    """How many portraits make a set (P22): `three`."""
    return spelled(FIGURES.game.portrait_set)


def portrait_points() -> str:
    """The points of a set of portraits (P22)."""
    return say_count("{n} point", "{n} points", FIGURES.game.portrait_points)


def portrait_name(who: str) -> str:
    """The name of a portrait: `lady`."""
    return {"captain": say("captain"), "lady": say("lady"), "elder": say("elder")}[who]


def shows(card: Card) -> str:
    """What a card shows below its crest: `lady`."""
    if card.portrait and card.portraits == 1:
        return portrait_name(card.portrait)
    if card.portrait:
        return {"captain": say("2 captains"), "lady": say("2 ladies"), "elder": say("2 elders")}[card.portrait]
    return {"any": say("any card"), "move": say_as("symbol", "move")}.get(card.symbol or "", say("2 floors"))


@per_language(512)
def brief(card: Card) -> str:
    """A short description of a card: `Roma, lady ★`."""
    return f"{NAMES[card.city]}, {shows(card)}{' ★' if card.start else ''}"


class Lead(NamedTuple):
    """Who would win a tower, and by how many floors; 0 if the top floor decides (P21)."""

    seat: int
    floors: int

    def __str__(self) -> str:
        if self.floors:
            return say("{player} leads by {floors}", player=seat_name(self.seat), floors=self.floors)
        return say("tied, {player} wins", player=seat_name(self.seat))


def lead(city: CityView, site: int) -> Lead | None:
    """Who would win a tower; None if the site is empty."""
    seat = city.leads[site]
    return None if seat is None else Lead(seat, city.leads_by[site])


def tower_label(city: CityView, site: int) -> str:
    """A tower in words: `Roma, left site: Black 2, White 1; White on top; Black leads by 1`."""
    tower, leads = city.towers[site], lead(city, site)
    owners = ", ".join(f"{seat_name(seat)} {count}" for seat, count in Counter(tower).most_common()) or say("empty")
    if leads and len(set(tower)) > 1:
        owners = say("{owners}; {player} on top; {lead}", owners=owners, player=seat_name(tower[-1]), lead=leads)
    if site == 0:
        return say("{city}, left site: {owners}", city=NAMES[city.id], owners=owners)
    return say("{city}, right site: {owners}", city=NAMES[city.id], owners=owners)
