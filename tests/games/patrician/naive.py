"""A second, simple implementation of Patrician's scoring, computed from the events of the game."""

from collections import Counter
from itertools import product

from signoria.games.patrician import Options
from signoria.games.patrician.words.events import CityScored, MessengerPlaced
from tests.games.patrician.position import PatricianTable

LOW_TOKENS = {"A": 6, "B": 4, "C": 2}
DECIDES = {"A": "firenze", "B": "milano", "C": "verona"}


def naive_scores(table: PatricianTable, told: list[object]) -> list[dict[str, int]]:
    """Every seat's score from the towers, the stacks and the order of events."""
    options = table.options
    assert isinstance(options, Options)
    seats = range(options.players)
    view = table.view()
    scored_at = {event.city: when for when, event in enumerate(told) if isinstance(event, CityScored)}
    riders = [(when, event.between) for when, event in enumerate(told) if isinstance(event, MessengerPlaced)]
    in_time = {c.id: sum(c.id in road and when < scored_at[c.id] for when, road in riders) for c in view.cities}

    won: dict[tuple[str, str], int] = {}
    for city in view.cities:
        short, tall = sorted(city.towers, key=len)
        won[city.id, "high"], won[city.id, "low"] = tower_winner(tall), tower_winner(short)

    points = {(city.id, which): city.tokens[which == "low"] for city in view.cities for which in ("high", "low")}
    tokens = [sum(points[token] for token, winner in won.items() if winner == seat) for seat in seats]
    extra = [sum(2 * in_time[city] for (city, _), winner in won.items() if winner == seat) for seat in seats]

    penalty = [0 for _ in seats]
    if options.messengers:
        escorted = [city for city in view.cities if in_time[city.id]]
        standing = [
            (
                sum(won[city.id, which] == seat for city in escorted for which in ("high", "low")),
                sum(tower.count(seat) for city in escorted for tower in city.towers),
            )
            for seat in seats
        ]
        if standing.count(min(standing)) == 1:
            penalty[standing.index(min(standing))] = -3

    held: dict[str, int] = {}
    if options.ambassadors:
        for letter, value in LOW_TOKENS.items():
            counts = Counter(winner for token, winner in won.items() if points[token] == value)
            tied = [seat for seat in seats if counts[seat] == max(counts.values())]
            held[letter] = tied[0] if len(tied) == 1 else won[DECIDES[letter], "low"]

        def court(seat: int) -> tuple[int, ...]:
            each = [
                sum(points[city, which] for which in ("high", "low") if won[city, which] == seat)
                for city in ("verona", "parma", "milano")
            ]
            return (sum(each), *each)

        held["D"] = max(seats, key=court)

    faces = {card.id: card for card in view.components.cards}
    sheet = []
    for seat in seats:
        portraits = Counter[str]()
        for card in view.players[seat].stack:
            assert card is not None
            if faces[card].portrait:
                portraits[str(faces[card].portrait)] += faces[card].portraits
        if held.get("D") == seat:
            portraits.update(["captain", "lady", "elder"])
        extras = sum(held.get(letter) == seat for letter in "ABC")
        best = max(
            sum((portraits + Counter(choice))[kind] // 3 for kind in ("captain", "lady", "elder"))
            for choice in product(("captain", "lady", "elder"), repeat=extras)
        )
        floors = sum(tower.count(seat) for city in view.cities for tower in city.towers)
        row = {"tokens": tokens[seat], "portraits": 6 * best, "messengers": extra[seat], "penalty": penalty[seat]}
        sheet.append(row | {"total": sum(row.values()), "floors": floors})
    return sheet


def tower_winner(tower: tuple[int, ...]) -> int:
    """Most floors; tied, the highest floor."""
    most = max(tower.count(seat) for seat in tower)
    return next(seat for seat in reversed(tower) if tower.count(seat) == most)


def naive_winners(sheet: list[dict[str, int]]) -> list[int]:
    """Most points, then fewest floors, then all of them."""
    best = max((row["total"], -row["floors"]) for row in sheet)
    return [seat for seat, row in enumerate(sheet) if (row["total"], -row["floors"]) == best]
