"""The table as one picture, to share and for notebooks: the map with cities and crests, the cities on offer, roles, players."""

import re
from functools import cache
from pathlib import Path

from signoria.games.il_principe.board.ending import MIDDLES
from signoria.games.il_principe.board.map import HEIGHT, MAP, WIDTH, land
from signoria.games.il_principe.rulebook.components import CITY_IDS, COLOUR_IDS, REGION_IDS, city_name
from signoria.games.il_principe.texts import say
from signoria.games.il_principe.view import PlayerView, View
from signoria.games.il_principe.words import amounts
from signoria.games.il_principe.words.events import chapter_name
from signoria.games.il_principe.words.names import ROLE_NAMES
from signoria.games.il_principe.words.situation import tell_auction, tell_piles, tell_turn
from signoria.web.kit.sprite import symbols
from signoria.web.kit.still import STATIC, Still, read_styles

FOLDER = Path(__file__).parent
SIDE, ACROSS = MAP + 16, 1190
"""Where the panels beside the map begin, and the width of the picture."""
PLAYER_HEIGHT = 66
LINE = 50


def still(view: View, *, players: bool) -> str:
    """The table as this viewer sees it, with or without what the players have."""
    sheet = paper(len(view.players) if players else 0)
    clip = f'<clipPath id="map"><rect width="{MAP}" height="{HEIGHT}"/></clipPath>'
    parts = [f'{clip}<g clip-path="url(#map)">{sheet.use("italy", 0, 0, WIDTH, HEIGHT)}</g>']
    parts += [_region(sheet, view, region) for region in REGION_IDS]
    parts += [_town(sheet, view, city) for city in CITY_IDS]
    parts += [_agenda(sheet, view), _display(sheet, view), _roles(sheet, view)]
    if players:
        parts += [_player(sheet, view, player) for player in view.players]
    return sheet.page(parts, "Il Principe")


@cache
def paper(players: int) -> Still:
    """The surface to draw on, with space for the players below the map."""
    own = symbols("arms", "buildings", folder=FOLDER / "drawings")
    sheet = read_styles(
        (STATIC / "app.css", STATIC / "drawn.css", FOLDER / "static" / "board.css", FOLDER / "static" / "seats.css"),
        scope="il-principe",
    )
    return Still(sheet, symbols("common", "stonework") + own + land(), ACROSS, HEIGHT + 8 + PLAYER_HEIGHT * players)


@cache
def towns() -> dict[str, tuple[float, float]]:
    """Where cities lie on the map, as the style sheet says."""
    text = (FOLDER / "static" / "board.css").read_text("utf-8")
    found = re.findall(r"^\.at-(\w+) \{ left: ([\d.]+)%; top: ([\d.]+)%; \}", text, re.M)
    return {city: (float(left) / 100 * MAP, float(top) / 100 * HEIGHT) for city, left, top in found}


def _region(paper: Still, view: View, region: str) -> str:
    x, y = MIDDLES[region]
    crests = [(player.seat, player.crests.get(region, 0)) for player in view.players if player.crests.get(region, 0)]
    parts = []
    for place, (seat, count) in enumerate(sorted(crests, key=lambda one: -one[1])):
        left = x + 40 * (place - len(crests) / 2)
        parts.append(paper.use(f"arms-{seat}", left, y - 20, 22, 27, f"w{seat}"))
        parts.append(paper.text(left + 25, y, str(count), 15, bold=True))
    return "".join(parts)


def _town(paper: Still, view: View, city: str) -> str:
    x, y = towns()[city]
    shown, founder = city in view.cities, view.founded.get(city)
    parts = [paper.use("town", x - 12, y - 16, 24, 20)]
    if founder is not None:
        parts.append(paper.use(f"arms-{founder}", x + 8, y - 22, 16, 19, f"w{founder}"))
    if shown:
        wide = 8 * len(city_name(city))
        parts.append(paper.box(x - wide / 2, y + 3, wide, 16, "--can-bg", "--can"))
    parts.append(paper.text(x, y + 15, city_name(city), 12.5, "middle", bold=shown))
    return "".join(parts)


def _agenda(paper: Still, view: View) -> str:
    words = [str(chapter_name(view.round, view.phase, view.last_round)), tell_turn(view), tell_piles(view)]
    if view.auction is not None:
        words.append(tell_auction(view, view.auction))
    told = [paper.text(SIDE, 34, "Il Principe", 30)]
    told += [paper.text(SIDE, 60 + 20 * n, one, 16, bold=n == 1) for n, one in enumerate(words)]
    told.append(_counts(paper, dict(view.lots), SIDE, 140, say("Lots")))
    return "".join(told)


def _counts(paper: Still, counts: dict[str, int], x: float, y: float, title: str = "") -> str:
    """Building cards by colour."""
    parts = [paper.text(x, y + 20, title, 15, ink="--soft")] if title else []
    at = x + (len(title) * 7 + 14 if title else 0)
    for colour, count in counts.items():
        if count:
            parts.append(paper.use(f"b-{colour}", at, y, 26, 26, f"k-{colour}"))
            parts.append(paper.text(at + 29, y + 19, str(count), 15, bold=True))
            at += LINE
    return "".join(parts)


def _display(paper: Still, view: View) -> str:
    cards = {city.id: city for city in view.components.cities}
    parts = [paper.text(SIDE, 196, say("Cities"), 19)]
    for place, name in enumerate(view.cities):
        city, y = cards[name], 206 + 46 * place
        parts.append(paper.box(SIDE, y, ACROSS - SIDE - 10, 42, "--sheet"))
        parts.append(paper.text(SIDE + 10, y + 19, city_name(name), 16, bold=True))
        parts.append(paper.text(SIDE + 10, y + 35, f"{amounts.points(city.points)}, {amounts.ducats(city.ducats)}", 13))
        parts.append(_counts(paper, city.cards, SIDE + 150, y + 8))
    return "".join(parts)


def _roles(paper: Still, view: View) -> str:
    parts = [paper.text(SIDE, 414, say("Roles"), 19)]
    held = {role: player.seat for player in view.players for role in player.roles}
    for kind, names in enumerate(ROLE_NAMES):
        for number, role in enumerate(names):
            x, y = SIDE + 92 * number, 424 + 88 * kind
            parts.append(paper.box(x, y, 88, 82, "--sheet"))
            parts.append(paper.use(f"b-{COLOUR_IDS[number]}", x + 6, y + 6, 30, 30, f"k-{COLOUR_IDS[number]}"))
            parts.append(paper.text(x + 44, y + 72, role, 13, "middle"))
            if role in held:
                parts.append(paper.use(f"arms-{held[role]}", x + 46, y + 10, 32, 39, f"w{held[role]}"))
    return "".join(parts)


def _player(paper: Still, view: View, player: PlayerView) -> str:
    y = HEIGHT + 6 + PLAYER_HEIGHT * player.seat
    mine = player.seat == view.turn
    ducats = say("ducats hidden") if player.ducats is None else amounts.ducats(player.ducats)
    # Translators: In a picture of the table, about a player; {cards} and {crests} are "3 cards" and "3 crests".
    hand, crests = say("{cards} in hand", cards=amounts.cards(player.cards)), amounts.crests(player.crests_left)
    parts = [
        paper.box(8, y, ACROSS - 16, PLAYER_HEIGHT - 6, "--sheet", "--can" if mine else "--rule", 3 if mine else 1),
        paper.use(f"arms-{player.seat}", 18, y + 8, 36, 43, f"w{player.seat}"),
        paper.text(
            64, y + 26, player.family + (" (Il Principe)" if player.seat == view.principe else ""), 18, bold=True
        ),
        paper.text(64, y + 47, f"{amounts.points(player.points)}, {ducats}", 15),
        paper.text(282, y + 26, hand, 15),
        paper.text(282, y + 47, say("{crests} left", crests=crests), 15, ink="--soft"),
        _counts(paper, {c: player.up.get(c, 0) for c in COLOUR_IDS}, 440, y + 16, say("face up")),
        _counts(paper, {c: player.down.get(c, 0) for c in COLOUR_IDS}, 698, y + 16, say("face down")),
    ]
    if player.hand is not None:
        parts.append(_counts(paper, dict(player.hand), 956, y + 16, say("in hand")))
    return "".join(parts)
