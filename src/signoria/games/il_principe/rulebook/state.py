"""A game of Il Principe as two small records: `Box` is fixed when the table is set up, `State` changes.

Building cards of a colour are all the same, so hands and buildings in play are counts by colour. Colours, cities,
regions and seats are numbers, in the order of `components.toml`; seats count from 0, clockwise.
"""

from typing import Annotated

import numpy as np

from signoria.kernel.layout import Bytes, Small, layout

SEATS, COLOURS, REGIONS = 5, 5, 6
CITIES, FACE_UP = 15, 4
BUILDINGS = 100
A_COLOUR = 20
"""Building cards of a colour."""
MOST_DUCATS = 100
"""More ducats than anyone can ever have: an income for each round that the pile allows, and the yellow roles."""

NONE = -1
"""No seat, no city, no colour."""
HIDDEN = -2
"""Something that is there but hidden in this view."""

GREEN, WHITE, RED, BLUE, YELLOW = range(COLOURS)
MAJOR, MINOR = 0, 1

KINDS = 7
OVER, OFFERING, BIDDING, FOUNDING, CRESTING, ACTING, TURNING = range(KINDS)
"""What the seat in turn is asked for, in the order of a round."""
NOBODY = KINDS
"""Nobody is asked, because `stage` happens next. Never the case between two steps."""

STAGES = 9
INCOME, REVEAL, LOTS, HAMMER, FOUNDED, ACTORS, MAJORS, MINORS, ROUND_END = range(STAGES)
"""What happens next when nobody is asked; each is a function in `rounds.py`."""


class Box:
    """Everything that stays the same during a game: options, figures, city cards."""

    players: Small
    variant: Small
    """1 when played with the money variant (I5)."""
    cities: Small
    """City cards in play (I2, I4)."""
    buildings: Small
    """Building cards in play (I2, I4)."""
    a_colour: Small
    minors: Small
    """1 when there are minor roles (I4)."""

    start_ducats: Small
    income: Small
    draws: Small
    """Cards everyone draws in a round (I10)."""
    offers: Small
    """Cards everyone offers in a round (I11)."""
    last_round_below: Small
    """With fewer cards in the pile, the round is the last one (I31, I32)."""
    last_lots: Small
    """Cards auctioned in the last round; 0 means all that are left (I31, I32)."""
    crests_each: Small
    major_points: Small
    minor_points: Small
    white_points: Small
    yellow_ducats: Small
    region_most: Small
    region_second: Small
    set_points: Small
    most_ducats: Small
    most_cards: Small

    ducats: Annotated[Bytes, np.int8, CITIES]
    """What a city costs (I17)."""
    cards: Annotated[Bytes, np.int8, (CITIES, COLOURS)]
    """Building cards that a city costs."""
    points: Annotated[Bytes, np.int8, CITIES]
    crests: Annotated[Bytes, np.int8, CITIES]
    """Crests that its founder places."""
    touches: Annotated[Bytes, np.int8, (CITIES, REGIONS)]
    """1 for the regions that touch a city."""


class State:
    """Everything that changes during a game. Fields consist of bytes, so a state has no padding and is copied as bytes."""

    asked: Small
    """What is asked now: OFFERING, BIDDING, FOUNDING, CRESTING, ACTING, TURNING, or OVER."""
    seat: Small
    """Who is asked."""
    first: Small
    """Who was Il Principe at the start (I3)."""
    principe: Small
    stage: Small
    """What happens next when nobody is asked."""
    phase: Small
    """The phase of the round, 1 to 4."""
    round_number: Small
    last: Small
    """1 in the last round (I31, I32)."""
    acted: Small
    """How many have had their turn in phase 3."""
    colour: Small
    """The colour of the current lot (phase 2) or role (phase 4)."""
    role: Small
    """MAJOR or MINOR, in phase 4."""
    contested: Small
    """1 when the role is auctioned (I22)."""
    bid: Small
    """The highest bid of this auction; 0 for none."""
    bidder: Small
    """Whose bid it is, or NONE."""
    bidding: Small
    """Who has not passed in this auction, as bits."""
    founding: Small
    """The city being founded, or NONE."""
    crests: Small
    """Crests still to be placed now."""
    drawn: Small
    """How many cards have left the building pile; the next is pile[drawn]."""
    turned_up: Small
    """How many have left the city pile; the next is city_pile[turned_up]."""

    spoken: Annotated[Bytes, np.int8, SEATS]
    """The last bid of each seat in this auction; 0 for none."""
    hand: Annotated[Bytes, np.int8, (SEATS, COLOURS)]
    cards: Annotated[Bytes, np.int8, SEATS]
    """The number of cards in each hand, which everyone can see."""
    known: Annotated[Bytes, np.int8, (SEATS, COLOURS)]
    """Cards in a hand or offer that everyone knows: won in an auction and not seen since."""
    bought: Annotated[Bytes, np.int8, (SEATS, COLOURS)]
    """Cards that a seat has won in auctions during the whole game."""
    spent: Annotated[Bytes, np.int8, (SEATS, COLOURS)]
    """Cards that everyone has seen leave a hand during the whole game."""
    offered: Annotated[Bytes, np.int8, (SEATS, COLOURS)]
    """Cards laid face down this round, until all are turned up (I12)."""
    laid: Annotated[Bytes, np.int8, SEATS]
    """The number of these cards, which everyone can see."""
    up: Annotated[Bytes, np.int8, (SEATS, COLOURS)]
    """Buildings in play, face up."""
    down: Annotated[Bytes, np.int8, (SEATS, COLOURS)]
    """Buildings in play, face down."""
    lot: Annotated[Bytes, np.int8, COLOURS]
    """Cards still to be auctioned this round."""
    gone: Annotated[Bytes, np.int8, COLOURS]
    """Cards that left the game unsold (I15)."""
    pile: Annotated[Bytes, np.int8, BUILDINGS]
    """Colours to be drawn, from pile[drawn] on; NONE before that."""

    display: Annotated[Bytes, np.int8, FACE_UP]
    """The face-up cities; NONE for an empty place."""
    city_pile: Annotated[Bytes, np.int8, CITIES]
    """Cities to be turned up, from city_pile[turned_up] on; NONE elsewhere."""

    founder: Annotated[Bytes, np.int8, CITIES]
    """Who founded a city, or NONE."""

    ducats: Annotated[Bytes, np.int8, SEATS]
    points: Annotated[Bytes, np.int8, SEATS]
    region: Annotated[Bytes, np.int8, (SEATS, REGIONS)]
    """The seat's crests in each region."""
    crests_left: Annotated[Bytes, np.int8, SEATS]
    holder: Annotated[Bytes, np.int8, (2, COLOURS)]
    """Who holds the MAJOR and the MINOR role of a colour, or NONE."""


BOX = layout(Box)
STATE = layout(State)
