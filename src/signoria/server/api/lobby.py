"""What can be played, which tables there are, opening one, ratings, and who is asking."""

import msgspec
from starlette.responses import Response

from signoria.games import GAMES
from signoria.server import listing, seating
from signoria.server.api.answers import (
    Choice,
    ClockFacts,
    GameFacts,
    Games,
    LevelFacts,
    Me,
    OptionFacts,
    Ranking,
    Rated,
    Tables,
)
from signoria.server.api.asking import JSON, Asked
from signoria.server.api.facts import rating, table_facts, table_line
from signoria.server.api.given import Chair, OpenTable
from signoria.server.api.writing import encoded
from signoria.server.clocks import CLOCKS
from signoria.server.errors import BadField, NotFound
from signoria.server.gate.names import clean_name
from signoria.server.gate.opening import may_open
from signoria.server.listing import Listing
from signoria.server.offered import LEVEL_MODELS, game_models, level_title
from signoria.server.showing import rating_model
from signoria.store import ratings
from signoria.web.models import OptionModel

YES_OR_NO = ((False, "no"), (True, "yes"))


async def games(_asked: Asked) -> Games:
    """What can be chosen when a table is opened."""
    return Games(
        games=tuple(
            GameFacts(
                name=game.name,
                title=game.title,
                rules=GAMES[game.name].version,
                intro=game.intro,
                seats=tuple(GAMES[game.name].seats),
                options=tuple(_option(option) for option in game.options),
            )
            for game in game_models()
        ),
        levels=tuple(LevelFacts(id=level.id, title=level.title, says=level.says) for level in LEVEL_MODELS),
        clocks=tuple(ClockFacts(seconds=seconds, says=says) for seconds, says in CLOCKS),
    )


def _option(option: OptionModel) -> OptionFacts:
    choices = option.choices or YES_OR_NO
    return OptionFacts(
        name=option.name,
        title=option.title,
        says=option.says,
        clause=option.clause,
        choices=tuple(Choice(value=value, says=says) for value, says in choices),
    )


async def list_tables(asked: Asked) -> Tables:
    """Tables of one kind; only people who sit there see invitation tables."""
    query = asked.query
    user = asked.person if query.state == "mine" else asked.user
    game, player, after = (
        None if given is msgspec.UNSET else given for given in (query.game, query.player, query.after)
    )
    wanted = Listing(None if query.state == "mine" else query.state, game, player, after or "")
    async with asked.house.database.read() as db:
        found = await listing.list_tables(db, user, wanted, query.limit)
    return Tables(tables=tuple(table_line(row, user) for row in found.rows), next=found.next)


async def open_table(asked: Asked) -> Response:
    """Open a table."""
    wanted, user = await asked.given(OpenTable), asked.person
    opened = await may_open(asked.request, user)
    if "players" in wanted.options:
        raise BadField("options.players", "options.players: the number of seats says how many play.")
    wish = seating.Wish(
        game=wanted.game,
        options=wanted.options,
        chairs=tuple(_chair(number, chair) for number, chair in enumerate(wanted.seats)),
        clock=wanted.clock,
        invited=wanted.invited,
        stand_in=wanted.stand_in,
        rated=wanted.rated,
        hints=wanted.hints,
        aid=wanted.memory_aid,
    )
    row = await seating.open_table(asked.house, user, wish)
    table = table_facts(await asked.house.room(row.id), user)
    return Response(encoded(table), 201, {"Location": f"/api/v1/tables/{opened(row.id)}"}, JSON)


def _chair(number: int, chair: Chair) -> seating.Chair:
    where = f"seats[{number}]"
    if (chair.kind == "bot") != (chair.bot is not None):
        raise BadField(f"{where}.bot", f"{where}.bot: a level is for a seat of the kind bot, which needs one.")
    if chair.name and chair.kind != "me":
        raise BadField(f"{where}.name", f"{where}.name: only one's own seat is given a name.")
    name = clean_name(chair.name, f"{where}.name") if chair.name else ""
    return seating.Chair(chair.kind, bot=chair.bot or "", name=name)


async def ranking(asked: Asked) -> Ranking:
    """Who plays a game best."""
    game = asked.request.path_params["game"]
    if game not in GAMES:
        raise NotFound(f"There is no game {game[:40]!r}; there is {', '.join(GAMES)}.")
    async with asked.house.database.read() as db:
        rows = await ratings.top_ratings(db, game, asked.query.limit)
    return Ranking(
        game=game,
        ratings=tuple(
            Rated(
                place=place,
                name=row.name or level_title(row.who),
                bot=row.who if row.user_id is None else None,
                mean=(known := rating_model(row)).mean,
                reach=known.reach,
                games=known.games,
            )
            for place, row in enumerate(rows, 1)
        ),
    )


async def me(asked: Asked) -> Me:
    """Whoever asks."""
    user = asked.person
    async with asked.house.database.read() as db:
        rated = await ratings.ratings_of(db, user.id)
    return Me(
        id=user.id, name=user.name, guest=user.guest, ratings={row.game: rating(rating_model(row)) for row in rated}
    )
