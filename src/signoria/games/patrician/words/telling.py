"""Patrician in words for a player: questions, choices and what each choice does."""

from collections import Counter
from collections.abc import Callable
from typing import assert_never

from signoria.games.patrician.rulebook.components import FIGURES, ROADS, Card, Components, city_name
from signoria.games.patrician.rulebook.steps import Build, Keep, Messenger, Move, Play, Stay, Step, Take
from signoria.games.patrician.view import CardOutlook, CityView, View
from signoria.games.patrician.words.drawing import draw_low
from signoria.games.patrician.words.events import CardLaidOut, CardPlayed, CardTaken, Event
from signoria.games.patrician.words.names import SIDES, seat_name
from signoria.kernel.telling import Choice, Telling, listed
from signoria.kernel.words import Naming, counted, spelled

INTRO = f"""\
On your turn, play a card, build its floors in its city, and take the card
there. If there is no card (-), take any.
When a city is full, the most floors in its taller tower win the high token,
and the most in the other tower win the low one. At the end, every {spelled(FIGURES.game.portrait_set)}
equal portraits on the cards you played are worth {FIGURES.game.portrait_points} points."""
WORDS = "play roma-6, build 1, move siena 0, take roma, messenger roma siena"
PORTRAITS = {"captain": ("a captain", "2 captains"), "lady": ("a lady", "2 ladies"), "elder": ("an elder", "2 elders")}
SYMBOLS = {"any": "take any card", "move": "move a floor"}


def scene(view: View) -> object:
    """Changes once a turn, so that the board is drawn once a turn. Cards played so far identify the turn."""
    return sum(len(player.stack) for player in view.players) - (view.asked != "play")


def question(view: View) -> str:
    """The question that the viewer has to answer."""
    match view.asked:
        case "play":
            return "Which card do you play?"
        case "build":
            city = _city(view, view.city)
            then = "" if view.crests == 1 else f" {view.crests} floors to build."
            last = " It is the last floor: the city will be scored." if city.floors_left == 1 else ""
            return f"On which site of {city_name(city.id)} do you build?{then}{last}"
        case "move":
            return "Do you move a floor? A top floor can move to its city's other site."
        case "take":
            return "Which card do you take?"
        case "messenger":
            adds = counted(FIGURES.messengers.points, "point")
            return f"Where do you place a messenger? Unclaimed tokens beside it gain {adds} each."
    return ""


def choices(view: View) -> list[Choice]:
    """One line per step, with the names that can be typed. Sites keep their own numbers, and 0 always means skip."""

    def line(step: Step) -> str:
        return _tell(view, step, by_id)

    if view.asked == "build":
        return [Choice(step.site, (step,), line(step)) for step in view.legal if isinstance(step, Build)]
    nothing = [Choice(0, (step,), line(step)) for step in view.legal if isinstance(step, Stay | Keep)]
    rest = [step for step in view.legal if not isinstance(step, Stay | Keep)]
    return [*nothing, *listed(*(((step,), line(step)) for step in rest))]


def number(view: View, typed: int) -> Step | None:
    """While building, a number is a site."""
    return Build(typed) if view.asked == "build" else None


def examples(view: View) -> list[Step]:
    """One step of each kind, for the current city."""
    city = view.city or view.cities[0].id
    road = next(road for road in ROADS if city not in road)
    sent: list[Step] = [Messenger(road)] if view.with_messengers else []
    played: list[Step] = [] if view.asked == "play" else [Play(view.components.cards[0].id)]
    return [*played, Build(0), Build(1), Move(city, 0), Take(city), *sent]


def by_id(card: Card) -> str:
    """A card as it is typed: `siena-3`."""
    return card.id


def by_city(card: Card) -> str:
    """A card for people who can see it: `Siena`."""
    return city_name(card.city)


def tell(view: View, step: Step) -> str:
    """A step in words for a player who sees the cards."""
    return _tell(view, step, by_city)


def retell(components: Components, event: Event, name: Naming) -> str:
    """An event in a sentence for a player who sees the cards."""
    match event:
        case CardPlayed(_, seat, card):
            return f"{name(seat)} plays {_brief(_printed(components, card), by_city)}."
        case CardTaken(_, seat, city, card):
            return f"{name(seat)} takes {_brief(_printed(components, card), by_city)} from {city_name(city)}."
        case CardLaidOut(_, city, card):
            return f"New card at {city_name(city)}: {_brief(_printed(components, card), by_city)}."
        case _:
            return event.told(name)


def _tell(view: View, step: Step, named: Callable[[Card], str]) -> str:
    match step:
        case Play(card):
            return _tell_card(view, _card(view, card), named)
        case Build(site):
            number = f", site {site}" if named is by_id else ""
            return f"{SIDES[site]}{number}: {_tower(_city(view, view.city), site)}"
        case Move(city, origin):
            here = _city(view, city)
            owner = seat_name(here.towers[origin][-1])
            ways = (f"{SIDES[site]} ({_owners(here.towers[site])})" for site in (origin, 1 - origin))
            return f"{city_name(city)}: {owner}'s floor, from {' to '.join(ways)}"
        case Stay():
            return "skip: move no floor"
        case Take(city):
            return f"the card at {city_name(city)}: {_brief(_card(view, _city(view, city).card), named)}"
        case Messenger(between):
            return " and ".join(_ends(_city(view, city)) for city in between)
        case Keep():
            return "skip: place no messenger"
        case _:
            assert_never(step)


def _shows(card: Card) -> str:
    """What a card shows: `1 floor, a lady`."""
    parts = [counted(card.crests, "floor")]
    if card.portrait:
        parts.append(PORTRAITS[card.portrait][card.portraits - 1])
    if card.symbol:
        parts.append(SYMBOLS[card.symbol])
    return ", ".join(parts)


def _brief(card: Card, named: Callable[[Card], str]) -> str:
    return f"{named(card)} ({_shows(card)})"


def _tell_card(view: View, card: Card, named: Callable[[Card], str]) -> str:
    city, play = _city(view, card.city), view.plays[card.id]
    full = " and will be full" if play.fills else ""
    star = ", may place a messenger" if play.messenger else ""
    has = f"{city_name(city.id)} has {city.built} of {city.floors} floors{full}{_last_floor(card, play)}"
    return f"{named(card)}: {_shows(card)}{star}\n{has}; {_then(view, play, city, named)}"


def _last_floor(card: Card, play: CardOutlook) -> str:
    """Where P12 will force the last floor."""
    if play.bare_site is None:
        return ""
    floor = "its last floor" if card.crests == 1 else "one floor"
    return f"; {floor} must go on the empty {SIDES[play.bare_site]} site (P12)"


def _then(view: View, play: CardOutlook, city: CityView, named: Callable[[Card], str]) -> str:
    """Which card P15 will let the player take."""
    if not play.takes:
        return "no cards left to take"
    if city.id not in play.takes:
        return "no card there, so you take any card"
    if play.takes == (city.id,):
        return f"you take {_brief(_card(view, city.card), named)}"
    return "you take any card"


def _tower(city: CityView, site: int) -> str:
    tower = city.towers[site]
    top = f", {seat_name(tower[-1])} on top" if len(set(tower)) > 1 else ""
    return f"{_owners(tower)}{top}"


def _owners(tower: tuple[int, ...]) -> str:
    return ", ".join(f"{seat_name(seat)} {count}" for seat, count in Counter(tower).most_common()) or "empty"


def _ends(city: CityView) -> str:
    high, low = city.tokens
    told = f"tokens {high} and {low}, +{city.messenger_adds} each" if city.messenger_adds else "already scored"
    return f"{city_name(city.id)} ({told})"


def _city(view: View, city: str | None) -> CityView:
    return next(one for one in view.cities if one.id == city)


def _card(view: View, card: str | None) -> Card:
    return _printed(view.components, card)


def _printed(components: Components, card: str | None) -> Card:
    return next(one for one in components.cards if one.id == card)


TELLING = Telling(INTRO, WORDS, scene, question, draw_low, choices, number, tell, retell, examples)
