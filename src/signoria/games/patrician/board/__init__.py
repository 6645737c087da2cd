"""Patrician in the browser: a map of cities with their towers, cards and the players' areas."""

from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from markupsafe import Markup
from msgspec import structs

from signoria.games.patrician import PATRICIAN
from signoria.games.patrician.board.cities import draw_city
from signoria.games.patrician.board.examples import draw_example, tell_step
from signoria.games.patrician.board.help import EXPLAINED, topics
from signoria.games.patrician.board.hints import HINTS
from signoria.games.patrician.board.lessons import LESSONS, Seen
from signoria.games.patrician.board.map import land
from signoria.games.patrician.board.meaning import draw_large
from signoria.games.patrician.board.moves import find_moves, last_moved
from signoria.games.patrician.board.page import MARKS, page
from signoria.games.patrician.board.pictures import HEADINGS, draw_rules
from signoria.games.patrician.board.players import draw_hand, draw_player, draw_remembered, draw_score
from signoria.games.patrician.board.printed import player_aid, printed_reference, score_sheet
from signoria.games.patrician.board.roads import draw_roads
from signoria.games.patrician.board.scenes import draw_scenes, tell_scenes
from signoria.games.patrician.board.still import still
from signoria.games.patrician.board.words import NAMES, PORTRAITS
from signoria.games.patrician.rulebook.components import CITY_IDS, Card, Components
from signoria.games.patrician.texts import say
from signoria.games.patrician.view import View
from signoria.games.patrician.words.events import CityScored
from signoria.kernel.examples import ShownExample
from signoria.kernel.language import to_say
from signoria.web.board import Board, Names
from signoria.web.drawn import Drawn
from signoria.web.help import Topic
from signoria.web.kit.chart import Sign
from signoria.web.kit.picture import Panel
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
    choosing = to_say("a card in your hand, a site")
    pitch = to_say("In {game} you build towers.")
    score_labels = MappingProxyType(
        {
            "tokens": to_say("tokens"),
            "portraits": to_say("portraits"),
            "messengers": to_say("messengers"),
            "penalty": to_say("penalty"),
            "floors": to_say("fewest floors"),
        }
    )
    optional_parts = frozenset({"M5", "M6"})
    headings = HEADINGS
    explained = EXPLAINED
    hints = HINTS
    lessons = LESSONS
    sight = Seen

    def draw(self, view: View, may_act: bool, names: Names = ()) -> Drawn:
        """The map, the hand and the players' areas."""
        cards = _cards(view.components, view.with_messengers)
        legal = frozenset(view.legal) if may_act else frozenset()
        cities = [draw_city(view, city, cards, legal, may_act) for city in view.cities]
        me, remembered = view.seat, view.remembered
        return Drawn(
            hand=Markup() if me is None else draw_hand(view, view.players[me], cards, legal, may_act),
            board=page().board(view, cities, draw_roads(view, legal, may_act), len(view.cities) == len(CITY_IDS)),
            players=tuple(draw_player(view, player, cards) for player in view.players),
            remembered=draw_remembered(view, remembered, cards) if remembered else Markup(),
            scores=tuple(draw_score(player) for player in view.players),
        )

    def still(self, view: View, *, players: bool = True) -> str:
        """The map and the players as one SVG."""
        return still(view, players=players)

    def symbols(self) -> Markup:
        """Cards, crests, portraits, towers and the map."""
        return _symbols()

    def moves(self, view: View, steps: Sequence[RecentStep]) -> list[StepMoves]:
        """What each step moved on the table."""
        return find_moves(view, steps)

    def last_moved(self, lately: Sequence[Any]) -> list[str]:
        """Floors, messengers and cards of the last turn."""
        return last_moved(lately)

    def scenes(self, lately: Sequence[Any], view: View, names: Names) -> Markup:
        """Cities that were scored."""
        return draw_scenes(lately, view, names)

    def tell_scenes(self, lately: Sequence[Any], names: Names) -> str:
        """The same in sentences."""
        return tell_scenes(lately, names)

    def large(self, card: str) -> Markup | None:
        """An enlarged card with its explanation."""
        return draw_large(card)

    def topics(self, view: View) -> list[Topic]:
        """What everything on the table is, and what it does now."""
        return topics(view, _cards(view.components, view.with_messengers))

    def sign(self, event: Any) -> Sign | None:
        """A crest for a city that was scored."""
        if not isinstance(event, CityScored):
            return None
        crest = Markup('<use class="of-{0}" href="#d-crest-{0}" x="-7" width="14" height="17"/>').format(event.city)
        return Sign(crest, say("{city} scored", city=NAMES[event.city]))

    def picture(self, sign: str) -> Markup:
        """A portrait, the crest of a city, a messenger, or an ambassador with its portraits."""
        if sign.startswith("ambassador-"):
            _, letter, *adds = sign.split("-")
            return Markup(page().ambassador_adds(letter, adds))
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

    printed_heights = MappingProxyType({"medal": 10.0, "seal": 9.0, "rider": 9.0})

    def score_sheet(self) -> Markup:
        """Cities, portraits, messengers."""
        return score_sheet()

    def printed_reference(self) -> Markup:
        """Symbols, cities and setup."""
        return printed_reference()

    def player_aid(self) -> Markup:
        """A turn, symbols, cities and scoring."""
        return player_aid()

    def draw_example(self, shown: ShownExample, after: bool) -> list[Panel]:
        """Cities, cards and roads."""
        return draw_example(shown, after)

    def tell_step(self, step: Any) -> str:
        """A step in a few words."""
        return tell_step(step)

    def rules_symbols(self) -> Markup:
        """Cards and towers."""
        return self.example_symbols() + skyline()

    def example_symbols(self) -> Markup:
        """Cards and towers."""
        own = symbols("marks", "portraits", "crests", "towers", folder=DRAWINGS)
        return sprite(symbols("common", "stonework", "coach"), own)

    def beginning(self) -> Beginning:
        """The first two turns of a two-player game, then the last five of another."""
        return _beginning()


@lru_cache(64)
def _cards(components: Components, with_messengers: bool) -> dict[str, Card]:
    """Cards as they are drawn, without stars if the game has no messengers (M2)."""
    return {
        card.id: structs.replace(card, start=False) if card.start and not with_messengers else card
        for card in components.cards
    }


@cache
def _symbols() -> Markup:
    own = symbols("marks", "portraits", "crests", "towers", folder=DRAWINGS)
    return sprite(symbols("common", "coach", "stonework"), own, land())


@cache
def _beginning() -> Beginning:
    return read_beginning(FOLDER / "opening.json", then=read_beginning(FOLDER / "last_turns.json"))


BOARD = PatricianBoard(PATRICIAN, MARKS)
