"""The table as one picture, to share and for notebooks: the map with towers, tokens, cards, and the players below."""

from functools import cache
from pathlib import Path

from signoria.games.patrician.board.cards import ABOVE, BELOW_CREST, BELOW_ONE, BELOW_TWO
from signoria.games.patrician.board.map import HEIGHT, WIDTH, land
from signoria.games.patrician.board.words import NAMES
from signoria.games.patrician.rulebook.components import Card
from signoria.games.patrician.texts import say, say_count
from signoria.games.patrician.view import CityView, PlayerView, View
from signoria.games.patrician.words.names import seat_name
from signoria.games.patrician.words.situation import tell_ambassadors, tell_pile, tell_turn
from signoria.kernel.language import capital
from signoria.web.kit.paper import Paper
from signoria.web.kit.sprite import symbols
from signoria.web.kit.still import STATIC, Still, read_styles

FOLDER = Path(__file__).parent
COLUMNS, ROWS = (20, 385, 750), (14, 196, 378, 560)
PLACES = {
    "milano": (0, 0),
    "parma": (1, 0),
    "verona": (2, 0),
    "lucca": (0, 1),
    "ferrara": (2, 1),
    "siena": (0, 2),
    "bologna": (2, 2),
    "roma": (0, 3),
    "pistoia": (1, 3),
    "firenze": (2, 3),
}
"""The column and row of each city, as the roads join them (M2)."""
CITY_WIDTH, CITY_HEIGHT = 330, 168
PLAYER_HEIGHT = 64
CARD_WIDTH, CARD_HEIGHT = 84, 120


def still(view: View, *, players: bool) -> str:
    """The table as this viewer sees it, with or without what the players have."""
    paper = _paper(len(view.players) if players else 0)
    cards = {card.id: card for card in view.components.cards}
    parts = [paper.use("land", 0, 0, WIDTH, HEIGHT)]
    parts += [_road(paper, road) for road in view.roads]
    parts += [_city(paper, city, cards.get(city.card or ""), here=city.id == view.city) for city in view.cities]
    parts += [_messenger(paper, road, owner) for road, owner in view.messengers.items()]
    parts.append(_centre(paper, view))
    if players:
        parts += [_player(paper, view, player, cards) for player in view.players]
    return paper.page(parts, "Patrician")


@cache
def _paper(players: int) -> Still:
    own = symbols("marks", "portraits", "crests", "towers", folder=FOLDER / "drawings")
    sheet = read_styles(
        (STATIC / "app.css", STATIC / "drawn.css", FOLDER / "static" / "board.css", FOLDER / "static" / "cards.css")
    )
    drawings = symbols("common", "coach", "stonework") + own + land()
    return Still(sheet, drawings, WIDTH, HEIGHT + 8 + PLAYER_HEIGHT * players)


def _middle(city: str) -> tuple[float, float]:
    column, row = PLACES[city]
    return COLUMNS[column] + CITY_WIDTH / 2, ROWS[row] + CITY_HEIGHT / 2


def _road(paper: Still, road: str) -> str:
    (ax, ay), (bx, by) = (_middle(city) for city in road.split("-"))
    kind = f'stroke="{paper.colour("--earth")}" stroke-width="9" stroke-opacity=".7"'
    return f'<path d="M{ax} {ay}L{bx} {by}" fill="none" {kind}/>'


def _messenger(paper: Still, road: str, owner: int) -> str:
    (ax, ay), (bx, by) = (_middle(city) for city in road.split("-"))
    return paper.use("rider", (ax + bx) / 2 - 20, (ay + by) / 2 - 20, 40, 40, f"w{owner}")


def _city(paper: Still, city: CityView, card: Card | None, *, here: bool) -> str:
    column, row = PLACES[city.id]
    x, y, kind = COLUMNS[column], ROWS[row], f"of-{city.id}"
    parts = [
        paper.box(x, y, CITY_WIDTH, CITY_HEIGHT, "--sheet", "--can" if here else "--rule", 3 if here else 1),
        paper.use(f"crest-{city.id}", x + 8, y + 6, 30, 36, kind),
        paper.text(x + 44, y + 24, NAMES[city.id], 19, bold=True),
        paper.text(x + 44, y + 40, _built(city), 12, ink="--soft"),
    ]
    for site, tower in enumerate(city.towers):
        left, ground = x + 46 + 78 * site, y + CITY_HEIGHT - 8
        parts.append(paper.use("site", left - 4, ground - 9, 58, 12))
        for n, seat in enumerate(tower):
            parts.append(paper.use(f"floor-{seat}", left, ground - 8 - 13 * (n + 1), 50, 14))
        leader = city.leads[site]
        if leader is not None and city.scored:
            parts.append(paper.use("roof", left, ground - 8 - 13 * len(tower) - 26, 50, 27, f"w{leader}"))
    for token, (points, owner) in enumerate(zip(city.tokens, city.won, strict=True)):
        top = y + 56 + 40 * token
        parts.append(paper.use("seal-low" if token else "seal-high", x + 206, top, 30, 30, kind))
        parts.append(paper.text(x + 221, top + 20, str(points), 15, "middle", "--on-seal", bold=True))
        if owner is not None:
            parts.append(paper.use(f"floor-{owner}", x + 202, top + 27, 38, 11))
    if city.extra:
        parts.append(paper.text(x + 221, y + 150, f"+{city.extra}", 14, "middle", bold=True))
    if card is not None:
        parts.append(draw_card(paper, card, x + CITY_WIDTH - 82, y + 30, 74))
    return "".join(parts)


def _built(city: CityView) -> str:
    # Translators: In a picture of the table, below the name of a city.
    return say("{built} of {floors} floors", built=city.built, floors=city.floors)


def draw_card(paper: Paper, card: Card, x: float, y: float, width: float) -> str:
    """A card of this width."""
    kind, size = f"of-{card.city}", width / CARD_WIDTH

    def at(symbol: str, left: float, top: float, wide: float, high: float) -> str:
        return paper.use(symbol, x + left * size, y + top * size, wide * size, high * size, kind)

    parts = [at("card", 0, 0, CARD_WIDTH, CARD_HEIGHT)]
    parts += [at(f"crest-{card.city}", left, top, wide, wide * 1.2) for left, top, wide in ABOVE]
    if card.crests > 1:
        left, top, wide = BELOW_CREST
        parts.append(at(f"crest-{card.city}", left, top, wide, wide * 1.2))
    medallion = f"p-{card.portrait}" if card.portrait else card.symbol
    if medallion:
        places = BELOW_TWO if card.portraits > 1 else BELOW_ONE
        parts += [at(medallion, left, top, wide, wide) for left, top, wide in places]
    name, ink = NAMES[card.city], "--on-c, #fff8e6"
    parts.append(paper.text(x + 42 * size, y + 17 * size, name, 13 * size + 1, "middle", ink, kind=kind))
    return "".join(parts)


def _centre(paper: Still, view: View) -> str:
    x, y = COLUMNS[1] + CITY_WIDTH / 2, ROWS[1] + 60
    told = [
        paper.text(x, y, "Patrician", 34, "middle"),
        paper.text(x, y + 40, tell_turn(view), 19, "middle", bold=True),
    ]
    told.append(paper.text(x, y + 68, tell_pile(view), 16, "middle", "--soft"))
    told.append(paper.text(x, y + 94, tell_ambassadors(view), 15, "middle"))
    return "".join(told)


def _player(paper: Still, view: View, player: PlayerView, cards: dict[str, Card]) -> str:
    y = HEIGHT + 6 + PLAYER_HEIGHT * player.seat
    mine = player.seat == view.turn
    points = say_count("{n} token", "{n} tokens", player.tokens)
    if player.score:
        points = say_count("{n} point", "{n} points", player.score.total)
    # Translators: In a picture of the table, about a player.
    played = say_count("{n} card played", "{n} cards played", len(player.stack))
    parts = [
        paper.box(8, y, WIDTH - 16, PLAYER_HEIGHT - 6, "--sheet", "--can" if mine else "--rule", 3 if mine else 1),
        paper.use(f"floor-{player.seat}", 18, y + 18, 66, 22),
        paper.text(96, y + 26, capital(seat_name(player.seat)), 19, bold=True),
        paper.text(96, y + 46, points, 15),
        paper.text(230, y + 26, say_count("{n} floor left", "{n} floors left", player.floors_left), 15),
        paper.text(230, y + 46, played, 15, ink="--soft"),
    ]
    for n, card in enumerate(player.hand):
        x = 400 + 44 * n
        if card is None:
            parts.append(paper.use("back", x, y + 4, 36, 50))
        else:
            parts.append(draw_card(paper, cards[card], x, y + 4, 36))
    shown = view.portraits[player.seat]
    for n, (who, count) in enumerate((shown or {}).items()):
        parts.append(paper.use(f"p-{who}", 600 + 74 * n, y + 12, 32, 32))
        parts.append(paper.text(638 + 74 * n, y + 35, str(count), 18, bold=True))
    if player.messengers_left:
        parts.append(paper.use("rider", 850, y + 10, 36, 36, f"w{player.seat}"))
        parts.append(paper.text(892, y + 35, str(player.messengers_left), 18, bold=True))
    return "".join(parts)
