"""Il Principe in the browser: a map of regions, city cards, roles, auctions and the players' areas."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from markupsafe import Markup, escape

from signoria.games.il_principe import IL_PRINCIPE
from signoria.games.il_principe.board.display import draw_cities, draw_roles
from signoria.games.il_principe.board.ending import draw_end
from signoria.games.il_principe.board.examples import draw_example, tell_step
from signoria.games.il_principe.board.help import EXPLAINED, topic_key, topics
from signoria.games.il_principe.board.hints import HINTS
from signoria.games.il_principe.board.lessons import LESSONS, Seen
from signoria.games.il_principe.board.map import land, silhouette
from signoria.games.il_principe.board.meaning import draw_large
from signoria.games.il_principe.board.moves import find_moves
from signoria.games.il_principe.board.page import (
    HEADINGS,
    MARKS,
    draw_order_forms,
    draw_orders,
    draw_reference,
    draw_rules,
    draw_step_forms,
    page,
)
from signoria.games.il_principe.board.players import draw_hand, draw_player, draw_remembered, draw_track, rule
from signoria.games.il_principe.board.printed import draw_map, player_aid, score_sheet
from signoria.games.il_principe.board.regions import draw_regions, draw_towns
from signoria.games.il_principe.board.scenes import draw_recap, draw_scenes, tell_recap, tell_scenes
from signoria.games.il_principe.board.stage import draw_stage
from signoria.games.il_principe.board.still import still
from signoria.games.il_principe.rulebook.components import COLOUR_IDS
from signoria.games.il_principe.texts import say
from signoria.games.il_principe.view import View
from signoria.games.il_principe.words import amounts
from signoria.games.il_principe.words.events import RoundBegan
from signoria.games.il_principe.words.names import FAMILIES
from signoria.kernel.examples import ShownExample
from signoria.kernel.language import per_language, to_say
from signoria.web.board import Board, Key, Names
from signoria.web.drawn import Drawn, Same
from signoria.web.help import Topic
from signoria.web.kit.chart import Sign
from signoria.web.kit.numerals import roman
from signoria.web.kit.picture import Panel
from signoria.web.kit.skyline import skyline
from signoria.web.kit.sprite import sprite, symbols, use
from signoria.web.lessons import Beginning, read_beginning
from signoria.web.models import EarlyChoice, NoteModel, RecentStep, TablePage
from signoria.web.moves import StepMoves

FOLDER = Path(__file__).parent
DRAWINGS = FOLDER / "drawings"


class IlPrincipeBoard(Board):
    """How pages show Il Principe."""

    static = FOLDER / "static"
    seat_styles = ("games/il-principe/seats.css",)
    seat_colours = (
        *(
            ("#6b7077", "#fff"),
            ("#f3b6c6", "#24211f"),
            ("#24211f", "#fff"),
            ("#6d3a9c", "#fff"),
            ("#e07a1f", "#1c1206"),
        ),
    )
    styles = ("games/il-principe/board.css",)
    rules_styles = ("games/il-principe/board.css",)
    on_board = True
    choosing = to_say("a card in your hand, a region")
    keys = (
        Key(("0", "9"), to_say("in an auction: type your bid")),
        Key((to_say("Space"),), to_say("select a card to lay it face down")),
    )
    pitch = to_say("In {game} you bid in auctions and found cities.")
    without_aid = NoteModel(says=to_say("Without it, ducats are hidden."), clause="I10")
    score_labels = MappingProxyType(
        {
            "game": to_say("during the game"),
            "regions": to_say("regions"),
            "roles": to_say("roles"),
            "sets": to_say("sets"),
            "ducats": to_say("ducats"),
            "hand": to_say("cards in hand"),
            "buildings": to_say("most buildings"),
        }
    )
    names_with_seats = True
    headings = HEADINGS
    told_contents = (("end", to_say("End of the game")),)
    reference_contents = (("cities", to_say("Cities")), ("more", to_say("Two players and money variant")))
    explained = EXPLAINED
    hints = HINTS
    lessons = LESSONS
    sight = Seen

    def draw(self, view: View, may_act: bool, names: Names = (), early: EarlyChoice | None = None) -> Drawn:
        """The map with the current phase, the hand and the players' areas; `early` are cards laid before being asked (I11)."""
        legal = frozenset(view.legal) if may_act else frozenset()
        me, remembered = view.seat, view.remembered
        own = frozenset() if early else legal
        return Drawn(
            hand=Markup() if me is None else draw_hand(view, view.players[me], own, may_act, early),
            board=page().board(
                view,
                draw_regions(view, legal, may_act),
                draw_towns(view),
                draw_stage(view, legal, names),
                draw_cities(view, legal, may_act),
                draw_roles(view),
                draw_track(view),
            ),
            players=tuple(draw_player(view, player) for player in view.players),
            remembered=draw_remembered(remembered) if remembered else Markup(),
        )

    def draw_table(self, page: TablePage, may_act: bool) -> Drawn:
        """The same with the cards that the viewer lays before being asked (I11)."""
        return self.draw(page.view, may_act, tuple(seat.name for seat in page.seats), page.early)

    def still(self, view: View, *, players: bool = True) -> str:
        """The map, the cities, the roles and the players as one SVG."""
        return still(view, players=players)

    def hinted(self, view: View) -> str:
        """Which of the hints belongs to the decision. Roles are auctioned under a rule of their own (I22); without ducats one can only pass."""
        if view.asked != "bid" or view.auction is None:
            return super().hinted(view)
        if not view.what_if.bids:
            return ""
        return "bid" if view.auction.cards else "role"

    def symbols(self) -> Markup:
        """Cards, arms, buildings, the map and the track of points."""
        return _symbols()

    def tray(self, page: TablePage) -> Markup:
        """Automatic bids, and a city to found after winning a lot; not with several people on one device or in a guided game."""
        if len(page.my_seats) != 1 or page.lesson:
            return Markup()
        return draw_orders(page.sealed, page.plans, Same(page.view.lots), page.view.players[page.my_seats[0]].ducats)

    def forms(self, page: TablePage) -> Markup:
        """Forms for a typed bid, automatic bids, a city to found, and cards laid together."""
        return draw_step_forms(page.id, page.seat, page.n) + draw_order_forms(
            page.id, page.seat, page.sealed, page.plans[0].choice if page.plans else ""
        )

    def moves(self, view: View, steps: Sequence[RecentStep]) -> list[StepMoves]:
        """What each step moved on the table."""
        return find_moves(view, steps)

    def scenes(self, lately: Sequence[Any], view: View, names: Names) -> Markup:
        """Cities founded, lots and roles won, the last round."""
        return draw_scenes(lately, view, names)

    def recap(self, events: Sequence[Any], view: View, names: Names) -> Markup:
        """Who bought, founded, played and took what in the last round."""
        return draw_recap(events, view, names)

    def tell_recap(self, events: Sequence[Any], view: View, names: Names) -> str:
        """The same in sentences."""
        return tell_recap(events, view, names)

    def tell_scenes(self, lately: Sequence[Any], names: Names) -> str:
        """The same in sentences."""
        return tell_scenes(lately, names)

    def places(self, event: Any) -> tuple[str, ...]:
        """Also the town on the map, for a city."""
        city = getattr(event, "city", None)
        return super().places(event) if city is None else (*super().places(event), f"town-{city}")

    def large(self, card: str) -> Markup | None:
        """An enlarged city, role or building card with its explanation."""
        return draw_large(card)

    def end_map(self, view: View) -> Markup:
        """Who scored what, region by region."""
        return draw_end(view)

    def topics(self, view: View) -> list[Topic]:
        """What everything on the table is, and what it does now."""
        return topics(view)

    def topic_key(self, element: str) -> str:
        """The key of an element's topic: a town on the map is explained like its city card."""
        return topic_key(element)

    def sign(self, event: Any) -> Sign | None:
        """A numeral for a round that began."""
        if not isinstance(event, RoundBegan):
            return None
        return Sign(
            Markup('<text class="numeral" y="13">{}</text>').format(roman(event.round)),
            say("Round {round} begins", round=event.round),
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

    printed_pictures = MappingProxyType({"italy": draw_map})

    printed_heights = MappingProxyType({"crest": 8.6})

    def score_sheet(self) -> Markup:
        """Regions, roles, sets, ducats and cards."""
        return score_sheet()

    def player_aid(self) -> Markup:
        """A round, roles, scoring and cities."""
        return player_aid()

    def rules_symbols(self) -> Markup:
        """Arms, buildings and the map."""
        return sprite(symbols("common", "stonework"), symbols("arms", "buildings", folder=DRAWINGS), land()) + skyline()

    def example_symbols(self) -> Markup:
        """Arms and buildings."""
        return sprite(symbols("common"), symbols("arms", "buildings", folder=DRAWINGS))

    def reference(self) -> Markup:
        """All cities, and what two players and the money variant change."""
        return draw_reference()

    def draw_example(self, shown: ShownExample, after: bool) -> list[Panel]:
        """Players, lots, cities and regions."""
        return draw_example(shown, after)

    def tell_step(self, step: Any) -> str:
        """A step in a few words."""
        return tell_step(step)

    def beginning(self) -> Beginning:
        """The first round of a three-player game."""
        return _beginning()


@per_language()
def _symbols() -> Markup:
    faces = "".join(
        f'<symbol id="d-c-{colour}" viewBox="0 0 84 120"><g class="k-{colour}"><use href="#d-tile"/>'
        f'<use href="#d-b-{colour}" x="10" y="16" width="64" height="64"/>'
        f'<text class="k-name" x="42" y="112">{escape(amounts.building_name(colour))}</text></g></symbol>'
        for colour in COLOUR_IDS
    )
    own = symbols("arms", "buildings", folder=DRAWINGS)
    return sprite(symbols("common"), own, Markup(faces), land(), Markup(rule()))


@cache
def _beginning() -> Beginning:
    return read_beginning(FOLDER / "guided.json")


BOARD = IlPrincipeBoard(IL_PRINCIPE, MARKS)
