"""A changed `components.toml`, for experiments: it may differ from the real box, but not from what the rules rely on."""

from collections.abc import Mapping
from typing import Any

from signoria.games.patrician.rulebook.components import Card, City, Components, city_ids, in_play, printed, read_card
from signoria.games.patrician.rulebook.state import LEVELS
from signoria.kernel.errors import BadDeck

SOURCE = "components"
MOST_POINTS = 30
"""The most points of a token or a set, so that scores fit into a report."""


def redesigned(figures: Mapping[str, Any], players: int) -> Components:
    """The cities and cards of a changed file, as they are used with this many players; raises `BadDeck`."""
    fixed = {("game", "dealt"), ("game", "pistoia_from")}
    for part, name in fixed:
        if figures[part][name]["value"] != printed()[part][name]["value"]:
            raise BadDeck(f"{SOURCE}: {part}.{name} cannot be changed.")
    cities: list[City] = []
    cards: list[Card] = []
    for city in city_ids():
        written = {name: figure["value"] for name, figure in figures["cities"][city].items() if name != "name"}
        words = written["deck"].split()
        own = [read_card(city, n, word, SOURCE) for n, word in enumerate(words, 1)]
        crests, expected = sum(card.crests for card in own), printed()["cities"][city]["cards"]["value"]
        if len(own) != expected or written["cards"] != expected:
            raise BadDeck(f"{SOURCE}: {city} must have {expected} cards, so that everyone plays as many (P17).")
        if crests != written["floors"]:
            raise BadDeck(
                f"{SOURCE}: the cards of {city} show {crests} crests and it has {written['floors']} floors (P12)."
            )
        if written["floors"] % 2 == 0 or written["floors"] > LEVELS + 1:
            raise BadDeck(f"{SOURCE}: {city} needs an odd number of floors, {LEVELS + 1} at most (P20).")
        cities.append(City(city, written["floors"], written["high"], written["low"]))
        cards += own
    components = in_play(Components(tuple(cities), tuple(cards)), players)
    _check(components, figures, players)
    return components


def _check(components: Components, figures: Mapping[str, Any], players: int) -> None:
    stars, needed = sum(card.start for card in components.cards), players * figures["game"]["dealt"]["value"]
    if stars < needed:
        raise BadDeck(f"{SOURCE}: {players} players need {needed} cards with a star for their hands (P3), not {stars}.")
    roads = {tuple(road) for road in figures["messengers"]["roads"]["value"]}
    if roads != {tuple(road) for road in printed()["messengers"]["roads"]["value"]}:
        raise BadDeck(f"{SOURCE}: messengers.roads cannot be changed; steps are numbered by them.")
    if figures["game"]["portrait_set"]["value"] < 1:
        raise BadDeck(f"{SOURCE}: game.portrait_set must be 1 or more (P22).")
    points = {f"cities.{city.id}": value for city in components.cities for value in (city.high, city.low)}
    points |= {"game.portrait_points": figures["game"]["portrait_points"]["value"]}
    points |= {f"messengers.{name}": figures["messengers"][name]["value"] for name in ("points", "penalty")}
    for what, value in points.items():
        if abs(value) > MOST_POINTS:
            raise BadDeck(f"{SOURCE}: {what} is {value}; {MOST_POINTS} points are the most.")
    for name in ("tie_a", "tie_b", "tie_c"):
        if figures["ambassadors"][name]["value"] not in city_ids():
            raise BadDeck(f"{SOURCE}: ambassadors.{name} must name a city.")
