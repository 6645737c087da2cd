"""Examples of the clauses of Il Principe: positions that the rules page draws, and that a test checks against the rules."""

from signoria.games.il_principe.examples.auctions import AUCTIONS
from signoria.games.il_principe.examples.cities import CITIES_AND_BUILDINGS
from signoria.games.il_principe.examples.end import ENDING
from signoria.games.il_principe.examples.roles import ROLES
from signoria.games.il_principe.examples.starting import STARTING

EXAMPLES = (*STARTING, *AUCTIONS, *CITIES_AND_BUILDINGS, *ROLES, *ENDING)
