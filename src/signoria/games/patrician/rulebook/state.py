"""A game of Patrician as two small records: `Box` is fixed when the table is set up, `State` changes.

Cities, cards, seats and roads are numbers here, in the order of `components.toml`; seats count from 0, clockwise.
"""

from typing import Annotated

import numpy as np

from signoria.kernel.layout import Bytes, Small, layout

SEATS, CITIES, CARDS, ROADS = 5, 10, 55, 12
HAND = 3
SITES = 2
LEVELS = 8
"""The most floors of one tower: nine in the largest city, one of them on the other site (P12)."""

NONE = -1
"""No card, no seat, no city."""
HIDDEN = -2
"""Something that is there but hidden in this view."""

HIGH, LOW = 0, 1
"""The two prestige tokens of a city."""

CAPTAIN, LADY, ELDER = 0, 1, 2
ANY, MOVE = 1, 2
"""The two action symbols of a card; 0 for none."""

KINDS = 6
OVER, PLAYING, BUILDING, MOVING, TAKING, SENDING = range(KINDS)
"""What the seat in turn is asked for, in the order of a turn."""


class Box:
    """Everything that stays the same during a game: options, cards, cities, roads."""

    players: Small
    ambassadors: Small
    """1 when played with the ambassadors."""
    face_down: Small
    """1 if tokens that were won are face down (P24)."""
    messengers: Small
    """Messengers of each seat (M1); 0 without them."""
    cities: Small
    """Cities in play: nine, or ten with Pistoia (P1)."""
    cards: Small
    roads: Small

    city: Annotated[Bytes, np.int8, CARDS]
    crests: Annotated[Bytes, np.int8, CARDS]
    portrait: Annotated[Bytes, np.int8, CARDS]
    """Which portrait the card shows, or NONE."""
    portraits: Annotated[Bytes, np.int8, CARDS]
    symbol: Annotated[Bytes, np.int8, CARDS]
    """ANY, MOVE or 0."""
    start: Annotated[Bytes, np.int8, CARDS]
    """1 for a card with the star."""

    floors: Annotated[Bytes, np.int8, CITIES]
    """How many floors a city has room for."""
    token: Annotated[Bytes, np.int8, (CITIES, 2)]
    """Points of its HIGH and LOW prestige token."""
    road: Annotated[Bytes, np.int8, (ROADS, 2)]
    """The two cities that a road joins (M2)."""

    supply: Small
    """Floors of each seat at the start (P4)."""
    set_size: Small
    """Equal portraits that make a set (P22)."""
    set_points: Small
    messengers_a_city: Small
    """The most messengers next to a city (M3)."""
    messenger_points: Small
    penalty: Small
    """Points of the token for the fewest towers with a messenger (M6)."""
    ambassador_token: Annotated[Bytes, np.int8, 3]
    """The token that ambassador A, B, C counts (A1)."""
    ambassador_tie: Annotated[Bytes, np.int8, 3]
    """The city whose token decides a tie for A, B, C (A2)."""
    court: Annotated[Bytes, np.int8, 3]
    """The cities of ambassador D, in the order that decides its ties (A3)."""


class State:
    """Everything that changes during a game. Fields consist of bytes, so a state has no padding and is copied as bytes."""

    asked: Small
    """What is asked now: PLAYING, BUILDING, MOVING, TAKING, SENDING, or OVER."""
    seat: Small
    """Whose turn it is."""
    first: Small
    """Who had the first turn (P6): the card of turn k was played by seat (first + k) % players."""
    turn: Small
    """The number of turns that are over."""
    card: Small
    """The card played this turn, or NONE."""
    city: Small
    """The city built in this turn, or NONE."""
    crests: Small
    """Floors still to be built this turn."""
    drawn: Small
    """How many cards have left the pile; the next is pile[drawn]."""

    hand: Annotated[Bytes, np.int8, (SEATS, HAND)]
    taken: Annotated[Bytes, np.int8, (SEATS, HAND)]
    """1 if the card in hand was face up before, so that everyone has seen it."""
    display: Annotated[Bytes, np.int8, CITIES]
    """The face-up card beside each city, or NONE."""
    pile: Annotated[Bytes, np.int8, CARDS]
    """Cards to be drawn, from pile[drawn] on; NONE before that."""
    played: Annotated[Bytes, np.int8, CARDS]
    """The card of each turn, NONE from this turn on. These are the stacks of all players, starting with `first`."""

    floor: Annotated[Bytes, np.int8, (CITIES, SITES, LEVELS)]
    """Whose floor it is, from the ground up; NONE above the top."""
    height: Annotated[Bytes, np.int8, (CITIES, SITES)]
    floors: Annotated[Bytes, np.int8, (SEATS, CITIES)]
    """A seat's floors in a city."""
    won: Annotated[Bytes, np.int8, (CITIES, 2)]
    """Who won the HIGH and the LOW token, or NONE until the city is scored."""
    tokens: Annotated[Bytes, np.int8, SEATS]
    """The number of prestige tokens that each seat has won."""
    beside: Annotated[Bytes, np.int8, CITIES]
    """Messengers next to a city (M3)."""
    escorts: Annotated[Bytes, np.int8, CITIES]
    """Those that came before the city was scored (M4)."""
    messenger: Annotated[Bytes, np.int8, ROADS]
    """Whose messenger is on a road, or NONE."""


BOX = layout(Box)
STATE = layout(State)
