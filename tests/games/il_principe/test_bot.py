"""What Il Principe tells the bots."""

import numpy as np

from signoria import open_table
from signoria.bots.levels import LEVELS
from signoria.games.il_principe.bot.heuristic import ABILITY, CLOSE, narrow
from signoria.games.il_principe.rulebook.state import BIDDING
from signoria.games.il_principe.rulebook.steps import BIDS, PASS
from signoria.games.il_principe.words.names import FAMILIES, ROLE_NAMES
from tests.bots.positions import on_the_way


def test_heuristic_tables_are_large_enough_for_every_position() -> None:
    """Compiled code does not check bounds, so every index must exist."""
    box = open_table("il-principe", players=5, seed=1).position.box
    assert box.cards.sum(axis=1).max() == len(CLOSE) - 1
    assert len(ABILITY) == box.cards.shape[1]


def test_search_considers_a_few_bids_and_the_pass() -> None:
    most = 0
    for table in on_the_way("il-principe", {"players": 3, "variant": True}, seed=2, every=1):
        if table.position.asked != BIDDING:
            continue
        legal = table.position.legal
        steps = np.array(legal, np.int16)
        kept = table.position.call(narrow, steps, len(legal))
        few = steps[:kept].tolist()
        assert set(few) <= set(legal)
        assert PASS in few
        assert BIDS + table.position.state.bid in few or len(legal) == 1
        most = max(most, len(few))
    assert 3 <= most <= 8


def test_no_bot_has_the_name_of_a_role_or_a_family() -> None:
    names = {*FAMILIES, *ROLE_NAMES[0], *ROLE_NAMES[1]}
    assert not names & {level.title for level in LEVELS}
