"""Bots learn nothing hidden: if only hidden cards change, they make the same step."""

from random import Random

import msgspec
import numpy as np
import pytest

from signoria.bots import Adviser, Bot, Budget, find_bot, net
from signoria.bots.greedy import steps_and_promises
from signoria.bots.tree import Judgement
from signoria.games import find_game
from tests.bots.judgements import random_network
from tests.bots.positions import on_the_way, with_another_hidden_part
from tests.settings import ALL_SETTINGS, Setting, full_name


@pytest.mark.parametrize("name", ["random", "greedy", "search:60", "garzone", "muratore", "capomastro", "avaro"])
@pytest.mark.parametrize("game_and_setting", ALL_SETTINGS, ids=full_name)
def test_other_hidden_cards_give_the_same_step_for_the_same_seed(
    game_and_setting: tuple[str, Setting], name: str
) -> None:
    decides_by_what_its_seat_knows(find_bot(name), game_and_setting)


@pytest.mark.parametrize("game_and_setting", ALL_SETTINGS, ids=full_name)
def test_a_network_sees_no_hidden_card(game_and_setting: tuple[str, Setting], monkeypatch: pytest.MonkeyPatch) -> None:
    judgement = Judgement(random_network(find_game(game_and_setting[0])), 0.4, 0.0)
    monkeypatch.setattr(net, "judgement_for", lambda _known, _folder: judgement)
    decides_by_what_its_seat_knows(net.NetBot("60"), game_and_setting)


def decides_by_what_its_seat_knows(bot: Bot, game_and_setting: tuple[str, Setting]) -> None:
    """Play a game, and change what is hidden in some of its positions."""
    changed = 0
    for number, table in enumerate(on_the_way(*game_and_setting, seed=4, every=23)):
        seat = table.turn or 0
        view = table.view(seat)
        other = with_another_hidden_part(table, seat, number)
        changed += other.position != table.position
        assert other.view(seat) == view
        assert other.view(seat).known == view.known
        budget = Budget(iterations=60)
        assert bot.decide(other.view(seat), Random(number), budget) == bot.decide(view, Random(number), budget)
        if isinstance(bot, Adviser):
            told, other_told = bot.explain(view, budget=budget), bot.explain(other.view(seat), budget=budget)
            assert msgspec.structs.replace(other_told, seconds=told.seconds) == told
    assert changed > 0


@pytest.mark.parametrize("game_and_setting", ALL_SETTINGS, ids=full_name)
def test_promise_of_a_step_depends_only_on_what_its_seat_knows(game_and_setting: tuple[str, Setting]) -> None:
    for number, table in enumerate(on_the_way(*game_and_setting, seed=5)):
        seat, most = table.turn or 0, table.game.most_legal
        seen = []
        for source in (table, with_another_hidden_part(table, seat, number)):
            for before in (source.position, source.view(seat).known):
                steps, points = np.empty(most, np.int16), np.zeros(most, np.float32)
                position = before.copy()
                count = position.call(steps_and_promises(table.game), steps, points)
                assert position == before, "a look must leave everything as it was"
                seen.append((steps[:count].tolist(), points[:count].tolist()))
        assert seen == [seen[0]] * 4
