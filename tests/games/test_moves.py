"""What the server says has moved is what looks different afterwards: nothing else, and nothing is left out."""

import json
import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from signoria.games import GAMES, open_table
from signoria.web import pages
from signoria.web.board import Board
from signoria.web.models import RecentStep
from signoria.web.moves import MOST_MOVES, PieceMove, StepMoves, encode_moves
from tests.web.html_reader import Reader
from tests.web.page_models import page

KINDS = {
    "patrician": ("card", "laid", "floor", "rider"),
    "il-principe": ("laid", "crest", "coin", "office", "city", "lot", "hand"),
}
"""What the ids of pieces begin with."""
PLACES = re.compile(r"city-pile|city-pile-backs|laid-down|lot-name")
LAST = 12


def game(name: str, seat: int | None, seed: int, **options: Any) -> Iterator[tuple[set[str], set[str], list[Any], str]]:
    """Each step of a game: ids on the page before and after, the moves of the step, and the page."""
    table, luck = open_table(name, seed=seed, **options), Random(seed)
    before = ids(pages.table_fragment(page(table, seat, told=0)))
    recent: list[RecentStep] = []
    while not table.over:
        step, mover = luck.choice(table.legal), table.turn
        assert mover is not None
        table.make(step)
        own = step if mover == seat else None
        recent = [*recent, RecentStep(k=len(recent) + 1, seat=mover, step=own, events=table.events)]
        shown = pages.table_fragment(page(table, seat, recent=tuple(recent[-LAST:]), state="playing"))
        after = ids(shown)
        moves = [moves for one in moves_in(shown) if one["k"] == len(recent) for moves in one["moves"]]
        yield before, after, moves, shown
        before = after


def moves_in(shown: str) -> list[dict[str, Any]]:
    found = re.search(r'<script type="application/json" id="moves">(.*?)</script>', shown)
    assert found
    moves: list[dict[str, Any]] = json.loads(found[1])
    return moves


def ids(shown: str) -> set[str]:
    return {name for _, given in Reader(shown).tags if (name := given.get("id"))}


SEEN = [
    ("patrician", 0, {"players": 3, "messengers": True, "ambassadors": True}),
    ("patrician", None, {"players": 4, "tokens": "hidden"}),
    ("il-principe", 1, {"players": 4}),
    ("il-principe", None, {"players": 3, "variant": True}),
    ("il-principe", 0, {"players": 2}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seat", "options"), SEEN)
def test_every_piece_that_comes_or_goes_is_named_and_every_name_is_on_the_page(
    name: str, seat: int | None, options: dict[str, Any]
) -> None:
    moved = 0
    for before, after, moves, shown in game(name, seat, 4, **options):
        came = {move["piece"] for move in moves if move["piece"] in after}
        pieces = {one for one in after - before if is_piece(name, one)}
        assert pieces <= came, f"{pieces - came} came without a move"
        for move in moves:
            was, places = move.get("was", move["piece"]), move.get("from", [])
            drawn = move["piece"] in after
            ended = move["piece"].startswith("coin-")  # a bid may end its auction at once
            assert drawn or was in before or ended, move
            if drawn and was not in before and move.get("how", "fly") == "fly":
                assert any(place in before | after for place in places), move
            if not drawn and was in before:
                assert any(place in after for place in move.get("to", [])), move
        moved += len(moves)
        assert sum(len(one["moves"]) for one in moves_in(shown)) <= MOST_MOVES
    assert moved > 100


def is_piece(name: str, one: str) -> bool:
    return one.partition("-")[0] in KINDS[name] and not PLACES.fullmatch(one)


def test_a_long_list_keeps_the_last_steps() -> None:
    steps = [StepMoves(k, (PieceMove(f"piece-{k}"),) * 50) for k in range(1, 5)]
    assert [step["k"] for step in json.loads(encode_moves(steps))] == [3, 4]
    assert "<" not in encode_moves([StepMoves(1, (PieceMove("</script>"),))])


def test_the_generic_table_has_no_moves() -> None:
    assert Board(GAMES["patrician"]).moves(None, ()) == ()
