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
from signoria.games.il_principe.texts import say, say_count
from signoria.games.il_principe.view import Auction, PlayerView, View
from signoria.games.il_principe.words import amounts
from signoria.games.il_principe.words.drawing import draw
from signoria.games.il_principe.words.events import Event
from signoria.games.il_principe.words.names import ROLE_NAMES, seat_name
from signoria.kernel.language import all_of, any_of, apart, labelled, to_say
from signoria.kernel.telling import Choice, Telling, listed
from signoria.kernel.words import Naming

INTRO = to_say(
    "Every round: offer cards for auction, bid for the lots, then found a city or\n"
    "play buildings of one colour. The most face-up buildings of a colour take its\n"
    "role. If you win a lot, you may found a city before the next lot.\n"
    "Cities, the most crests in regions, roles and sets of all colours score."
)
WORDS = to_say("offer red, bid 5, found siena, play 2 red, crest white, pass")


def short_ability(colour: str) -> str:
    """The ability of a role, used when it is taken (I23), in a few words."""
    match colour:
        case "green":
            return say("turn a building face up")
        case "white":
            return amounts.points(FIGURES.roles.white_points)
        case "red":
            return say("draw a card")
        case "blue":
            return say("place a crest")
    return amounts.ducats(FIGURES.roles.yellow_ducats)


def scene(view: View) -> object:
    """Changes with every phase and every auction, so that the board is drawn once for each."""
    return view.round, view.phase, view.asked == "found", view.auction and view.auction.what + view.auction.colour


def question(view: View) -> str:
    """The question that the viewer has to answer."""
    me = _me(view)
    match view.asked:
        case "offer":
            asked = say_count(
                "Which card do you lay face down? {n} card to lay.",
                "Which cards do you lay face down? {n} cards to lay.",
                view.to_lay,
            )
            return f"{asked}{_ending(view)}"
        case "bid":
            return _auction(view, me)
        case "found":
            return say("Do you want to found a city? You won the lot, so you may do it now.") + _ending(view)
        case "crest":
            if view.founding:
                return say_count(
                    "Where do you place a crest? {n} crest to place on regions that touch {city}.",
                    "Where do you place a crest? {n} crests to place on regions that touch {city}.",
                    view.crests or 1,
                    city=city_name(view.founding),
                )
            return say_count(
                "Where do you place a crest? {n} crest to place on any region.",
                "Where do you place a crest? {n} crests to place on any region.",
                view.crests or 1,
            )
        case "act":
            if not any(isinstance(step, Found) for step in view.legal):
                if view.may_found:
                    return say("Do you want to play buildings of one colour? You cannot afford a city now.")
                return say("Do you want to play buildings of one colour? You cannot found cities this round.")
            asked = say("Do you found a city or play buildings? Play as many as you like of one colour, or pass.")
            return f"{asked}{_ending(view)}"
        case "turn":
            return say("Which building do you turn face up? It will count for roles again.")
    return ""


def _ending(view: View) -> str:
    """I30: a warning that the cities run out."""
    if view.last_round or view.cities_to_end > 1:
        return ""
    if view.cities_to_end:
        return " " + say("If one more city is founded, the game ends after the next offers.")
    return " " + say("No city is left to turn up, so the game ends when everyone has laid cards.")


def _auction(view: View, me: PlayerView) -> str:
    auction = view.auction
    assert auction
    lot = amounts.lot(auction.colour, auction.cards, auction.what)
    if auction.outbid:
        return f"{say('Will you pass on {lot}?', lot=lot)} {too_few_ducats(auction, me)}"
    asked = say("What do you bid for {lot}?", lot=lot)
    return f"{asked} {_bid_so_far(view, auction, me)}"


def _bid_so_far(view: View, auction: Auction, me: PlayerView) -> str:
    """The player's ducats and the highest bid, in a sentence."""
    own = amounts.ducats_as_object(me.ducats or 0)
    if auction.bidding == (me.seat,):
        least = min((step.ducats for step in view.legal if isinstance(step, Bid)), default=0)
        if not least:
            return say("You have {own}; all others have passed.", own=own)
        return say_count(
            "You have {own}; all others have passed, so {n} ducat is enough.",
            "You have {own}; all others have passed, so {n} ducats are enough.",
            least,
            own=own,
        )
    if auction.bidder is None:
        return say("You have {own}; nobody has bid.", own=own)
    bid = {"player": seat_name(auction.bidder), "bid": amounts.ducats_as_object(auction.bid)}
    return say("You have {own}; {player} bids {bid}.", own=own, **bid)


def too_few_ducats(auction: Auction, me: PlayerView) -> str:
    """I13: why a player cannot bid."""
    if not auction.bid:
        return say("You have no ducats, so you cannot bid.")
    own, bid = amounts.ducats_as_object(me.ducats or 0), amounts.ducats_as_object(auction.bid)
    return say("You have {own}, too few to bid more than {bid}.", own=own, bid=bid)


def role_stakes(auction: Auction, seat: int | None) -> tuple[str, ...]:
    """What a role gives, and what it costs this seat if it takes part (I18, I21, I23, I41), in sentences; nothing for a lot."""
    if auction.cards:
        return ()
    gives = say(
        "The {role} gives {points} at the end, and {points} whenever others found a city with {colour}.",
        role=auction.what,
        points=amounts.points(auction.points),
        colour=amounts.colour_name(auction.colour),
    )
    ability = say("Its ability: {ability}.", ability=short_ability(auction.colour))
    if not auction.turned_down or seat not in auction.bidding:
        return gives, ability
    buildings = amounts.colour_buildings(auction.colour, auction.turned_down)
    return gives, ability, say("You would turn {buildings} face down.", buildings=buildings)


def stakes(view: View) -> str:
    """What the viewer bids for if it is a role."""
    return " ".join(role_stakes(view.auction, view.seat)) if view.asked == "bid" and view.auction else ""


def choices(view: View) -> list[Choice]:
    """One line per step, but one line for all bids and one for all plays of a colour.

    The number of a bid is its ducats, and 0 always means pass or skip. The number of a colour plays all its cards. To
    play fewer, the player has to type words, so that typing 5 never plays something unexpected.
    """
    nothing = [Choice(0, (step,), tell(view, step)) for step in view.legal if isinstance(step, Pass | Decline)]
    bids = [step for step in view.legal if isinstance(step, Bid)]
    if bids:
        most = len(bids) > 1
        typed = say("type the number of ducats to bid; you have {own}", own=bids[-1].ducats)
        says = typed if most else tell(view, bids[0])
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
            return say(
                "{colour}, you have {own}; {face_up}",
                colour=amounts.colour_name(colour),
                own=(me.hand or {}).get(colour, 0),
                face_up=_face_up(view, colour),
            )
        case Bid(ducats):
            return say_count("bid {n} ducat", "bid {n} ducats", ducats)
        case Pass():
            return _tell_pass(view)
        case Found(city):
            return _tell_city(view, next(one for one in view.components.cities if one.id == city))
        case Decline():
            return say("skip: found no city")
        case Play(colour, count):
            cards = amounts.of_colour(colour, count)
            return say("play {cards}; {face_up}", cards=cards, face_up=_face_up(view, colour))
        case Crest(region):
            there = [f"{seat_name(p.seat)} {p.crests[region]}" for p in view.players if region in p.crests]
            return labelled(region_name(region), ", ".join(there) or say("no crests yet"))
        case Turn(colour):
            return apart([amounts.colour_name(colour), _face_up(view, colour)])
        case _:
            assert_never(step)


def play_effect(view: View, play: Play) -> str:
    """What playing cards would lead to as things stand, in a sentence (I21, I22)."""
    me, effect = _me(view), view.what_if.plays[play.colour][play.count - 1]
    major, minor = (names[COLOUR_IDS.index(play.colour)] for names in ROLE_NAMES)
    up = {"cards": amounts.of_colour(play.colour, me.up.get(play.colour, 0) + play.count)}
    if effect.major == (me.seat,):
        return say("With {cards} face up you take the {role} and turn half of them down.", role=major, **up)
    if effect.minor == (me.seat,):
        return say("With {cards} face up you take the {role}.", role=minor, **up)
    for role, tied in ((major, effect.major), (minor, effect.minor)):
        if me.seat in tied:
            others = all_of([seat_name(seat) for seat in tied if seat != me.seat])
            return say("With {cards} face up you bid against {others} for the {role}.", others=others, role=role, **up)
    return say("With {cards} face up you take no role.", **up)


def _tell_pass(view: View) -> str:
    if view.auction is None:
        return say("pass: do nothing in this phase")
    if view.auction.outbid:
        return say("pass: you have too few ducats to bid more")
    return say("pass: you are out of this auction")


def _tell_plays(view: View, colour: str, most: int) -> str:
    cards = {"cards": amounts.of_colour(colour, most), "face_up": _face_up(view, colour)}
    if most > 1:
        return say("play all {cards} (fewer: type {typed}); {face_up}", typed=f"{most - 1} {colour}", **cards)
    return say("play {cards}; {face_up}", **cards)


def _tell_city(view: View, city: City) -> str:
    cards, ducats = amounts.by_colour(city.cards) or say("no cards"), amounts.ducats_as_object(city.ducats)
    found = say("found {city} for {cards} and {ducats}", city=city_name(city.id), cards=cards, ducats=ducats)
    gives = say(
        "{points} and {crests} on {regions}",
        points=amounts.points(city.points),
        crests=amounts.crests(city.crests),
        regions=any_of([region_name(region) for region in city.regions]),
    )
    return f"{found}\n{apart([gives, _role_points(view, city)])}"


def _role_points(view: View, city: City) -> str:
    """What other players score for their roles if the city is founded (I18)."""
    scored = [f"{seat_name(seat)} {gain}" for seat, gain in enumerate(view.gains[city.id]) if gain]
    return say("role points for others: {points}", points=", ".join(scored) or say("none"))


def _face_up(view: View, colour: str) -> str:
    """How many each player has face up, which decides the roles (I21)."""
    most = sorted((p for p in view.players if p.up.get(colour)), key=lambda p: -p.up[colour])
    owners = ", ".join(f"{seat_name(p.seat)} {p.up[colour]}" for p in most)
    return say("face up: {owners}", owners=owners or say("none"))


def _me(view: View) -> PlayerView:
    return view.players[view.seat or 0]


def retell(_components: Components, event: Event, name: Naming) -> str:
    """The sentence of an event. Cards are named by colour, so no components are needed."""
    return event.told(name)


TELLING = Telling(INTRO, WORDS, scene, question, draw, choices, number, tell, retell, examples, stakes)
