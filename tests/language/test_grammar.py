"""Values fit into the sentences of every language: cases, plurals, and words that depend on the next one."""

import msgspec

from signoria.games.il_principe.board.scenes import draw_recap
from signoria.games.il_principe.board.still import still
from signoria.games.il_principe.orders import PrincipeOrders
from signoria.games.il_principe.rulebook.steps import Bid
from signoria.games.il_principe.words import amounts
from signoria.games.il_principe.words.events import CityFounded, LotWon
from signoria.games.il_principe.words.names import FAMILIES
from signoria.games.il_principe.words.telling import question
from signoria.games.patrician.words.drawing import draw_low
from signoria.kernel.language import all_of, speaking
from tests.games.il_principe.position import position
from tests.games.patrician.position import position as patrician_position
from tests.web.html_reader import Reader


def test_german_ducat_is_declined_as_an_object_but_not_alone() -> None:
    table = position(2, at="auction", lots={"red": 2}, ducats=[1, 5])
    with speaking("de"):
        assert (
            question(table.view(0))
            == "Wie viel bietest du für 2 rote Karten? Du hast 1 Dukaten; noch niemand hat geboten."
        )
        table.make(Bid(1))
        assert question(table.view(1)).endswith("Du hast 5 Dukaten; Medici bietet 1 Dukaten.")
        assert CityFounded("I17", 0, "siena", 1, 4).told(str) == "0 baut Siena für 1 Dukaten und bekommt 4 Punkte."
        recap = Reader(draw_recap([LotWon("I14", 0, "red", 2, 1)], table.view(0), FAMILIES)).text
        assert " für 1 Dukaten gekauft" in recap
        assert PrincipeOrders().coins(1) == "1 Dukaten"
        assert amounts.ducats(1) == "1 Dukat"
        assert "Punkte, 1 Dukat<" in still(position(2, ducats=[1]).view(0), players=True)


def test_italian_and_depends_on_the_names_it_joins() -> None:
    with speaking("it"):
        assert all_of(["Toscana"]) == "Toscana"
        assert all_of(["Veneto", "Toscana", "Umbria"]) == "Veneto, Toscana e Umbria"
        assert all_of(["Toscana", "Emilia"]) == "Toscana ed Emilia"
        assert all_of(["Lombardia e Liguria", "Emilia"]) == "Lombardia e Liguria nonché Emilia"
    with speaking("fr"):
        assert all_of(["Lombardia e Liguria", "Emilia"]) == "Lombardia e Liguria et Emilia"


def test_single_floor_and_messenger_are_singular() -> None:
    view = patrician_position(2, messengers={}).view(0)
    player = msgspec.structs.replace(view.players[0], floors_left=1, messengers_left=1)
    last_ones = msgspec.structs.replace(view, players=(player, view.players[1]))
    for language, says in (
        ("en", "; 1 floor, 1 messenger left"),
        ("it", "; ancora 1 piano, 1 messaggero"),
        ("nl", "; 1 etage, 1 boodschapper over"),
        ("fr", "\N{NARROW NO-BREAK SPACE}; 1 étage, 1 messager en réserve"),
        ("de", "; noch 1 Stockwerk, 1 Bote"),
    ):
        with speaking(language):
            assert says in draw_low(last_ones).plain
