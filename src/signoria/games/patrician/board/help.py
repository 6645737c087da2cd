"""Help at a table of Patrician: what everything is, and what it does now. Everything that follows from a rule is in the view."""

from collections.abc import Iterator

from markupsafe import Markup

from signoria.games.patrician.board.cards import face
from signoria.games.patrician.board.meaning import meanings
from signoria.games.patrician.board.page import PRIZES, STATES
from signoria.games.patrician.board.players import then
from signoria.games.patrician.board.words import (
    NAMES,
    brief,
    portrait_points,
    portrait_set,
    tower_label,
)
from signoria.games.patrician.rulebook.components import Card
from signoria.games.patrician.rulebook.steps import Build, Messenger, Move, Step, Take
from signoria.games.patrician.texts import say, say_count
from signoria.games.patrician.view import CityView, View
from signoria.games.patrician.words.names import seat_name
from signoria.games.patrician.words.sheet import portraits_in_words
from signoria.kernel.language import all_of, capital, labelled
from signoria.web.help import Topic
from signoria.web.kit.meaning import Meaning

EXPLAINED = ("city", "site", "token", "card", "road", "ambassador", "pile", "fan", "so-far")
"""How the ids of elements begin that have a topic."""


def topics(view: View, cards: dict[str, Card]) -> list[Topic]:
    """Everything on the table, in the order of the board."""
    legal = frozenset(view.legal)
    return [
        *_hand(view, cards),
        *(topic for city in view.cities for topic in _city(view, city, cards, legal)),
        *_roads(view, legal),
        *_ambassadors(view),
        _pile(view),
        *_players(view),
    ]


def _city(view: View, city: CityView, cards: dict[str, Card], legal: frozenset[Step]) -> Iterator[Topic]:
    group, name, crest = say("Board"), NAMES[city.id], f"crest-{city.id}"
    what = say("As soon as {city} has {floors} floors, it is scored.", city=name, floors=city.floors)
    messengers = _messengers(city)
    towers = [_tower(city, site) for site in (0, 1)]
    yield Topic(f"city-{city.id}", group, name, (Meaning(crest, what, "P13"),), (_left(city), *towers, *messengers))
    building = view.asked == "build" and view.city == city.id
    for site, title in enumerate((say("Left tower of {city}", city=name), say("Right tower of {city}", city=name))):
        what = say("New floors go on top. When the city is full, the most floors in a tower win its token.")
        now = [towers[site]]
        if building and Build(site) in legal:
            now.append(Meaning("floor-0", say("You can build here now."), "P11"))
        if Move(city.id, site) in legal:
            now.append(Meaning("move", say("You can move the top floor to the other site now."), "P14"))
        yield Topic(f"site-{city.id}-{site}", group, title, (Meaning(crest, what, "P20"),), tuple(now))
    high, low = city.tokens
    worth = (
        say_count(
            "{n} point for the most floors in the taller tower.",
            "{n} points for the most floors in the taller tower.",
            high,
        ),
        say_count(
            "{n} point for the most floors in the lower tower.",
            "{n} points for the most floors in the lower tower.",
            low,
        ),
    )
    titles = say("High token of {city}", city=name), say("Low token of {city}", city=name)
    for rank, title, what, winner in zip(("high", "low"), titles, worth, city.won, strict=True):
        won = _won(city, winner)
        means = (Meaning(f"seal-{rank}", what, "P20"),)
        yield Topic(f"token-{city.id}-{rank}", group, title, means, (won, *messengers))
    if city.card:
        here = say("It lies next to {city}. A player who builds there takes it.", city=name)
        if Take(city.id) in legal:
            here = say("You can take it now.")
        yield _card(cards[city.card], (Meaning(crest, here, "P15"),), group)


def _left(city: CityView) -> Meaning:
    if city.scored:
        says = say("{city} is scored. Its towers do not change any more.", city=NAMES[city.id])
    else:
        says = say_count(
            "{n} more floor completes {city}.",
            "{n} more floors complete {city}.",
            city.floors_left,
            city=NAMES[city.id],
        )
    return Meaning("floor-0", says, "P13")


def _tower(city: CityView, site: int) -> Meaning:
    tied = city.leads[site] is not None and not city.leads_by[site]
    return Meaning(f"crest-{city.id}", f"{tower_label(city, site)}.", "P21" if tied else "P20")


def _won(city: CityView, winner: int | None) -> Meaning:
    if not city.scored:
        return Meaning("seal-high", say("Nobody has won it yet."), "P20")
    if winner is None:
        return Meaning("seal-high", say("It has been won and lies face down."), "P24")
    return Meaning("seal-high", say("{player} has won it.", player=seat_name(winner)), "P20")


def _messengers(city: CityView) -> list[Meaning]:
    if not city.extra:
        return []
    says = say_count(
        "Messengers next to {city} add {n} point to each token.",
        "Messengers next to {city} add {n} points to each token.",
        city.extra,
        city=NAMES[city.id],
    )
    return [Meaning("rider", says, "M5")]


def _card(card: Card, now: tuple[Meaning, ...], group: str) -> Topic:
    picture = Markup('<span class="card of-{}">{}</span>').format(card.city, face(card))
    return Topic(f"card-{card.id}", group, brief(card), tuple(meanings(card)), now, picture)


def _hand(view: View, cards: dict[str, Card]) -> Iterator[Topic]:
    for name in view.players[view.seat].hand if view.seat is not None else ():
        if name is None:
            continue
        card, play = cards[name], view.plays.get(name)
        if play is None:
            now = [Meaning("back", say("You play one card in each of your turns."), "P10")]
        else:
            city, crest = NAMES[card.city], f"crest-{card.city}"
            now = []
            if play.fills:
                now.append(Meaning(crest, say("Now it completes {city}, which is then scored.", city=city), "P13"))
            if play.bare_site is not None:
                now.append(Meaning(crest, say("A floor must go on the empty site in {city}.", city=city), "P12"))
            now.append(Meaning("back", then(view, card, play, cards), "P15"))
        yield _card(card, tuple(now), say("Your hand"))


def _roads(view: View, legal: frozenset[Step]) -> Iterator[Topic]:
    if not view.with_messengers:
        return
    cities = {city.id: city for city in view.cities}
    what = say("A messenger raises both tokens of the two cities at the ends of its road.")
    for road in view.roads:
        ends = [cities[city] for city in road.split("-")]
        owner, now = view.messengers.get(road), []
        if owner is not None:
            placed = say("Here stands a messenger of {player}.", player=seat_name(owner))
            now.append(Meaning("rider", placed, "M2"))
        elif any(isinstance(step, Messenger) and set(step.between) == {city.id for city in ends} for step in legal):
            now.append(Meaning("rider", say("You can place a messenger here now."), "M3"))
        now += [_adds(city) for city in ends if owner is None] or [one for city in ends for one in _messengers(city)]
        title = " – ".join(NAMES[city.id] for city in ends)
        yield Topic(f"road-{road}", say("Roads"), title, (Meaning("rider", what, "M5"),), tuple(now))


def _adds(city: CityView) -> Meaning:
    crest, name = f"crest-{city.id}", NAMES[city.id]
    if not city.messenger_adds:
        return Meaning(crest, say("In {city} a messenger would have no effect.", city=name), "M4")
    says = say_count(
        "In {city} a messenger would add {n} point to each token.",
        "In {city} a messenger would add {n} points to each token.",
        city.messenger_adds,
        city=name,
    )
    return Meaning(crest, says, "M5")


def _ambassadors(view: View) -> Iterator[Topic]:
    for letter, holder in (view.ambassadors or {}).items():
        if letter in PRIZES:
            what = say(
                "At the end it goes to the player with the most {n}-point tokens and counts as one more portrait.",
                n=PRIZES[letter],
            )
        else:
            what = say(
                "At the end it goes to the player with the most token points in {cities} and counts as one more portrait of each kind.",
                cities=all_of([NAMES[city] for city in STATES]),
            )
        clause = "A1" if letter in PRIZES else "A3"
        goes = (
            say("Now nobody would get it.")
            if holder is None
            else say("Now it would go to {player}.", player=seat_name(holder))
        )
        title, means = say("Ambassador {letter}", letter=letter), (Meaning("p-elder", what, clause),)
        yield Topic(f"ambassador-{letter}", say("Board"), title, means, (Meaning("p-lady", goes, clause),))


def _pile(view: View) -> Topic:
    what = Meaning("back", say("A card from the pile replaces each card that is taken."), "P16")
    left = say_count("{n} card is left in the pile.", "{n} cards are left in the pile.", view.pile)
    now = (Meaning("back", left, "P16"), Meaning("back", say("The game ends when all hands are empty."), "P17"))
    return Topic("pile", say("Board"), say("The pile"), (what,), now)


def _players(view: View) -> Iterator[Topic]:
    """What lies before the players; in this position, how much of it each has."""
    kinds = [
        ("fan", say("Cards in hand"), "back", say("In each turn a player plays one card and takes another."), "P10"),
        ("stack", say("Played cards"), "back", say("Opponents see only the top card of a stack."), "P10"),
        ("floors", say("Floors left"), "floor-0", say("Floors that a player has not built yet."), "P4"),
        ("so-far", say("Tokens won"), "seal-high", say("Prestige tokens count at the end of the game."), "P20"),
    ]
    counts = {
        "fan": [str(len(player.hand)) for player in view.players],
        "stack": [str(len(player.stack)) for player in view.players],
        "floors": [str(player.floors_left) for player in view.players],
        "so-far": [
            str(player.tokens)
            if player.token_points is None
            else f"{player.tokens} ({say_count('{n} point', '{n} points', player.token_points)})"
            for player in view.players
        ],
    }
    if view.with_messengers:
        what = say("Messengers that a player has not placed yet.")
        kinds.append(("messengers", say("Messengers left"), "rider", what, "M1"))
        counts["messengers"] = [str(player.messengers_left) for player in view.players]
    for key, title, symbol, what, clause in kinds:
        now = ", ".join(f"{seat_name(seat)} {count}" for seat, count in enumerate(counts[key]))
        yield Topic(key, say("Players"), title, (Meaning(symbol, what, clause),), (Meaning(symbol, f"{now}.", clause),))
    what = say("{set} equal portraits on the cards a player has played are worth {points}.", **_worth())
    seen = [
        f"{labelled(seat_name(seat), ', '.join(portraits_in_words(who, count) for who, count in shown.items()))}."
        for seat, shown in enumerate(view.remembered.portraits if view.remembered else view.portraits)
        if shown
    ]
    means = (Meaning("p-lady", what, "P22"),)
    yield Topic(
        "portraits", say("Players"), say("Portraits"), means, tuple(Meaning("p-captain", says, "P22") for says in seen)
    )


def _worth() -> dict[str, str]:
    return {"set": capital(portrait_set()), "points": portrait_points()}
