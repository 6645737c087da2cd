"""Il Principe told to somebody who plays it: what is auctioned, what a city asks and gives, who leads where."""

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
Every round: lay cards for auctions, bid for them, then found a city or play
buildings of one colour; most buildings of a colour face up take its role.
Who wins a lot may found a city at once, before the next lot.
Cities, most crests in regions, roles and sets of five colours give points."""
WORDS = "offer red, bid 5, found siena, play 2 red, crest white, pass"
ABILITIES = {
    "green": "turn up a building",
    "white": counted(FIGURES.roles.white_points, "point"),
    "red": "a card",
    "blue": "a crest",
    "yellow": counted(FIGURES.roles.yellow_ducats, "ducat"),
}
"""What a role brings at once (I23)."""


def scene(view: View) -> object:
    """The table is drawn once a phase, and for every auction."""
    return view.round, view.phase, view.asked == "found", view.auction and view.auction.what + view.auction.colour


def question(view: View) -> str:
    """What is asked of the viewer."""
    me = _me(view)
    match view.asked:
        case "offer":
            cards = "card" if view.to_lay == 1 else "cards"
            return f"Which {cards} do you lay face down? {counted(view.to_lay, 'card')} to lay."
        case "bid":
            return _auction(view, me)
        case "found":
            return "Do you found a city now? You won the lot, and may do so at once."
        case "crest":
            where = f"on regions that touch {city_name(view.founding)}" if view.founding else "on any region"
            return f"Where do you put a crest? {counted(view.crests or 1, 'crest')} to place {where}."
        case "act":
            if not any(isinstance(step, Found) for step in view.legal):
                cities = "You cannot pay for a city now." if view.may_found else "No city is founded in this round."
                return f"Do you play buildings of one colour? {cities}"
            return "Do you found a city, or play buildings? Of one colour, as many as you like; or pass."
        case "turn":
            return "Which building do you turn up? It counts for roles again."
    return ""


def _auction(view: View, me: PlayerView) -> str:
    auction = view.auction
    assert auction
    what = f"{counted(auction.cards, auction.colour + ' card')}" if auction.cards else f"the {auction.what}"
    brings = "" if auction.cards else f"It brings at once: {ABILITIES[auction.colour]}. "
    bid = "nobody has bid" if auction.bidder is None else f"{seat_name(auction.bidder)} bids {auction.bid}"
    if auction.bidding == (me.seat,):
        least = min((step.ducats for step in view.legal if isinstance(step, Bid)), default=0)
        bid = f"nobody else is left, so {least} is enough" if least else "nobody else is left"
    return f"What do you bid for {what}? {brings}You have {counted(me.ducats or 0, 'ducat')}; {bid}."


def choices(view: View) -> list[Choice]:
    """A line a step, but one line for all bids and one for all plays of a colour.

    Bids have the number of their ducats, and 0 is always to do nothing. The number of a colour plays all of it; for
    fewer there are words only, so that nobody who types a 5 to play five plays something else.
    """
    nothing = [Choice(0, (step,), tell(view, step)) for step in view.legal if isinstance(step, Pass | Decline)]
    bids = [step for step in view.legal if isinstance(step, Bid)]
    if bids:
        most = len(bids) > 1
        says = f"bid so many ducats; {bids[-1].ducats} is all you have" if most else tell(view, bids[0])
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
    """One step of every kind, and every city that lies face up."""
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
    """A step as it looks to whoever may make it."""
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
            return "found no city now"
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
    gives = f"{city.points} points, and {counted(city.crests, 'crest')} on {regions}"
    return f"found {city_name(city.id)} for {price}\n{gives}; {_role_points(view, city)}"


def _role_points(view: View, city: City) -> str:
    """What the others score for their roles once the city is founded (I18)."""
    scored = [f"{seat_name(seat)} {gain}" for seat, gain in enumerate(view.gains[city.id]) if gain]
    return f"others score for roles: {', '.join(scored) or 'nothing'}"


def _face_up(view: View, colour: str) -> str:
    """Who has how many face up: that decides the roles (I21)."""
    most = sorted((p for p in view.players if p.up.get(colour)), key=lambda p: -p.up[colour])
    return f"face up: {', '.join(f'{seat_name(p.seat)} {p.up[colour]}' for p in most) or 'nobody has any'}"


def _cards(cards: Counts | None) -> str:
    return ", ".join(f"{cards[colour]} {colour}" for colour in COLOUR_IDS if colour in cards) if cards else "no cards"


def _me(view: View) -> PlayerView:
    return view.players[view.seat or 0]


def retell(_components: Components, event: Event, name: Naming) -> str:
    """Cards are named by their colours: an event needs no more than its own words."""
    return event.told(name)


TELLING = Telling(INTRO, WORDS, scene, question, draw, choices, number, tell, retell, examples)
