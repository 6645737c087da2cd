"""Statistics for profiles: every finished game is added to those of its people, in the transaction that ends it."""

from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncConnection

from signoria.kernel.scores import Score
from signoria.server.people.ratings import RatingChange, left_to_bots, places
from signoria.server.play.room import TablePosition
from signoria.store import ratings, statistics
from signoria.store.statistics import ALL, OPPONENT, PLAYERS, SOURCE, Count, PlayedRow
from signoria.store.tables import SeatRow, TableRow


async def add_game(
    db: AsyncConnection, row: TableRow, position: TablePosition, changes: Sequence[RatingChange], now: int
) -> None:
    """Add a finished game to the statistics of its people.

    Games that continue another one do not count, nor do the seats of people who share a device. A player who left the game
    to a bot has not won.
    """
    players = [seat.user_id or seat.bot or "" for seat in row.seats]
    people = [seat for seat in row.seats if seat.user_id and players.count(seat.user_id) == 1]
    if row.origin_id is not None or not people:
        return
    table = position.table
    left = left_to_bots(row, position)
    winners = table.outcome.winners if table.outcome else ()
    ranked, scores = places(row, position), table.scores
    known = await ratings.ratings_for(db, row.game, [seat.user_id or "" for seat in people]) if changes else {}
    events = [event for entry in position.log for event in entry.events]
    games: list[PlayedRow] = []
    counts: list[Count] = []
    for seat in people:
        user_id = seat.user_id or ""
        score, rated = scores[seat.seat], known.get(user_id)
        won = seat.seat in winners and seat.seat not in left
        games.append(
            PlayedRow(
                user_id=user_id,
                table_id=row.id,
                game=row.game,
                players=len(row.seats),
                points=score.total,
                place=int(ranked[seat.seat]),
                won=won,
                ended_at=now,
                mu_before=changes[seat.seat]["before"] if changes else None,
                mu=changes[seat.seat]["after"] if changes else None,
                sigma=rated.sigma if rated else None,
            )
        )
        kinds = [(ALL, ""), (PLAYERS, str(len(row.seats)))]
        kinds += [(OPPONENT, other) for other in dict.fromkeys(players) if other not in ("", user_id)]
        kinds += _habits(table.game.habits(events, seat.seat))
        counts += [_count(seat, row.game, kind, key, won, score.total) for kind, key in kinds]
        counts += _sources(seat, row.game, won, score)
    await statistics.add_played(db, games, counts)


def _habits(found: dict[str, Sequence[str]]) -> list[tuple[str, str]]:
    return [(kind, key) for kind, keys in found.items() for key in dict.fromkeys(keys)]


def _count(seat: SeatRow, game: str, kind: str, key: str, won: bool, points: int) -> Count:
    return Count(seat.user_id or "", game, kind, key, 1, int(won), points, int(won), int(won))


def _sources(seat: SeatRow, game: str, won: bool, score: Score) -> list[Count]:
    """The points by source."""
    return [_count(seat, game, SOURCE, part.name, won, part.points) for part in score.parts]
