"""A seat's row of the score sheet: each part with its clause, and each token and set of portraits that scored."""

from functools import partial
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
from signoria.games.patrician.words.names import PATRICIAN_NAMES
from signoria.kernel.compiled import in_python
from signoria.kernel.scores import Score, ScoreItem, ScorePart

PORTRAIT_WORDS = {"captain": ("captain", "captains"), "lady": ("lady", "ladies"), "elder": ("elder", "elders")}


def score_of(s: Any, box: Any, row: list[int], seat: int) -> Score:
    """The score of a seat, from its row of the sheet."""
    tokens = _tokens(s, box, seat)
    shown = dict(zip(PATRICIAN_NAMES, row[CAPTAINS : ELDERS + 1], strict=True))
    held = [name for bit, name in enumerate("ABCD") if row[AMBASSADORS] >> bit & 1]
    portraits = ", ".join(portraits_in_words(who, count) for who, count in shown.items())
    if held:
        portraits += f", with ambassador{'s' if len(held) > 1 else ''} {', '.join(held)}"
    return Score(
        seat=seat,
        parts=(
            ScorePart(
                "tokens",
                row[TOKENS],
                "P20",
                ", ".join(f"{token.says} {token.points}" for token in tokens) or "none",
                tokens,
            ),
            ScorePart("portraits", row[PORTRAITS], "P22", portraits, _sets(box, _with_ambassadors(box, shown, held))),
            ScorePart("messengers", row[MESSENGERS], "M5", "extra tokens for messengers", _extra(s, box, seat)),
            ScorePart("penalty", row[PENALTY], "M6", "fewest towers in cities scored with a messenger"),
        ),
        total=row[TOTAL],
        also={"floors": row[FLOORS]},
    )


def portraits_in_words(who: str, count: int) -> str:
    """A number of portraits of one kind: `1 lady`, `3 ladies`."""
    return f"{count} {PORTRAIT_WORDS[who][count != 1]}"


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


def _with_ambassadors(box: Any, shown: dict[str, int], held: list[str]) -> dict[str, int]:
    """A1, A3: portraits including those from ambassadors; A, B and C each count where they make the most sets."""
    counts = {who: count + ("D" in held) for who, count in shown.items()}
    for left in reversed(range(len(set(held) - {"D"}))):
        ways = [counts | {who: counts[who] + 1} for who in counts]
        counts = max(ways, key=partial(_sets_with, box, left))
    return counts


def _sets_with(box: Any, extra: int, counts: dict[str, int]) -> int:
    captains, ladies, elders = counts.values()
    return in_python(portrait_sets)(box, captains, ladies, elders, extra)


def _sets(box: Any, counts: dict[str, int]) -> tuple[ScoreItem, ...]:
    """P22: full sets of portraits, then the rest."""
    size, points = int(box.set_size), int(box.set_points)
    full = [(who, size, points) for who, count in counts.items() for _ in range(count // size)]
    rest = [(who, count % size, 0) for who, count in counts.items() if count % size]
    return tuple(ScoreItem(portraits_in_words(who, count), worth, who, count) for who, count, worth in (*full, *rest))
