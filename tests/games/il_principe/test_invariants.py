"""What holds in every game, at every step, with every setting."""

from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from signoria.games.il_principe import IL_PRINCIPE
from signoria.games.il_principe.rulebook.components import CITY_IDS
from signoria.games.il_principe.rulebook.state import FOUNDING, MOST_DUCATS, NONE
from signoria.kernel.conformance import AnyTable, check, new_luck, random_play, view_bytes
from signoria.kernel.table import open_game
from tests.games.il_principe.naive import naive_ducats, naive_scores, naive_winners
from tests.settings import PRINCIPE_SETTINGS, quick_for_two_and_five, setting_name
from tests.volume import repeated

any_setting = st.sampled_from(PRINCIPE_SETTINGS)
any_seed = st.integers(0, 2**64)
any_taste = st.booleans()


def conserved(table: AnyTable) -> None:
    """Every building card, city card and crest is in exactly one place, and what is counted twice agrees."""
    s, box = table.position.state, table.position.box
    pile = Counter(int(colour) for colour in s.pile if colour != NONE)
    for colour in range(5):
        held = s.hand[:, colour].sum() + s.offered[:, colour].sum() + s.up[:, colour].sum() + s.down[:, colour].sum()
        assert held + s.lot[colour] + s.gone[colour] + pile[colour] == box.a_colour
    assert (s.pile[: s.drawn] == NONE).all()
    assert pile.total() == box.buildings - s.drawn
    assert (s.hand.sum(axis=1) == s.cards).all()
    assert (s.offered.sum(axis=1) == s.laid).all()
    assert (s.known <= s.hand + s.offered).all()
    assert (s.known >= 0).all()
    cities = [int(city) for city in (*s.display, *s.city_pile) if city != NONE]
    founded = [city for city in range(15) if s.founder[city] != NONE]
    assert len(set(cities) | set(founded)) == len(cities) + len(founded) - (s.founding != NONE) == box.cities
    for seat in range(box.players):
        assert s.region[seat].sum() + s.crests_left[seat] == box.crests_each
        assert 0 <= s.ducats[seat] <= MOST_DUCATS
    for colour in range(5):
        major, minor = s.holder[:, colour]
        assert major == NONE or major != minor
        assert box.minors or minor == NONE
    assert (s.hand >= 0).all()
    assert (s.up >= 0).all()
    assert (s.down >= 0).all()


@pytest.mark.parametrize("setting", quick_for_two_and_five(PRINCIPE_SETTINGS), ids=setting_name)
def test_game_passes_the_conformance_checks(setting: dict[str, Any]) -> None:
    """Cautious and bold players in turn, with and without the variant."""
    timid = (setting["players"] + setting["variant"]) % 2 == 1
    check(IL_PRINCIPE, setting, seed=setting["players"], look_at=conserved, timid=timid)


@pytest.mark.slow
@given(any_setting, st.integers(0, 2**32), any_taste)
@settings(max_examples=repeated(4))
def test_any_deal_passes_the_conformance_checks(setting: dict[str, Any], seed: int, timid: bool) -> None:
    check(IL_PRINCIPE, setting, seed=seed, look_at=conserved, timid=timid)


@given(any_setting, any_seed, any_taste)
@settings(max_examples=repeated(15))
def test_components_are_conserved_and_a_naive_second_scoring_agrees(
    setting: dict[str, Any], seed: int, timid: bool
) -> None:
    table = open_game(IL_PRINCIPE, setting, seed=seed)
    box = table.position.box
    told: list[Any] = []
    for at in random_play(table, new_luck(seed % 2**32), timid):
        conserved(at)
        told.extend(at.events)
        counted = naive_ducats(setting["players"], int(box.start_ducats + box.income), told, int(box.income))
        remembered = at.view().remembered
        assert remembered is not None
        assert list(remembered.ducats) == counted
    told.extend(table.events)
    conserved(table)
    sheet = naive_scores(table.view(), told)
    assert [score.row for score in table.scores] == sheet
    assert table.outcome is not None
    assert list(table.outcome.winners) == naive_winners(table.view(), sheet)


@given(any_setting, any_seed, st.integers(0, 150), any_taste)
@settings(max_examples=repeated(15))
def test_views_show_nothing_hidden(setting: dict[str, Any], seed: int, steps: int, timid: bool) -> None:
    """Hidden cards change places in every way that a seat cannot notice; no byte of its view may change."""
    table = open_game(IL_PRINCIPE, setting, seed=seed)
    play = random_play(table, new_luck(seed % 2**32), timid)
    for _ in range(steps):
        if next(play, None) is None:
            break
    if table.over:
        return
    rng = Random(seed)
    for seat in (None, *range(setting["players"])):
        other = table.copy()
        swap_hidden(other, seat, rng)
        assert view_bytes(other, seat) == view_bytes(table, seat)


def swap_hidden(table: AnyTable, seat: int | None, rng: Random) -> None:
    """Swap cards that this seat has never seen between the piles, other hands and face-down cards."""
    s, box = table.position.state, table.position.box
    for _ in range(60):
        place = rng.randrange(int(s.drawn), int(box.buildings)) if s.drawn < box.buildings else None
        other = rng.randrange(int(box.players))
        if other == seat or place is None:
            continue
        row = rng.choice([s.hand, s.offered])[other]
        free = [c for c in range(5) if row[c] and s.hand[other, c] + s.offered[other, c] > s.known[other, c]]
        if free:
            colour = rng.choice(free)
            row[colour] -= 1
            row[s.pile[place]] += 1
            s.pile[place] = colour
    rest = s.pile[s.drawn : box.buildings].tolist()
    rng.shuffle(rest)
    s.pile[s.drawn : box.buildings] = rest
    cities = s.city_pile[s.turned_up : box.cities].tolist()
    rng.shuffle(cities)
    s.city_pile[s.turned_up : box.cities] = cities


@given(any_setting, any_seed, st.integers(0, 150), any_taste)
@settings(max_examples=repeated(15))
def test_redeal_is_a_possible_deal(setting: dict[str, Any], seed: int, steps: int, timid: bool) -> None:
    table = open_game(IL_PRINCIPE, setting, seed=seed)
    luck = new_luck(seed % 2**32)
    play = random_play(table, luck, timid)
    for _ in range(steps):
        if next(play, None) is None:
            break
    for seat in range(setting["players"]):
        other = table.at(table.position.seen_by(seat).redealt(luck))
        conserved(other)
        assert (other.position.state.hand[seat] == table.position.state.hand[seat]).all()


def test_player_asked_to_found_can_pay_in_every_redeal() -> None:
    """I14: a player who is asked can pay for a city, so no redeal has a hand that cannot."""
    luck, asked = new_luck(3), 0
    for seed in range(12):
        table = open_game(IL_PRINCIPE, {"players": 4, "variant": True}, seed=seed)
        for at in random_play(table, luck, timid=True):
            if at.position.asked != FOUNDING:
                continue
            for seat in set(range(4)) - {at.turn}:
                other = at.at(at.position.seen_by(seat).redealt(luck))
                conserved(other)
                assert len(other.legal) > 1
                asked += 1
    assert asked > 50


def test_founders_hand_is_constructed_if_random_redeals_do_not_find_one() -> None:
    """I14: five cards, and only one large city on display: one hand in fifty would do."""
    table = open_game(IL_PRINCIPE, {"players": 3, "variant": True}, seed=1)
    s = table.position.state
    s.asked, s.seat, s.ducats[0] = FOUNDING, 0, 20
    s.display[:] = [CITY_IDS.index("firenze"), NONE, NONE, NONE]
    luck = new_luck(5)
    s.hand[0] = [2, 0, 1, 1, 1]
    s.cards[0] = 5
    known = table.position.seen_by(1)
    for _ in range(100):
        assert known.redealt(luck).state.hand[0].tolist() == [2, 0, 1, 1, 1]


def test_redeals_deal_every_card_equally_often() -> None:
    """Before the first offer, a hand has four of the unseen cards, all equally likely."""
    table = open_game(IL_PRINCIPE, {"players": 3}, seed=3)
    luck, seen = new_luck(1), np.zeros(5)
    known = table.position.seen_by(0)
    for _ in range(6000):
        seen += known.redealt(luck).state.hand[1]
    unseen = 20.0 - table.position.state.hand[0]
    expected = 24000 * unseen / unseen.sum()
    assert (abs(seen - expected) < 6 * np.sqrt(expected)).all()


def test_no_player_can_have_more_ducats_than_the_highest_bid() -> None:
    """The income of every round that the pile allows, with the yellow role each time, and no spending."""
    for setting in PRINCIPE_SETTINGS:
        box = open_game(IL_PRINCIPE, setting, seed=1).position.box
        drawn_each_round = int(box.draws) * setting["players"]
        rounds = (int(box.buildings) - int(box.last_round_below)) // drawn_each_round + 2
        assert box.start_ducats + rounds * (box.income + box.yellow_ducats) <= MOST_DUCATS
