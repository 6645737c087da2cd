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
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    false,
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
    Column("language", Text),  # None: what the browser prefers
    Column("theme", Text),  # light, dark or auto; None: not chosen
    Column(
        "shown_to", Text, nullable=False, server_default="everyone"
    ),  # who may see the profile: everyone, friends, me
    Column("vacation_until", BigInteger),  # slow clocks stand still until then; None for no vacation
    Column("vacation_year", Integer, nullable=False, server_default="0"),  # the year of `vacation_used`
    Column("vacation_used", Integer, nullable=False, server_default="0"),  # vacation days taken in that year
    Column("moderator", Boolean, nullable=False, server_default=false()),  # may mute, rename and ban people
    Column("muted_until", BigInteger),  # writes no messages until then
    Column("banned_at", BigInteger),  # cannot sign in
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

emails = Table(  # confirmed addresses only; several accounts may have the same
    "emails",
    metadata,
    Column("user_id", Text, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True),
    Column("address", Text, nullable=False),
    Column("address_key", Text, nullable=False, index=True),  # the address as it is compared
    Column("confirmed_at", BigInteger, nullable=False),
)

email_tokens = Table(
    "email_tokens",
    metadata,
    Column("hash", Text, primary_key=True),  # SHA-256 of the secret in the link
    Column("user_id", Text, ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("kind", Text, nullable=False),  # confirm (an address) or recover (the account)
    Column("address", Text, nullable=False),
    Column("expires_at", BigInteger, nullable=False, index=True),
)

push_subscriptions = Table(
    "push_subscriptions",
    metadata,
    Column("id", Text, primary_key=True),
    Column("user_id", Text, ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("endpoint", Text, nullable=False, unique=True),  # the address of the browser's push service
    Column("p256dh", Text, nullable=False),  # the browser's public key
    Column("auth", Text, nullable=False),  # and its secret, for encryption
    Column("created_at", BigInteger, nullable=False),
    # the browser's session: a browser that is signed out gets no more messages
    Column("session", Text, ForeignKey("sessions.hash", ondelete="CASCADE"), nullable=False, index=True),
)

notification_settings = Table(
    "notification_settings",
    metadata,
    Column("user_id", Text, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True),
    Column("switches", Text, nullable=False),  # JSON: the channels of each kind of notification
    Column("zone", Text, nullable=False, server_default="UTC"),  # the person's time zone
    Column("quiet_from", Integer),  # minutes after midnight; None for no quiet hours
    Column("quiet_until", Integer),
    Column("digest", Integer, nullable=False, server_default="60"),  # minutes between two e-mails at least
    Column("unsubscribe", Text, nullable=False, unique=True),  # the secret in the links that stop e-mail
    Column("language", Text),  # of the browser in which they were saved; the language of the account comes first
    Column("mailed_at", BigInteger),  # when the last e-mail was sent
    Column("mailed_day", Integer, nullable=False, server_default="0"),  # days since 1970 of `mailed_count`
    Column("mailed_count", Integer, nullable=False, server_default="0"),  # e-mails sent on that day
)

deliveries = Table(  # the outbox: a message that will be sent to one person, with everything in `notices`
    "deliveries",
    metadata,
    Column("user_id", Text, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True),
    Column(
        "target", Text, primary_key=True
    ),  # email, `account` with kind and address, or the id of a push subscription
    Column("channel", Text, nullable=False),  # email, account (e-mail about the account) or push
    Column("due_at", BigInteger, nullable=False),  # when it is sent, or when a claim expires
    Column("attempts", Integer, nullable=False, server_default="0"),  # begun and not ended with success
    Column("dead_at", BigInteger),  # when the server gave up
    Index("ix_deliveries_due", "channel", "due_at", **_where("dead_at IS NULL")),
    Index("ix_deliveries_dead", "dead_at", **_where("dead_at IS NOT NULL")),
)

notices = Table(
    "notices",
    metadata,
    Column("user_id", Text, primary_key=True),
    Column("target", Text, primary_key=True),
    Column("kind", Text, primary_key=True),  # turn, invitation, rematch, seat, chat, end; or a message of the account
    Column("subject", Text, primary_key=True),  # the id of the table; for the account, an address
    Column("details", Text, nullable=False),  # JSON: names for the sentence; nothing that is hidden at the table
    Column("at", BigInteger, nullable=False),
    ForeignKeyConstraint(["user_id", "target"], ["deliveries.user_id", "deliveries.target"], ondelete="CASCADE"),
    Index("ix_notices_subject", "user_id", "subject"),
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

ties = Table(
    "ties",
    metadata,
    Column("user_id", Text, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True),
    Column("other_id", Text, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, index=True),
    Column("kind", Text, primary_key=True),  # follow or mute
    Column("created_at", BigInteger, nullable=False),
)

reports = Table(
    "reports",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("by_id", Text, ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    Column("about_id", Text, ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("table_id", Text, ForeignKey("tables.id", ondelete="SET NULL"), index=True),
    Column("text", Text, nullable=False),
    Column("quoted", Text, nullable=False),  # the message that it is about, as it was
    Column("at", BigInteger, nullable=False),
    Column("closed_at", BigInteger),
    Index("ix_reports_by", "by_id", "at"),
    Index("ix_reports_open", "id", **_where("closed_at IS NULL")),
    sqlite_autoincrement=True,
)

moderation_log = Table(  # only ever added to
    "moderation_log",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("at", BigInteger, nullable=False),
    Column("by_id", Text, ForeignKey("users.id", ondelete="SET NULL"), index=True),
    Column("action", Text, nullable=False),  # in words, without names
    Column("about_id", Text, ForeignKey("users.id", ondelete="SET NULL"), index=True),
    Column("text", Text, nullable=False),  # the reason
    sqlite_autoincrement=True,
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
    Column("result", Text),  # JSON, as in a record, once over; a rated game also has the changes of "ratings" by seat
    Column("origin_id", Text),  # for games continued from a replay: the table that the first steps come from
    Column("rematch_id", Text),  # the table of the rematch
    Column("created_at", BigInteger, nullable=False),
    Column("started_at", BigInteger),
    Column("ended_at", BigInteger),
    Column("touched_at", BigInteger, nullable=False),  # when anyone last did something here
    Column("hints", Text, nullable=False, server_default="allowed"),  # none, allowed, or asked (a hint was given)
    Column("aid", Boolean, nullable=False, server_default=true()),  # the card tracker is on
    Column("used_before", BigInteger, nullable=False, server_default="0"),  # ms the previous seat used for its turn
    Column("choosing", Integer, nullable=False, server_default="0"),  # bits: seats that a simultaneous choice waits for
    Column("attempts", Integer, nullable=False, server_default="0"),  # processes that died while doing what is due
    Column("total_time", Integer, nullable=False, server_default="0"),  # seconds for the whole game; 0: clock per move
    Column("increment", Integer, nullable=False, server_default="0"),  # seconds added after every turn
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
    Column("time_left", BigInteger),  # ms left when the turn began, if the table has a total time
    Index("ix_seats_player", "user_id", "state", "ended_at", "table_id"),
)

removals = Table(
    "removals",
    metadata,
    Column("table_id", Text, ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    # people whom the host removed; they cannot join this table again
    Column("user_id", Text, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, index=True),
)

invitations = Table(  # of open tables only
    "invitations",
    metadata,
    Column("table_id", Text, ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("user_id", Text, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True),
    Column("by_id", Text, ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("created_at", BigInteger, nullable=False),
    Index("ix_invitations_user", "user_id", "created_at", "table_id"),
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

orders = Table(
    "orders",
    metadata,
    Column("table_id", Text, ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("user_id", Text, ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("round", Integer, nullable=False),  # the round of the game; void in the next round
    Column("most", Text, nullable=False),  # JSON: by lot, the maximum that the server bids for this seat; 0 means pass
    Column("chosen", Text, nullable=False),  # JSON: by choice, the steps for when the seat is asked
    Column("note", Text, nullable=False),  # why the server dropped an order, for its owner
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
    Column("said", Text),  # what the server announces, as data: see MessageRow
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

played = Table(  # the finished games of people, for their profiles
    "played",
    metadata,
    Column("user_id", Text, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True),
    Column("table_id", Text, ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True, index=True),
    Column("game", Text, nullable=False),
    Column("players", Integer, nullable=False),
    Column("points", Integer, nullable=False),
    Column("place", Integer, nullable=False),  # from 1
    Column("won", Boolean, nullable=False),
    Column("ended_at", BigInteger, nullable=False),
    Column("mu_before", Float),  # the rating before and after the game; None if it was not rated
    Column("mu", Float),
    Column("sigma", Float),
    Index("ix_played_latest", "user_id", "game", "ended_at", "table_id"),
    Index("ix_played_best", "user_id", "game", "points", "ended_at", "table_id"),
)

player_stats = Table(  # counts of finished games, updated when a game ends
    "player_stats",
    metadata,
    Column("user_id", Text, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True),
    Column("game", Text, primary_key=True),
    Column("kind", Text, primary_key=True),  # all, players, opponent, source, or a kind of the game
    Column("key", Text, primary_key=True),  # what the games have in common
    Column("games", Integer, nullable=False),
    Column("wins", Integer, nullable=False),
    Column("points", BigInteger, nullable=False),  # their sum
    Column("streak", Integer, nullable=False),  # consecutive wins until now
    Column("best_streak", Integer, nullable=False),
    Index("ix_player_stats_most", "user_id", "game", "kind", "games", "key"),
    Index("ix_player_stats_opponent", "key", **_where("kind = 'opponent'")),
)
