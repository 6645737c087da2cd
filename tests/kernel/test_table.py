"""A table as callers use it."""

from random import Random
from typing import Any

import msgspec
import pytest

from signoria import BadOption, BadRecord, IllegalStep, NotOver, NotYourTurn, NoUndo, from_record, open_table
from signoria.games.il_principe import Pass
from signoria.games.patrician.rulebook.steps import Build, Messenger, Play, Stay, Take
from signoria.games.patrician.words.events import CardPlayed
from tests.games.il_principe import position as auctions
from tests.games.il_principe.position import PrincipeTable
from tests.games.patrician.position import position


def test_table_says_whose_turn_it_is_and_what_is_asked() -> None:
    table = open_table("patrician", players=3, seed=7)
    assert table.turn == 1
    assert "seat 1" in table.asked
    assert table.asks in table.asked
    assert len(table.legal) == 3
    assert table.legal[0] in table.legal
    assert Stay() not in table.legal


def test_forced_step_can_be_made_automatically() -> None:
    assert open_table("patrician", players=3, seed=7).forced is None
    table = open_table("patrician", players=3, seed=7)
    table.apply(Play("siena-1"))
    table.apply(Build(0))
    assert table.forced == Take("siena")
    assert table.apply(table.forced)
    auction = position_in_an_auction()
    assert auction.forced == Pass()


def position_in_an_auction() -> PrincipeTable:
    """A seat without ducats can only pass."""
    return auctions.position(at="auction", lots={"green": 1}, ducats=[0, 5, 5])


def test_seeds_are_bytes_hex_or_numbers() -> None:
    hex_digits = "00" * 31 + "07"
    tables = [open_table("patrician", players=2, seed=seed) for seed in (7, hex_digits, bytes.fromhex(hex_digits))]
    assert len({table.commitment for table in tables}) == 1
    assert tables[0].setup == tables[1].setup == tables[2].setup
    assert open_table("patrician", players=2).commitment != open_table("patrician", players=2).commitment


@pytest.mark.parametrize("seed", [-1, "7", b"short", "zz" * 32, 2**256, 1.5])
def test_bad_seed_is_refused(seed: int) -> None:
    with pytest.raises(BadOption, match="seed"):
        open_table("patrician", players=2, seed=seed)


@pytest.mark.parametrize("step", ["play siena-1", None, 5, {"do": "play"}, ["roma"]])
def test_invalid_step_is_refused(step: Any) -> None:
    table = open_table("patrician", players=3, seed=7, messengers=True)
    refusal = table.why_not(step)
    assert refusal is not None
    assert "is not a step of Patrician" in refusal.says
    with pytest.raises(IllegalStep):
        table.apply(step)


@pytest.mark.parametrize("between", [["roma", "verona"], ("roma",), ("roma", 5), ()])
def test_step_with_invalid_values_is_refused(between: Any) -> None:
    refusal = open_table("patrician", players=3, seed=7, messengers=True).why_not(Messenger(between))
    assert refusal is not None
    assert refusal.clause == "M2"


def test_record_writes_steps_in_their_standard_form() -> None:
    table = open_table("patrician", players=2, seed=7)
    table.apply(table.legal[0])
    table.apply(Build(True))
    while not table.over:
        table.apply(table.legal[0])
    assert from_record(table.record.to_json()).steps == table.steps


@pytest.mark.parametrize("salts", ["ab", [1, 2], ["\ud800", ""], [None, ""]])
def test_bad_salts_are_refused(salts: Any) -> None:
    with pytest.raises(BadOption, match="salts: give a list of texts"):
        open_table("patrician", players=2, salts=salts)


def test_salts_change_the_deal_and_there_is_one_per_seat() -> None:
    plain, salted = (open_table("patrician", players=2, seed=7, salts=salts) for salts in (None, ["", "x"]))
    assert plain.setup != salted.setup
    with pytest.raises(BadOption, match="one for each of the 2 seats"):
        open_table("patrician", players=2, salts=["x"])


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"players": 3, "expansion": True}, "expansion: Patrician has no such option"),
        ({"players": 3, "messengers": "yes"}, "messengers"),
        ({"players": 3, "tokens": "upright"}, "open or hidden"),
        ({}, "2 to 5"),
        ({"players": True}, "2 to 5|players"),
    ],
)
def test_error_names_the_bad_option(options: dict[str, Any], says: str) -> None:
    with pytest.raises(BadOption, match=says):
        open_table("patrician", **options)


def test_error_names_the_unknown_game() -> None:
    with pytest.raises(BadOption, match="choose from patrician, il-principe"):
        open_table("go", players=2)
    with pytest.raises(BadOption, match="seats are 0 to 1"):
        open_table("patrician", players=2).view(2)


def test_illegal_step_names_clause_and_possible_steps_and_changes_nothing() -> None:
    table = open_table("patrician", players=3, seed=7)
    before = table.position.copy()
    with pytest.raises(
        IllegalStep, match=r"\(P11\) Possible now: play siena-1; play bologna-1; play roma-2\."
    ) as caught:
        table.apply(Build(0))
    assert caught.value.clause == "P11"
    assert table.position == before
    assert table.steps == ()


def test_only_the_seat_in_turn_can_act() -> None:
    table = open_table("patrician", players=3, seed=7)
    with pytest.raises(NotYourTurn, match="the turn of White, not of Black"):
        table.apply(table.legal[0], seat=0)
    refusal = table.why_not(table.legal[0], seat=2)
    assert refusal is not None
    assert refusal.clause == "P6"
    assert table.apply(table.legal[0], seat=1) == (CardPlayed("P10", 1, "siena-1"),)


def test_undo_is_possible_within_a_turn() -> None:
    table = open_table("patrician", players=3, seed=7)
    start = table.position.copy()
    table.apply(Play("siena-1"))
    table.apply(Build(1))
    assert table.undo() == Build(1)
    assert table.events == (CardPlayed("P10", 1, "siena-1"),)
    assert table.undo(seat=1) == Play("siena-1")
    assert table.position == start
    assert table.steps == ()
    with pytest.raises(NoUndo, match="nothing to undo"):
        table.undo()


def test_undo_is_not_possible_after_a_hidden_card_was_turned_up() -> None:
    table = open_table("patrician", players=3, seed=7)
    for _ in range(3):
        table.apply(table.legal[0])
    assert isinstance(table.steps[-1].step, Take)
    with pytest.raises(NoUndo, match=r"from the pile \(P16\)"):
        table.undo()
    table.apply(table.legal[0])
    table.undo()
    with pytest.raises(NoUndo, match="by seat 1"):
        table.undo()


def test_turn_that_revealed_nothing_can_be_undone_until_the_next_seat_acts() -> None:
    table = position(hands={0: ["roma-1"], 1: ["siena-1"]}, display={"roma": "lucca-1"})
    table.apply(Play("roma-1"))
    table.apply(Build(0))
    table.apply(Take("roma"))
    assert table.turn == 1
    with pytest.raises(NoUndo, match="made by seat 0"):
        table.undo(seat=1)
    assert table.undo(seat=0) == Take("roma")
    assert table.turn == 0
    table.apply(Take("roma"))
    table.apply(Play("siena-1"))
    with pytest.raises(NoUndo, match="made by seat 1"):
        table.undo(seat=0)
    table.undo(seat=1)
    with pytest.raises(NoUndo, match="by seat 0"):
        table.undo()


def test_seed_is_secret_until_the_end() -> None:
    table = open_table("patrician", players=2)
    with pytest.raises(NotOver):
        _ = table.seed
    with pytest.raises(NotOver):
        _ = table.record
    assert table.outcome is None


def test_record_gives_back_the_finished_game() -> None:
    table, rng = open_table("patrician", players=4, ambassadors=True, seed=3), Random(3)
    while not table.over:
        table.apply(rng.choice(table.legal))
    again = from_record(table.record.to_json())
    assert again.scores == table.scores
    assert again.outcome == table.outcome
    assert again.seed == f"{3:064x}"
    assert from_record(table.record).steps == table.steps
    with pytest.raises(BadRecord, match="NoneType"):
        from_record(None)  # type: ignore[arg-type]
    with pytest.raises(BadRecord, match="not known"):
        from_record(msgspec.structs.replace(table.record, game="chess"))


def test_views_remember_unless_the_memory_aid_is_off() -> None:
    for aid in (True, False):
        table = open_table("patrician", players=3, seed=7, memory_aid=aid)
        for _ in range(9):
            table.apply(table.legal[0])
        remembered = table.view(0).remembered
        assert (remembered is not None) == aid
        assert table.view(0).players[1].hand == (None, None, None)
        if remembered:
            assert remembered.hands[1].count(None) == 2
            assert len([card for card in remembered.hands[1] if card]) == 1
            assert remembered.stacks[1] == ("siena-1",)
            assert len(remembered.unseen) == table.view().pile + sum(hand.count(None) for hand in remembered.hands)


def test_view_is_plain_data() -> None:
    table = open_table("patrician", players=3, seed=7, messengers=True, ambassadors=True)
    data = msgspec.json.decode(msgspec.json.encode(table.view(1)))
    assert data["turn"] == data["seat"] == 1
    assert data["legal"][0] == {"do": "play", "card": "siena-1"}
    assert table.view(0).legal == ()


def test_drawing_of_a_table_shows_no_hands() -> None:
    table = open_table("patrician", players=5, seed=7, messengers=True)
    drawn = str(table)
    assert "Pistoia IX" in drawn
    assert "Blue" in drawn
    for hand in table.setup["hands"]:
        assert not any(f"{card} " in drawn for card in hand if card not in table.setup["display"].values())
    assert repr(table) == "<Patrician, 5 players, after 0 steps>"


def test_table_draws_itself_in_a_notebook() -> None:
    class Printer:
        written = ""

        def text(self, text: str) -> None:
            self.written += text

    table, printer = open_table("patrician", players=2, seed=7), Printer()
    table._repr_pretty_(printer, False)
    assert printer.written == str(table)


def test_scores_name_every_part_and_its_clause() -> None:
    table = position(won={"roma": (0, 1)}, played={0: ["roma-1", "roma-4", "milano-2"]}, hands={0: ["siena-1"]})
    parts = {part.name: (part.points, part.clause) for part in table.scores[0].parts}
    assert parts == {"tokens": (9, "P20"), "portraits": (6, "P22"), "messengers": (0, "M5"), "penalty": (0, "M6")}
    assert table.scores[0].row == {"tokens": 9, "portraits": 6, "messengers": 0, "penalty": 0, "total": 15, "floors": 0}
