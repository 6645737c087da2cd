"""A seat's row of the score sheet: each part with its clause, and each city, region, role and set that scored."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from signoria.games.il_principe.rulebook.components import CITY_IDS, COLOUR_IDS, REGION_IDS, city_name, region_name
from signoria.games.il_principe.rulebook.scoring import (
    BUILDINGS,
    COLUMNS,
    DUCATS,
    GAME,
    HAND,
    IN_REGIONS,
    ROLES,
    SETS,
    TOTAL,
    score_region,
)
from signoria.games.il_principe.rulebook.state import MAJOR, MINOR
from signoria.games.il_principe.texts import say, say_count
from signoria.games.il_principe.words import amounts
from signoria.games.il_principe.words.names import ROLE_NAMES
from signoria.kernel.language import all_of, to_say
from signoria.kernel.position import Position
from signoria.kernel.scores import Score, ScoreItem, ScorePart
from signoria.kernel.words import Naming, spelled


def scores_of(position: Position) -> tuple[Score, ...]:
    """Every seat's score, from its row of the sheet."""
    (s, box), regions = position.in_lists(), _regions(position)
    return tuple(_score(s, box, regions, row, seat) for seat, row in enumerate(position.sheet().tolist()))


def _regions(position: Position) -> list[list[int]]:
    """I40: what each seat scores in each region."""
    won = []
    for region in range(len(REGION_IDS)):
        sheet = np.zeros((position.box.players, len(COLUMNS)), np.int16)
        position.call(score_region, sheet, region)
        won.append(sheet[:, IN_REGIONS].tolist())
    return won


def _score(s: Any, box: Any, regions: list[list[int]], row: list[int], seat: int) -> Score:
    crests = ", ".join(f"{region_name(REGION_IDS[r])} {count}" for r, count in enumerate(s.region[seat]) if count)
    roles = _roles(s, box, seat)
    in_play = [up + down for up, down in zip(s.up[seat], s.down[seat], strict=True)]
    buildings = amounts.by_colour(dict(zip(COLOUR_IDS, in_play, strict=True)))
    ducats, hand = amounts.ducats(s.ducats[seat]), amounts.cards(s.cards[seat])
    return Score(
        seat=seat,
        parts=(
            ScorePart(
                to_say("game"),
                row[GAME],
                "I17",
                say("cities and roles"),
                _founded(s, box, row[GAME], seat),
            ),
            ScorePart(to_say("regions"), row[IN_REGIONS], "I40", crests or say("no crests"), _crests(s, regions, seat)),
            ScorePart(
                to_say("roles"), row[ROLES], "I41", ", ".join(role.says for role in roles) or say("no roles"), roles
            ),
            ScorePart(to_say("sets"), row[SETS], "I42", buildings or say("no buildings"), _sets(row[SETS], box)),
            ScorePart(
                to_say("ducats"), row[DUCATS], "I43", ducats, _most(ducats, row[DUCATS], "ducat", s.ducats[seat])
            ),
            ScorePart(to_say("hand"), row[HAND], "I43", hand, _most(hand, row[HAND], "back", s.cards[seat])),
        ),
        total=row[TOTAL],
        also={to_say("buildings"): row[BUILDINGS]},
    )


def _founded(s: Any, box: Any, points: int, seat: int) -> tuple[ScoreItem, ...]:
    """I17: the cities that a seat founded; I18, I23: points from roles during the game."""
    cities = [
        ScoreItem(city_name(CITY_IDS[city]), box.points[city], "town")
        for city, founder in enumerate(s.founder)
        if founder == seat
    ]
    rest = points - sum(city.points for city in cities)
    return (*cities, ScoreItem(say("roles during the game"), rest, "laurel")) if rest else tuple(cities)


def _crests(s: Any, regions: list[list[int]], seat: int) -> tuple[ScoreItem, ...]:
    """I40: the regions in which a seat has crests."""
    return tuple(
        ScoreItem(f"{region_name(REGION_IDS[r])}, {amounts.crests(count)}", regions[r][seat], f"region-{REGION_IDS[r]}")
        for r, count in enumerate(s.region[seat])
        if count
    )


def _roles(s: Any, box: Any, seat: int) -> tuple[ScoreItem, ...]:
    """I41: the roles that a seat holds, majors first, in the order of colours."""
    return tuple(
        ScoreItem(ROLE_NAMES[role][c], points, colour)
        for role, points in ((MAJOR, box.major_points), (MINOR, box.minor_points))
        for c, colour in enumerate(COLOUR_IDS)
        if s.holder[role][c] == seat
    )


def _sets(points: int, box: Any) -> tuple[ScoreItem, ...]:
    """I42: sets of five colours."""
    worth = int(box.set_points)
    return (ScoreItem(say("set of {number} colours", number=spelled(len(COLOUR_IDS))), worth, "set"),) * (
        points // worth
    )


def _most(says: str, points: int, sign: str, count: int) -> tuple[ScoreItem, ...]:
    """I43: how much a seat has of something, with points if nobody has more."""
    return (ScoreItem(says, points, sign, count),) if count else ()


def tie_in_words(scores: Sequence[Score], winners: tuple[int, ...], name: Naming) -> str:
    """I44: who was tied and what decided; empty if points decided."""
    best = scores[winners[0]]
    level = [score for score in scores if score.total == best.total]
    as_many = [score for score in level if score.also == best.also]
    if len(level) == 1:
        return ""
    built, winner = best.also["buildings"], name(best.seat)
    tied = say_count(
        "{players} have {n} point each.", "{players} have {n} points each.", best.total, players=_together(level, name)
    )
    if len(as_many) == 1:
        second = max(score.also["buildings"] for score in level if score is not best)
        decided = say_count(
            "Tiebreak: {player} has {n} building in play, the next player {second} (I44).",
            "Tiebreak: {player} has {n} buildings in play, the next player {second} (I44).",
            built,
            player=winner,
            second=second,
        )
        return f"{tied} {decided}"
    tied += " " + say_count(
        "{players} have {n} building in play each.",
        "{players} have {n} buildings in play each.",
        built,
        players=_together(as_many, name),
    )
    if len(winners) > 1:
        return f"{tied} {say('None of them holds a major role, so they share the win (I44).')}"
    decided = say(
        "{player} wins the tiebreak as {role}, the first major role in the order of colours (I44).",
        player=winner,
        role=_role(best),
    )
    return f"{tied} {decided}"


def _together(scores: Sequence[Score], name: Naming) -> str:
    return all_of([name(score.seat) for score in scores])


def _role(score: Score) -> str:
    return next(part for part in score.parts if part.name == "roles").items[0].says
