"""What Il Principe tells the bots."""

from signoria import open_table
from signoria.games.il_principe.bot.heuristic import ABILITY, CLOSE, narrow
from signoria.games.il_principe.rulebook.state import BIDDING
from signoria.games.il_principe.rulebook.steps import BIDS, PASS
from signoria.kernel.compiled import in_python
from signoria.kernel.entries import entries, room_for_steps
from tests.bots.positions import on_the_way


def test_heuristic_tables_are_large_enough_for_every_position() -> None:
    """Compiled code does not check bounds, so every index must exist."""
    box = open_table("il-principe", players=5, seed=1)._boxes[0]
    assert box.cards.sum(axis=1).max() == len(CLOSE) - 1
    assert len(ABILITY) == box.cards.shape[1]


def test_search_considers_a_few_bids_and_the_pass() -> None:
    most = 0
    for table in on_the_way("il-principe", {"players": 3, "variant": True}, seed=2, every=1):
        if table._states[0].asked != BIDDING:
            continue
        steps = room_for_steps(table.game.most_legal)
        count = entries(table.game.rules).legal_steps(table._states, table._boxes, steps)
        legal = steps[:count].tolist()
        kept = in_python(narrow)(table._states[0], table._boxes[0], steps, count)
        few = steps[:kept].tolist()
        assert set(few) <= set(legal)
        assert PASS in few
        assert BIDS + int(table._states[0].bid) in few or len(legal) == 1
        most = max(most, len(few))
    assert 3 <= most <= 8
