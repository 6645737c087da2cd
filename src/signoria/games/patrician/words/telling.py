"""Patrician in words for a player: questions, choices and what each choice does."""

from collections import Counter
from collections.abc import Callable
from typing import assert_never

from signoria.games.patrician.rulebook.components import FIGURES, ROADS, Card, Components, city_name
from signoria.games.patrician.rulebook.steps import Build, Keep, Messenger, Move, Play, Stay, Step, Take
from signoria.games.patrician.texts import later, say, say_count
from signoria.games.patrician.view import CardOutlook, CityView, View
from signoria.games.patrician.words.drawing import draw_low
from signoria.games.patrician.words.events import CardLaidOut, CardPlayed, CardTaken, Event
from signoria.games.patrician.words.names import seat_name
from signoria.kernel.language import apart, labelled, to_say
from signoria.kernel.telling import Choice, Telling, listed
from signoria.kernel.words import Naming

INTRO = later(
    "On your turn, play a card, build its floors in its city, and take the card\n"
    "there. If there is no card (-), take any.\n"
    "When a city is full, the most floors in its taller tower win the high token,\n"
    "and the most in the other tower win the low one. At the end, every {portraits}\n"
    "equal portraits on the cards you played are worth {points} points.",
    portraits=FIGURES.game.portrait_set,
    points=FIGURES.game.portrait_points,
)
WORDS = to_say("play roma-6, build 1, move siena 0, take roma, messenger roma siena")


def scene(view: View) -> object:
    """Changes once a turn, so that the board is drawn once a turn. Cards played so far identify the turn."""
    return sum(len(player.stack) for player in view.players) - (view.asked != "play")


def question(view: View) -> str:
    """The question that the viewer has to answer."""
    match view.asked:
        case "play":
            return say("Which card do you play?")
        case "build":
            city = _city(view, view.city)
            asked = say("On which site of {city} do you build?", city=city_name(city.id))
            if view.crests > 1:
                asked += " " + say_count("{n} floor to build.", "{n} floors to build.", view.crests)
            if city.floors_left == 1:
                asked += " " + say("It is the last floor: the city will be scored.")
            return asked
        case "move":
            return say("Do you move a floor? A top floor can move to its city's other site.")
        case "take":
            only = [step.city for step in view.legal if isinstance(step, Take)]
            if len(only) != 1:
                return say("Which card do you take?")
            card = _card(view, _city(view, only[0]).card)
            return say("Take the card at {city}: {card}.", city=city_name(only[0]), card=_brief(card, by_city))
        case "messenger":
            return say_count(
                "Where do you place a messenger? Unclaimed tokens beside it gain {n} point each.",
                "Where do you place a messenger? Unclaimed tokens beside it gain {n} points each.",
                FIGURES.messengers.points,
            )
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
            return say("{player} plays {card}.", player=name(seat), card=_brief(_printed(components, card), by_city))
        case CardTaken(_, seat, city, card):
            shown = _brief(_printed(components, card), by_city)
            return say("{player} takes {card} from {city}.", player=name(seat), card=shown, city=city_name(city))
        case CardLaidOut(_, city, card):
            shown = _brief(_printed(components, card), by_city)
            return say("New card at {city}: {card}.", city=city_name(city), card=shown)
        case _:
            return event.told(name)


def _tell(view: View, step: Step, named: Callable[[Card], str]) -> str:
    match step:
        case Play(card):
            return _tell_card(view, _card(view, card), named)
        case Build(site):
            tower, typed = _tower(_city(view, view.city), site), named is by_id
            if site == 0:
                return say("left, site 0: {tower}", tower=tower) if typed else say("left: {tower}", tower=tower)
            return say("right, site 1: {tower}", tower=tower) if typed else say("right: {tower}", tower=tower)
        case Move(city, origin):
            here = _city(view, city)
            left, right = map(_owners, here.towers)
            moved = {"city": city_name(city), "owner": seat_name(here.towers[origin][-1]), "left": left, "right": right}
            if origin == 0:
                return say("{city}: {owner}'s floor, from left ({left}) to right ({right})", **moved)
            return say("{city}: {owner}'s floor, from right ({right}) to left ({left})", **moved)
        case Stay():
            return say("skip: move no floor")
        case Take(city):
            shown = _brief(_card(view, _city(view, city).card), named)
            return say("the card at {city}: {card}", city=city_name(city), card=shown)
        case Messenger((here, there)):
            return say("{here} and {there}", here=_ends(_city(view, here)), there=_ends(_city(view, there)))
        case Keep():
            return say("skip: place no messenger")
        case _:
            assert_never(step)


def _shows(card: Card) -> str:
    """What a card shows: `1 floor, a lady`."""
    parts = [say_count("{n} floor", "{n} floors", card.crests)]
    match card.portrait:
        case "captain":
            parts.append(say("a captain") if card.portraits == 1 else say("2 captains"))
        case "lady":
            parts.append(say("a lady") if card.portraits == 1 else say("2 ladies"))
        case "elder":
            parts.append(say("an elder") if card.portraits == 1 else say("2 elders"))
        case _:
            pass
    match card.symbol:
        case "any":
            parts.append(say("take any card"))
        case "move":
            parts.append(say("move a floor"))
        case _:
            pass
    return ", ".join(parts)


def _brief(card: Card, named: Callable[[Card], str]) -> str:
    return f"{named(card)} ({_shows(card)})"


def _tell_card(view: View, card: Card, named: Callable[[Card], str]) -> str:
    city, play = _city(view, card.city), view.plays[card.id]
    shows = _shows(card)
    if play.messenger:
        shows = say("{shows}, may place a messenger", shows=shows)
    built = {"city": city_name(city.id), "built": city.built, "floors": city.floors}
    if play.fills:
        has = say("{city} has {built} of {floors} floors and will be full", **built)
    else:
        has = say("{city} has {built} of {floors} floors", **built)
    facts = [has, *_last_floor(card, play), _then(view, play, city, named)]
    return f"{labelled(named(card), shows)}\n{apart(facts)}"


def _last_floor(card: Card, play: CardOutlook) -> list[str]:
    """Where P12 will force the last floor."""
    if play.bare_site is None:
        return []
    if card.crests == 1:
        left, right = (
            say("its last floor must go on the empty left site (P12)"),
            say("its last floor must go on the empty right site (P12)"),
        )
    else:
        left, right = (
            say("one floor must go on the empty left site (P12)"),
            say("one floor must go on the empty right site (P12)"),
        )
    return [left if play.bare_site == 0 else right]


def _then(view: View, play: CardOutlook, city: CityView, named: Callable[[Card], str]) -> str:
    """Which card P15 will let the player take."""
    if not play.takes:
        return say("no cards left to take")
    if city.id not in play.takes:
        return say("no card there, so you take any card")
    if play.takes == (city.id,):
        return say("you take {card}", card=_brief(_card(view, city.card), named))
    return say("you take any card")


def _tower(city: CityView, site: int) -> str:
    tower = city.towers[site]
    if len(set(tower)) > 1:
        return say("{owners}, {player} on top", owners=_owners(tower), player=seat_name(tower[-1]))
    return _owners(tower)


def _owners(tower: tuple[int, ...]) -> str:
    return ", ".join(f"{seat_name(seat)} {count}" for seat, count in Counter(tower).most_common()) or say("empty")


def _ends(city: CityView) -> str:
    high, low = city.tokens
    if not city.messenger_adds:
        return say("{city} (already scored)", city=city_name(city.id))
    tokens = {"city": city_name(city.id), "high": high, "low": low, "adds": city.messenger_adds}
    return say("{city} (tokens {high} and {low}, +{adds} each)", **tokens)


def _city(view: View, city: str | None) -> CityView:
    return next(one for one in view.cities if one.id == city)


def _card(view: View, card: str | None) -> Card:
    return _printed(view.components, card)


def _printed(components: Components, card: str | None) -> Card:
    return next(one for one in components.cards if one.id == card)


TELLING = Telling(INTRO, WORDS, scene, question, draw_low, choices, number, tell, retell, examples)
