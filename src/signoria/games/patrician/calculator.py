"""The score calculator of Patrician: what players enter at the end of a game with the printed components."""

from collections.abc import Sequence

from signoria.games.patrician.game import PATRICIAN, Options
from signoria.games.patrician.rulebook.components import CITY_IDS
from signoria.games.patrician.rulebook.scoring import penalised
from signoria.games.patrician.rulebook.state import HIGH, LOW, NONE, OVER
from signoria.games.patrician.texts import say
from signoria.games.patrician.words.names import PATRICIAN_NAMES
from signoria.games.patrician.words.sheet import portraits_in_words
from signoria.kernel.calculator import (
    NOBODY,
    Calculator,
    Entries,
    Entry,
    EntryFault,
    EntryGrid,
    EntryRow,
    together,
)
from signoria.kernel.clauses import Note
from signoria.kernel.layout import copied
from signoria.kernel.position import Position

TOKENS = {HIGH: "high", LOW: "low"}
PORTRAITS_A_CARD = 2


class PatricianCalculator(Calculator):
    """Who won which tokens, portraits on the cards played, messengers, and floors for ties."""

    options = ("messengers", "ambassadors")

    def grids(self, options: Options) -> tuple[EntryGrid, ...]:
        """The form for these options."""
        box = _blank(options).box
        seats = range(options.players)
        each = PORTRAITS_A_CARD * (box.cards // options.players)
        grids = [self._towers(options), self._portraits(seats, each)]
        if options.messengers:
            floors = say("Your floors in the cities with a messenger")
            grids.append(
                EntryGrid(
                    say("Penalty"),
                    say(
                        "Only needed if players are tied for the fewest towers in cities that were scored with a messenger."
                    ),
                    "M6",
                    (EntryRow(floors, tuple(_unknown("there", floors, seat, box.supply) for seat in seats)),),
                )
            )
        left = say("Floors left in your supply")
        grids.append(
            EntryGrid(
                say("Tiebreak"),
                say("Only needed if players are tied. The fewer floors you have on the board, the more are left."),
                "P23",
                (EntryRow(left, tuple(_unknown("left", left, seat, box.supply) for seat in seats)),),
            )
        )
        return tuple(grids)

    def _towers(self, options: Options) -> EntryGrid:
        position = _blank(options)
        columns = [say("Gold token"), say("Silver token")]
        if options.messengers:
            columns.append(say("Messengers"))
        rows = []
        for city in PATRICIAN.components(options).cities:
            name = PATRICIAN.habit_name("", city.id)
            asked = [
                Entry(
                    f"{city.id}-high",
                    say("{city}, gold token worth {points}", city=name, points=city.high),
                    asks_player=True,
                    blank=NOBODY,
                    needed=True,
                ),
                Entry(
                    f"{city.id}-low",
                    say("{city}, silver token worth {points}", city=name, points=city.low),
                    asks_player=True,
                    blank=NOBODY,
                    needed=True,
                ),
            ]
            if options.messengers:
                messengers = say("{city}, messengers next to it when it was scored", city=name)
                asked.append(Entry(f"{city.id}-messengers", messengers, most=position.box.messengers_a_city))
            rows.append(EntryRow(f"{name} {city.high}/{city.low}", tuple(asked), sign=city.id))
        return EntryGrid(
            say("Cities"), say("Who won the tokens of each city?"), "P20", tuple(rows), columns=tuple(columns)
        )

    def _portraits(self, seats: range, most: int) -> EntryGrid:
        titles = {"captain": say("Captains"), "lady": say("Ladies"), "elder": say("Elders")}
        return EntryGrid(
            say("Portraits"),
            say("Count the portraits on the cards in your stack. A card with two portraits counts as two."),
            "P22",
            tuple(
                EntryRow(
                    titles[who], tuple(Entry(f"{who}-{seat}", titles[who], most, seat=seat) for seat in seats), sign=who
                )
                for who in PATRICIAN_NAMES
            ),
        )

    def position(self, options: Options, entries: Entries) -> Position:
        """The end of a game with these tokens, portraits, messengers and floors."""
        position = _blank(options)
        s, box, players = position.state, position.box, options.players
        s.played[:] = NONE
        for city in range(box.cities):
            for token, kind in TOKENS.items():
                s.won[city, token] = winner = _count(entries, f"{CITY_IDS[city]}-{kind}")
                s.tokens[winner] += winner != NOBODY
            s.escorts[city] = s.beside[city] = _count(entries, f"{CITY_IDS[city]}-messengers")
        box.portraits[:] = 0  # the cards of other turns show nothing that counts
        for seat in range(players):
            for number, who in enumerate(PATRICIAN_NAMES):  # one card shows all portraits of a kind
                card = turn = seat + players * number
                s.played[turn], box.portrait[card], box.portraits[card] = card, number, _count(entries, f"{who}-{seat}")
        escorted = [city for city in range(box.cities) if s.escorts[city]]
        others = [city for city in range(box.cities) if not s.escorts[city]]
        for seat in range(players):
            there, left = _count(entries, f"there-{seat}"), entries.get(f"left-{seat}")
            built = box.supply - (left or 0)  # the same for all players as long as it is unknown
            if escorted and others:
                s.floors[seat, escorted[0]], s.floors[seat, others[0]] = there, built - there
            else:
                s.floors[seat, 0] = there if escorted and left is None else built
        return position

    def faults(self, options: Options, entries: Entries, names: Sequence[str]) -> list[EntryFault]:
        """What cannot be on the table, and what a tie needs."""
        return [
            *_portrait_faults(options, entries, names),
            *_messenger_faults(options, entries),
            *_floor_faults(options, entries, names),
        ] or self._ties(options, entries, names)

    def _ties(self, options: Options, entries: Entries, names: Sequence[str]) -> list[EntryFault]:
        """Ties that need a number of floors: M6 and P23 find nobody as long as all floors are the same."""
        position = self.position(options, entries)
        some = any(position.state.escorts)
        if some and entries.get("there-0") is None and position.call(penalised) == NONE:
            says = say("Players are tied for the penalty: enter everyone's floors in the cities with a messenger.")
            return [EntryFault("there-0", says, "M6")]
        places = PATRICIAN.places(position.sheet())
        tied = [seat for seat, place in enumerate(places) if place == 1]
        if entries["left-0"] is None and len(tied) > 1:
            says = say(
                "{players} are tied on points: enter the floors left in everyone's supply.",
                players=together(names, tied),
            )
            return [EntryFault("left-0", says, "P23")]
        return []

    def unknown(self, entries: Entries) -> frozenset[str]:
        """The floors on the board, unless they were entered."""
        return frozenset({"floors"} if entries["left-0"] is None else ())

    def notes(self, options: Options, entries: Entries) -> list[Note]:
        """Portraits that differ from our cards: people who own the box may have others."""
        shown = [0] * len(PATRICIAN_NAMES)
        box = _blank(options).box
        for card in range(box.cards):
            if box.portraits[card]:
                shown[box.portrait[card]] += int(box.portraits[card])
        notes = []
        for who, ours in zip(PATRICIAN_NAMES, shown, strict=True):
            entered = sum(_count(entries, f"{who}-{seat}") for seat in range(options.players))
            if entered != ours:
                says = say(
                    "You entered {entered} in total, but our cards show {ours}. Check the stacks, unless your cards are different.",
                    entered=portraits_in_words(who, entered),
                    ours=ours,
                )
                notes.append(Note(says, "P22"))
        return notes


def _blank(options: Options) -> Position:
    """A game that is over, with nothing on the table; its box is a copy."""
    boxes = PATRICIAN.box(options, PATRICIAN.components(options))
    position = Position(PATRICIAN, copied(boxes))
    s = position.state
    s.asked, s.card, s.city = OVER, NONE, NONE
    for field in (s.hand, s.display, s.pile, s.played, s.floor, s.won, s.messenger):
        field[:] = NONE
    return position


def _unknown(name: str, title: str, seat: int, most: int) -> Entry:
    return Entry(f"{name}-{seat}", title, most, blank=None, seat=seat)


def _count(entries: Entries, name: str) -> int:
    return entries.get(name) or 0


def _portrait_faults(options: Options, entries: Entries, names: Sequence[str]) -> list[EntryFault]:
    cards = _blank(options).box.cards // options.players
    faults = []
    for seat in range(options.players):
        portraits = sum(_count(entries, f"{who}-{seat}") for who in PATRICIAN_NAMES)
        if portraits > PORTRAITS_A_CARD * cards:
            says = say(
                "{player}: {portraits} portraits are too many for {cards} cards with at most {most} each.",
                player=names[seat],
                portraits=portraits,
                cards=cards,
                most=PORTRAITS_A_CARD,
            )
            faults.append(EntryFault(f"{PATRICIAN_NAMES[0]}-{seat}", says, "P17"))
    return faults


def _messenger_faults(options: Options, entries: Entries) -> list[EntryFault]:
    box = _blank(options).box
    placed = sum(_count(entries, f"{city}-messengers") for city in CITY_IDS)
    most = 2 * box.messengers * options.players
    if placed <= most:
        return []
    says = say(
        "Messengers: {placed} next to cities are too many. {messengers} messengers stand next to two cities each, so {most} is the most.",
        placed=placed,
        messengers=box.messengers * options.players,
        most=most,
    )
    return [EntryFault(f"{CITY_IDS[0]}-messengers", says, "M1")]


def _floor_faults(options: Options, entries: Entries, names: Sequence[str]) -> list[EntryFault]:
    """Floors must be entered for all players or for none, and fill the cities exactly (P11, P13)."""
    box, seats = _blank(options).box, range(options.players)
    every = sum(int(box.floors[city]) for city in range(box.cities))
    escorted = [city for city in range(box.cities) if _count(entries, f"{CITY_IDS[city]}-messengers")]
    faults = []
    for field, title in (
        ("there", say("Your floors in the cities with a messenger")),
        ("left", say("Floors left in your supply")),
    ):
        missing = [seat for seat in seats if entries.get(f"{field}-{seat}") is None]
        if missing and len(missing) < options.players:
            says = say(
                "{field}: enter it for everyone. Missing: {players}.", field=title, players=together(names, missing)
            )
            faults.append(EntryFault(f"{field}-{missing[0]}", says, "M6" if field == "there" else "P23"))
    if faults:
        return faults
    if entries["left-0"] is not None:
        left = sum(_count(entries, f"left-{seat}") for seat in seats)
        possible = box.supply * options.players - every
        if left != possible:
            says = say(
                "Floors left: {left} in total are not possible. Together the players must have {possible} left, because {every} floors are on the board.",
                left=left,
                possible=possible,
                every=every,
            )
            faults.append(EntryFault("left-0", says, "P4"))
    if escorted and entries.get("there-0") is not None:
        there = sum(_count(entries, f"there-{seat}") for seat in seats)
        room = sum(int(box.floors[city]) for city in escorted)
        if there != room:
            says = say(
                "Floors in the cities with a messenger: {there} in total are not possible. These cities have {room} floors.",
                there=there,
                room=room,
            )
            faults.append(EntryFault("there-0", says, "M6"))
        for seat in seats:
            left_here, there_here = entries[f"left-{seat}"], _count(entries, f"there-{seat}")
            if left_here is not None and there_here > box.supply - left_here:
                says = say(
                    "{player} has {there} floors in the cities with a messenger, but only {floors} on the board.",
                    player=names[seat],
                    there=there_here,
                    floors=box.supply - left_here,
                )
                faults.append(EntryFault(f"there-{seat}", says, "P23"))
    return faults


CALCULATOR = PatricianCalculator()
