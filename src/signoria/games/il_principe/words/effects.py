"""What a choice would lead to, in sentences for the player who has it."""

from collections.abc import Sequence

from signoria.games.il_principe.rulebook.components import COLOUR_IDS, city_name
from signoria.games.il_principe.texts import say, say_count
from signoria.games.il_principe.view import Lack, RoleClaims, View
from signoria.games.il_principe.words import amounts
from signoria.games.il_principe.words.names import ROLE_NAMES, seat_name
from signoria.kernel.language import all_of, any_of, apart, labelled
from signoria.kernel.words import ordinal


def tell_lot(view: View) -> str:
    """What the lot that is being auctioned would do for the viewer: `With this lot you can pay Padova.`; empty for a role."""
    effects = view.what_if
    if not effects.lot or not effects.bids:
        return ""
    first, last = effects.bids[0], effects.bids[-1]
    gained = [city for city in first.cities if city not in view.payable]
    if len(gained) == 1 and gained[0] not in last.cities:
        return say(
            "With this lot you can pay {city} if you bid at most {most}.",
            city=city_name(gained[0]),
            most=_most(view, gained[0]),
        )
    if gained:
        return say("With this lot you can pay {city}.", city=any_of([city_name(city) for city in gained]))
    closer = [city for city, lack in effects.lot.items() if _cards(lack) < _cards(view.lacks[city])]
    if not closer:
        return say("This lot brings you no closer to a city.")
    city = min(closer, key=lambda city: _cards(effects.lot[city]))
    return _tell_closer(city_name(city), effects.lot[city], view.may_found)


def _tell_closer(city: str, lack: Lack, may_found: bool) -> str:
    if _cards(lack):
        return say_count(
            "With this lot you are {n} card short of {city}.",
            "With this lot you are {n} cards short of {city}.",
            _cards(lack),
            city=city,
        )
    if may_found:
        return say("With this lot you have the cards for {city}, but not the ducats.", city=city)
    return say("With this lot you have the cards for {city}. You cannot found cities this round.", city=city)


def _most(view: View, city: str) -> int:
    """The highest bid that leaves the ducats for a city."""
    return max(effect.ducats for effect in view.what_if.bids if city in effect.cities)


def _cards(lack: Lack) -> int:
    return sum(lack.cards.values())


def tell_bids(view: View) -> tuple[str, ...]:
    """What each possible bid would leave: `Bid 4, keep 3.`; and which city it would leave too little for."""
    bids = view.what_if.bids
    return tuple(_tell_bid(bid.ducats, bid.keeps, [c for c in bids[0].cities if c not in bid.cities]) for bid in bids)


def _tell_bid(ducats: int, keeps: int, lost: Sequence[str]) -> str:
    if lost:
        city = any_of([city_name(city) for city in lost])
        return say("Bid {ducats}, keep {keeps}: too little for {city}.", ducats=ducats, keeps=keeps, city=city)
    return say("Bid {ducats}, keep {keeps}.", ducats=ducats, keeps=keeps)


def tell_offers(view: View) -> dict[str, str]:
    """By colour: how many cards the viewer could offer without moving away from a city, and which city needs the rest."""
    return {colour: _tell_offer(cities) for colour, cities in view.what_if.offers.items()}


def _tell_offer(cities: Sequence[Sequence[str]]) -> str:
    spare = next((count for count, needing in enumerate(cities) if needing), len(cities))
    if spare == len(cities):
        return say_count("No city needs it.", "No city needs {n} of them.", spare)
    needing = all_of([city_name(city) for city in cities[spare]])
    if not spare:
        return say("Needed for {cities}.", cities=needing)
    return say(
        "{spare} to spare; the {next} is needed for {cities}.", spare=spare, next=ordinal(spare + 1), cities=needing
    )


def tell_plays(view: View) -> dict[str, str]:
    """By colour: the best role that the viewer could get by playing cards of it, and how many cards that takes."""
    assert view.seat is not None
    told = {}
    for colour, claims in view.what_if.plays.items():
        major, minor = (names[COLOUR_IDS.index(colour)] for names in ROLE_NAMES)
        now = RoleClaims(view.claims[major], view.claims.get(minor, ()))
        told[colour] = _tell_play((major, minor), now, claims, view.seat)
    return told


def _tell_play(roles: Sequence[str], now: RoleClaims, claims: Sequence[RoleClaims], me: int) -> str:
    best = max(claims, key=lambda then: _standing(then, me))  # the first of the best: as few cards as possible
    standing, cards = _standing(best, me), claims.index(best) + 1
    if standing == 0:
        return say("Not enough for a role.")
    role, sides = (roles[0], best.major) if me in best.major else (roles[1], best.minor)
    if standing == _standing(now, me):
        if sides == (me,):
            return say("You get the {role} without them.", role=role)
        return say("You stay tied for the {role}.", role=role)
    if sides == (me,):
        return say("Play {cards} to take the {role}.", cards=cards, role=role)
    others = all_of([seat_name(seat) for seat in sides if seat != me])
    return say("Play {cards} to tie with {others} for the {role}.", cards=cards, others=others, role=role)


def _standing(claims: RoleClaims, me: int) -> int:
    """How good a share in the roles of a colour is: none, the minor role, the major role; a tie is worth less."""
    if me in claims.major:
        return 4 if claims.major == (me,) else 3
    if me in claims.minor:
        return 2 if claims.minor == (me,) else 1
    return 0


def tell_crests(view: View) -> dict[str, str]:
    """By region: whose points would change: `1 crest: you 2 → 5; 2 crests: you 2 → 5, Carraresi 5 → 2`."""
    return {region: _tell_crests(view, region) for region in view.what_if.crests}


def tell_next_crest(view: View) -> dict[str, str]:
    """By region: what a single crest would change for the viewer: `you 2 → 5`; only where it changes something."""
    me = view.seat or 0
    return {
        region: f"{say('you')} {view.majorities[region][me]} → {then[0][me]}"
        for region, then in view.what_if.crests.items()
        if view.majorities[region][me] != then[0][me]
    }


def _tell_crests(view: View, region: str) -> str:
    changes = [_tell_points(view, region, then) for then in view.what_if.crests[region]]
    if len(set(changes)) == 1:
        return changes[0] or say("no change")
    return apart(labelled(amounts.crests(n), change or say("no change")) for n, change in enumerate(changes, 1))


def _tell_points(view: View, region: str, then: Sequence[int]) -> str:
    """Seats whose points for a region would change, the viewer first; empty if none would."""
    now = view.majorities[region]
    changed = [seat for seat in range(len(now)) if now[seat] != then[seat]]
    changed.sort(key=lambda seat: seat != view.seat)
    return ", ".join(f"{_you_or_family(view, seat)} {now[seat]} → {then[seat]}" for seat in changed)


def _you_or_family(view: View, seat: int) -> str:
    return say("you") if seat == view.seat else seat_name(seat)
