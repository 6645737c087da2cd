"""Values for captions, from an open view."""

from signoria.games.patrician.view import CityView, PlayerView, View


def city(view: View, name: str) -> CityView:
    """A city by its id."""
    return next(one for one in view.cities if one.id == name)


def floors(view: View, name: str) -> dict[str, int]:
    """How full a city is: floors built, left and in all."""
    here = city(view, name)
    return {"built": here.built, "left": here.floors_left, "floors": here.floors}


def tokens(view: View, name: str) -> dict[str, int]:
    """The points of a city's two tokens."""
    high, low = city(view, name).tokens
    return {"high": high, "low": low}


def in_tower(view: View, name: str, site: int, seat: int) -> int:
    """How many floors of a tower a seat owns."""
    return city(view, name).towers[site].count(seat)


def player(view: View, seat: int) -> PlayerView:
    """A player by seat."""
    return view.players[seat]
