"""A seat's row of the score sheet: each part with its clause, and each token and set of portraits that scored."""

from collections.abc import Sequence
from typing import Any

from signoria.games.patrician.rulebook.components import CITY_IDS, city_name
from signoria.games.patrician.rulebook.scoring import (
    AMBASSADORS,
    CAPTAINS,
    ELDERS,
    FLOORS,
    MESSENGERS,
    PENALTY,
    PORTRAITS,
    TOKENS,
    TOTAL,
    extra_points,
    portrait_sets,
)
from signoria.games.patrician.texts import say, say_count
from signoria.games.patrician.words.names import PATRICIAN_NAMES
from signoria.kernel.compiled import in_python
from signoria.kernel.language import all_of, to_say
from signoria.kernel.scores import Score, ScoreItem, ScorePart


def score_of(s: Any, box: Any, row: list[int], seat: int) -> Score:
    """The score of a seat, from its row of the sheet."""
    tokens = _tokens(s, box, seat)
    shown = dict(zip(PATRICIAN_NAMES, row[CAPTAINS : ELDERS + 1], strict=True))
    extra = ambassador_portraits(box, shown, ambassadors_of(row))
    portraits = ", ".join(portraits_in_words(who, count) for who, count in shown.items())
    if extra:
        portraits = say_count(
            "{portraits}, with ambassador {names}",
            "{portraits}, with ambassadors {names}",
            len(extra),
            portraits=portraits,
            names=all_of(list(extra)),
        )
    return Score(
        seat=seat,
        parts=(
            ScorePart(
                to_say("tokens"),
                row[TOKENS],
                "P20",
                ", ".join(f"{token.says} {token.points}" for token in tokens) or say("no tokens"),
                tokens,
            ),
            ScorePart(
                to_say("portraits"), row[PORTRAITS], "P22", portraits, (*_sets(box, shown, extra), *_ambassadors(extra))
            ),
            ScorePart(
                to_say("messengers"), row[MESSENGERS], "M5", say("extra tokens for messengers"), _extra(s, box, seat)
            ),
            ScorePart(to_say("penalty"), row[PENALTY], "M6", say("fewest towers in cities scored with a messenger")),
        ),
        total=row[TOTAL],
        also={to_say("floors"): row[FLOORS]},
    )


def ambassadors_of(row: list[int]) -> list[str]:
    """A1, A3: the ambassadors in a row of the sheet."""
    return [name for bit, name in enumerate("ABCD") if row[AMBASSADORS] >> bit & 1]


def portraits_in_words(who: str, count: int) -> str:
    """A number of portraits of one kind: `1 lady`, `3 ladies`."""
    match who:
        case "captain":
            return say_count("{n} captain", "{n} captains", count)
        case "lady":
            return say_count("{n} lady", "{n} ladies", count)
    return say_count("{n} elder", "{n} elders", count)


def _tokens(s: Any, box: Any, seat: int) -> tuple[ScoreItem, ...]:
    """P20: the prestige tokens that a seat won, city by city."""
    return tuple(
        ScoreItem(city_name(CITY_IDS[city]), int(box.token[city, token]), CITY_IDS[city])
        for city, token in _won(s, box, seat)
    )


def _extra(s: Any, box: Any, seat: int) -> tuple[ScoreItem, ...]:
    """M5: the extra tokens for messengers."""
    return tuple(
        ScoreItem(city_name(CITY_IDS[city]), int(in_python(extra_points)(s, box, city)), "rider")
        for city, _token in _won(s, box, seat)
        if s.escorts[city]
    )


def _won(s: Any, box: Any, seat: int) -> list[tuple[int, int]]:
    return [(city, token) for city in range(box.cities) for token in range(2) if s.won[city, token] == seat]


def ambassador_portraits(box: Any, shown: dict[str, int], held: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """A1, A3: the extra portraits of each ambassador: D has one of each kind, the others count where they help most."""
    extra: dict[str, tuple[str, ...]] = {}
    counts = {who: count + ("D" in held) for who, count in shown.items()}
    ones = [letter for letter in held if letter != "D"]
    for left, letter in zip(reversed(range(len(ones))), ones, strict=True):
        ways = {who: counts | {who: counts[who] + 1} for who in counts}
        extra[letter] = (max(ways, key=lambda who: _sets_with(box, left, ways[who])),)
        counts = ways[extra[letter][0]]
    return extra | ({"D": tuple(shown)} if "D" in held else {})


def _sets_with(box: Any, extra: int, counts: dict[str, int]) -> int:
    captains, ladies, elders = counts.values()
    return in_python(portrait_sets)(box, captains, ladies, elders, extra)


def _sets(box: Any, shown: dict[str, int], extra: dict[str, tuple[str, ...]]) -> tuple[ScoreItem, ...]:
    """P22: full sets of portraits, then the rest, with the portraits of ambassadors."""
    size, points = int(box.set_size), int(box.set_points)
    counts = {who: count + sum(who in added for added in extra.values()) for who, count in shown.items()}
    full = [(who, size, points) for who, count in counts.items() for _ in range(count // size)]
    rest = [(who, count % size, 0) for who, count in counts.items() if count % size]
    return tuple(ScoreItem(portraits_in_words(who, count), worth, who, count) for who, count, worth in (*full, *rest))


def _ambassadors(extra: dict[str, tuple[str, ...]]) -> tuple[ScoreItem, ...]:
    """A1, A3: ambassadors, and the portraits that each has added to the sets above."""
    return tuple(
        ScoreItem(
            say("{ambassador}, counted above", ambassador=ambassador_in_words(letter, added)),
            0,
            f"ambassador-{letter}-{'-'.join(added)}",
        )
        for letter, added in extra.items()
    )


def ambassador_in_words(letter: str, added: Sequence[str]) -> str:
    """An ambassador and what it counts as: `ambassador A counts as 1 lady`."""
    portraits = ", ".join(portraits_in_words(who, 1) for who in added)
    return say("ambassador {letter} counts as {portraits}", letter=letter, portraits=portraits)
