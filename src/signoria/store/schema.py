"""The tables of the database. Steps are only ever added; everything else is data that the steps do not contain.

Times are whole milliseconds since 1970 (UTC), which both databases store and compare in the same way.
"""

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    text,
    true,
)

NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}

PUBLIC = "coalesce(invitation, '') = ''"
"""Tables without an invitation, written in a form that only the indexes of public tables match.

For `invitation IS NULL`, SQLite would use the index on invitations and read every public table.
"""

metadata = MetaData(naming_convention=NAMING)


def _where(condition: str) -> dict[str, Any]:
    """Restrict an index to the rows that meet a condition."""
    return {"sqlite_where": text(condition), "postgresql_where": text(condition)}


users = Table(
    "users",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False, index=True),
    Column("name_key", Text, nullable=False, unique=True),  # the name as it is compared: no two look alike
    Column("password", Text),  # argon2; None for a guest
    Column("created_at", BigInteger, nullable=False),
    Column("seen_at", BigInteger, nullable=False),
    Column("unasked", Boolean, nullable=False, server_default=true()),  # forced moves are played automatically
    Index("ix_users_guests", "seen_at", "id", **_where("password IS NULL")),
)

sessions = Table(
    "sessions",
    metadata,
    Column("hash", Text, primary_key=True),  # SHA-256 of the cookie
    Column("user_id", Text, ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("created_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False, index=True),
)

tokens = Table(
    "tokens",
    metadata,
    Column("id", Text, primary_key=True),
    Column("hash", Text, nullable=False, unique=True),  # SHA-256 of the token, which is shown only once
    Column("user_id", Text, ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("name", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("used_at", BigInteger),
)

blocks = Table(
    "blocks",
    metadata,
    Column("id", Text, primary_key=True),
    Column("user_id", Text, ForeignKey("users.id", ondelete="CASCADE"), nullable=False),  # who blocks
    Column("blocked_id", Text, ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("created_at", BigInteger, nullable=False),
    UniqueConstraint("user_id", "blocked_id"),
)

tables = Table(
    "tables",
    metadata,
    Column("id", Text, primary_key=True),
    Column("game", Text, nullable=False),
    Column("rules", Text, nullable=False),  # the version of the rules for its steps
    Column("options", Text, nullable=False),  # JSON, as in a record
    Column("state", Text, nullable=False),  # open, playing, over, closed
    Column("host_id", Text, ForeignKey("users.id", ondelete="SET NULL")),
    Column("invitation", Text, unique=True),  # the secret in its link; None if anyone may join
    Column("clock", Integer, nullable=False),  # seconds per move; 0 for no clock
    Column("stand_in", Text, nullable=False),  # the level of the bot that plays for absent players
    Column("pace", Integer, nullable=False),  # milliseconds before a bot's move
    Column("rated", Boolean, nullable=False),
    Column("seed", Text, nullable=False),  # 64 hex digits; a secret until the game is over
    Column("n", Integer, nullable=False),  # number of steps, including undos and the steps they took back
    Column("turn", Integer),  # the seat whose turn it is; None unless playing
    Column("turn_at", BigInteger),  # since when
    Column("due_at", BigInteger),  # when the server has to act (a bot's move, a clock); None for never
    Column("revision", Integer, nullable=False),  # counts changes of state and seats
    Column("result", Text),  # JSON, as in a record, once over
    Column("origin_id", Text),  # for games continued from a replay: the table that the first steps come from
    Column("rematch_id", Text),  # the table of the rematch
    Column("created_at", BigInteger, nullable=False),
    Column("started_at", BigInteger),
    Column("ended_at", BigInteger),
    Column("touched_at", BigInteger, nullable=False),  # when anyone last did something here
    Column("hints", Text, nullable=False, server_default="allowed"),  # none, allowed, or asked (a hint was given)
    Column("aid", Boolean, nullable=False, server_default=true()),  # the card tracker is on
    Column("used_before", BigInteger, nullable=False, server_default="0"),  # ms the previous seat used for its turn
    Column("attempts", Integer, nullable=False, server_default="0"),  # processes that died while doing what is due
    # Each list is read from an index with exactly its rows in its order, so that the planner has no choice.
    Index("ix_tables_public", "state", "touched_at", "id", **_where(PUBLIC)),
    Index("ix_tables_public_game", "state", "game", "touched_at", "id", **_where(PUBLIC)),
    Index("ix_tables_host", "host_id", "state", "ended_at", "id"),
    Index("ix_tables_open", "touched_at", "id", **_where("state = 'open'")),
    Index("ix_tables_over", "ended_at", "id", **_where("state = 'over'")),
    Index("ix_tables_due", "due_at", **_where("state = 'playing'")),
)

seats = Table(
    "seats",
    metadata,
    Column("table_id", Text, ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("user_id", Text, ForeignKey("users.id", ondelete="SET NULL")),
    Column("name", Text),  # the player's name here; several people may share one device and account
    Column("bot", Text),  # the level of the bot in this seat
    Column("away", Boolean, nullable=False),  # a bot plays for the absent player
    Column("resigned", Boolean, nullable=False),  # the player will not return
    Column("salt", Text, nullable=False),  # the shuffle word of this seat
    Column("state", Text, nullable=False, server_default="open"),  # copied from the table, for an index of games
    Column("ended_at", BigInteger),  # copied from the table
    Index("ix_seats_player", "user_id", "state", "ended_at", "table_id"),
)

removals = Table(
    "removals",
    metadata,
    Column("table_id", Text, ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    # people whom the host removed; they cannot join this table again
    Column("user_id", Text, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, index=True),
)

steps = Table(
    "steps",
    metadata,
    Column("table_id", Text, ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("n", Integer, primary_key=True),  # unique with the table's id: no step is lost or made twice
    Column("seat", Integer, nullable=False),
    Column("step", Text, nullable=False),  # JSON as in a record; {"do": "undo"} undoes the last step
    Column("by", Text, nullable=False),  # person, bot, or house (a forced move, played by the server)
    Column("at", BigInteger, nullable=False),
)

sealed = Table(
    "sealed",
    metadata,
    Column("table_id", Text, ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("user_id", Text, ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("round", Integer, nullable=False),  # the round of the game; void in the next round
    Column("most", Text, nullable=False),  # JSON: by lot, the maximum that the server bids for this seat; 0 means pass
)

messages = Table(
    "messages",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("table_id", Text, ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
    Column("user_id", Text, ForeignKey("users.id", ondelete="CASCADE")),  # None: from the server
    Column("seat", Integer),
    Column("name", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Index(None, "table_id", "id"),
    Index("ix_messages_user", "user_id", "id", **_where("user_id IS NOT NULL")),
    Index("ix_messages_house", "table_id", "id", **_where("user_id IS NULL")),
    sqlite_autoincrement=True,  # numbers are never reused, as in PostgreSQL
)

heartbeat = Table(  # one row
    "heartbeat",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),  # when the server was last alive
    Column("until", BigInteger),  # alive unless no later beat came by then; None: it stopped, or no game is in play
    Column("ballast", Text),  # written and deleted again, to check that there is free space
)

ratings = Table(
    "ratings",
    metadata,
    Column("game", Text, primary_key=True),
    Column("who", Text, primary_key=True),  # a user's id, or a bot's level
    Column("user_id", Text, ForeignKey("users.id", ondelete="CASCADE"), index=True),  # None for a bot
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("games", Integer, nullable=False),
    Column("ordinal", Float, nullable=False, server_default="0"),  # mu - 3 sigma; the order of rankings
    Index("ix_ratings_ordinal", "game", "ordinal", "who"),
)
