"""Patrician in the browser: a map of cities with their towers, cards and the players' areas."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from markupsafe import Markup
from msgspec import structs

from signoria.games.patrician import PATRICIAN
from signoria.games.patrician.board.cities import draw_city
from signoria.games.patrician.board.lessons import LESSONS, Seen
from signoria.games.patrician.board.map import land
from signoria.games.patrician.board.meaning import draw_large
from signoria.games.patrician.board.moves import find_moves
from signoria.games.patrician.board.page import MARKS, page
from signoria.games.patrician.board.pictures import HEADINGS, draw_rules
from signoria.games.patrician.board.players import draw_hand, draw_player, draw_remembered
from signoria.games.patrician.board.roads import draw_roads
from signoria.games.patrician.board.scenes import draw_scenes, tell_scenes
from signoria.games.patrician.board.words import NAMES, PORTRAITS
from signoria.games.patrician.rulebook.components import CITY_IDS, Card
from signoria.games.patrician.view import View
from signoria.games.patrician.words.events import CityScored
from signoria.web.board import Board, Names
from signoria.web.drawn import Drawn
from signoria.web.kit.chart import Sign
from signoria.web.kit.skyline import skyline
from signoria.web.kit.sprite import sprite, symbols, use
from signoria.web.lessons import Beginning, read_beginning
from signoria.web.models import RecentStep
from signoria.web.moves import StepMoves

FOLDER = Path(__file__).parent
DRAWINGS = FOLDER / "drawings"


class PatricianBoard(Board):
    """How pages show Patrician."""

    static = FOLDER / "static"
    styles = ("games/patrician/cards.css", "games/patrician/board.css")
    rules_styles = ("games/patrician/cards.css",)
    on_board = True
    choosing = "a card in your hand, a site"
    pitch = "build towers"
    score_labels = MappingProxyType({"floors": "fewest floors"})
    optional_parts = frozenset({"M5", "M6"})
    headings = HEADINGS
    lessons = LESSONS
    sight = Seen

    def draw(self, view: View, may_act: bool) -> Drawn:
        """The map, the hand and the players' areas."""
        cards = _cards(view)
        legal = frozenset(view.legal) if may_act else frozenset()
        cities = [draw_city(view, city, cards, legal, may_act) for city in view.cities]
        me, remembered = view.seat, view.remembered
        return Drawn(
            hand=Markup() if me is None else draw_hand(view, view.players[me], cards, legal, may_act),
            board=page().board(view, cities, draw_roads(view, legal, may_act), len(view.cities) == len(CITY_IDS)),
            players=tuple(draw_player(view, player, cards) for player in view.players),
            remembered=draw_remembered(view, remembered, cards) if remembered else Markup(),
        )

    def symbols(self) -> Markup:
        """Cards, crests, portraits, towers and the map."""
        return _symbols()

    def moves(self, view: View, steps: Sequence[RecentStep]) -> list[StepMoves]:
        """What each step moved on the table."""
        return find_moves(view, steps)

    def scenes(self, lately: Sequence[Any], view: View, names: Names) -> Markup:
        """Cities that were scored."""
        return draw_scenes(lately, view, names)

    def tell_scenes(self, lately: Sequence[Any], names: Names) -> str:
        """The same in sentences."""
        return tell_scenes(lately, names)

    def large(self, card: str) -> Markup | None:
        """An enlarged card with its explanation."""
        return draw_large(card)

    def sign(self, event: Any) -> Sign | None:
        """A crest for a city that was scored."""
        if not isinstance(event, CityScored):
            return None
        crest = Markup('<use class="of-{0}" href="#d-crest-{0}" x="-7" width="14" height="17"/>').format(event.city)
        return Sign(crest, f"{NAMES[event.city]} scored")

    def picture(self, sign: str) -> Markup:
        """A portrait, the crest of a city, or a messenger."""
        if sign in PORTRAITS:
            return use(f"p-{sign}", "medal")
        return use(f"crest-{sign}", f"crest of-{sign}") if sign in NAMES else use(sign, sign)

    def frieze(self) -> Markup:
        """The three portraits."""
        return Markup().join(use(f"p-{who}", "medal") for who in PORTRAITS)

    def frieze_symbols(self) -> Markup:
        """The symbols of the frieze."""
        return symbols("coach") + symbols("portraits", folder=DRAWINGS)

    def told(self) -> Markup:
        """A turn step by step, and scoring."""
        return draw_rules()

    def rules_symbols(self) -> Markup:
        """Cards and towers."""
        own = symbols("marks", "portraits", "crests", "towers", folder=DRAWINGS)
        return sprite(symbols("common", "stonework", "coach"), own) + skyline()

    def beginning(self) -> Beginning:
        """The last five turns of a two-player game."""
        return _beginning()


def _cards(view: View) -> dict[str, Card]:
    """Cards as they are drawn, without stars if the game has no messengers (M2)."""
    return {
        card.id: structs.replace(card, start=False) if card.start and not view.with_messengers else card
        for card in view.components.cards
    }


@cache
def _symbols() -> Markup:
    own = symbols("marks", "portraits", "crests", "towers", folder=DRAWINGS)
    return sprite(symbols("common", "coach", "stonework"), own, land())


@cache
def _beginning() -> Beginning:
    return read_beginning(FOLDER / "guided.json")


BOARD = PatricianBoard(PATRICIAN, MARKS)
