"""What is printed of Patrician: a score sheet and a player aid."""

from typing import Any

from markupsafe import Markup

from signoria.games.patrician import PATRICIAN
from signoria.games.patrician.board.words import NAMES
from signoria.games.patrician.rulebook.components import FIGURES, standard
from signoria.games.patrician.texts import say, say_count
from signoria.kernel.language import per_language
from signoria.kernel.words import spelled
from signoria.web.environment import macros
from signoria.web.kit.sprite import use


@per_language()
def _printed() -> Any:
    cards = [len(PATRICIAN.components(PATRICIAN.options({"players": n})).cards) // n for n in PATRICIAN.seats]
    return macros(
        f"{__package__}:printed.html",
        use=use,
        names=NAMES,
        cities=standard().cities,
        figures=FIGURES,
        spelled=spelled,
        seats=PATRICIAN.seats,
        turns=cards,
        points=lambda n: say_count("{n} point", "{n} points", n),
        portraits={"captain": say("Captains"), "lady": say("Ladies"), "elder": say("Elders")},
        symbols=_symbols(),
    )


def _symbols() -> list[tuple[str, str, str, str]]:
    """The symbols on cards: drawing, class, meaning, clause."""
    return [
        ("crest-roma", "of-roma", say("Build a floor in this city; with two crests, build two."), "P11"),
        ("p-lady", "", say("A portrait: collect {set} of a kind.", set=spelled(FIGURES.game.portrait_set)), "P22"),
        ("move", "", say("You may move the top floor of a tower to the other site, in another city where you have a floor."), "P14"),
        ("any", "", say("Take any face-up card."), "P15"),
        ("star", "", say("Setup: deal {number} of these cards to each player. With messengers: you may place one at the end of your turn.", number=spelled(FIGURES.game.dealt)), "M2"),
    ]  # fmt: skip


def score_sheet() -> Markup:
    """A score sheet for five players: cities, portraits, messengers."""
    return Markup(_printed().sheet())


def player_aid() -> Markup:
    """A turn, the symbols on cards, the cities, scoring and setup."""
    return Markup(_printed().aid())


def printed_reference() -> Markup:
    """The symbols on cards, the cities and the setup, for the end of the rules."""
    return Markup(_printed().reference())
