"""The tables of the database. Steps are only ever added; the rest is what a step cannot tell.

Times are whole milliseconds since 1970 (UTC): both databases keep and compare them alike.
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
"""Tables without an invitation, in words that only the indexes of public tables answer to.

For `invitation IS NULL` SQLite would take the index that finds a table by its invitation, and read every public table.
"""

metadata = MetaData(naming_convention=NAMING)


def _where(condition: str) -> dict[str, Any]:
    """An index of only those rows that this holds for."""
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
    Column("unasked", Boolean, nullable=False, server_default=true()),  # the house makes steps that leave no choice
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
    Column("hash", Text, nullable=False, unique=True),  # SHA-256 of the token, which is shown once
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
    Column("rules", Text, nullable=False),  # the version of the rules that its steps are read by
    Column("options", Text, nullable=False),  # JSON, as in a record
    Column("state", Text, nullable=False),  # open, playing, over, closed
    Column("host_id", Text, ForeignKey("users.id", ondelete="SET NULL")),
    Column("invitation", Text, unique=True),  # the secret of its link; None where anybody may sit down
    Column("clock", Integer, nullable=False),  # seconds a move; 0 for none
    Column("stand_in", Text, nullable=False),  # the level of the bot that plays for whoever is absent
    Column("pace", Integer, nullable=False),  # milliseconds before a bot's step
    Column("rated", Boolean, nullable=False),
    Column("seed", Text, nullable=False),  # 64 hex digits; a secret until the game is over
    Column("n", Integer, nullable=False),  # steps so far, those taken back and the taking back included
    Column("turn", Integer),  # the seat that is asked; None unless playing
    Column("turn_at", BigInteger),  # since when
    Column("due_at", BigInteger),  # when the house has to act: a bot's step, a clock; None for never
    Column("revision", Integer, nullable=False),  # counts changes of state and seats
    Column("result", Text),  # JSON, as in a record, once over
    Column("origin_id", Text),  # the table whose first steps these are, for games played on from a replay
    Column("rematch_id", Text),  # the table where the same people meet again
    Column("created_at", BigInteger, nullable=False),
    Column("started_at", BigInteger),
    Column("ended_at", BigInteger),
    Column("touched_at", BigInteger, nullable=False),  # when somebody last did something here
    Column("hints", Text, nullable=False, server_default="allowed"),  # none, allowed; asked: one was given
    Column("aid", Boolean, nullable=False, server_default=true()),  # shows what everybody could have remembered
    Column("used_before", BigInteger, nullable=False, server_default="0"),  # ms the seat asked before took for its turn
    Column("attempts", Integer, nullable=False, server_default="0"),  # at what is due, by processes that died meanwhile
    # Each list is read from an index that holds exactly its rows in its order, so that no planner has a choice.
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
    Column("name", Text),  # how this person is called here; several people may share one device and account
    Column("bot", Text),  # the level of the bot that was given this seat
    Column("away", Boolean, nullable=False),  # a bot stands in
    Column("resigned", Boolean, nullable=False),  # and will to the end
    Column("salt", Text, nullable=False),  # what this seat adds to the shuffle
    Column("state", Text, nullable=False, server_default="open"),  # the table's, so that a person's games have an index
    Column("ended_at", BigInteger),  # the table's
    Index("ix_seats_player", "user_id", "state", "ended_at", "table_id"),
)

removals = Table(
    "removals",
    metadata,
    Column("table_id", Text, ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    # whom the host has removed: they cannot sit down at this table again
    Column("user_id", Text, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, index=True),
)

steps = Table(
    "steps",
    metadata,
    Column("table_id", Text, ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("n", Integer, primary_key=True),  # with the table's id unique: no step is lost, none is made twice
    Column("seat", Integer, nullable=False),
    Column("step", Text, nullable=False),  # JSON as in a record; {"do": "undo"} takes the last one back
    Column("by", Text, nullable=False),  # person, bot, or house (the only step possible)
    Column("at", BigInteger, nullable=False),
)

sealed = Table(
    "sealed",
    metadata,
    Column("table_id", Text, ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("user_id", Text, ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("round", Integer, nullable=False),  # of the game; in the next one it is void
    Column("most", Text, nullable=False),  # JSON: by lot, the most that the house bids for this seat; 0: it passes
)

messages = Table(
    "messages",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("table_id", Text, ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
    Column("user_id", Text, ForeignKey("users.id", ondelete="CASCADE")),  # None: the house speaks
    Column("seat", Integer),
    Column("name", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Index(None, "table_id", "id"),
    Index("ix_messages_user", "user_id", "id", **_where("user_id IS NOT NULL")),
    Index("ix_messages_house", "table_id", "id", **_where("user_id IS NULL")),
    sqlite_autoincrement=True,  # a number is never given twice, as in PostgreSQL
)

heartbeat = Table(  # one row
    "heartbeat",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),  # when the server was last known to be alive
    Column("until", BigInteger),  # alive unless no later beat has come by then; None: stopped, or no game in play
    Column("ballast", Text),  # written and deleted again, to find out whether there is room for more
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
    Column("ordinal", Float, nullable=False, server_default="0"),  # mu - 3 sigma; rankings have this order
    Index("ix_ratings_ordinal", "game", "ordinal", "who"),
)
