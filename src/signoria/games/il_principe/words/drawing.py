"""A view of Il Principe as text: cities and lots above, families with their buildings below, regions at the end."""

from collections.abc import Iterator

from rich.text import Text

from signoria.games.il_principe.rulebook.components import COLOUR_IDS, REGION_IDS, City, city_name, region_name
from signoria.games.il_principe.view import Auction, Counts, PlayerView, View
from signoria.games.il_principe.words.names import ASKED, ASKS, seat_name
from signoria.kernel.words import counted

BLOCKS = {
    "green": ("G", "bold white on green4"),
    "white": ("W", "bold black on white"),
    "red": ("R", "bold white on red3"),
    "blue": ("B", "bold white on blue3"),
    "yellow": ("Y", "bold black on yellow3"),
}
"""A building of each colour: its letter and its style, so that colour is never the only difference."""
LEGEND = "G green, W white, R red, B blue, Y yellow, ·1 face down, ♛ Il Principe"
WIDTH = 66
"""Columns for buildings and what follows them."""
QUIET, STRONG = "dim", "bold"


def draw(view: View) -> Text:
    """The whole table for one viewer."""
    text = Text(no_wrap=True, overflow="ellipsis")
    last = " (last round)" if view.last_round else ""
    cities_left = f"{view.city_pile} {'city' if view.city_pile == 1 else 'cities'}"
    text.append(f"  Round {view.round}, phase {view.phase}{last}. ", STRONG)
    text.append(f"{counted(view.pile, 'building card')} and {cities_left} in the piles.\n\n", STRONG)
    cities = {city.id: city for city in view.components.cities}
    for city in view.cities:
        text.append_text(_city(cities[city]))
    if view.lots:
        text.append("\n  Lots  ")
        text.append_text(_chips(view.lots, {}))
        text.append("\n")
    if view.auction:
        auction = view.auction
        bid = "no bid yet" if auction.bidder is None else f"{seat_name(auction.bidder)} bids {auction.bid}"
        everybody = len(auction.bidding) == len(view.players)
        bidding = "all still in" if everybody else f"still in: {', '.join(map(seat_name, auction.bidding))}"
        text.append(f"  For {_auctioned(auction)}: {bid}; {bidding}\n")
    text.append("\n")
    for player in view.players:
        text.append_text(_player(player, view))
    text.append_text(_regions(view))
    text.append(f"\n  {LEGEND}\n", QUIET)
    text.append(f"  {_asked(view)}\n")
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
    text.append(
        f"{city.ducats} ducats, {city.points} points, {counted(city.crests, 'crest')} on {', '.join(city.regions)}\n"
    )
    return text


def _player(player: PlayerView, view: View) -> Text:
    """A family in two lines: what it has, and its buildings and roles. The viewer's own hand is a line more."""
    own = player.seat == view.seat
    crown = "♛" if player.seat == view.principe else ""
    ducats = view.remembered.ducats[player.seat] if view.remembered else player.ducats
    money = "ducats hidden" if ducats is None else counted(ducats, "ducat")
    text = Text("  ")
    text.append(f"{crown:<2}{seat_name(player.seat):<10}", STRONG if player.seat == view.turn else "")
    text.append(f"{counted(player.points, 'point')}, {money}, {counted(player.crests_left, 'crest')} left, ")
    text.append(f"{_hand(player, view)}\n    {'you' if own else '':<9}")
    buildings, more = _chips(player.up, player.down), ", ".join([*player.roles, *_laid(player)])
    text.append_text(buildings or Text(" no buildings ", QUIET))
    text.append(f"\n{'':<14}" if buildings.cell_len + len(more) > WIDTH else " ")
    text.append(f"{more}\n")
    if own and player.hand:
        text.append(f"    {'in hand':<9}")
        text.append_text(_chips(player.hand, {}))
        text.append("\n")
    return text


def _hand(player: PlayerView, view: View) -> str:
    """How many cards are in hand, and as far as it is known, which."""
    known = view.remembered.known[player.seat] if view.remembered and player.hand is None else {}
    hand = f"with {_letters(known)}" if known else "" if player.seat == view.seat else _letters(player.hand or {})
    return f"{counted(player.cards, 'card')}{f' ({hand})' if hand else ''}"


def _laid(player: PlayerView) -> Iterator[str]:
    if player.laid:
        yield f"{player.laid} laid{f' ({_letters(player.offered)})' if player.offered else ''}"


def _regions(view: View) -> Text:
    text = Text("\n")
    for region in REGION_IDS:
        crests = [f"{seat_name(p.seat)} {p.crests[region]}" for p in view.players if region in p.crests]
        text.append(f"  {region_name(region)} ({region})".ljust(32))
        text.append(f"{', '.join(crests) or '-'}\n")
    return text


def _asked(view: View) -> str:
    if view.turn is None:
        return "The game is over."
    asks = ASKS[ASKED.index(view.asked)].format(what=_auctioned(view.auction) if view.auction else "")
    return f"{seat_name(view.turn)} has to {asks}."


def _auctioned(auction: Auction) -> str:
    return f"{auction.cards} {auction.colour}" if auction.cards else f"the {auction.what}"
