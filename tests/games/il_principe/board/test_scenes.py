"""Scenes of Il Principe: cities, lots, roles and the last round."""

from typing import Any

import pytest

from signoria.games.il_principe.board.scenes import recap, scenes, this_round
from signoria.games.il_principe.words.events import (
    CityFounded,
    CrestPlaced,
    LotUnsold,
    LotWon,
    RolePoints,
    RolesReturned,
    RoleTaken,
    RoundBegan,
)
from signoria.games.il_principe.words.names import FAMILIES
from signoria.kernel.words import counted
from signoria.server.play.recent_events import ended_section
from signoria.server.play.room import LogEntry, log_entry
from signoria.web import pages
from tests.web.html_reader import Reader
from tests.web.page_models import page, random_game


@pytest.mark.slow
def test_scenes_show_lots_cities_roles_and_the_last_round() -> None:
    lately: list[Any] = []
    seen = set()
    for table in random_game("il-principe", {"players": 3, "variant": True}, 5):
        lately = [*lately, *table.events][-12:]
        shown = pages.table_fragment(page(table, 0, lately=tuple(lately), state="playing"))
        if table.view(0).founding:
            continue
        read = Reader(shown)
        assert not read.faults
        for event in this_round(lately):
            match event:
                case CityFounded(seat=seat, city=city):
                    seen.add("city")
                    assert f'id="founded-{city}"' in shown
                    assert f"Somebody {seat} ({FAMILIES[seat]}) founds " in read.text
                case LotWon(seat=seat, colour=colour, ducats=ducats):
                    seen.add("lot")
                    assert f'id="won-{colour}"' in shown
                    assert f"for {counted(ducats, 'ducat')} and becomes Il Principe" in read.text
                case LotUnsold(colour=colour):
                    assert f'id="won-{colour}"' in shown
                case RoundBegan(last=True):
                    seen.add("last")
                    assert 'id="last"' in shown
                case _:
                    pass
    assert seen == {"city", "lot", "last"}


def test_founding_scene_includes_its_consequences() -> None:
    events = (
        CityFounded("I17", 1, "siena", 3, 4),
        CrestPlaced("I17", 1, "red"),
        RolePoints("I18", 0, 2),
        CrestPlaced("I23", 2, "blue"),
        CityFounded("I17", 2, "pisa", 5, 8),
    )
    siena, pisa = scenes(events)
    assert siena == (events[0], ("red",), (events[2],))
    assert pisa == (events[4], (), ())


def test_unchanged_roles_have_no_scene() -> None:
    back = RolesReturned("I20", {"Mastro": 0, "Vescovo": 1, "Notaio": 2})
    mastro = RoleTaken("I21", 0, "Mastro", "green", 0, 1)
    vescovo = RoleTaken("I22", 2, "Vescovo", "white", 3, 1)
    began = RoundBegan("I10", 3, False, 5, 4)
    (roles,) = scenes((back, mastro, vescovo, began))
    assert roles == ((("Vescovo", "white", 1, 2, 3), ("Notaio", "red", 2, None, 0)),)
    assert scenes((RolesReturned("I20", {"Mastro": 0}), mastro, began)) == []


def test_scenes_are_shown_in_the_order_of_events() -> None:
    city = CityFounded("I17", 1, "siena", 3, 4)
    back, taken = RolesReturned("I20", {}), RoleTaken("I21", 0, "Mastro", "green", 0, 1)
    assert [type(one).__name__ for one in scenes((city, back, taken))] == ["Founding", "Roles"]
    assert [type(one).__name__ for one in scenes((back, taken, city))] == ["Roles", "Founding"]


def test_recap_says_who_bought_founded_and_took_what() -> None:
    """Once a round has begun, the round before is recapped, with all that everyone did."""
    log: list[LogEntry] = []
    recapped = set()
    for table in random_game("il-principe", {"players": 3, "variant": True}, 5):
        if not table.steps or table.over:
            continue
        log.append(log_entry(table, len(log), len(log) + 1, table.steps[-1].seat, "person"))
        began = [event for event in table.events if isinstance(event, RoundBegan)]
        section = ended_section(log, table.events, RoundBegan)
        assert bool(section) == bool(began)
        if not began:
            continue
        shown = pages.table_fragment(page(table, 0, lately=table.events, recap=section, state="playing"))
        text = Reader(shown[shown.index('id="recap"') :]).text
        assert f"Round {began[0].round - 1} is over" in text
        number = began[0].round
        recapped.add(number - 1)
        told = recap(section, number - 1, 3)
        assert sum(len(doings.bought) for doings in told.doings) == sum(isinstance(event, LotWon) for event in section)
        for event in section:
            match event:
                case LotWon(seat=seat):
                    assert event in told.doings[seat].bought
                case CityFounded(seat=seat, city=city):
                    assert event in told.doings[seat].founded
                    assert f"founded {city.capitalize()}" in text
                case RoleTaken(seat=seat, role=role):
                    assert event in told.doings[seat].roles
                    assert role in text
                case _:
                    assert not isinstance(event, RoundBegan)
    assert len(recapped) > 3
