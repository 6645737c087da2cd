"""P1 to P17: the setup and a turn."""

from signoria.games.patrician.examples.facts import city, floors, player
from signoria.games.patrician.examples.position import nearly_over, setup
from signoria.games.patrician.rulebook.steps import Build, Move, Play, Take
from signoria.games.patrician.view import View
from signoria.kernel.examples import Example
from signoria.kernel.language import to_say

STARS = {
    0: ["roma-1", "siena-1", "lucca-1"],
    1: ["firenze-1", "milano-1", "parma-1"],
    2: ["bologna-1", "ferrara-1", "verona-1"],
}
"""A first deal for three players."""
DISPLAY = {"roma": "siena-2", "siena": "lucca-2", "lucca": "roma-5", "milano": "firenze-6"}
"""Face-up cards at some cities."""


def _two_sizes(view: View) -> dict[str, int]:
    big, small = city(view, "roma"), city(view, "verona")
    return {
        "most": big.floors, "high": big.tokens[0], "low": big.tokens[1],
        "fewest": small.floors, "other_high": small.tokens[0], "other_low": small.tokens[1],
    }  # fmt: skip


SETTING_UP = (
    Example(
        "P1",
        to_say("{players} players: {cities} cities are in the game. {p0} cannot play a card of Pistoia."),
        setup(4, hands={0: ["roma-1", "siena-1", "lucca-1"]}),
        draws=("hand 0",),
        refused=(Play("pistoia-1"),),
        facts=lambda view: {"players": len(view.players), "cities": len(view.cities)},
    ),
    Example(
        "P2",
        to_say("Roma holds {most} floors in its two towers and has tokens worth {high} and {low}. Verona holds {fewest} and has tokens worth {other_high} and {other_low}."),
        setup(),
        draws=("city roma", "city verona"),
        facts=_two_sizes,
    ),
    Example(
        "P3",
        to_say("At the start {p0} holds {cards} cards with a star. The card at Roma shows Siena: a face-up card may lie at any city."),
        setup(hands=STARS, display=DISPLAY, messengers={}),
        draws=("hand 0", "city roma card"),
        facts=lambda view: {"cards": len(player(view, 0).hand)},
    ),
    Example(
        "P4",
        to_say("With {players} players, {p0} still has {left} floors after building {built}."),
        setup(towers={"roma": ("00", "0"), "siena": ("0", "")}),
        draws=("city roma", "city siena"),
        facts=lambda view: {
            "players": len(view.players),
            "left": player(view, 0).floors_left,
            "built": sum(one.towers[site].count(0) for one in view.cities for site in (0, 1)),
        },
    ),
    Example(
        "P5",
        to_say("Three players: the floors are {p0}, {p1} and {p2}. The colour of a floor shows whose it is, not which city it stands in."),
        setup(towers={"roma": ("012", "1")}),
        draws=("city roma",),
    ),
    Example(
        "P6",
        to_say("It is the turn of {p0}. {p1} comes next and has to wait."),
        setup(hands=STARS),
        draws=("hand 0", "hand 1"),
        refused=(Play("firenze-1"),),
        refused_to=1,
    ),
)  # fmt: skip

TURNS = (
    Example(
        "P10",
        to_say("{p0} may play any card from their own hand, and no other."),
        setup(hands={0: ["roma-3", "siena-3", "lucca-4"], 1: ["milano-2"]}),
        draws=("hand 0",),
        legal=(Play("siena-3"),),
        refused=(Play("milano-2"),),
    ),
    Example(
        "P11",
        to_say("{p0} has played a Roma card with {crests} crests. Each floor goes on top of either tower."),
        setup(hands={0: ["roma-6"]}, towers={"roma": ("12", "1")}),
        before=(Play("roma-6"),),
        draws=("played", "city roma"),
        legal=(Build(0), Build(1)),
        facts=lambda view: {"crests": view.crests},
    ),
    Example(
        "P12",
        to_say("Roma has {built} of its {floors} floors, all on the left site. {p0} builds the last one."),
        setup(towers={"roma": ("01201201", "")}, hands={0: ["roma-3"]}),
        before=(Play("roma-3"),),
        draws=("city roma",),
        refused=(Build(0),),
        legal=(Build(1),),
        facts=lambda view: floors(view, "roma"),
    ),
    Example(
        "P13",
        to_say("Verona has {built} of {floors} floors. With the next one it is full and is scored at once. Then {p0} takes a card."),
        setup(towers={"verona": ("011", "0")}, hands={0: ["verona-3"]}, display={"verona": "roma-3"}),
        before=(Play("verona-3"),),
        draws=("city verona",),
        legal=(Build(0),),
        event="P20",
        after=True,
        facts=lambda view: floors(view, "verona"),
    ),
    Example(
        "P14",
        to_say("{p0} built in Lucca with a card that shows the move symbol. In Milano {p0} owns a floor and may move the top floor of {p1} to the other site."),
        setup(hands={0: ["lucca-3"]}, towers={"milano": ("01", ""), "parma": ("1", "2")}, display=DISPLAY),
        before=(Play("lucca-3"), Build(0)),
        draws=("played", "city milano"),
        legal=(Move("milano", 0),),
        after=True,
    ),
    Example(
        "P14",
        to_say("{p0} cannot move a floor in Lucca, where {p0} has just built, in Parma, where {p0} has no floor, or in Verona, which is scored."),
        setup(
            hands={0: ["lucca-3"]},
            towers={"milano": ("01", ""), "parma": ("1", "2"), "verona": ("010", "12")},
            won={"verona": (0, 2)},
            display=DISPLAY,
        ),
        before=(Play("lucca-3"), Build(0)),
        draws=("city lucca", "city parma", "city verona"),
        refused=(Move("lucca", 0), Move("parma", 0), Move("verona", 0)),
    ),
    Example(
        "P15",
        to_say("{p0} built in Roma and must take the card there, because the card played shows no question mark."),
        setup(hands={0: ["roma-3", "siena-3", "lucca-4"]}, display=DISPLAY),
        before=(Play("roma-3"), Build(0)),
        draws=("played", "city roma card", "city siena card"),
        refused=(Take("siena"),),
        legal=(Take("roma"),),
    ),
    Example(
        "P15",
        to_say("Now the card played shows a question mark, so {p0} may take any face-up card."),
        setup(hands={0: ["siena-3", "roma-3", "lucca-4"]}, display=DISPLAY),
        before=(Play("siena-3"), Build(0)),
        draws=("played", "city siena card", "city roma card"),
        legal=(Take("roma"),),
    ),
    Example(
        "P16",
        to_say("{p0} takes the card at Roma, and the next card of the pile replaces it. The pile has {pile} cards before that."),
        setup(hands={0: ["roma-3", "siena-3"]}, display=DISPLAY, pile=["ferrara-2", "bologna-4", "parma-4"]),
        before=(Play("roma-3"), Build(0)),
        draws=("city roma card",),
        legal=(Take("roma"),),
        after=True,
        facts=lambda view: {"pile": view.pile},
    ),
    Example(
        "P17",
        to_say("The pile is empty, and {p0} builds a floor with the last card of the game. Each player has played {cards} cards."),
        nearly_over(2, seed=4),
        draws=("played", "city lucca"),
        legal=(Build(1),),
        facts=lambda view: {"cards": len(player(view, 0).stack)},
    ),
)  # fmt: skip
