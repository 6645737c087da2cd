"""Endpoints for profiles and for the data of one's own account."""

from typing import Any

from starlette.responses import Response, StreamingResponse

from signoria.server.api.calls import JSON, ApiCall
from signoria.server.api.operations import ROOT, Operation, account_operation
from signoria.server.api.requests import ProfileSettings
from signoria.server.api.responses.people import (
    OpponentShare,
    PlayedGame,
    ProfileInfo,
    RatingAfter,
    Share,
    StatisticsInfo,
)
from signoria.server.api.serializers import rating_info
from signoria.server.people import profiles
from signoria.server.people.account_data import account_data, in_pieces
from signoria.server.people.profiles import GameStatistics
from signoria.server.people.sessions import identity_of
from signoria.server.play.seat_models import margin_of_error, rating_model
from signoria.store import people
from signoria.store.statistics import PlayedRow


async def profile(call: ApiCall) -> ProfileInfo:
    """The profile of a player, as far as the caller may see it."""
    async with call.service.database.read() as db:
        found = await profiles.find_profile(db, call.request.path_params["name"], call.user)
    return ProfileInfo(
        name=found.user.name,
        guest=found.user.guest,
        since=found.user.created_at,
        visible=found.visible,
        games={one.game: _statistics(one) for one in found.games},
    )


def _statistics(found: GameStatistics) -> StatisticsInfo:
    total = found.total
    return StatisticsInfo(
        rating=rating_info(rating_model(found.rating)) if found.rating else None,
        games=total.games,
        wins=total.wins,
        average=found.average,
        streak=total.streak,
        best_streak=total.best_streak,
        players={count.key: Share(games=count.games, wins=count.wins) for count in found.players},
        opponents=tuple(
            OpponentShare(name=one.name or None, bot=one.bot, games=one.against.games, wins=one.against.wins)
            for one in found.opponents
        ),
        habits={
            kind: {count.key: Share(games=count.games, wins=count.wins) for count in counts}
            for kind, counts in found.habits.items()
        },
        sources=found.sources,
        curve=tuple(
            RatingAfter(
                table=one.table_id or None,
                at=one.ended_at,
                mean=one.mu or 0.0,
                reach=None if one.sigma is None else margin_of_error(one.sigma),
            )
            for one in found.curve
        ),
        best=tuple(map(_finished, found.best)),
        latest=tuple(map(_finished, found.latest)),
    )


def _finished(one: PlayedRow) -> PlayedGame:
    return PlayedGame(
        table=one.table_id or None,
        at=one.ended_at,
        players=one.players,
        points=one.points,
        place=one.place,
        won=one.won,
        rating_before=one.mu_before,
        rating=one.mu,
    )


async def set_profile(call: ApiCall) -> ProfileInfo:
    """Set who may see the caller's profile; returns the profile."""
    user, wanted = call.signed_in_user, await call.body(ProfileSettings)
    identity_of(call.request).require_browser()
    await profiles.set_shown_to(call.service.database, user, wanted.shown_to)
    call.request.path_params["name"] = user.name
    return await profile(call)


async def my_data(call: ApiCall) -> Response:
    """Everything that the server has stored about the caller, except secrets."""
    caller = identity_of(call.request).require_browser()
    call.limit("downloads", "requests")
    async with call.service.database.read() as db:
        user = await people.find_user(db, caller.id)
    data = await account_data(call.service, user or caller)
    return StreamingResponse(in_pieces(data), media_type=JSON)


OPERATIONS = (
    Operation(
        method="GET",
        path=f"{ROOT}/people/{{name}}",
        handler=profile,
        summary="The profile of a player",
        tag="people",
        answers=(ProfileInfo,),
        refuses={404: "There is no player of that name."},
    ),
    account_operation(
        method="POST",
        path=f"{ROOT}/me/profile",
        handler=set_profile,
        summary="Set who may see your profile",
        more="A token cannot do this.",
        body=(ProfileSettings,),
        answers=(ProfileInfo,),
        example={"shown_to": "everyone"},
    ),
    account_operation(
        method="GET",
        path=f"{ROOT}/me/data",
        handler=my_data,
        summary="Everything stored about you",
        more="A token cannot do this.",
        answers=(dict[str, Any],),
        refuses={403: "You used a token."},
    ),
)
