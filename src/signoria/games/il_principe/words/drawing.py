"""A view of Il Principe as text: cities and lots above, families with their buildings below, regions at the end."""

from collections.abc import Iterator

from rich.text import Text

from signoria.games.il_principe.rulebook.components import COLOUR_IDS, REGION_IDS, City, city_name, region_name
from signoria.games.il_principe.texts import say, say_count
from signoria.games.il_principe.view import Counts, PlayerView, View
from signoria.games.il_principe.words import amounts
from signoria.games.il_principe.words.events import chapter_name
from signoria.games.il_principe.words.names import FAMILIES, seat_name
from signoria.games.il_principe.words.situation import tell_auction, tell_piles, tell_turn
from signoria.kernel.language import to_say

BLOCKS = {
    "green": ("G", "bold white on green4"),
    "white": ("W", "bold black on white"),
    "red": ("R", "bold white on red3"),
    "blue": ("B", "bold white on blue3"),
    "yellow": ("Y", "bold black on yellow3"),
}
"""A building of each colour: its letter and its style, so that colour is never the only difference."""
LEGEND = to_say("G green, W white, R red, B blue, Y yellow, ·1 face down, ♛ Il Principe")
WIDTH = 66
"""Columns for buildings and what follows them."""
QUIET, STRONG = "dim", "bold"


def draw(view: View) -> Text:
    """The whole table for one viewer."""
    text = Text(no_wrap=True, overflow="ellipsis")
    text.append(f"  {chapter_name(view.round, view.phase, view.last_round)}. ", STRONG)
    text.append(f"{tell_piles(view)}\n\n", STRONG)
    cities = {city.id: city for city in view.components.cities}
    for city in view.cities:
        text.append_text(_city(cities[city]))
    if view.lots:
        text.append(f"\n  {say('Lots')}  ")
        text.append_text(_chips(view.lots, {}))
        text.append("\n")
    if view.auction:
        text.append(f"  {tell_auction(view, view.auction)}\n")
    text.append("\n")
    for player in view.players:
        text.append_text(_player(player, view))
    text.append_text(_regions(view))
    text.append(f"\n  {say(LEGEND)}\n", QUIET)
    text.append(f"  {tell_turn(view)}\n")
    return text


def _cards(cards: Counts) -> Text:
    """Building cards one by one, as a city asks for them."""
    text = Text()
    for colour in COLOUR_IDS:
        letter, style = BLOCKS[colour]
        for _ in range(cards.get(colour, 0)):
            text.append(f" {letter} ", style)
    return text


def _chips(up: Counts, down: Counts) -> Text:
    """Buildings by colour: how many lie face up, and with a dot how many face down."""
    text = Text()
    for colour in COLOUR_IDS:
        letter, style = BLOCKS[colour]
        if colour in up or colour in down:
            text.append(f" {up.get(colour, 0)}{letter} ", style if colour in up else QUIET)
            text.append(f"·{down[colour]} " if colour in down else " ", QUIET)
    return text


def _letters(cards: Counts) -> str:
    """`2G 1W`: cards of a hand in short."""
    return " ".join(f"{cards[colour]}{BLOCKS[colour][0]}" for colour in COLOUR_IDS if colour in cards)


def _city(city: City) -> Text:
    text = Text("  ")
    text.append(f"{city_name(city.id):<9}", STRONG)
    text.append_text(_cards(city.cards))
    text.append(" " * (16 - 3 * sum(city.cards.values())))
    gives = say(
        "{ducats} ducats, {points} points, {crests} on {regions}",
        ducats=city.ducats,
        points=city.points,
        crests=amounts.crests(city.crests),
        regions=", ".join(city.regions),
    )
    text.append(f"{gives}\n")
    return text


def _player(player: PlayerView, view: View) -> Text:
    """A family in two lines: what it has, and its buildings and roles. The viewer's own hand is a line more."""
    own = player.seat == view.seat
    crown = "♛" if player.seat == view.principe else ""
    ducats = view.remembered.ducats[player.seat] if view.remembered else player.ducats
    money = say("ducats hidden") if ducats is None else amounts.ducats(ducats)
    wide = max(map(len, (*FAMILIES, say("you"), say("in hand"))))
    text = Text("  ")
    text.append(f"{crown:<2}{seat_name(player.seat):<{wide + 1}}", STRONG if player.seat == view.turn else "")
    has = say(
        "{points}, {money}, {crests} left, {hand}",
        points=amounts.points(player.points),
        money=money,
        crests=amounts.crests(player.crests_left),
        hand=_hand(player, view),
    )
    text.append(f"{has}\n    {say('you') if own else '':<{wide}}")
    buildings, more = _chips(player.up, player.down), ", ".join([*player.roles, *_laid(player)])
    text.append_text(buildings or Text(f" {say('no buildings')} ", QUIET))
    text.append(f"\n{'':<{wide + 5}}" if buildings.cell_len + len(more) > WIDTH else " ")
    text.append(f"{more}\n")
    if own and player.hand:
        text.append(f"    {say('in hand'):<{wide}}")
        text.append_text(_chips(player.hand, {}))
        text.append("\n")
    return text


def _hand(player: PlayerView, view: View) -> str:
    """How many cards are in hand, and as far as it is known, which."""
    known = view.remembered.known[player.seat] if view.remembered and player.hand is None else {}
    cards = amounts.cards(player.cards)
    if known:
        return say("{cards} (with {known})", cards=cards, known=_letters(known))
    hand = "" if player.seat == view.seat else _letters(player.hand or {})
    return f"{cards} ({hand})" if hand else cards


def _laid(player: PlayerView) -> Iterator[str]:
    if player.laid:
        laid = say_count("{n} laid", "{n} laid", player.laid)
        yield f"{laid} ({_letters(player.offered)})" if player.offered else laid


def _regions(view: View) -> Text:
    text = Text("\n")
    for region in REGION_IDS:
        crests = [f"{seat_name(p.seat)} {p.crests[region]}" for p in view.players if region in p.crests]
        text.append(f"  {region_name(region)} ({region})".ljust(32))
        text.append(f"{', '.join(crests) or '-'}\n")
    return text
