"""Examples of clauses drawn: cities, cards and roads, with a mark where a step is legal or refused."""

from collections.abc import Callable
from functools import cache

from msgspec import structs

from signoria.games.patrician.board.still import draw_card
from signoria.games.patrician.board.words import NAMES, PORTRAITS, brief, tower_label
from signoria.games.patrician.rulebook.components import Card, standard
from signoria.games.patrician.rulebook.steps import Build, Keep, Messenger, Move, Play, Stay, Step, Take
from signoria.games.patrician.texts import say, say_count
from signoria.games.patrician.view import CityView, View
from signoria.games.patrician.words.names import seat_name
from signoria.games.patrician.words.sheet import portraits_in_words
from signoria.kernel.examples import ShownExample
from signoria.kernel.language import labelled
from signoria.web.kit.numerals import roman
from signoria.web.kit.picture import Panel, Picture

PEN = Picture()
FLOOR, TALL = 44, 12
"""The width and height of a floor."""
CITY, CARD, GAP = 164, 66, 6
GROUND = 30
"""The height of a city below its towers: tokens and ground."""
ROOF = 22

Verdicts = dict[Step, bool]
"""Steps that an example tries, and whether they are legal."""


def draw_example(shown: ShownExample, after: bool) -> list[Panel]:
    """The parts of the table that an example is about; `after` draws the position after its step, without marks."""
    view: View = shown.after if after else shown.view
    verdicts = {} if after else {one.step: one.refusal is None for one in shown.tried}
    return [_DRAWN[what.split()[0]](view, what.split()[1:], verdicts) for what in shown.draws]


def tell_step(step: Step) -> str:
    """A step in a few words."""
    match step:
        case Play(card):
            return say("Play {card}", card=brief(_printed()[card]))
        case Build(site):
            return say("Build on the left site") if site == 0 else say("Build on the right site")
        case Move(city, origin):
            city = NAMES[city]
            if origin == 0:
                return say("Move a floor in {city} from left to right", city=city)
            return say("Move a floor in {city} from right to left", city=city)
        case Take(city):
            return say("Take the card at {city}", city=NAMES[city])
        case Messenger((here, there)):
            return say("Messenger between {here} and {there}", here=NAMES[here], there=NAMES[there])
        case Stay():
            return say("Skip move")
        case Keep():
            return say("No messenger")


@cache
def _printed() -> dict[str, Card]:
    return {card.id: structs.replace(card, start=False) for card in standard().cards}


def _cards(view: View) -> dict[str, Card]:
    return {card.id: card for card in view.components.cards}


def _card(view: View, name: str, x: float, y: float) -> str:
    card = _cards(view)[name]
    star = (
        PEN.use("star", x + CARD * 0.72, y + CARD * 0.32, CARD * 0.23, CARD * 0.23)
        if card.start and view.with_messengers
        else ""
    )
    return draw_card(PEN, card, x, y, CARD) + star


def _hand(view: View, given: list[str], verdicts: Verdicts) -> Panel:
    """A player's cards in hand."""
    seat = int(given[0])
    cards = [card for card in view.players[seat].hand if card]
    drawn = [
        PEN.use(f"floor-{seat}", 2, 4, 30, 10),
        PEN.text(38, 14, say("{player}, in hand", player=seat_name(seat)), 14, bold=True),
    ]
    for place, card in enumerate(cards):
        x = 2 + (CARD + GAP) * place
        drawn.append(_card(view, card, x, 22))
        if Play(card) in verdicts:
            drawn.append(PEN.mark(x + CARD / 2, 22 + CARD * 1.43, verdicts[Play(card)]))
    says = ", ".join(brief(_cards(view)[card]) for card in cards)
    return Panel(
        max(150, 4 + (CARD + GAP) * len(cards)),
        130,
        "".join(drawn),
        labelled(say("{player}, in hand", player=seat_name(seat)), says),
    )


def _played(view: View, _given: list[str], _verdicts: Verdicts) -> Panel:
    """The card of this turn."""
    card = view.card or next(one.stack[-1] for one in view.players if one.stack and one.stack[-1])
    assert card is not None
    drawn = PEN.text(2, 14, say("Card played"), 14, bold=True) + _card(view, card, 2, 22)
    return Panel(96, 130, drawn, labelled(say("Card played"), brief(_cards(view)[card])))


def _stack(view: View, given: list[str], _verdicts: Verdicts) -> Panel:
    """The cards that a player has played, and the portraits on them."""
    seat = int(given[0])
    cards = [card for card in view.players[seat].stack if card]
    shown = view.portraits[seat] or {}
    title = say("{player}, played", player=seat_name(seat))
    drawn = [PEN.use(f"floor-{seat}", 2, 4, 30, 10), PEN.text(38, 14, title, 14, bold=True)]
    drawn += [_card(view, card, 2 + (CARD + GAP) * place, 22) for place, card in enumerate(cards)]
    for place, who in enumerate(PORTRAITS):
        drawn.append(PEN.use(f"p-{who}", 2 + 62 * place, 124, 28, 28))
        drawn.append(PEN.text(34 + 62 * place, 144, str(shown.get(who, 0)), 16, bold=True))
    counts = ", ".join(portraits_in_words(who, shown.get(who, 0)) for who in PORTRAITS)
    return Panel(max(190, 4 + (CARD + GAP) * len(cards)), 158, "".join(drawn), labelled(title, counts))


def _city(view: View, given: list[str], verdicts: Verdicts) -> Panel:
    """A city with its towers and tokens, and the card beside it if that matters."""
    city = next(one for one in view.cities if one.id == given[0])
    card = city.card if "card" in given else None
    high = max(map(len, city.towers), default=0)
    height = max(40 + TALL * (high + 1) + ROOF + GROUND, 130 if "card" in given else 110)
    width = CITY + (CARD + 14 if "card" in given else 0)
    drawn = [PEN.box(1, 1, width - 2, height - 2, "--sheet", "--rule"), _city_drawn(city, height, 0)]
    drawn += [
        _site_mark(city, site, height, verdicts[step], moves=isinstance(step, Move))
        for site, step in _steps_at(city)
        if step in verdicts and (isinstance(step, Move) or view.city == city.id)
    ]
    if card:
        drawn.append(_card(view, card, CITY, 24))
        if Take(city.id) in verdicts:
            drawn.append(PEN.mark(CITY + CARD / 2, 24 + CARD * 1.43, verdicts[Take(city.id)]))
    return Panel(width, height, "".join(drawn), _city_says(city, _cards(view)[card] if card else None))


def _city_says(city: CityView, card: Card | None) -> str:
    parts = [tower_label(city, 0), tower_label(city, 1)]
    if card:
        parts.append(say("the card at {city}: {card}", city=NAMES[city.id], card=brief(card)))
    return ". ".join(parts)


def _city_drawn(city: CityView, height: float, left: float) -> str:
    kind = f"of-{city.id}"
    parts = [
        PEN.use(f"crest-{city.id}", left + 6, 5, 22, 26, kind),
        PEN.text(left + 33, 17, NAMES[city.id], 15, bold=True),
        PEN.text(
            left + 33,
            31,
            f"{roman(city.floors)} · {say('{built} of {floors} floors', built=city.built, floors=city.floors)}",
            12,
            ink="--soft",
        ),
    ]
    for site, tower in enumerate(city.towers):
        x, ground = left + 12 + 54 * site, height - 10
        parts.append(PEN.use("site", x - 3, ground - 8, FLOOR + 6, 10))
        parts += [
            PEN.use(f"floor-{seat}", x, ground - 6 - TALL * (n + 1), FLOOR, TALL + 1) for n, seat in enumerate(tower)
        ]
        leader = city.leads[site]
        if city.scored and leader is not None:
            parts.append(PEN.use("roof", x, ground - 5 - TALL * len(tower) - ROOF, FLOOR, ROOF + 1, f"w{leader}"))
    for token, (points, owner) in enumerate(zip(city.tokens, city.won, strict=True)):
        y = height - 72 + 36 * token
        parts.append(PEN.use("seal-low" if token else "seal-high", left + 126, y, 28, 28, kind))
        parts.append(PEN.text(left + 140, y + 19, str(points), 14, "middle", "--on-seal", bold=True))
        if owner is not None:
            parts.append(PEN.use(f"floor-{owner}", left + 124, y + 24, 32, 9))
    return "".join(parts)


def _steps_at(city: CityView) -> list[tuple[int, Step]]:
    """Steps that an example may try on the two sites of a city."""
    return [*((site, Build(site)) for site in (0, 1)), *((site, Move(city.id, site)) for site in (0, 1))]


def _site_mark(city: CityView, site: int, height: float, good: bool, *, moves: bool) -> str:
    x, top = 34 + 54 * site, height - 16 - TALL * len(city.towers[site])
    if moves:
        arrow = PEN.arrow(x, top - 8, 40 if site == 0 else -40)
        return arrow + PEN.mark(x + (27 if site == 0 else -27), top - 22, good)
    return PEN.mark(x, top - 11, good)


def _road(view: View, given: list[str], verdicts: Verdicts) -> Panel:
    """Two cities and the road between them."""
    here, there = (next(one for one in view.cities if one.id == name) for name in given[0].split("-"))
    height = max(40 + TALL * (max(map(len, (*here.towers, *there.towers))) + 1) + ROOF + GROUND, 110)
    owner, step = view.messengers.get(given[0]), Messenger((here.id, there.id))
    middle = 96
    drawn = [f'<path class="road" d="M60 {height / 2:g}H132"/>']
    for city, x in ((here, 4), (there, middle + 26)):
        drawn.append(PEN.use(f"crest-{city.id}", x + 12, height / 2 - 26, 42, 50, f"of-{city.id}"))
        drawn.append(PEN.text(x + 33, height / 2 + 42, NAMES[city.id], 14, "middle", bold=True))
        if city.scored:
            drawn.append(PEN.text(x + 33, height / 2 - 34, say("scored"), 12, "middle", ink="--soft"))
        elif city.extra:
            drawn.append(PEN.text(x + 33, height / 2 - 34, f"+{city.extra}", 14, "middle", bold=True))
    if owner is not None:
        drawn.append(PEN.use("rider", middle - 20, height / 2 - 20, 40, 32, f"w{owner}"))
    if step in verdicts:
        drawn.append(PEN.mark(middle, height / 2 - (28 if owner is not None else 0), verdicts[step]))
    road = say("the road between {here} and {there}", here=NAMES[here.id], there=NAMES[there.id])
    riders = (
        say("{road}: {player}", road=road, player=seat_name(owner))
        if owner is not None
        else say("{road}: empty", road=road)
    )
    return Panel(192, height, PEN.box(1, 1, 190, height - 2, "--sheet") + "".join(drawn), riders)


def _pile(view: View, _given: list[str], _verdicts: Verdicts) -> Panel:
    """The pile."""
    says = say_count("{n} card in the pile.", "{n} cards in the pile.", view.pile)
    return Panel(80, 130, PEN.use("back", 2, 22, CARD, CARD * 1.43), says)


_DRAWN: dict[str, Callable[[View, list[str], Verdicts], Panel]] = {
    "hand": _hand,
    "played": _played,
    "stack": _stack,
    "city": _city,
    "road": _road,
    "pile": _pile,
}
