"""A second, simple implementation of Il Principe's scoring, computed from the events of the game."""

from collections import Counter

from signoria.games.il_principe import View
from signoria.games.il_principe.words.events import (
    BidMade,
    BuildingsPlayed,
    CityFounded,
    CrestPlaced,
    Event,
    LotWon,
    RolePoints,
    RoleTaken,
)

COLOURS = ("green", "white", "red", "blue", "yellow")
MAJORS = ("Mastro", "Vescovo", "Magistrato", "Signore", "Banchiere")


def naive_scores(view: View, told: list[Event]) -> list[dict[str, int]]:
    """Every seat's score: points and crests counted from events, the rest from the final position."""
    seats = range(len(view.players))
    points, crests = Counter[int](), Counter[tuple[int, str]]()
    for event in told:
        match event:
            case CityFounded(_, seat, _, _, gain) | RolePoints(_, seat, gain):
                points[seat] += gain
            case RoleTaken(seat=seat, colour="white"):
                points[seat] += 1
            case CrestPlaced(_, seat, region):
                crests[seat, region] += 1
            case _:
                pass
    sheet = []
    for seat in seats:
        regions = 0
        for region in view.components.regions:
            standing = sorted((crests[other, region] for other in seats), reverse=True)
            own = crests[seat, region]
            if own and own == standing[0]:
                regions += 5
            elif own and standing[0] > standing[1] == own:
                regions += 2
        player = view.players[seat]
        in_play = [player.up.get(colour, 0) + player.down.get(colour, 0) for colour in COLOURS]
        row = {
            "game": points[seat],
            "regions": regions,
            "roles": sum(2 if role in MAJORS else 1 for role in player.roles),
            "sets": 2 * min(in_play),
            "ducats": 2 * (player.ducats == max(other.ducats or 0 for other in view.players)),
            "hand": 2 * (player.cards == max(other.cards for other in view.players)),
        }
        sheet.append(row | {"total": sum(row.values()), "buildings": sum(in_play)})
    return sheet


def naive_winners(view: View, sheet: list[dict[str, int]]) -> list[int]:
    """Most points, then most buildings, then the first major role, then all of them."""

    def standing(seat: int) -> tuple[int, int, int]:
        held = [MAJORS.index(role) for role in view.players[seat].roles if role in MAJORS]
        return sheet[seat]["total"], sheet[seat]["buildings"], -min(held, default=len(MAJORS))

    best = max(standing(seat) for seat in range(len(sheet)))
    return [seat for seat in range(len(sheet)) if standing(seat) == best]


def naive_ducats(players: int, start: int, told: list[Event], income: int) -> list[int]:
    """All players' ducats, counted from incomes and payments."""
    ducats = [start] * players
    for event in told:
        match event:
            case LotWon(_, seat, _, _, price):
                ducats[seat] -= price
            case CityFounded(_, seat, _, price, _):
                ducats[seat] -= price
            case RoleTaken(seat=seat, colour=colour, ducats=price):
                ducats[seat] += 2 * (colour == "yellow") - price
            case BidMade() | BuildingsPlayed():
                pass
            case _ if type(event).__name__ == "RoundBegan":
                ducats = [own + income for own in ducats]
            case _:
                pass
    return ducats
