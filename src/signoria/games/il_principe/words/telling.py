"""Il Principe in words for a player: questions, choices and what each choice does."""

from collections.abc import Iterator, Sequence
from typing import assert_never

from signoria.games.il_principe.rulebook.components import (
    COLOUR_IDS,
    FIGURES,
    REGION_IDS,
    City,
    Components,
    city_name,
    region_name,
)
from signoria.games.il_principe.rulebook.steps import Bid, Crest, Decline, Found, Offer, Pass, Play, Step, Turn
from signoria.games.il_principe.view import Counts, PlayerView, View
from signoria.games.il_principe.words.drawing import draw
from signoria.games.il_principe.words.events import Event
from signoria.games.il_principe.words.names import seat_name
from signoria.kernel.telling import Choice, Telling, listed
from signoria.kernel.words import Naming, counted

INTRO = """\
Every round: offer cards for auction, bid for the lots, then found a city or
play buildings of one colour. The most face-up buildings of a colour take its
role. If you win a lot, you may found a city before the next lot.
Cities, the most crests in regions, roles and sets of all colours score."""
WORDS = "offer red, bid 5, found siena, play 2 red, crest white, pass"
ABILITIES = {
    "green": "turn a building face up",
    "white": counted(FIGURES.roles.white_points, "point"),
    "red": "draw a card",
    "blue": "place a crest",
    "yellow": counted(FIGURES.roles.yellow_ducats, "ducat"),
}
"""The ability of a role, used when it is taken (I23)."""


def scene(view: View) -> object:
    """Changes with every phase and every auction, so that the board is drawn once for each."""
    return view.round, view.phase, view.asked == "found", view.auction and view.auction.what + view.auction.colour


def question(view: View) -> str:
    """The question that the viewer has to answer."""
    me = _me(view)
    match view.asked:
        case "offer":
            cards = "card" if view.to_lay == 1 else "cards"
            return f"Which {cards} do you lay face down? {counted(view.to_lay, 'card')} to lay."
        case "bid":
            return _auction(view, me)
        case "found":
            return "Do you want to found a city? You won the lot, so you may do it now."
        case "crest":
            where = f"on regions that touch {city_name(view.founding)}" if view.founding else "on any region"
            return f"Where do you place a crest? {counted(view.crests or 1, 'crest')} to place {where}."
        case "act":
            if not any(isinstance(step, Found) for step in view.legal):
                cities = "You cannot afford a city now." if view.may_found else "You cannot found cities this round."
                return f"Do you want to play buildings of one colour? {cities}"
            return "Do you found a city or play buildings? Play as many as you like of one colour, or pass."
        case "turn":
            return "Which building do you turn face up? It will count for roles again."
    return ""


def _auction(view: View, me: PlayerView) -> str:
    auction = view.auction
    assert auction
    what = f"{counted(auction.cards, auction.colour + ' card')}" if auction.cards else f"the {auction.what}"
    ability = "" if auction.cards else f"Its ability: {ABILITIES[auction.colour]}. "
    bid = "nobody has bid" if auction.bidder is None else f"{seat_name(auction.bidder)} bids {auction.bid}"
    if auction.bidding == (me.seat,):
        least = min((step.ducats for step in view.legal if isinstance(step, Bid)), default=0)
        bid = f"all others have passed, so {least} is enough" if least else "all others have passed"
    return f"What do you bid for {what}? {ability}You have {counted(me.ducats or 0, 'ducat')}; {bid}."


def choices(view: View) -> list[Choice]:
    """One line per step, but one line for all bids and one for all plays of a colour.

    The number of a bid is its ducats, and 0 always means pass or skip. The number of a colour plays all its cards. To
    play fewer, the player has to type words, so that typing 5 never plays something unexpected.
    """
    nothing = [Choice(0, (step,), tell(view, step)) for step in view.legal if isinstance(step, Pass | Decline)]
    bids = [step for step in view.legal if isinstance(step, Bid)]
    if bids:
        most = len(bids) > 1
        says = f"type the number of ducats to bid; you have {bids[-1].ducats}" if most else tell(view, bids[0])
        return [*nothing, Choice(bids[0].ducats, tuple(bids), says)]
    return [*nothing, *listed(*_lines(view))]


def _lines(view: View) -> Iterator[tuple[Sequence[Step], str]]:
    for step in view.legal:
        match step:
            case Play(colour, 1):
                plays = [play for play in view.legal if isinstance(play, Play) and play.colour == colour]
                yield plays[-1:], _tell_plays(view, colour, len(plays))
            case Play() | Pass() | Decline() | Bid():
                pass
            case _:
                yield (step,), tell(view, step)


def number(view: View, typed: int) -> Step | None:
    """In an auction a number is a bid."""
    return Bid(typed) if view.asked == "bid" else None


def examples(view: View) -> list[Step]:
    """One step of each kind, and each face-up city."""
    me = _me(view)
    colour = next((c for c in COLOUR_IDS if c not in (me.hand or {})), COLOUR_IDS[0])
    down = next((c for c in COLOUR_IDS if c not in me.down), COLOUR_IDS[0])
    founds: list[Step] = [Found(city) for city in view.cities]
    return [
        Offer(colour),
        Bid((me.ducats or 0) + 1),
        Pass(),
        *founds,
        Play(colour, 1),
        Crest(REGION_IDS[0]),
        Turn(down),
    ]


def tell(view: View, step: Step) -> str:
    """A step in words for the player who may make it."""
    me = _me(view)
    match step:
        case Offer(colour):
            return f"{colour}, you have {(me.hand or {}).get(colour, 0)}; {_face_up(view, colour)}"
        case Bid(ducats):
            return f"bid {counted(ducats, 'ducat')}"
        case Pass():
            return "pass: you are out of this auction" if view.asked == "bid" else "pass: do nothing in this phase"
        case Found(city):
            return _tell_city(view, next(one for one in view.components.cities if one.id == city))
        case Decline():
            return "skip: found no city"
        case Play(colour, count):
            return f"play {count} {colour}; {_face_up(view, colour)}"
        case Crest(region):
            there = [f"{seat_name(p.seat)} {p.crests[region]}" for p in view.players if region in p.crests]
            return f"{region_name(region)} ({region}): {', '.join(there) or 'no crests yet'}"
        case Turn(colour):
            return f"{colour}; {_face_up(view, colour)}"
        case _:
            assert_never(step)


def _tell_plays(view: View, colour: str, most: int) -> str:
    fewer = f" (fewer: type {most - 1} {colour})" if most > 1 else ""
    return f"play {'all ' if most > 1 else ''}{most} {colour}{fewer}; {_face_up(view, colour)}"


def _tell_city(view: View, city: City) -> str:
    regions = " or ".join(map(region_name, city.regions))
    price = f"{_cards(city.cards)} and {counted(city.ducats, 'ducat')}"
    gives = f"{counted(city.points, 'point')} and {counted(city.crests, 'crest')} on {regions}"
    return f"found {city_name(city.id)} for {price}\n{gives}; {_role_points(view, city)}"


def _role_points(view: View, city: City) -> str:
    """What other players score for their roles if the city is founded (I18)."""
    scored = [f"{seat_name(seat)} {gain}" for seat, gain in enumerate(view.gains[city.id]) if gain]
    return f"role points for others: {', '.join(scored) or 'none'}"


def _face_up(view: View, colour: str) -> str:
    """How many each player has face up, which decides the roles (I21)."""
    most = sorted((p for p in view.players if p.up.get(colour)), key=lambda p: -p.up[colour])
    return f"face up: {', '.join(f'{seat_name(p.seat)} {p.up[colour]}' for p in most) or 'none'}"


def _cards(cards: Counts | None) -> str:
    return ", ".join(f"{cards[colour]} {colour}" for colour in COLOUR_IDS if colour in cards) if cards else "no cards"


def _me(view: View) -> PlayerView:
    return view.players[view.seat or 0]


def retell(_components: Components, event: Event, name: Naming) -> str:
    """The sentence of an event. Cards are named by colour, so no components are needed."""
    return event.told(name)


TELLING = Telling(INTRO, WORDS, scene, question, draw, choices, number, tell, retell, examples)
