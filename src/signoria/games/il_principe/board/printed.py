"""What is printed of Il Principe: a score sheet, a player aid, and the map."""

from typing import Any

from markupsafe import Markup

from signoria.games.il_principe.board.ending import MIDDLES
from signoria.games.il_principe.board.map import HEIGHT, MAP, WIDTH, silhouette
from signoria.games.il_principe.board.still import paper, towns
from signoria.games.il_principe.board.words import CITIES, REGIONS, ROLES, ability
from signoria.games.il_principe.rulebook.components import FIGURES, standard
from signoria.games.il_principe.words import amounts
from signoria.kernel.language import per_language
from signoria.kernel.words import spelled
from signoria.web.environment import macros
from signoria.web.kit.sprite import use

WEST = frozenset({"lucca"})
"""Cities whose names are written to the west of them, because another city is close."""


@per_language()
def _printed() -> Any:
    return macros(
        f"{__package__}:printed.html",
        use=use,
        amounts=amounts,
        points=amounts.points,
        ability=ability,
        spelled=spelled,
        figures=FIGURES,
        roles=ROLES,
        regions=REGIONS,
        names=CITIES,
        cities=standard().cities,
        ground=_outlined,
    )


def _outlined(region: str) -> Markup:
    """A region with an outline, because white regions would not show on paper."""
    return Markup(str(silhouette(region)).replace("<use ", '<use stroke="var(--pen)" stroke-width="5" '))


def score_sheet() -> Markup:
    """A score sheet for five players: regions, roles, sets and so on."""
    return Markup(_printed().sheet())


def player_aid() -> Markup:
    """A round, the roles, scoring and all cities."""
    return Markup(_printed().aid())


def draw_map() -> str:
    """The six regions and the fifteen cities."""
    page = paper(0)
    clip = f'<clipPath id="map"><rect width="{MAP}" height="{HEIGHT}"/></clipPath>'
    parts = [f'{clip}<g clip-path="url(#map)">{page.use("italy", 0, 0, WIDTH, HEIGHT)}</g>']
    parts += [page.text(*MIDDLES[region], name, 21, "middle", bold=True) for region, name in REGIONS.items()]
    for city, (x, y) in towns().items():
        parts.append(page.use("town", x - 13, y - 17, 26, 22))
        parts.append(page.text(x - 2, y + 18, CITIES[city], 15, "end" if city in WEST else "middle"))
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {MAP} {HEIGHT}" font-family="Alegreya">{"".join(parts)}</svg>'
