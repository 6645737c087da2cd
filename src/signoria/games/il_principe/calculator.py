"""The score calculator of Il Principe: what players enter at the end of a game with the printed components."""

from collections.abc import Sequence

from signoria.games.il_principe.game import IL_PRINCIPE, Options
from signoria.games.il_principe.rulebook.components import CITY_IDS, COLOUR_IDS, REGION_IDS, city_name, region_name
from signoria.games.il_principe.rulebook.state import MAJOR, MINOR, MOST_DUCATS, NONE, OVER
from signoria.games.il_principe.texts import say
from signoria.games.il_principe.words import amounts
from signoria.games.il_principe.words.names import ROLE_NAMES
from signoria.kernel.calculator import NOBODY, Calculator, Entries, Entry, EntryFault, EntryGrid, EntryRow
from signoria.kernel.language import capital
from signoria.kernel.layout import copied
from signoria.kernel.position import Position

MOST_POINTS = 120
"""More points than anyone can score during a game."""
KINDS = {MAJOR: "major", MINOR: "minor"}


class IlPrincipeCalculator(Calculator):
    """Points on the track, crests, roles, buildings, ducats and cards in hand."""

    def grids(self, options: Options) -> tuple[EntryGrid, ...]:
        """The form for these options."""
        box, seats = _blank(options).box, range(options.players)

        def row(name: str, title: str, most: int, sign: str = "") -> EntryRow:
            return EntryRow(title, tuple(Entry(f"{name}-{seat}", title, most, seat=seat) for seat in seats), sign)

        crests = tuple(
            row(f"crests-{region}", region_name(region), box.crests_each, f"region-{region}") for region in REGION_IDS
        )
        buildings = tuple(row(f"built-{colour}", _building(colour), box.a_colour, colour) for colour in COLOUR_IDS)
        return (
            EntryGrid(
                say("Points, ducats and cards"),
                say("The points on the score track before the final scoring, and what you have left."),
                "I17",
                (
                    row("points", say("Points on the score track"), MOST_POINTS, "laurel"),
                    row("ducats", say("Ducats"), MOST_DUCATS, "ducat"),
                    row("hand", say("Building cards in hand"), box.buildings, "back"),
                ),
            ),
            EntryGrid(say("Crests"), say("How many crests does everyone have in each region?"), "I40", crests),
            EntryGrid(
                say("Buildings in play"),
                say("Count the buildings in front of you, face up and face down."),
                "I42",
                buildings,
            ),
            self._roles(box.minors == 1),
            EntryGrid(
                say("Cities"),
                say("You can leave this out: it only shows which points come from cities."),
                "I17",
                tuple(
                    EntryRow(
                        city_name(city),
                        (
                            Entry(
                                f"{city}-founder",
                                say("{city}, founded by", city=city_name(city)),
                                asks_player=True,
                                blank=NOBODY,
                            ),
                        ),
                    )
                    for city in CITY_IDS
                ),
                columns=(say("Founded by"),),
                folded=True,
            ),
        )

    def _roles(self, minors: bool) -> EntryGrid:
        kinds = (MAJOR, MINOR) if minors else (MAJOR,)
        titles = {MAJOR: say("Major role"), MINOR: say("Minor role")}
        return EntryGrid(
            say("Roles"),
            say("Who holds which role at the end?"),
            "I41",
            tuple(
                EntryRow(
                    ", ".join(ROLE_NAMES[kind][number] for kind in kinds),
                    tuple(
                        Entry(
                            f"{KINDS[kind]}-{colour}",
                            ROLE_NAMES[kind][number],
                            asks_player=True,
                            blank=NOBODY,
                        )
                        for kind in kinds
                    ),
                    colour,
                )
                for number, colour in enumerate(COLOUR_IDS)
            ),
            columns=tuple(titles[kind] for kind in kinds),
        )

    def position(self, options: Options, entries: Entries) -> Position:
        """The end of a game with these points, crests, roles, buildings, ducats and cards."""
        position = _blank(options)
        s = position.state
        for seat in range(options.players):
            s.points[seat] = _count(entries, f"points-{seat}")
            s.ducats[seat] = _count(entries, f"ducats-{seat}")
            s.cards[seat] = _count(entries, f"hand-{seat}")
            for number, region in enumerate(REGION_IDS):
                s.region[seat, number] = _count(entries, f"crests-{region}-{seat}")
            for number, colour in enumerate(COLOUR_IDS):
                s.up[seat, number] = _count(entries, f"built-{colour}-{seat}")
            s.crests_left[seat] = position.box.crests_each - s.region[seat].sum()
        for kind, name in KINDS.items():
            for number, colour in enumerate(COLOUR_IDS):
                s.holder[kind, number] = _player(entries, f"{name}-{colour}")
        for number, city in enumerate(CITY_IDS):
            s.founder[number] = _player(entries, f"{city}-founder")
        return position

    def faults(self, options: Options, entries: Entries, names: Sequence[str]) -> list[EntryFault]:
        """What cannot be on the table."""
        return [
            *_crest_faults(options, entries, names),
            *_building_faults(options, entries),
            *_role_faults(entries, names),
            *_city_faults(options, entries, names),
        ]


def _blank(options: Options) -> Position:
    """A game that is over, with nothing on the table."""
    position = Position(IL_PRINCIPE, copied(IL_PRINCIPE.box(options, IL_PRINCIPE.components(options))))
    s = position.state
    s.asked, s.colour, s.bidder, s.founding = OVER, NONE, NONE, NONE
    for field in (s.pile, s.display, s.city_pile, s.founder, s.holder):
        field[:] = NONE
    return position


def _building(colour: str) -> str:
    """The buildings of a colour: `University (green)`."""
    return say(
        "{building} ({colour})", building=capital(amounts.building_name(colour)), colour=amounts.colour_name(colour)
    )


def _count(entries: Entries, name: str) -> int:
    return entries.get(name) or 0


def _player(entries: Entries, name: str) -> int:
    found = entries.get(name)
    return NONE if found is None else found


def _crest_faults(options: Options, entries: Entries, names: Sequence[str]) -> list[EntryFault]:
    most = _blank(options).box.crests_each
    faults = []
    for seat in range(options.players):
        crests = sum(_count(entries, f"crests-{region}-{seat}") for region in REGION_IDS)
        if crests > most:
            says = say(
                "{player} has {crests} crests in the regions, but only {most} in all.",
                player=names[seat],
                crests=crests,
                most=most,
            )
            faults.append(EntryFault(f"crests-{REGION_IDS[0]}-{seat}", says, "I1"))
    return faults


def _building_faults(options: Options, entries: Entries) -> list[EntryFault]:
    box, seats = _blank(options).box, range(options.players)
    faults, in_play = [], 0
    for colour in COLOUR_IDS:
        built = sum(_count(entries, f"built-{colour}-{seat}") for seat in seats)
        in_play += built
        if built > box.a_colour:
            says = say(
                "{building}: {built} in play are too many. There are {most} cards of each colour.",
                building=_building(colour),
                built=built,
                most=box.a_colour,
            )
            faults.append(EntryFault(f"built-{colour}-0", says, "I4" if options.players == 2 else "I2"))
    cards = in_play + sum(_count(entries, f"hand-{seat}") for seat in seats)
    if cards > box.buildings and not faults:
        says = say(
            "Building cards: {cards} in play and in hand are too many. There are {most}.",
            cards=cards,
            most=box.buildings,
        )
        faults.append(EntryFault("hand-0", says, "I4" if options.players == 2 else "I2"))
    return faults


def _role_faults(entries: Entries, names: Sequence[str]) -> list[EntryFault]:
    """I21: nobody holds both roles of a colour, and a role needs a building, which stays in play."""
    faults = []
    for number, colour in enumerate(COLOUR_IDS):
        holders = {kind: _player(entries, f"{name}-{colour}") for kind, name in KINDS.items()}
        roles = {kind: ROLE_NAMES[kind][number] for kind in KINDS}
        for kind, seat in holders.items():
            if seat != NONE and not _count(entries, f"built-{colour}-{seat}"):
                says = say(
                    "{role}: {player} has no building of this colour in play.", role=roles[kind], player=names[seat]
                )
                faults.append(EntryFault(f"{KINDS[kind]}-{colour}", says, "I21"))
        if holders[MAJOR] != NONE and holders[MAJOR] == holders[MINOR]:
            says = say(
                "{minor}: {player} is already {major}. A player cannot hold both roles of a colour.",
                minor=roles[MINOR],
                major=roles[MAJOR],
                player=names[holders[MAJOR]],
            )
            faults.append(EntryFault(f"minor-{colour}", says, "I21"))
    return faults


def _city_faults(options: Options, entries: Entries, names: Sequence[str]) -> list[EntryFault]:
    box = _blank(options).box
    founders = [_player(entries, f"{city}-founder") for city in CITY_IDS]
    founded = sum(founder != NONE for founder in founders)
    if founded > box.cities:
        says = say(
            "Cities: {founded} founded cities are too many. There are {most} in the game.",
            founded=founded,
            most=box.cities,
        )
        return [EntryFault(f"{CITY_IDS[0]}-founder", says, "I4")]
    faults = []
    for seat in range(options.players):
        worth = sum(int(box.points[city]) for city, founder in enumerate(founders) if founder == seat)
        points = _count(entries, f"points-{seat}")
        if worth > points:
            says = say(
                "{player} has {points} points on the score track, but {worth} points from cities alone.",
                player=names[seat],
                points=points,
                worth=worth,
            )
            faults.append(EntryFault(f"points-{seat}", says, "I17"))
    return faults


CALCULATOR = IlPrincipeCalculator()
