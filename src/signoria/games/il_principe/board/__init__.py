"""Il Principe in the browser: a map of regions, city cards, roles, auctions and the players' areas."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from markupsafe import Markup

from signoria.games.il_principe import IL_PRINCIPE
from signoria.games.il_principe.board.display import draw_cities, draw_roles
from signoria.games.il_principe.board.ending import draw_end
from signoria.games.il_principe.board.lessons import LESSONS, Seen
from signoria.games.il_principe.board.map import land, silhouette
from signoria.games.il_principe.board.meaning import draw_large
from signoria.games.il_principe.board.moves import find_moves
from signoria.games.il_principe.board.page import HEADINGS, MARKS, draw_rules, page, sealed
from signoria.games.il_principe.board.players import draw_hand, draw_player, draw_remembered, draw_track, rule
from signoria.games.il_principe.board.regions import draw_regions, draw_towns
from signoria.games.il_principe.board.scenes import draw_scenes, tell_scenes
from signoria.games.il_principe.board.stage import draw_stage
from signoria.games.il_principe.board.words import BUILDINGS
from signoria.games.il_principe.rulebook.components import COLOUR_IDS
from signoria.games.il_principe.view import View
from signoria.games.il_principe.words.events import RoundBegan
from signoria.games.il_principe.words.names import FAMILIES
from signoria.web.board import Board, Key, Names
from signoria.web.drawn import Drawn
from signoria.web.kit.chart import Sign
from signoria.web.kit.numerals import roman
from signoria.web.kit.skyline import skyline
from signoria.web.kit.sprite import sprite, symbols, use
from signoria.web.lessons import Beginning, read_beginning
from signoria.web.models import NoteModel, RecentStep, TablePage
from signoria.web.moves import StepMoves

FOLDER = Path(__file__).parent
DRAWINGS = FOLDER / "drawings"


class IlPrincipeBoard(Board):
    """How pages show Il Principe."""

    static = FOLDER / "static"
    seat_styles = ("games/il-principe/seats.css",)
    styles = ("games/il-principe/board.css",)
    rules_styles = ("games/il-principe/board.css",)
    on_board = True
    choosing = "a card in your hand, a region"
    keys = (Key(("0", "9"), "in an auction: type your bid"), Key(("Space",), "select a card to lay it face down"))
    pitch = "bid in auctions and found cities"
    without_aid = NoteModel(says="Without it, ducats are hidden.", clause="I10")
    score_labels = MappingProxyType({"game": "during the game", "hand": "cards in hand", "buildings": "most buildings"})
    headings = HEADINGS
    lessons = LESSONS
    sight = Seen

    def draw(self, view: View, may_act: bool) -> Drawn:
        """The map with the current phase, the hand and the players' areas."""
        legal = frozenset(view.legal) if may_act else frozenset()
        me, remembered = view.seat, view.remembered
        return Drawn(
            hand=Markup() if me is None else draw_hand(view, view.players[me], legal, may_act),
            board=page().board(
                view,
                draw_regions(view, legal, may_act),
                draw_towns(view),
                draw_stage(view),
                draw_cities(view, legal, may_act),
                draw_roles(view),
                draw_track(view),
            ),
            players=tuple(draw_player(view, player) for player in view.players),
            remembered=draw_remembered(view, remembered) if remembered else Markup(),
        )

    def symbols(self) -> Markup:
        """Cards, arms, buildings, the map and the track of points."""
        return _symbols()

    def tray(self, page: TablePage) -> Markup:
        """The automatic bid; not with several people on one device or in a guided game."""
        return Markup(sealed().sealed(page)) if len(page.my_seats) == 1 and not page.lesson else Markup()

    def forms(self, page: TablePage) -> Markup:
        """Forms for a typed bid, an automatic bid, and cards laid together."""
        return Markup(sealed().forms(page))

    def moves(self, view: View, steps: Sequence[RecentStep]) -> list[StepMoves]:
        """What each step moved on the table."""
        return find_moves(view, steps)

    def scenes(self, lately: Sequence[Any], view: View, names: Names) -> Markup:
        """Cities founded, lots and roles won, the last round."""
        return draw_scenes(lately, view, names)

    def tell_scenes(self, lately: Sequence[Any], names: Names) -> str:
        """The same in sentences."""
        return tell_scenes(lately, names)

    def large(self, card: str) -> Markup | None:
        """An enlarged city, role or building card with its explanation."""
        return draw_large(card)

    def end_map(self, view: View) -> Markup:
        """Who scored what, region by region."""
        return draw_end(view)

    def sign(self, event: Any) -> Sign | None:
        """A numeral for a round that began."""
        if not isinstance(event, RoundBegan):
            return None
        return Sign(
            Markup('<text class="numeral" y="13">{}</text>').format(roman(event.round)), f"Round {event.round} begins"
        )

    def picture(self, sign: str) -> Markup:
        """A building, five of them, a region, ducats or cards."""
        if sign in COLOUR_IDS:
            return use(f"b-{sign}", "b")
        if sign == "set":
            return Markup().join(use(f"b-{colour}", "b") for colour in COLOUR_IDS)
        if sign.startswith("region-"):
            return silhouette(sign.removeprefix("region-"))
        return use(sign, f"thing {sign}-thing")

    def frieze(self) -> Markup:
        """The arms of the families."""
        return Markup().join(use(f"arms-{seat}", f"shield w{seat}") for seat in range(len(FAMILIES)))

    def frieze_symbols(self) -> Markup:
        """The symbols of the frieze."""
        return symbols("arms", folder=DRAWINGS)

    def told(self) -> Markup:
        """A round phase by phase, roles and scoring."""
        return draw_rules()

    def rules_symbols(self) -> Markup:
        """Arms and buildings."""
        return sprite(symbols("common", "stonework"), symbols("arms", "buildings", folder=DRAWINGS)) + skyline()

    def beginning(self) -> Beginning:
        """The last full round of a three-player game."""
        return _beginning()


@cache
def _symbols() -> Markup:
    faces = "".join(
        f'<symbol id="d-c-{colour}" viewBox="0 0 84 120"><g class="k-{colour}"><use href="#d-tile"/>'
        f'<use href="#d-b-{colour}" x="10" y="16" width="64" height="64"/>'
        f'<text class="k-name" x="42" y="112">{BUILDINGS[colour]}</text></g></symbol>'
        for colour in COLOUR_IDS
    )
    own = symbols("arms", "buildings", folder=DRAWINGS)
    return sprite(symbols("common"), own, Markup(faces), land(), Markup(rule()))


@cache
def _beginning() -> Beginning:
    return read_beginning(FOLDER / "guided.json")


BOARD = IlPrincipeBoard(IL_PRINCIPE, MARKS)
