"""Profiles: what people can read about a player, if that player allows it."""

from typing import NamedTuple

from sqlalchemy.ext.asyncio import AsyncConnection

from signoria.games import GAMES
from signoria.kernel.language import say, to_say
from signoria.server.errors import BadField, NotFound
from signoria.server.people.sessions import USER_TOPIC
from signoria.store import people, ratings, statistics, tables, ties
from signoria.store.database import Database
from signoria.store.people import User
from signoria.store.ratings import RatingRow
from signoria.store.statistics import ALL, OPPONENT, PLAYERS, SOURCE, Count, PlayedRow
from signoria.store.ties import FOLLOW

# Translators: Who may see a profile.
SHOWN_TO = {
    "everyone": to_say("Everyone"),
    "friends": to_say("Only people whom I follow"),
    "me": to_say("Only me"),
}
"""Who may see a profile, with labels."""
OPPONENTS, HABITS, BEST, LATEST = 8, 6, 5, 10
"""Lines of each list."""
CURVE = 100
"""Points of a rating curve."""
PARTS = 20


class OpponentCount(NamedTuple):
    """Games against one opponent."""

    name: str
    """Empty for a bot."""
    bot: str | None
    """The level of a bot."""
    against: Count


class GameStatistics(NamedTuple):
    """The statistics of a person in one game."""

    game: str
    rating: RatingRow | None
    total: Count
    players: list[Count]
    opponents: list[OpponentCount]
    habits: dict[str, list[Count]]
    """By kind of the game: what the person does most."""
    sources: dict[str, float]
    """The average points by part of the score sheet."""
    curve: list[PlayedRow]
    """Rated games, oldest first."""
    best: list[PlayedRow]
    latest: list[PlayedRow]

    @property
    def average(self) -> float:
        """The average number of points."""
        return self.total.points / self.total.games


class Profile(NamedTuple):
    """A player, and what a viewer may know."""

    user: User
    mine: bool
    visible: bool
    """Whether the viewer may see the statistics."""
    games: list[GameStatistics]


async def find_profile(db: AsyncConnection, name: str, viewer: User | None) -> Profile:
    """The profile of the player with this name, as far as the viewer may see it; raises `NotFound`."""
    found = await people.user_named(db, name)
    if found is None:
        raise NotFound(
            say("There is no player of that name. They may have another name now, or have deleted their account.")
        )
    user = found[0]
    mine = viewer is not None and viewer.id == user.id
    visible = await may_see(db, user, viewer)
    games = await all_statistics(db, user.id) if visible else []
    return Profile(user, mine, visible, games if mine else await _without_private_tables(db, games))


async def _without_private_tables(db: AsyncConnection, games: list[GameStatistics]) -> list[GameStatistics]:
    """The same statistics without the ids of tables by invitation: anyone who knows the id of a table can watch it."""
    listed = {row.table_id for game in games for row in (*game.curve, *game.best, *game.latest)}
    private = await tables.by_invitation(db, listed) if listed else set()

    def public(rows: list[PlayedRow]) -> list[PlayedRow]:
        return [row._replace(table_id="") if row.table_id in private else row for row in rows]

    return [
        game._replace(curve=public(game.curve), best=public(game.best), latest=public(game.latest)) for game in games
    ]


async def may_see(db: AsyncConnection, user: User, viewer: User | None) -> bool:
    """Whether a viewer may see the statistics and the list of finished games of a person."""
    if viewer is not None and viewer.id == user.id:
        return True
    if user.shown_to != "friends" or viewer is None:
        return user.shown_to == "everyone"
    return await ties.has_tie(db, user.id, viewer.id, FOLLOW)


async def all_statistics(db: AsyncConnection, user_id: str) -> list[GameStatistics]:
    """The statistics of a person in every game that they have played, read in a few statements."""
    rated = {row.game: row for row in await ratings.ratings_of(db, user_id)}
    wanted = [(game, kind, limit) for game in GAMES for kind, limit in _kinds(game).items()]
    counts = await statistics.counts_of(db, user_id, wanted)
    games = [game for game in GAMES if counts[game, ALL]]
    if not games:
        return []
    played = await statistics.latest_and_best(db, user_id, games, CURVE, BEST)
    names = await people.names_of(db, {count.key for game in games for count in counts[game, OPPONENT]})
    found = []
    for game in games:
        latest, best = played[game]
        of_kind = {kind: counts[game, kind] for kind in _kinds(game)}
        found.append(
            GameStatistics(
                game=game,
                rating=rated.get(game),
                total=of_kind[ALL][0],
                players=sorted(of_kind[PLAYERS], key=lambda count: int(count.key)),
                opponents=[
                    OpponentCount(names.get(count.key, ""), None if count.key in names else count.key, count)
                    for count in of_kind[OPPONENT]
                ],
                habits={kind: of_kind[kind] for kind in GAMES[game].habit_titles},
                sources={count.key: count.points / count.games for count in of_kind[SOURCE]},
                curve=[one for one in reversed(latest) if one.mu is not None],
                best=best,
                latest=latest[:LATEST],
            )
        )
    return found


def _kinds(game: str) -> dict[str, int]:
    """The kinds of counts of a game, and how many of each are read."""
    habits = dict.fromkeys(GAMES[game].habit_titles, HABITS)
    return {ALL: 1, PLAYERS: PARTS, OPPONENT: OPPONENTS, SOURCE: PARTS} | habits


async def set_shown_to(database: Database, user: User, shown_to: str) -> None:
    """Set who may see a person's profile; raises `BadField`."""
    if shown_to not in SHOWN_TO:
        raise BadField(
            "shown_to",
            say("shown_to: {found!r} is not valid; use {possible}.", found=shown_to[:20], possible=", ".join(SHOWN_TO)),
        )
    async with database.write() as w:
        await people.show_to(w.db, user.id, shown_to)
        w.tell(USER_TOPIC + user.id)
        w.tell("lobby")  # its lists show what games changed in ratings
