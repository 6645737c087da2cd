"""Help at the table: everything on it is explained from the view, with its clause."""

import re
from random import Random
from typing import Any

import pytest
from markupsafe import Markup

from signoria.bots import FREE, find_bot
from signoria.games import AnyTable, find_game
from signoria.server.bench.rooms import rooms, seen
from signoria.web import pages
from signoria.web.board import find_board
from signoria.web.help import Topic, find_topic

OPTIONS: dict[str, dict[str, Any]] = {
    "patrician": {"players": 3, "messengers": True, "ambassadors": True},
    "il-principe": {"players": 3},
}
UNEXPLAINED = {"hand-over", "high", "lot-name", "auction"}
"""Ids that have a topic only at times."""
BOTH = pytest.mark.parametrize("game", OPTIONS)


def views(game: str, every: int = 7) -> list[tuple[Any, str]]:
    """Views of the player to move in a game of bots, now and then, and the page of each."""
    bot, luck = find_bot("greedy"), Random(game)

    def decide(table: AnyTable) -> Any:
        return bot.decide(table.view(table.turn), luck, FREE)

    found = []
    for n, room in enumerate(rooms(game, OPTIONS[game], "07" * 32, decide)):
        if room.position and (n % every == 0 or room.position.table.over):
            page = seen(room)
            found.append((page.view, pages.table_fragment(page)))
    return found


@BOTH
def test_everything_on_the_table_with_an_id_has_a_topic(game: str) -> None:
    board = find_board(game)
    for view, page in views(game):
        topics = board.topics(view)
        assert len({topic.key for topic in topics}) == len(topics)
        ids = set(re.findall(r' id="([\w-]+)"', page)) - UNEXPLAINED
        missing = {
            element
            for element in ids
            if any(element == start or element.startswith(f"{start}-") for start in board.explained)
            and find_topic(topics, board.topic_key(element)) is None
        }
        assert {name for name in missing if not name.startswith("card-")} == set()
        named = re.findall(r'data-help="([\w-]+)"', page)
        assert [name for name in named if find_topic(topics, name) is None] == []


@BOTH
def test_explanations_are_sentences_with_a_clause_and_a_drawing(game: str) -> None:
    board = find_board(game)
    clauses = {clause.id for clause in find_game(game).clauses}
    symbols = str(board.symbols())
    for view, _ in views(game, 23):
        for topic in board.topics(view):
            assert topic.means
            for told in (*topic.means, *topic.now):
                assert told.clause in clauses
                assert told.says.endswith((".", "!"))
                assert f'id="d-{told.symbol}"' in symbols


@BOTH
def test_cards_of_the_hand_say_what_they_lead_to_now(game: str) -> None:
    view, _ = views(game)[0]
    topics = find_board(game).topics(view)
    legal = [topic for topic in topics if topic.picture]
    assert legal
    assert all(topic.now for topic in legal)


@BOTH
def test_help_of_a_spectator_shows_no_hand(game: str) -> None:
    bot, luck = find_bot("greedy"), Random(1)
    room = next(
        iter(rooms(game, OPTIONS[game], "07" * 32, lambda table: bot.decide(table.view(table.turn), luck, FREE)))
    )
    assert room.position
    table = room.position.table
    mine, open_to_all = (find_board(game).topics(table.view(seat)) for seat in (table.turn, None))
    keys = {topic.key for topic in open_to_all}
    if game == "patrician":
        hand = {f"card-{card}" for card in table.view(table.turn).players[table.turn].hand}
        assert hand <= {topic.key for topic in mine}
        assert not hand & keys
    assert "You still need" not in pages.help_topics(game, table.view(None))


def test_topic_is_found_by_the_longest_beginning_of_an_id() -> None:
    topics = [Topic(key, "", "", (), (), Markup()) for key in ("city", "city-pile", "tokens")]
    found = {key: find_topic(topics, key) for key in ("city-pile-backs", "tokens-1", "tokensless", "pile")}
    assert {key: topic and topic.key for key, topic in found.items()} == {
        "city-pile-backs": "city-pile",
        "tokens-1": "tokens",
        "tokensless": None,
        "pile": None,
    }


@BOTH
def test_hint_of_the_first_time_is_for_the_player_who_decides(game: str) -> None:
    board, clauses = find_board(game), {clause.id for clause in find_game(game).clauses}
    asked = set()
    for view, page in views(game, 1):
        hint = board.hint(view)
        asked.add(view.asked)
        assert ('id="first-time"' in page) == (hint is not None)
        if hint:
            assert f'data-hint="{hint.name}" hidden' in page
            assert hint.name.startswith(f"{game}-{view.asked}") or hint.name == "il-principe-role"
            assert hint.clause in clauses
    assert asked - {"over"} <= set(board.hints)


def test_hint_of_an_auction_says_what_is_auctioned() -> None:
    board, told = find_board("il-principe"), set()
    for view, _ in views("il-principe", 1):
        if view.asked == "bid":
            hint = board.hint(view)
            told.add((bool(view.auction.cards), len(view.legal) > 1, hint and hint.name))
    assert told == {
        (True, True, "il-principe-bid"),
        (True, False, None),  # without ducats one can only pass
        (False, True, "il-principe-role"),
        (False, False, None),
    }
