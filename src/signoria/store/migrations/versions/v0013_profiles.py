"""Adds profiles: finished games of people and counts of them, computed for all games so far."""

import json
from collections.abc import Iterator
from itertools import groupby
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"

BATCH = 500

PLAYED = sa.table(
    "played",
    *(
        sa.column(name)
        for name in (
            *("user_id", "table_id", "game", "players", "points", "place", "won", "ended_at"),
            *("mu_before", "mu", "sigma"),
        )
    ),
)
COUNT = sa.text(
    "INSERT INTO player_stats (user_id, game, kind, key, games, wins, points, streak, best_streak)"
    " VALUES (:user_id, :game, :kind, :key, 1, :won, :points, :won, :won)"
    " ON CONFLICT (user_id, game, kind, key) DO UPDATE SET games = player_stats.games + 1,"
    " wins = player_stats.wins + excluded.wins, points = player_stats.points + excluded.points,"
    " streak = CASE WHEN excluded.wins > 0 THEN player_stats.streak + 1 ELSE 0 END,"
    " best_streak = CASE WHEN excluded.wins > 0 AND player_stats.streak + 1 > player_stats.best_streak"
    " THEN player_stats.streak + 1 ELSE player_stats.best_streak END"
)


def upgrade() -> None:
    """Profiles show all games so far, except what a game itself says about them, and ratings only without their margin."""
    op.add_column("users", sa.Column("shown_to", sa.Text(), nullable=False, server_default="everyone"))
    op.create_table(
        "played",
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("won", sa.Boolean(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=False),
        sa.Column("mu_before", sa.Float(), nullable=True),
        sa.Column("mu", sa.Float(), nullable=True),
        sa.Column("sigma", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_played_user_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_played_table_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("user_id", "table_id", name=op.f("pk_played")),
    )
    op.create_table(
        "player_stats",
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.Column("points", sa.BigInteger(), nullable=False),
        sa.Column("streak", sa.Integer(), nullable=False),
        sa.Column("best_streak", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_player_stats_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("user_id", "game", "kind", "key", name=op.f("pk_player_stats")),
    )
    _count_all(op.get_bind())
    op.create_index(op.f("ix_played_table_id"), "played", ["table_id"], unique=False)
    op.create_index("ix_played_latest", "played", ["user_id", "game", "ended_at", "table_id"], unique=False)
    op.create_index("ix_played_best", "played", ["user_id", "game", "points", "ended_at", "table_id"], unique=False)
    op.create_index("ix_player_stats_most", "player_stats", ["user_id", "game", "kind", "games", "key"], unique=False)
    against = sa.text("kind = 'opponent'")
    op.create_index(
        "ix_player_stats_opponent",
        "player_stats",
        ["key"],
        unique=False,
        sqlite_where=against,
        postgresql_where=against,
    )


def _count_all(db: sa.Connection) -> None:
    """Count all finished games so far, oldest first, because of the streaks."""
    for table, sitting in _finished(db):
        result = json.loads(table.result)
        players = [row.user_id or row.bot for row in sitting]
        people = [row for row in sitting if row.user_id and players.count(row.user_id) == 1]
        if len(result["scores"]) != len(sitting) or not people:
            continue
        games, counts = [], []
        for row in people:
            gone, won = row.away or row.resigned, row.seat in result["winners"] and not (row.away or row.resigned)
            score = result["scores"][row.seat]
            change = result["ratings"][row.seat] if result.get("ratings") else {}
            better = sum(other["total"] > score["total"] for other in result["scores"])
            games.append(
                {
                    "user_id": row.user_id, "table_id": table.id, "game": table.game, "players": len(sitting),
                    "points": score["total"], "place": len(sitting) if gone else 1 if won else max(2, better + 1),
                    "won": won, "ended_at": table.ended_at, "mu_before": change.get("before"), "mu": change.get("after"),
                    "sigma": None,
                }
            )  # fmt: skip
            common = {"user_id": row.user_id, "game": table.game, "won": int(won)}
            kinds = [("all", ""), ("players", str(len(sitting)))]
            kinds += [("opponent", other) for other in dict.fromkeys(players) if other and other != row.user_id]
            counts += [common | {"kind": kind, "key": key, "points": score["total"]} for kind, key in kinds]
        db.execute(PLAYED.insert(), games)
        db.execute(COUNT, counts)


def _finished(db: sa.Connection) -> Iterator[tuple[Any, list[Any]]]:
    """Finished games that began with the deal, with their seats."""
    query = sa.text(
        "SELECT id, game, result, ended_at FROM tables WHERE state = 'over' AND result IS NOT NULL AND origin_id IS NULL"
        " AND (ended_at > :at OR (ended_at = :at AND id > :id)) ORDER BY ended_at, id LIMIT :most"
    )
    at, last = -1, ""
    while tables := db.execute(query, {"at": at, "id": last, "most": BATCH}).all():
        at, last = tables[-1].ended_at, tables[-1].id
        seats = sa.text(
            "SELECT table_id, seat, user_id, bot, away, resigned FROM seats WHERE table_id IN :ids ORDER BY table_id, seat"
        ).bindparams(sa.bindparam("ids", expanding=True))
        rows = db.execute(seats, {"ids": [table.id for table in tables]}).all()
        sitting = {table_id: list(some) for table_id, some in groupby(rows, lambda row: row.table_id)}
        yield from ((table, sitting.get(table.id, [])) for table in tables)
