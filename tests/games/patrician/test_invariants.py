"""What holds in every game, at every step, with every setting."""

from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from signoria.games.patrician import PATRICIAN
from signoria.games.patrician.rulebook.state import HIDDEN, NONE
from signoria.kernel.conformance import AnyTable, check, new_luck, random_play, view_bytes
from signoria.kernel.table import open_game
from tests.games.patrician.naive import naive_scores, naive_winners
from tests.settings import SETTINGS, quick_for_two_and_five, setting_name
from tests.volume import repeated

any_setting = st.sampled_from(SETTINGS)
any_tokens = st.sampled_from(["open", "hidden"])
any_seed = st.integers(0, 2**64)


def conserved(table: AnyTable) -> None:
    """Every card is in exactly one place, every floor and messenger belongs to a player, and no supply runs out."""
    s, box = table.position.state, table.position.box
    places = [*s.hand.ravel(), *s.display, *s.pile, *s.played]
    assert Counter(int(card) for card in places if card != NONE) == Counter(range(box.cards))
    assert (s.pile[: s.drawn] == NONE).all()
    for city in range(box.cities):
        for site in range(2):
            height = s.height[city, site]
            assert (s.floor[city, site, :height] >= 0).all()
            assert (s.floor[city, site, height:] == NONE).all()
        towers = s.floor[city]
        assert [int((towers == seat).sum()) for seat in range(5)] == s.floors[:, city].tolist()
        assert s.height[city].sum() <= box.floors[city]
        assert (s.won[city, 0] != NONE) == (s.height[city].sum() == box.floors[city])
        ends = [road for road in range(box.roads) if s.messenger[road] != NONE and city in box.road[road]]
        assert len(ends) == s.beside[city] <= 2
        assert s.escorts[city] <= s.beside[city]
    for seat in range(box.players):
        assert s.floors[seat].sum() <= box.supply
        assert (s.messenger == seat).sum() <= box.messengers
    assert s.tokens.sum() == (s.won[: box.cities] != NONE).sum()


@pytest.mark.parametrize("setting", quick_for_two_and_five(SETTINGS), ids=setting_name)
def test_game_passes_the_conformance_checks(setting: dict[str, Any]) -> None:
    """Tokens open and hidden in turn."""
    tokens = ("open", "hidden")[(setting["players"] + setting["messengers"] + setting["ambassadors"]) % 2]
    table = check(PATRICIAN, setting | {"tokens": tokens}, seed=setting["players"], look_at=conserved)
    s, box = table.position.state, table.position.box
    assert (s.height[: box.cities].sum(axis=1) == box.floors[: box.cities]).all()
    assert (s.height[: box.cities] > 0).all()
    plays = [player.stack for player in table.view().players]
    assert len({len(stack) for stack in plays}) == 1


@pytest.mark.slow
@given(any_setting, any_tokens, st.integers(0, 2**32))
@settings(max_examples=repeated(4))
def test_any_deal_passes_the_conformance_checks(setting: dict[str, Any], tokens: str, seed: int) -> None:
    check(PATRICIAN, setting | {"tokens": tokens}, seed=seed, look_at=conserved)


@given(any_setting, any_tokens, any_seed)
@settings(max_examples=repeated(15))
def test_components_are_conserved_and_a_naive_second_scoring_agrees(
    setting: dict[str, Any], tokens: str, seed: int
) -> None:
    table = open_game(PATRICIAN, setting | {"tokens": tokens}, seed=seed)
    told: list[object] = []
    for at in random_play(table, new_luck(seed % 2**32)):
        conserved(at)
        told.extend(at.events)
    told.extend(table.events)
    conserved(table)
    sheet = naive_scores(table, told)
    assert [score.row for score in table.scores] == sheet
    assert table.outcome is not None
    assert list(table.outcome.winners) == naive_winners(sheet)


@given(any_setting, any_tokens, any_seed, st.integers(0, 120))
@settings(max_examples=repeated(15))
def test_views_show_nothing_hidden(setting: dict[str, Any], tokens: str, seed: int, steps: int) -> None:
    """Hidden cards change places in every way that a seat cannot notice; no byte of its view may change."""
    table = open_game(PATRICIAN, setting | {"tokens": tokens}, seed=seed)
    play = random_play(table, new_luck(seed % 2**32))
    for _ in range(steps):
        if next(play, None) is None:
            break
    rng = Random(seed)
    for seat in (None, *range(setting["players"])):
        other = table.copy()
        swap_hidden(other, seat, rng)
        assert view_bytes(other, seat) == view_bytes(table, seat)


def swap_hidden(table: AnyTable, seat: int | None, rng: Random) -> None:
    """Shuffle all cards that this seat has never seen: the pile, and unseen star cards in other hands."""
    s, box = table.position.state, table.position.box
    pile = s.pile[s.drawn : box.cards].tolist()
    hidden = [
        (other, slot)
        for other in range(box.players)
        for slot in range(3)
        if other != seat and s.hand[other, slot] != NONE and not s.taken[other, slot]
    ]
    stars = [card for card in pile if box.start[card]] + [int(s.hand[place]) for place in hidden]
    rest = [card for card in pile if not box.start[card]]
    rng.shuffle(stars)
    for place in hidden:
        s.hand[place] = stars.pop()
    pile = stars + rest
    rng.shuffle(pile)
    s.pile[s.drawn : box.cards] = pile


@given(any_setting, any_seed, st.integers(0, 100))
@settings(max_examples=repeated(15))
def test_redeal_is_a_possible_deal(setting: dict[str, Any], seed: int, steps: int) -> None:
    table = open_game(PATRICIAN, setting, seed=seed)
    luck = new_luck(seed % 2**32)
    play = random_play(table, luck)
    for _ in range(steps):
        next(play)
    for seat in range(setting["players"]):
        known = table.position.seen_by(seat)
        assert HIDDEN in known.state.pile or table.view().pile == 0
        other = known.redealt(luck)
        conserved(table.at(other))
        unseen = (other.state.hand >= 0) & (other.state.taken == 0)
        assert other.box.start[other.state.hand[unseen]].all()


def test_redeals_deal_every_card_equally_often() -> None:
    """If the unseen card of a hand may be any unseen star, each appears about equally often."""
    table = open_game(PATRICIAN, {"players": 2}, seed=3)
    luck, seen = new_luck(1), Counter[int]()
    known = table.position.seen_by(0)
    for _ in range(6000):
        seen.update(int(card) for card in known.redealt(luck).state.hand[1])
    assert len(seen) >= 6
    expected = 18000 / len(seen)
    assert all(abs(count - expected) < 6 * np.sqrt(expected) for count in seen.values())
