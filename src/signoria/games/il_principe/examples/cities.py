"""I16 to I19: phase 3."""

from signoria.games.il_principe.examples.position import setup
from signoria.games.il_principe.rulebook.steps import Crest, Found, Play
from signoria.kernel.examples import Example
from signoria.kernel.language import to_say

MILANO = {"red": 1, "blue": 2, "yellow": 1}
"""What Milano costs."""
DISPLAY = ("milano", "siena", "orvieto", "verona")

CITIES_AND_BUILDINGS = (
    Example(
        "I16",
        to_say("{p0} acts first and may play both green cards, which then lie face up."),
        setup(hands={0: {"green": 2, "red": 1}}, ducats=(4, 4, 4)),
        draws=("player 0 hand up",),
        legal=(Play("green", 2),),
        after=True,
    ),
    Example(
        "I16",
        to_say("It is round {round}. {p0} has everything for Milano, but no city can be founded yet."),
        setup(hands={0: MILANO}, ducats=(9, 4, 4), display=DISPLAY, round_number=1),
        draws=("city milano", "player 0 hand ducats"),
        refused=(Found("milano"),),
        facts=lambda view: {"round": view.round},
    ),
    Example(
        "I17",
        to_say("{p0} has the building cards and ducats that Milano costs and founds it."),
        setup(hands={0: MILANO}, ducats=(9, 4, 4), display=DISPLAY),
        draws=("city milano", "player 0 hand ducats up points"),
        legal=(Found("milano"),),
        after=True,
    ),
    Example(
        "I17",
        to_say("{p0} has founded Milano and may place {crests} crests. Milano touches two regions, and Toscana is not one of them."),
        setup(hands={0: MILANO}, ducats=(9, 4, 4), display=DISPLAY),
        before=(Found("milano"),),
        draws=("region blue", "region green", "region red"),
        legal=(Crest("blue"), Crest("green")),
        refused=(Crest("red"),),
        facts=lambda view: {"crests": view.crests},
    ),
    Example(
        "I17",
        to_say("{p1} has {ducats} ducats, which is too little for Milano, and lacks cards for Siena."),
        setup(acted=1, hands={1: MILANO | {"green": 1}}, ducats=(9, 3, 4), display=DISPLAY),
        draws=("city milano", "city siena", "player 1 hand ducats"),
        refused=(Found("milano"), Found("siena")),
        facts=lambda view: {"ducats": view.players[1].ducats},
    ),
    Example(
        "I18",
        to_say("{p0} founds Milano with red, blue and yellow cards. {p1} holds the major blue role, {p2} the minor red one."),
        setup(hands={0: MILANO}, ducats=(9, 4, 4), display=DISPLAY, roles={"major blue": 1, "minor red": 2}, crests_left={0: 0}),
        draws=("city milano", "player 1 roles points", "player 2 roles points"),
        legal=(Found("milano"),),
    ),
    Example(
        "I19",
        to_say("When Milano has been founded and its crests are placed, the next city card is turned up."),
        setup(hands={0: MILANO}, ducats=(9, 4, 4), display=DISPLAY, city_pile=("pisa", "lucca")),
        before=(Found("milano"), Crest("blue")),
        draws=("display",),
        legal=(Crest("green"),),
        after=True,
    ),
)  # fmt: skip
