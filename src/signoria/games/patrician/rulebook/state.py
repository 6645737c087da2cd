"""A game of Patrician as two small records: `Box`, what is fixed once the table is set, and `State`, what changes.

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
"""Something is there, and this view does not show what."""

HIGH, LOW = 0, 1
"""The two prestige tokens of a city."""

CAPTAIN, LADY, ELDER = 0, 1, 2
ANY, MOVE = 1, 2
"""The two action symbols of a card; 0 where it shows none."""

KINDS = 6
OVER, PLAYING, BUILDING, MOVING, TAKING, SENDING = range(KINDS)
"""What the seat in turn is asked for, in the order of a turn."""


class Box:
    """What lies on the table and never changes during a game: options, cards, cities, roads."""

    players: Small
    ambassadors: Small
    """1 when played with the ambassadors."""
    face_down: Small
    """1 when tokens won lie face down (P24)."""
    messengers: Small
    """Messengers of each seat (M1); 0 without them."""
    cities: Small
    """Cities in play: nine, or ten with Pistoia (P1)."""
    cards: Small
    roads: Small

    city: Annotated[Bytes, np.int8, CARDS]
    crests: Annotated[Bytes, np.int8, CARDS]
    portrait: Annotated[Bytes, np.int8, CARDS]
    """Which patrician the card shows, or NONE."""
    portraits: Annotated[Bytes, np.int8, CARDS]
    symbol: Annotated[Bytes, np.int8, CARDS]
    """ANY, MOVE or 0."""
    start: Annotated[Bytes, np.int8, CARDS]
    """1 for a card with the star."""

    floors: Annotated[Bytes, np.int8, CITIES]
    """Floors a city holds when it is finished."""
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
    """The most messengers that may stand at a city (M3)."""
    messenger_points: Small
    penalty: Small
    """Points of the token for the fewest escorted towers (M6)."""
    ambassador_token: Annotated[Bytes, np.int8, 3]
    """The token that ambassador A, B, C counts (A1)."""
    ambassador_tie: Annotated[Bytes, np.int8, 3]
    """The city whose token decides a tie for A, B, C (A2)."""
    court: Annotated[Bytes, np.int8, 3]
    """The cities of ambassador D, in the order that decides its ties (A3)."""


class State:
    """Everything that changes during a game. One byte a field, so that a state has no padding and copies as bytes."""

    asked: Small
    """What is asked now: PLAYING, BUILDING, MOVING, TAKING, SENDING, or OVER."""
    seat: Small
    """Whose turn it is."""
    first: Small
    """Who had the first turn (P6): the card of turn k was played by seat (first + k) % players."""
    turn: Small
    """Turns begun and ended so far."""
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
    """1 where the card in hand came from the display, so that everybody has seen it."""
    display: Annotated[Bytes, np.int8, CITIES]
    """The face-up card beside each city, or NONE."""
    pile: Annotated[Bytes, np.int8, CARDS]
    """Cards to be drawn, from pile[drawn] on; NONE before that."""
    played: Annotated[Bytes, np.int8, CARDS]
    """The card of each turn, NONE from this turn on: everybody's stack, told apart by `first`."""

    floor: Annotated[Bytes, np.int8, (CITIES, SITES, LEVELS)]
    """Whose floor it is, from the ground up; NONE above the top."""
    height: Annotated[Bytes, np.int8, (CITIES, SITES)]
    floors: Annotated[Bytes, np.int8, (SEATS, CITIES)]
    """Own floors of a seat in a city."""
    won: Annotated[Bytes, np.int8, (CITIES, 2)]
    """Who won the HIGH and the LOW token, or NONE until the city is scored."""
    tokens: Annotated[Bytes, np.int8, SEATS]
    """Prestige tokens in front of each seat, face up or down."""
    beside: Annotated[Bytes, np.int8, CITIES]
    """Messengers beside a city (M3)."""
    escorts: Annotated[Bytes, np.int8, CITIES]
    """Those of them that were there in time for its scoring (M4)."""
    messenger: Annotated[Bytes, np.int8, ROADS]
    """Whose messenger is on a road, or NONE."""


BOX = layout(Box)
STATE = layout(State)
