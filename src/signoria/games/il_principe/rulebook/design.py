"""A changed `components.toml`, for experiments: it may differ from the real box, but not from what the rules rely on."""

from collections.abc import Mapping
from typing import Any

from signoria.games.il_principe.rulebook.components import SIZES, Components, of_figures, printed
from signoria.games.il_principe.rulebook.state import A_COLOUR, CITIES, FACE_UP, MOST_DUCATS
from signoria.kernel.errors import BadDeck

SOURCE = "components"
FIXED = ("colours", "buildings", "regions.ids", "families.names", "game.face_up")
MOST_POINTS = 12
"""The most points of one thing: a state has a byte for a player's points."""


def redesigned(figures: Mapping[str, Any], players: int, *, variant: bool) -> Components:
    """The cities of a changed file; raises `BadDeck` if the rules could not play with it."""
    for what in FIXED:
        if _at(figures, what) != _at(printed(), what):
            raise BadDeck(f"{SOURCE}: {what} cannot be changed.")
    for city, part in figures["cities"].items():
        if part["size"]["value"] not in SIZES:
            raise BadDeck(f"{SOURCE}: cities.{city}.size must be {', '.join(SIZES)}.")
        unknown = set(part["regions"]["value"]) - set(figures["regions"]["ids"]["value"])
        if unknown:
            raise BadDeck(f"{SOURCE}: cities.{city}.regions: there is no region {min(unknown)!r}.")
    components = of_figures(figures, SOURCE)
    for one in components.cities:
        if one.crests > 0 and not one.regions:
            raise BadDeck(f"{SOURCE}: cities.{one.id} needs a region for its crests (I17).")
    _check_numbers(figures, players, variant=variant)
    return components


def _at(figures: Mapping[str, Any], what: str) -> Any:
    for name in what.split("."):
        figures = figures[name]
    return figures["value"]


def _check_numbers(figures: Mapping[str, Any], players: int, *, variant: bool) -> None:
    game = {name: figure["value"] for name, figure in figures["game"].items()}
    by_players = {name: value[players - 2] for name, value in game.items() if isinstance(value, list)}
    draws, offers, below = by_players["draws"], by_players["offers"], by_players["last_round_below"]
    if not 1 <= by_players["a_colour"] <= A_COLOUR:
        raise BadDeck(f"{SOURCE}: game.a_colour must be 1 to {A_COLOUR} (I2).")
    if not FACE_UP <= by_players["city_cards"] <= CITIES:
        raise BadDeck(f"{SOURCE}: game.city_cards must be {FACE_UP} to {CITIES} (I2).")
    if draws < 1 or not 0 <= offers <= draws:
        raise BadDeck(f"{SOURCE}: everyone draws at least one card, and offers no more than that (I10, I11).")
    if below < draws * players or by_players["last_lots"] < 0:
        raise BadDeck(
            f"{SOURCE}: game.last_round_below must be {draws * players} or more: all players draw (I10, I31)."
        )
    income = game["income_variant"] if variant else by_players["income"]
    start = game["start_ducats_variant"] if variant else game["start_ducats"]
    rounds = 5 * by_players["a_colour"] // (draws * players) + 1
    most = start + rounds * (income + figures["roles"]["yellow_ducats"]["value"])
    if min(start, income) < 0 or most > MOST_DUCATS:
        raise BadDeck(
            f"{SOURCE}: a player could have {most} ducats in {rounds} rounds; {MOST_DUCATS} are the most (I10)."
        )
    if not 0 <= game["crests"] <= MOST_DUCATS:
        raise BadDeck(f"{SOURCE}: game.crests must be 0 to {MOST_DUCATS} (I1).")
    points = {f"sizes.points: {size}": value for size, value in zip(SIZES, _at(figures, "sizes.points"), strict=True)}
    points |= {f"scoring.{name}": figure["value"] for name, figure in figures["scoring"].items()}
    points |= {
        f"roles.{name}": _at(figures, f"roles.{name}") for name in ("major_points", "minor_points", "white_points")
    }
    for what, value in points.items():
        if not 0 <= value <= MOST_POINTS:
            raise BadDeck(f"{SOURCE}: {what} is {value}; 0 to {MOST_POINTS} points are possible.")
