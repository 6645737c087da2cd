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
from signoria.games.il_principe.words.names import ROLE_NAMES
from signoria.kernel.compiled import in_python
from signoria.kernel.position import Position
from signoria.kernel.scores import Score, ScoreItem, ScorePart
from signoria.kernel.words import Naming, counted, spelled


def scores_of(position: Position) -> tuple[Score, ...]:
    """Every seat's score, from its row of the sheet."""
    (s, box), regions = position.in_lists(), _regions(position)
    return tuple(_score(s, box, regions, row, seat) for seat, row in enumerate(position.sheet().tolist()))


def _regions(position: Position) -> list[list[int]]:
    """I40: what each seat scores in each region."""
    s, box, won = position.state, position.box, []
    for region in range(len(REGION_IDS)):
        sheet = np.zeros((box.players, len(COLUMNS)), np.int16)
        in_python(score_region)(s, box, sheet, region)
        won.append(sheet[:, IN_REGIONS].tolist())
    return won


def _score(s: Any, box: Any, regions: list[list[int]], row: list[int], seat: int) -> Score:
    crests = ", ".join(f"{count} {REGION_IDS[r]}" for r, count in enumerate(s.region[seat]) if count)
    roles = _roles(s, box, seat)
    in_play = [up + down for up, down in zip(s.up[seat], s.down[seat], strict=True)]
    buildings = ", ".join(f"{count} {colour}" for colour, count in zip(COLOUR_IDS, in_play, strict=True) if count)
    ducats, hand = counted(s.ducats[seat], "ducat"), counted(s.cards[seat], "card")
    return Score(
        seat=seat,
        parts=(
            ScorePart(
                "game",
                row[GAME],
                "I17",
                "cities and roles",
                _founded(s, box, row[GAME], seat),
            ),
            ScorePart("regions", row[IN_REGIONS], "I40", crests or "no crests", _crests(s, regions, seat)),
            ScorePart("roles", row[ROLES], "I41", ", ".join(role.says for role in roles) or "no roles", roles),
            ScorePart("sets", row[SETS], "I42", buildings or "no buildings", _sets(row[SETS], box)),
            ScorePart("ducats", row[DUCATS], "I43", ducats, _most(ducats, row[DUCATS], "ducat", s.ducats[seat])),
            ScorePart("hand", row[HAND], "I43", hand, _most(hand, row[HAND], "back", s.cards[seat])),
        ),
        total=row[TOTAL],
        also={"buildings": row[BUILDINGS]},
    )


def _founded(s: Any, box: Any, points: int, seat: int) -> tuple[ScoreItem, ...]:
    """I17: the cities that a seat founded; I18, I23: points from roles during the game."""
    cities = [
        ScoreItem(city_name(CITY_IDS[city]), box.points[city], "town")
        for city, founder in enumerate(s.founder)
        if founder == seat
    ]
    rest = points - sum(city.points for city in cities)
    return (*cities, ScoreItem("roles during the game", rest, "laurel")) if rest else tuple(cities)


def _crests(s: Any, regions: list[list[int]], seat: int) -> tuple[ScoreItem, ...]:
    """I40: the regions in which a seat has crests."""
    return tuple(
        ScoreItem(
            f"{region_name(REGION_IDS[r])}, {counted(count, 'crest')}", regions[r][seat], f"region-{REGION_IDS[r]}"
        )
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
    return (ScoreItem(f"set of {spelled(len(COLOUR_IDS))} colours", worth, "set"),) * (points // worth)


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
    tied = f"{_together(level, name)} have {counted(best.total, 'point')} each."
    if len(as_many) == 1:
        second = max(score.also["buildings"] for score in level if score is not best)
        return f"{tied} Tiebreak: {winner} has {counted(built, 'building')} in play, the next player {second} (I44)."
    tied += f" {_together(as_many, name)} have {counted(built, 'building')} in play each."
    if len(winners) > 1:
        return f"{tied} None of them holds a major role, so they share the win (I44)."
    return f"{tied} {winner} wins the tiebreak as {_role(best)}, the first major role in the order of colours (I44)."


def _together(scores: Sequence[Score], name: Naming) -> str:
    return " and ".join(name(score.seat) for score in scores)


def _role(score: Score) -> str:
    return next(part for part in score.parts if part.name == "roles").items[0].says
