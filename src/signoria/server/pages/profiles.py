"""The pages of players: their profiles, and all data of one's own account."""

from collections.abc import Sequence
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from signoria.games import GAMES
from signoria.kernel.language import capital, say, say_count
from signoria.kernel.words import ordinal
from signoria.server.guard.limits import RateLimiter
from signoria.server.lobby.catalogue import game_model, level_title
from signoria.server.pages.common import SubmittedForm, html, query_int, redirect, service_of, user_of
from signoria.server.pages.people import account_page
from signoria.server.people import profiles
from signoria.server.people.account_data import account_data, in_pieces
from signoria.server.people.moderation import message_by
from signoria.server.people.profiles import GameStatistics
from signoria.server.people.sessions import identity_of, viewer_model
from signoria.server.play.seat_models import margin_of_error, rating_model
from signoria.server.play.times import day_words
from signoria.store.people import User
from signoria.store.statistics import Count, PlayedRow
from signoria.web import pages
from signoria.web.board import find_board
from signoria.web.kit.curve import CurvePoint, draw_curve
from signoria.web.models import (
    GameProfile,
    Notice,
    PlayedLine,
    ProfilePage,
    RatingChangeModel,
    ReportedMessage,
    ShareLine,
    ShareList,
    SourceLine,
)


async def profile(request: Request) -> Response:
    """The profile of a player."""
    return await profile_page(request)


async def profile_page(request: Request, notice: Notice | None = None, status: int = 200) -> Response:
    """The profile of a player, with a message for the viewer."""
    service, viewer = service_of(request), user_of(request)
    async with service.database.read() as db:
        found = await profiles.find_profile(db, request.path_params["name"], viewer)
    user = found.user
    if user.name != request.path_params["name"]:
        return redirect(f"/people/{quote(user.name)}")
    seen = viewer or user
    model = ProfilePage(
        viewer=viewer_model(viewer),
        notice=notice,
        name=user.name,
        mine=found.mine,
        guest=user.guest,
        since=day_words(user.created_at),
        visible=found.visible,
        shown_to=user.shown_to if found.mine else "",
        games=tuple(map(game_profile, found.games)),
        followed=any(user_id == user.id for user_id, _ in seen.followed),
        muted=user.id in seen.muted,
        blocked=user.id in seen.blocked,
        invite_to=() if user.id in seen.blocked else tuple((game, game_model(game).title) for game in GAMES),
        reported=await _reported(request, user),
    )
    return html(pages.profile(model), status)


async def _reported(request: Request, about: User) -> ReportedMessage | None:
    """The message of this person that the address of the page names, for a report about it."""
    table, number = request.query_params.get("table", "")[:40], query_int(request, "message")
    if not table or number is None or user_of(request) is None:
        return None
    message = message_by(await service_of(request).room(table), about.id, number)
    return None if message is None else ReportedMessage(table=table, id=message.id, says=message.text)


def game_profile(found: GameStatistics) -> GameProfile:
    """The statistics of one game, in words and drawings."""
    game, total = GAMES[found.game], found.total
    board = find_board(found.game)
    most = max([abs(average) for average in found.sources.values()] or [0]) or 1
    lists = [
        ShareList(
            title=say("Wins by number of players"),
            lines=_shares(
                found.players, [say_count("{n} player", "{n} players", int(one.key)) for one in found.players]
            ),
        ),
        ShareList(
            title=say("Wins by opponent"),
            lines=tuple(
                ShareLine(
                    label=say("{name} (bot)", name=level_title(one.bot)) if one.bot else one.name,
                    profile="" if one.bot else one.name,
                    games=one.against.games,
                    wins=one.against.wins,
                )
                for one in found.opponents
            ),
        ),
        *(
            ShareList(
                title=game.habit_title(kind), lines=_shares(counts, [game.habit_name(kind, one.key) for one in counts])
            )
            for kind, counts in found.habits.items()
        ),
    ]
    return GameProfile(
        name=found.game,
        title=game_model(found.game).title,
        rating=rating_model(found.rating) if found.rating else None,
        total=ShareLine(label="", games=total.games, wins=total.wins),
        streak=total.streak,
        best_streak=total.best_streak,
        shares=tuple(lists),
        sources=tuple(
            SourceLine(
                label=capital(board.score_label(name)),
                average=average,
                width=round(100 * max(0, average) / most),
            )
            for name, average in found.sources.items()
            if average
        ),
        average=found.average,
        curve=draw_curve(tuple(_point(one) for one in found.curve), say("Rating after each rated game")),
        best=tuple(map(_played, found.best)),
        latest=tuple(map(_played, found.latest)),
    )


def _shares(counts: Sequence[Count], labels: Sequence[str]) -> tuple[ShareLine, ...]:
    return tuple(
        ShareLine(label=label, games=count.games, wins=count.wins) for count, label in zip(counts, labels, strict=True)
    )


def _point(one: PlayedRow) -> CurvePoint:
    return CurvePoint(
        one.mu or 0.0, None if one.sigma is None else margin_of_error(one.sigma), day_words(one.ended_at), one.table_id
    )


def _played(one: PlayedRow) -> PlayedLine:
    rated = one.mu is not None and one.mu_before is not None
    return PlayedLine(
        table=one.table_id,
        when=day_words(one.ended_at),
        players=one.players,
        points=one.points,
        place=ordinal(one.place),
        won=one.won,
        change=RatingChangeModel(before=one.mu_before or 0.0, after=one.mu or 0.0) if rated else None,
    )


async def show_to(form: SubmittedForm) -> Response:
    """Set who may see one's profile."""
    identity_of(form.request).require_browser()
    await profiles.set_shown_to(form.service.database, form.user, form.text("shown_to"))
    return await account_page(form.request, Notice(says=say("Your choice is saved."), good=True))


async def download(request: Request) -> Response:
    """Everything that the server has stored about the viewer, as JSON."""
    user = identity_of(request).require_browser()
    limits: RateLimiter = request.app.state.rate_limiter
    limits.check("downloads", user.id, "requests")
    data = await account_data(service_of(request), user)
    headers = {"Content-Disposition": 'attachment; filename="signoria-my-data.json"'}
    return StreamingResponse(in_pieces(data), headers=headers, media_type="application/json")
