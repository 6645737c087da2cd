"""Examples of clauses drawn: players, lots, auctions, city cards and regions."""

from collections.abc import Callable

from signoria.games.il_principe.board.words import CITIES, REGIONS, city_label, region_label
from signoria.games.il_principe.rulebook.components import COLOUR_IDS
from signoria.games.il_principe.rulebook.steps import Bid, Crest, Decline, Found, Offer, Pass, Play, Step, Turn
from signoria.games.il_principe.texts import say, say_count
from signoria.games.il_principe.view import Counts, PlayerView, View
from signoria.games.il_principe.words import amounts
from signoria.games.il_principe.words.names import ROLE_NAMES
from signoria.kernel.examples import ShownExample
from signoria.kernel.language import capital, labelled
from signoria.web.kit.picture import Panel, Picture

PEN = Picture()
WIDE, LINE = 228, 36
"""The width of a panel, and the height of a line in it."""
TILE, TALL = 22, 31
"""The size of a small building card."""
COLOUR_OF_ROLE = {role: colour for names in ROLE_NAMES for colour, role in zip(COLOUR_IDS, names, strict=True)}

Verdicts = dict[Step, bool]
"""Steps that an example tries, and whether they are legal."""


def draw_example(shown: ShownExample, after: bool) -> list[Panel]:
    """The parts of the table that an example is about; `after` draws the position after its step, without marks."""
    view: View = shown.after if after else shown.view
    verdicts = {} if after else {one.step: one.refusal is None for one in shown.tried}
    return [panel for what in shown.draws for panel in _DRAWN[what.split()[0]](view, what.split()[1:], verdicts)]


def tell_step(step: Step) -> str:
    """A step in a few words."""
    match step:
        case Offer(colour):
            return say("Lay a card face down: {colour}", colour=amounts.colour_name(colour))
        case Bid(ducats):
            return say_count("Bid {n} ducat", "Bid {n} ducats", ducats)
        case Pass():
            return say("Pass")
        case Found(city):
            return say("Found {city}", city=CITIES[city])
        case Decline():
            return say("Found no city")
        case Play(colour, count):
            return say("Play {buildings}", buildings=amounts.colour_buildings(colour, count))
        case Crest(region):
            return say("Place a crest on {region}", region=REGIONS[region])
        case Turn(colour):
            return say("Turn a building face up: {colour}", colour=amounts.colour_name(colour))


def _tile(colour: str, x: float, y: float, *kinds: str) -> str:
    """A small building card."""
    house = PEN.use(f"b-{colour}", x + 2, y + 3, TILE - 4, TILE - 4, *kinds)
    return PEN.use("tile", x, y, TILE, TALL, f"k-{colour}", *kinds) + house


def _tiles(counts: Counts, x: float, y: float, *kinds: str) -> str:
    """Building cards, one by one; cards of a colour overlap."""
    parts = []
    for colour in COLOUR_IDS:
        count = counts.get(colour, 0)
        parts += [_tile(colour, x + 11 * place, y, *kinds) for place in range(count)]
        x += 11 * (count - 1) + TILE + 5 if count else 0
    return "".join(parts)


def _player(view: View, given: list[str], verdicts: Verdicts) -> list[Panel]:
    """A player, and the things that are named."""
    player, fields = view.players[int(given[0])], given[1:]
    parts = [
        PEN.use(f"arms-{player.seat}", 8, 6, 22, 26, f"w{player.seat}"),
        PEN.text(38, 25, player.family, 16, bold=True),
    ]
    if view.principe == player.seat:
        parts.append(PEN.use("prince", WIDE - 34, 5, 28, 28))
    heard, y = [player.family], 40.0
    row = [name for name in fields if name in ("ducats", "points", "crests")]
    for place, name in enumerate(row):
        parts.append(_amount(player, name, 10 + 66 * place, y))
        heard.append(_amount_heard(player, name))
    y += 32 if row else 0
    for name in fields:
        if name in ("hand", "up", "down"):
            counts: Counts = {"hand": player.hand or {}, "up": player.up, "down": player.down}[name]
            title = {"hand": say("In hand"), "up": say("Face up"), "down": say("Face down")}[name]
            parts.append(PEN.text(10, y + 20, title, 13, ink="--soft"))
            parts.append(
                _tiles(counts, 96, y, *(("faded",) if name == "down" else ()))
                if counts
                else PEN.text(98, y + 20, "–", 14)
            )
            heard.append(labelled(title, amounts.by_colour(counts) or say("none")))
            for colour in counts:
                tries: dict[str, Step] = {"hand": Offer(colour), "down": Turn(colour)}
                step = tries.get(name)
                if step is not None and step in verdicts:
                    parts.append(PEN.mark(96 + _offset(counts, colour) + TILE, y + TALL - 3, verdicts[step]))
            y += LINE
        elif name == "roles":
            for role in player.roles or ("",):
                if role:
                    parts.append(PEN.use(f"b-{COLOUR_OF_ROLE[role]}", 10, y, 26, 26))
                parts.append(
                    PEN.text(44 if role else 10, y + 19, role or say("no roles"), 14, ink="--ink" if role else "--soft")
                )
                heard.append(role or capital(say("no roles")))
                y += 32
    box = PEN.box(1, 1, WIDE - 2, y + 2, "--paper", "--can" if view.turn == player.seat else "--rule", 2)
    return [Panel(WIDE, y + 4, box + "".join(parts), ". ".join(heard))]


def _offset(counts: Counts, colour: str) -> float:
    """Where the cards of a colour begin in a row of tiles."""
    before = [counts[one] for one in COLOUR_IDS[: COLOUR_IDS.index(colour)] if counts.get(one)]
    return sum(11 * (count - 1) + TILE + 5 for count in before)


def _amount(player: PlayerView, name: str, x: float, y: float) -> str:
    number = {"ducats": player.ducats, "points": player.points, "crests": player.crests_left}[name]
    symbol = {"ducats": "ducat", "points": "point", "crests": f"arms-{player.seat}"}[name]
    drawn = PEN.use(symbol, x, y, 26, 26, f"w{player.seat}" if name == "crests" else "sign")
    return drawn + PEN.text(x + 32, y + 19, str(number), 17, bold=True)


def _amount_heard(player: PlayerView, name: str) -> str:
    match name:
        case "ducats":
            return amounts.ducats(player.ducats or 0)
        case "points":
            return amounts.points(player.points)
    return amounts.crests(player.crests_left)


def _lots(view: View, _given: list[str], _verdicts: Verdicts) -> list[Panel]:
    """Cards for auction: face down until all are laid, then by colour in the order of the auctions."""
    title = say("For auction")
    parts, x = [PEN.text(10, 20, title, 14, bold=True)], 10.0
    if view.lots:
        for place, (colour, count) in enumerate(view.lots.items(), 1):
            parts += [_tile(colour, x + 11 * n, 46) for n in range(count)]
            parts.append(PEN.text(x + 5.5 * (count - 1) + TILE / 2, 40, f"{place}.", 12, "middle", ink="--soft"))
            x += 11 * (count - 1) + TILE + 16
        heard = amounts.by_colour(view.lots, view.lots)
    else:
        laid = sum(player.laid for player in view.players)
        parts += [PEN.use("back", x + (TILE + 4) * n, 46, TILE, TALL) for n in range(laid)]
        x += (TILE + 4) * laid
        heard = amounts.cards(laid)
    width = max(WIDE, x + 6)
    return [Panel(width, 84, PEN.box(1, 1, width - 2, 82, "--paper") + "".join(parts), labelled(title, heard))]


def _auction(view: View, _given: list[str], _verdicts: Verdicts) -> list[Panel]:
    """The lot or role that is auctioned, and what everybody has bid."""
    auction = view.auction
    if auction is None:
        return []
    parts = [PEN.use("gavel", 8, 6, 24, 24), PEN.text(40, 24, say("Auction"), 15, bold=True)]
    count = auction.cards or 1
    first = WIDE - 12 - TILE - 11 * (count - 1)  # at the right, because the word for an auction can be long
    parts += [_tile(auction.colour, first + 11 * n, 4) for n in range(count)]
    y, heard = 42.0, [amounts.lot(auction.colour, auction.cards, auction.what)]
    for player in view.players:
        spoken = auction.spoken[player.seat]
        says = amounts.ducats(spoken) if spoken else "–" if player.seat in auction.bidding else say("passed")
        parts.append(PEN.use(f"arms-{player.seat}", 10, y, 18, 22, f"w{player.seat}"))
        parts.append(PEN.text(38, y + 16, player.family, 14, bold=player.seat == view.turn))
        parts.append(PEN.text(WIDE - 12, y + 16, says, 14, "end"))
        heard.append(labelled(player.family, say("no bid yet") if says == "–" else says))
        y += 27
    return [Panel(WIDE, y + 4, PEN.box(1, 1, WIDE - 2, y + 2, "--paper") + "".join(parts), ". ".join(heard))]


def _city(view: View, given: list[str], verdicts: Verdicts) -> list[Panel]:
    """A city card."""
    city = next(one for one in view.components.cities if one.id == given[0])
    parts = [
        PEN.use("town", 8, 6, 30, 24), PEN.text(46, 24, CITIES[city.id], 16, bold=True),
        _tiles(city.cards, 10, 40),
        PEN.use("ducat", 10, 78, 24, 24), PEN.text(38, 96, str(city.ducats), 16, bold=True),
        PEN.use("point", 62, 78, 24, 24), PEN.text(90, 96, str(city.points), 16, bold=True),
        PEN.use("shield", 114, 78, 20, 24, "sign"), PEN.text(140, 96, str(city.crests), 16, bold=True),
    ]  # fmt: skip
    if Found(city.id) in verdicts:
        parts.append(PEN.mark(160, 18, verdicts[Found(city.id)]))
    return [Panel(176, 110, PEN.box(1, 1, 174, 108, "--stock", "--pen") + "".join(parts), city_label(city))]


def _display(view: View, _given: list[str], _verdicts: Verdicts) -> list[Panel]:
    """All face-up cities."""
    return [panel for city in view.cities for panel in _city(view, [city], {})]


def _region(view: View, given: list[str], verdicts: Verdicts) -> list[Panel]:
    """A region with its crests."""
    region = given[0]
    there = [(player.seat, player.crests.get(region, 0)) for player in view.players if player.crests.get(region)]
    parts, y = [PEN.text(12, 24, REGIONS[region], 15, bold=True)], 36.0
    for seat, count in sorted(there, key=lambda one: -one[1]):
        parts += [PEN.use(f"arms-{seat}", 12 + 21 * n, y, 18, 22, f"w{seat}") for n in range(count)]
        worth = view.majorities[region][seat]
        if worth:
            parts.append(PEN.text(WIDE - 12, y + 16, amounts.points(worth), 14, "end"))
        y += 27
    if not there:
        parts.append(PEN.text(12, y + 14, say("no crests yet"), 13, ink="--soft"))
        y += 24
    if Crest(region) in verdicts:
        parts.append(PEN.mark(WIDE - 18, 19, verdicts[Crest(region)]))
    box = f'<rect class="region-drawn" x="1" y="1" width="{WIDE - 2}" height="{y + 2:g}" rx="3" fill="var(--paper)" stroke="var(--t-{region})" stroke-width="4"/>'
    crests = tuple(player.crests.get(region, 0) for player in view.players)
    return [Panel(WIDE, y + 4, box + "".join(parts), region_label(region, crests, tuple(view.majorities[region])))]


def _piles(view: View, _given: list[str], _verdicts: Verdicts) -> list[Panel]:
    """The pile of building cards."""
    says = say_count("{n} building card in the pile", "{n} building cards in the pile", view.pile)
    drawn = "".join(PEN.use("back", 10 + 3 * n, 8 + n, 40, 57) for n in range(3)) + PEN.text(
        66, 44, str(view.pile), 20, bold=True
    )
    return [Panel(112, 76, drawn, says)]


_DRAWN: dict[str, Callable[[View, list[str], Verdicts], list[Panel]]] = {
    "player": _player,
    "lots": _lots,
    "auction": _auction,
    "city": _city,
    "display": _display,
    "region": _region,
    "piles": _piles,
}
