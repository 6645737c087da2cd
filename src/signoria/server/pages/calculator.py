"""The score calculator, for games at a physical table."""

from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import Response

from signoria.games import AnyGame
from signoria.kernel.calculator import Calculation, calculate, entries_of
from signoria.kernel.game import Options
from signoria.kernel.language import say
from signoria.kernel.options import Option
from signoria.server.errors import BadField, NotFound
from signoria.server.lobby.catalogue import game_model
from signoria.server.pages.common import UNWRITABLE, game_of, html, user_of
from signoria.server.people.sessions import viewer_model
from signoria.web import pages
from signoria.web.log import people
from signoria.web.models import CalculatorPage, ScoreSheet, SeatModel

MOST_FIELDS = 200
LONGEST_NAME = 20


async def calculator(request: Request) -> Response:
    """The form, and the score sheet of what was entered. Its address has all entries, so it can be shared."""
    game = game_of(request)
    if game.calculator is None:
        raise NotFound(say("{game} has no score calculator.", game=game.title))
    query = request.query_params
    if len(query) > MOST_FIELDS:
        raise BadField("query", say("The address has more than {most} fields.", most=MOST_FIELDS))
    options = _options(game, query)
    seats = tuple(_seat(game, seat, query.get(f"name-{seat}", "")) for seat in range(options.players))
    grids = game.calculator.grids(options)
    given = {entry.name: query.get(entry.name, "")[:LONGEST_NAME] for entry in entries_of(grids)}
    counted = calculate(game, options, given, people(game.name, seats)) if "count" in query else Calculation()
    model = CalculatorPage(
        viewer=viewer_model(user_of(request)),
        game=game_model(game.name),
        options=tuple(option for option in game_model(game.name).options if option.name in game.calculator.options),
        chosen=frozenset(name for name in game.calculator.options if getattr(options, name)),
        seats=seats,
        grids=grids,
        given=given,
        faults=counted.faults,
        notes=counted.notes,
        sheet=ScoreSheet(scores=counted.scores, outcome=counted.outcome) if counted.scores else None,
    )
    return html(pages.calculator(model), 422 if counted.faults else 200)


def _options(game: AnyGame, query: QueryParams) -> Options:
    """The options that change what counts; raises `BadField`."""
    assert game.calculator is not None
    text = query.get("players", str(game.usual_players))
    possible = ", ".join(map(str, game.seats))
    if text not in map(str, game.seats):
        raise BadField(
            "players", say("players: {text!r} is not possible; use {possible}.", text=text[:20], possible=possible)
        )
    given: dict[str, Option] = {"players": int(text)}
    return game.options(given | {name: name in query for name in game.calculator.options})


def _seat(game: AnyGame, seat: int, name: str) -> SeatModel:
    shown = "".join(letter for letter in UNWRITABLE.sub("", name) if letter.isprintable()).strip()[:LONGEST_NAME]
    return SeatModel(
        seat=seat,
        title=game.seat_name(seat),
        colour=f"seat-{seat}",
        kind="person",
        name=shown,
        mine=False,
        away=False,
        resigned=False,
        rating=None,
    )
