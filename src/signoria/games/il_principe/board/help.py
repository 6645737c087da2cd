"""Help at a table of Il Principe: what everything is, and what it does now. Everything that follows from a rule is in the view."""

import re
from collections.abc import Iterable, Iterator

from markupsafe import Markup

from signoria.games.il_principe.board.meaning import building_means, city_means, role_means
from signoria.games.il_principe.board.page import FACES
from signoria.games.il_principe.board.words import CITIES, REGIONS, ROLES, lack_in_words, region_label
from signoria.games.il_principe.rulebook.components import COLOUR_IDS, FIGURES, REGION_IDS, City
from signoria.games.il_principe.rulebook.steps import Found
from signoria.games.il_principe.texts import say, say_count
from signoria.games.il_principe.view import View
from signoria.games.il_principe.words import amounts
from signoria.games.il_principe.words.effects import tell_crests, tell_lot
from signoria.games.il_principe.words.names import FAMILIES
from signoria.kernel.language import capital
from signoria.web.help import Topic
from signoria.web.kit.meaning import Meaning

EXPLAINED = (
    *(
        "city",
        "town",
        "region",
        "role",
        "lot",
        "built",
        "pile",
        "auction",
        "high",
        "prince",
        "arms",
        "points",
        "ducats",
    ),
    *("purse", "cards"),
    *(f"hand-{colour}" for colour in COLOUR_IDS),
)
"""How the ids of elements begin that have a topic."""
SAME = (
    (re.compile(r"high|lot-name"), "auction"),
    (re.compile(r"town-(\w+)"), r"city-\1"),
    (re.compile(r"(?:hand|lot|built-\d+)-([a-z]+)(?:-\d+)?"), r"building-\1"),
    (re.compile(r"purse|ducats-\d+"), "ducats"),
    (re.compile(r"arms-\d+"), "prince"),
)
"""Elements that are explained by another topic than that of their id."""


def topic_key(element: str) -> str:
    """The topic of an element, by its id.

    >>> topic_key("built-2-green"), topic_key("hand-red-1"), topic_key("town-pisa"), topic_key("city-pile")
    ('building-green', 'building-red', 'city-pisa', 'city-pile')
    """
    for pattern, key in SAME:
        if pattern.fullmatch(element):
            return pattern.sub(key, element)
    return element


def topics(view: View) -> list[Topic]:
    """Everything on the table, in the order of the board."""
    return [
        *_buildings(view),
        *_auction(view),
        *_regions(view),
        *_cities(view),
        *_roles(view),
        *_piles(view),
        *_players(view),
    ]


def _buildings(view: View) -> Iterator[Topic]:
    for colour in COLOUR_IDS:
        up = [f"{player.family} {player.up[colour]}" for player in view.players if player.up.get(colour)]
        now = [
            Meaning(f"b-{colour}", say("Face up: {families}.", families=", ".join(up)), "I21")
            if up
            else Meaning(f"b-{colour}", say("Nobody has a face-up building of this colour."), "I21")
        ]
        if lot := view.lots.get(colour):
            auctioned = say_count(
                "{n} card of this colour is still to be auctioned.",
                "{n} cards of this colour are still to be auctioned.",
                lot,
            )
            now.append(Meaning("gavel", auctioned, "I12"))
        title = f"{capital(amounts.building_name(colour))} ({amounts.colour_name(colour)})"
        picture = Markup('<span class="card looked k-{}">{}</span>').format(colour, FACES[colour])
        means = tuple(building_means(colour))
        yield Topic(f"building-{colour}", say("Buildings"), title, means, tuple(now), picture)


def _auction(view: View) -> Iterator[Topic]:
    auction = view.auction
    if auction is None:
        return
    what = say("Bid more than the last bid, or pass. The winner pays the bid and becomes Il Principe.")
    if auction.bidder is None:
        now = [Meaning("ducat", say("Nobody has bid yet."), "I13")]
    else:
        bid = say(
            "{family} bids {ducats}.", family=FAMILIES[auction.bidder], ducats=amounts.ducats_as_object(auction.bid)
        )
        now = [Meaning("ducat", bid, "I13")]
    if effect := tell_lot(view):
        now.append(Meaning("town", effect, "I17"))
    title = capital(amounts.lot(auction.colour, auction.cards, auction.what))
    yield Topic("auction", say("Auction"), title, (Meaning("gavel", what, "I13"),), tuple(now))


def _regions(view: View) -> Iterator[Topic]:
    scoring, effects = FIGURES.scoring, tell_crests(view)
    what = say(
        "At the end the most crests score {most}, the second most {second}.",
        most=amounts.points(scoring.region_most),
        second=amounts.points(scoring.region_second),
    )
    for region in REGION_IDS:
        crests = tuple(player.crests.get(region, 0) for player in view.players)
        now = [Meaning("shield", f"{region_label(region, crests, view.majorities[region])}.", "I40")]
        if effect := effects.get(region):
            now.append(Meaning("point", say("If you place crests here: {effect}.", effect=effect), "I40"))
        yield Topic(f"region-{region}", say("Regions"), REGIONS[region], (Meaning("shield", what, "I40"),), tuple(now))


def _cities(view: View) -> Iterator[Topic]:
    printed = {city.id: city for city in view.components.cities}
    order = [*view.cities, *(city for city in CITIES if city not in view.cities)]
    for name in order:
        if name not in printed:
            continue
        now = tuple(_city_now(view, printed[name]))
        yield Topic(f"city-{name}", say("Cities"), CITIES[name], tuple(city_means(printed[name])), now)


def _city_now(view: View, city: City) -> Iterator[Meaning]:
    if city.id in view.founded:
        yield Meaning("town", say("{family} founded it.", family=FAMILIES[view.founded[city.id]]), "I19")
        return
    if city.id not in view.cities:
        yield Meaning("city-back", say("Its card is not face up, so it cannot be founded now."), "I17")
        return
    lack = view.lacks.get(city.id)
    missing = lack_in_words(lack) if lack else ""
    if Found(city.id) in view.legal:
        yield Meaning("town", say("You can found it now."), "I17")
    elif missing:
        yield Meaning("town", say("You still need {missing}.", missing=missing), "I17")
    elif lack and not view.may_found:
        yield Meaning("town", say("You have what it costs, but cities cannot be founded in this round."), "I16")
    elif lack:
        yield Meaning("town", say("You have what it costs."), "I17")
    gains = [f"{FAMILIES[seat]} {amounts.points(gain)}" for seat, gain in enumerate(view.gains[city.id]) if gain]
    if gains and view.seat is not None:
        says = say("If you found it, others score for their roles: {families}.", families=", ".join(gains))
        yield Meaning("point", says, "I18")


def _roles(view: View) -> Iterator[Topic]:
    holders = {role: player.family for player in view.players for role in player.roles}
    for row in range(2):
        for colour in COLOUR_IDS:
            role = ROLES[colour][row]
            if role not in view.claims:
                continue
            held = say("{family} holds it.", family=holders[role]) if role in holders else say("Nobody holds it.")
            now = [Meaning("shield", held, "I21"), *_claims(view.claims[role])]
            yield Topic(f"role-{role.lower()}", say("Roles"), role, tuple(role_means(colour, row)), tuple(now))


def _claims(claims: tuple[int, ...]) -> Iterator[Meaning]:
    families = ", ".join(FAMILIES[seat] for seat in claims)
    if len(claims) > 1:
        yield Meaning("gavel", say("Now tied families would bid for it: {families}.", families=families), "I22")
    elif claims:
        yield Meaning("laurel", say("Now it would go to {family}.", family=families), "I21")


def _piles(view: View) -> Iterator[Topic]:
    what = Meaning("draw", say("Everyone draws building cards from it in phase 1."), "I10")
    left = Meaning("draw", say_count("{n} card is left.", "{n} cards are left.", view.pile), "I10")
    last = (
        say("This is the last round.")
        if view.last_round
        else say("The last round comes when a round begins with fewer than {n}.", n=view.last_round_below)
    )
    yield Topic("pile", say("Cards"), say("Building cards"), (what,), (left, Meaning("prince", last, "I31")))
    what = Meaning("town", say("When a city is founded, the next city card is turned up."), "I19")
    left = Meaning("city-back", say_count("{n} card is left.", "{n} cards are left.", view.city_pile), "I19")
    now = [left]
    if view.cities_to_end and not view.last_round:
        end = say_count(
            "The game ends after {n} more founded city.",
            "The game ends after {n} more founded cities.",
            view.cities_to_end,
        )
        now.append(Meaning("prince", end, "I30"))
    yield Topic("city-pile", say("Cards"), say("City cards"), (what,), tuple(now))


def _players(view: View) -> Iterator[Topic]:
    group, scoring = say("Players"), FIGURES.scoring
    what = say(
        "Il Principe bids first in auctions and moves first in phase 3. Winning an auction makes you Il Principe."
    )
    now = say("{family} is Il Principe now.", family=FAMILIES[view.principe])
    yield Topic("prince", group, "Il Principe", (Meaning("prince", what, "I13"),), (Meaning("prince", now, "I14"),))
    most = say("The most ducats score {points} at the end.", points=amounts.points(scoring.most_ducats))
    cards = say("The most cards in hand score {points} at the end.", points=amounts.points(scoring.most_cards))
    known = view.remembered.ducats if view.remembered else [player.ducats for player in view.players]
    kinds = (
        ("points", say("Points"), "point", say("Regions, roles, sets, ducats and cards in hand score at the end."), "I40",
         [player.points for player in view.players]),
        ("ducats", say("Ducats"), "ducat", f"{say('They pay for lots, roles and cities.')} {most}", "I43", known),
        ("cards", say("Cards in hand"), "draw", cards, "I43", [player.cards for player in view.players]),
        ("crests", say("Crests left"), "shield", say("A family places crests when it founds cities."), "I17",
         [player.crests_left for player in view.players]),
    )  # fmt: skip
    for key, title, symbol, says, clause, counts in kinds:
        now = _counted(counts)
        yield Topic(key, group, title, (Meaning(symbol, says, clause),), (Meaning(symbol, now, clause),) if now else ())


def _counted(counts: Iterable[int | None]) -> str:
    known = [f"{FAMILIES[seat]} {count}" for seat, count in enumerate(counts) if count is not None]
    return f"{', '.join(known)}." if known else ""
