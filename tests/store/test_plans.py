"""No statement of the store examines more rows than it needs, with any number of rows, with and without statistics.

Every function of the store is called on a database with many rows, and the work of each statement is counted: in SQLite
as steps of its virtual machine, in PostgreSQL as rows that the nodes of its plan read.
"""

import inspect
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import suppress
from types import ModuleType
from typing import Any

import msgspec
import pytest
from sqlalchemy import event, text
from sqlalchemy.ext.asyncio import AsyncConnection

from signoria.store import (
    blocks,
    duties,
    emails,
    heartbeat,
    invitations,
    lists,
    messages,
    moderation,
    notifications,
    orders,
    outbox,
    people,
    ratings,
    statistics,
    steps,
    tables,
    ties,
    vacations,
)
from signoria.store.database import Database
from signoria.store.heartbeat import Beat
from signoria.store.lists import Place
from signoria.store.notifications import PushSubscription, SettingsRow
from signoria.store.orders import OrdersRow
from signoria.store.outbox import Delivery, NoticeRow
from signoria.store.ratings import RatingRow
from signoria.store.sqlite import driver_of
from signoria.store.statistics import Count, PlayedRow
from signoria.store.steps import StepRow
from signoria.store.tables import SeatRow
from signoria.store.vacations import Vacation
from tests.databases import in_loop, opened
from tests.store.rows import table_row

MODULES: tuple[ModuleType, ...] = (
    blocks, duties, emails, heartbeat, invitations, lists, messages, moderation, notifications, orders, outbox, people, ratings,
    statistics, steps, tables, ties, vacations,
)  # fmt: skip
MANY = 16_000
"""Number of finished tables, messages, people and sessions, each."""
MOST_STEPS, MOST_ROWS = 40_000, 3_000
"""Limit for one statement: steps of SQLite's virtual machine, or rows read by PostgreSQL."""
A_SERIES = {
    "sqlite": "(WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < {last}) SELECT i FROM n)",
    "postgresql": "generate_series(0, {last})",
}
FILL = (
    "INSERT INTO users (id, name, name_key, password, created_at, seen_at, unasked)"
    " SELECT 'u' || i, 'u' || i, 'u' || i, CASE WHEN i % 2 = 0 THEN 'hash' END, 1, i, true FROM {series} AS s(i)",
    "INSERT INTO tables (id, game, rules, options, state, host_id, invitation, clock, stand_in, pace, rated, seed, n,"
    " turn, due_at, revision, created_at, touched_at, ended_at, hints, aid)"
    " SELECT 't' || i, CASE WHEN i = 5 THEN 'il-principe' ELSE 'patrician' END, '1', '{{}}',"
    " CASE WHEN i % 300 = 7 THEN 'open' WHEN i % 300 = 8 THEN 'playing' WHEN i % 2 = 0 THEN 'closed' ELSE 'over' END,"
    " CASE WHEN i % 300 IN (7, 8) THEN 'u9' ELSE 'u1' END, CASE WHEN i % 4 < 2 THEN 'secret' || i END, 0, 'muratore',"
    " 0, true, 'x', 0, 0, CASE WHEN i % 300 = 8 THEN i END, 0, 1, i, CASE WHEN i % 300 IN (7, 8) THEN NULL ELSE i END,"
    " 'allowed', true FROM {series} AS s(i)",
    "INSERT INTO seats (table_id, seat, user_id, name, bot, away, resigned, salt, state, ended_at)"
    " SELECT tables.id, k.i, CASE k.i WHEN 0 THEN 'u1' WHEN 1 THEN 'u2' END, 'x', CASE WHEN k.i = 2 THEN 'muratore' END,"
    " false, false, '', tables.state, tables.ended_at FROM tables, {three} AS k(i)"
    " WHERE k.i <> 0 OR tables.ended_at IS NOT NULL",
    "INSERT INTO messages (table_id, user_id, seat, name, text, at)"
    " SELECT CASE WHEN i % 3 = 0 THEN 't1' ELSE 't' || i END, CASE WHEN i % 3 = 0 THEN 'u2' WHEN i % 3 = 1 THEN 'u1' END, 0, 'x', 'said', i"
    " FROM {series} AS s(i)",
    "INSERT INTO sessions (hash, user_id, created_at, expires_at) SELECT 'h' || i, 'u' || i, 1, i FROM {series} AS s(i)",
    "INSERT INTO tokens (id, hash, user_id, name, created_at)"
    " SELECT 'k' || i, 'h' || i, 'u' || i, 'x', 1 FROM {series} AS s(i)",
    "INSERT INTO ratings (game, who, user_id, mu, sigma, games, ordinal)"
    " SELECT 'patrician', 'u' || i, 'u' || i, 25, 1, 1, i FROM {series} AS s(i)",
    "INSERT INTO steps (table_id, n, seat, step, by, at) SELECT 't' || i, 0, 0, '{{}}', 'person', 1 FROM {series} AS s(i)",
    "INSERT INTO blocks (id, user_id, blocked_id, created_at)"
    " SELECT 'b' || i, 'u' || i, 'u' || (i + 1), 1 FROM {series} AS s(i) WHERE i < {last}",
    "INSERT INTO removals (table_id, user_id) SELECT 't' || i, 'u' || i FROM {series} AS s(i)",
    "INSERT INTO orders (table_id, seat, user_id, round, most, chosen, note) SELECT 't' || i, 0, 'u' || i, 1, '{{}}', '{{}}', '' FROM {series} AS s(i)",
    "INSERT INTO emails (user_id, address, address_key, confirmed_at)"
    " SELECT 'u' || i, 'a' || i || '@example.org', 'a' || i || '@example.org', 1 FROM {series} AS s(i)",
    "INSERT INTO email_tokens (hash, user_id, kind, address, expires_at)"
    " SELECT 'h' || i, 'u' || i, 'confirm', 'a@example.org', i FROM {series} AS s(i)",
    "INSERT INTO push_subscriptions (id, user_id, endpoint, p256dh, auth, created_at, session)"
    " SELECT 'p' || i, 'u' || i, 'https://push.example.org/' || i, 'x', 'y', 1, 'h' || i FROM {series} AS s(i)",
    "INSERT INTO notification_settings (user_id, switches, unsubscribe)"
    " SELECT 'u' || i, '{{}}', 'secret' || i FROM {series} AS s(i)",
    "INSERT INTO deliveries (user_id, target, channel, due_at, dead_at)"
    " SELECT 'u' || i, 'email', 'email', i, CASE WHEN i % 2 = 0 THEN i END FROM {series} AS s(i)",
    "INSERT INTO notices (user_id, target, kind, subject, details, at)"
    " SELECT 'u' || i, 'email', 'turn', 't' || i, '{{}}', i FROM {series} AS s(i)",
    "INSERT INTO played (user_id, table_id, game, players, points, place, won, ended_at)"
    " SELECT CASE WHEN i % 2 = 0 THEN 'u1' ELSE 'u' || i END, 't' || i, 'patrician', 3, i % 97, 1, true, i FROM {series} AS s(i)",
    "INSERT INTO player_stats (user_id, game, kind, key, games, wins, points, streak, best_streak)"
    " SELECT CASE WHEN i % 2 = 0 THEN 'u1' ELSE 'u' || i END, 'patrician', 'opponent', 'u' || (i + 1), i, 1, i, 0, 1"
    " FROM {series} AS s(i)",
    "INSERT INTO ties (user_id, other_id, kind, created_at)"
    " SELECT 'u' || i, CASE WHEN i % 2 = 0 THEN 'u1' ELSE 'u' || (i + 1) END, 'follow', i FROM {series} AS s(i) WHERE i < {last}",
    "INSERT INTO reports (by_id, about_id, table_id, text, quoted, at, closed_at)"
    " SELECT 'u' || i, 'u1', 't' || i, 'x', '', i, CASE WHEN i % 2 = 0 THEN i END FROM {series} AS s(i)",
    "INSERT INTO moderation_log (at, by_id, action, about_id, text) SELECT i, 'u1', 'x', 'u' || i, '' FROM {series} AS s(i)",
    "INSERT INTO invitations (table_id, user_id, by_id, created_at)"
    " SELECT 't' || i, CASE WHEN i % 2 = 0 THEN 'u1' ELSE 'u' || i END, 'u2', i FROM {series} AS s(i)",
)

Call = Callable[[AsyncConnection], Awaitable[Any]]


async def _all_finished(db: AsyncConnection) -> None:
    async for _ in tables.finished_ids(db):
        pass


USER = people.User("u1", "u1", guest=True, created_at=1, seen_at=1)
LETTER = Delivery("u1", "email", "email")
HALF = Place(MANY // 2, "t")
CALLS: dict[str, tuple[Call, ...]] = {
    "blocks.add_block": (lambda db: blocks.add_block(db, "u1", "u2", 1),),
    "blocks.delete_block": (lambda db: blocks.delete_block(db, "u1", "b1"),),
    "blocks.blocks_of": (lambda db: blocks.blocks_of(db, "u1"),),
    "blocks.number_of_blocks": (lambda db: blocks.number_of_blocks(db, "u1"),),
    "blocks.blocked_by": (lambda db: blocks.blocked_by(db, "u1"),),
    "blocks.blocks_between": (lambda db: blocks.blocks_between(db, "u1", ["u2", "u3", "u4"]),),
    "blocks.add_removal": (lambda db: blocks.add_removal(db, "t1", "u1"),),
    "blocks.removed_from": (lambda db: blocks.removed_from(db, "t1"),),
    "blocks.hand_blocks": (lambda db: blocks.hand_blocks(db, "u1", "u9000", 500),),
    "emails.address_of": (lambda db: emails.address_of(db, "u1"),),
    "emails.set_address": (lambda db: emails.set_address(db, "u1", "b@example.org", 1),),
    "emails.delete_address": (lambda db: emails.delete_address(db, "u1"),),
    "emails.accounts_with": (lambda db: emails.accounts_with(db, "a1@example.org", 5),),
    "emails.add_email_token": (lambda db: emails.add_email_token(db, "x", "u1", "confirm", "b@example.org", 1),),
    "emails.find_email_token": (lambda db: emails.find_email_token(db, "h5", "confirm", 1),),
    "emails.use_email_token": (lambda db: emails.use_email_token(db, "h5", "confirm", 1),),
    "emails.drop_email_tokens": (lambda db: emails.drop_email_tokens(db, "u1", emails.RECOVER),),
    "emails.delete_expired_email_tokens": (lambda db: emails.delete_expired_email_tokens(db, MANY, 50),),
    "heartbeat.read_beat": (heartbeat.read_beat,),
    "heartbeat.write_beat": (lambda db: heartbeat.write_beat(db, Beat(1, 2), Beat(2, 3)),),
    "heartbeat.last_touched": (heartbeat.last_touched,),
    "heartbeat.give_back": (
        lambda db: heartbeat.give_back(db, 1, 2, grace=1, recent=1, without_clock=1),
        lambda db: heartbeat.give_back(db, 2, 1, grace=1, recent=1, without_clock=1),
    ),
    "heartbeat.check_space": (heartbeat.check_space,),
    "invitations.add_invitation": (lambda db: invitations.add_invitation(db, "t1", "u3", "u4", 1),),
    "invitations.number_invited": (lambda db: invitations.number_invited(db, "t1"),),
    "invitations.invited_to": (lambda db: invitations.invited_to(db, "t1"),),
    "invitations.is_invited": (lambda db: invitations.is_invited(db, "t2", "u1"),),
    "invitations.number_received": (lambda db: invitations.number_received(db, "u1", 30),),
    "invitations.drop_invitations_between": (lambda db: invitations.drop_invitations_between(db, "u1", "u2"),),
    "invitations.invitations_of": (lambda db: invitations.invitations_of(db, "u1", 25),),
    "invitations.hand_invitations": (lambda db: invitations.hand_invitations(db, "u9001", "u1"),),
    "invitations.delete_invitation": (lambda db: invitations.delete_invitation(db, "t2", "u1"),),
    "invitations.delete_invitations": (lambda db: invitations.delete_invitations(db, "t2"),),
    "lists.public_tables": (
        *(lambda db, state=state: lists.public_tables(db, state, 25) for state in ("open", "playing", "over")),
        lambda db: lists.public_tables(db, "over", 25, after=HALF),
        lambda db: lists.public_tables(db, "over", 25, game="il-principe"),
        lambda db: lists.public_tables(db, "over", 25, game="patrician", after=HALF),
        *(lambda db, state=state: lists.public_tables(db, state, 25, player="u1") for state in ("open", "over")),
        lambda db: lists.public_tables(db, "over", 25, game="il-principe", player="u1", after=HALF),
    ),
    "lists.own_tables": (
        lambda db: lists.own_tables(db, "u1", 25),
        lambda db: lists.own_tables(db, "u1", 25, after=HALF),
        lambda db: lists.own_tables(db, "u1", 25, game="il-principe"),
        lambda db: lists.own_tables(db, "u1", 25, player="u2"),
        lambda db: lists.own_tables(db, "u1", 25, player="u3"),
        lambda db: lists.own_tables(db, "u9", 25),
    ),
    "lists.latest_tables": (
        lambda db: lists.latest_tables(db, "u1", 25, 50),
        lambda db: lists.latest_tables(db, "u9", 25, 50),
    ),
    "messages.add_message": (lambda db: messages.add_message(db, "t1", "u1", 0, "x", "y", 1),),
    "messages.messages_of": (lambda db: messages.messages_of(db, "t1"),),
    "messages.messages_after": (lambda db: messages.messages_after(db, "t1", 300, 100),),
    "messages.messages_by": (lambda db: messages.messages_by(db, "u1", 300, 100),),
    "messages.delete_messages_of": (lambda db: messages.delete_messages_of(db, "u1", 200),),
    "notifications.settings_of": (lambda db: notifications.settings_of(db, ["u1", "u2", "u3"]),),
    "notifications.settings_by_secret": (lambda db: notifications.settings_by_secret(db, "secret1"),),
    "notifications.put_settings": (
        lambda db: notifications.put_settings(db, SettingsRow(user_id="u1", switches={}, unsubscribe="x")),
    ),
    "notifications.note_mailed": (lambda db: notifications.note_mailed(db, "u1", 1, 1, 1),),
    "notifications.add_subscription": (
        lambda db: notifications.add_subscription(db, PushSubscription("x", "u1", "https://x", "y", "z", 1, "h1")),
    ),
    "notifications.subscriptions_of": (lambda db: notifications.subscriptions_of(db, ["u1", "u2"]),),
    "notifications.subscription_in": (lambda db: notifications.subscription_in(db, "h1"),),
    "notifications.find_subscription": (lambda db: notifications.find_subscription(db, "p1"),),
    "notifications.delete_subscription": (lambda db: notifications.delete_subscription(db, "u1", "p1"),),
    "notifications.hand_notifications": (lambda db: notifications.hand_notifications(db, "u1", "u2"),),
    "outbox.add_notice": (lambda db: outbox.add_notice(db, LETTER, NoticeRow("turn", "t1", {}, 1), 1),),
    "outbox.claim_deliveries": (lambda db: outbox.claim_deliveries(db, MANY, MANY + 1, pushes=8, mails=8),),
    "outbox.notices_of": (lambda db: outbox.notices_of(db, LETTER, 100),),
    "outbox.finish_delivery": (
        lambda db: outbox.finish_delivery(db, LETTER, [NoticeRow("turn", "t1", {}, 1)], 1),
        lambda db: outbox.finish_delivery(db, LETTER, [], 1),
    ),
    "outbox.forget_notices": (lambda db: outbox.forget_notices(db, LETTER, [NoticeRow("turn", "t1", {}, 1)]),),
    "outbox.postpone_delivery": (lambda db: outbox.postpone_delivery(db, LETTER, 1, attempts=1),),
    "outbox.bury_delivery": (lambda db: outbox.bury_delivery(db, LETTER, 1),),
    "outbox.drop_notices": (lambda db: outbox.drop_notices(db, "u1", "t1"),),
    "outbox.has_notices": (lambda db: outbox.has_notices(db, "u1", "t1"),),
    "outbox.drop_delivery": (lambda db: outbox.drop_delivery(db, "u1", "email"),),
    "outbox.drop_account_messages": (lambda db: outbox.drop_account_messages(db, "u1", "confirm"),),
    "outbox.next_delivery": (outbox.next_delivery,),
    "outbox.count_deliveries": (lambda db: outbox.count_deliveries(db, 1000),),
    "outbox.delete_dead_letters": (lambda db: outbox.delete_dead_letters(db, MANY, 50),),
    "people.add_user": (lambda db: people.add_user(db, "Anna", 1),),
    "people.find_user": (lambda db: people.find_user(db, "u1"),),
    "people.hold_user": (lambda db: people.hold_user(db, "u1"),),
    "people.names_of": (lambda db: people.names_of(db, [f"u{i}" for i in range(75)]),),
    "people.user_named": (lambda db: people.user_named(db, "u1"),),
    "people.rename": (lambda db: people.rename(db, "u1", "Anna"),),
    "people.set_password": (lambda db: people.set_password(db, "u1", "x"),),
    "people.show_to": (lambda db: people.show_to(db, "u1", "me"),),
    "people.set_unasked": (lambda db: people.set_unasked(db, "u1", False),),
    "people.set_language": (lambda db: people.set_language(db, "u1", "it"),),
    "people.set_theme": (lambda db: people.set_theme(db, "u1", "dark"),),
    "people.saw": (lambda db: people.saw(db, "u1", MANY),),
    "people.add_session": (lambda db: people.add_session(db, "u1", "x", 1, 2),),
    "people.session_user": (lambda db: people.session_user(db, "h1", 0),),
    "people.prolong_session": (lambda db: people.prolong_session(db, "h1", 5),),
    "people.end_session": (lambda db: people.end_session(db, "h1"),),
    "people.end_sessions": (lambda db: people.end_sessions(db, "u1"),),
    "people.delete_expired_sessions": (lambda db: people.delete_expired_sessions(db, MANY),),
    "people.add_token": (lambda db: people.add_token(db, "u1", "x", "y", 1),),
    "people.tokens_of": (lambda db: people.tokens_of(db, "u1"),),
    "people.token_user": (lambda db: people.token_user(db, "h1", 1),),
    "people.used_token": (lambda db: people.used_token(db, "h1", 1),),
    "people.delete_token": (lambda db: people.delete_token(db, "u1", "k1"),),
    "people.delete_tokens": (lambda db: people.delete_tokens(db, "u1"),),
    "people.forget_at_tables": (lambda db: people.forget_at_tables(db, USER, ["t1", "t3", "t5"]),),
    "people.delete_user": (lambda db: people.delete_user(db, "u3"),),
    "people.delete_stale_guests": (
        lambda db: people.delete_stale_guests(db, MANY),
        lambda db: people.delete_stale_guests(db, MANY, (MANY // 2, "")),
    ),
    "ratings.ratings_for": (lambda db: ratings.ratings_for(db, "patrician", ["u1", "u2"]),),
    "ratings.hold_ratings": (lambda db: ratings.hold_ratings(db, "patrician"),),
    "ratings.ratings_of": (lambda db: ratings.ratings_of(db, "u1"),),
    "ratings.public_ratings_for": (lambda db: ratings.public_ratings_for(db, "patrician", ["u1", "muratore"]),),
    "ratings.top_ratings": (lambda db: ratings.top_ratings(db, "patrician", 100),),
    "ratings.set_rating": (
        lambda db: ratings.set_rating(db, RatingRow("patrician", "u1", "u1", 25, 8, 1)),
        lambda db: ratings.set_rating(db, RatingRow("patrician", "sgherro", None, 25, 8, 1)),
    ),
    "orders.find_orders": (lambda db: orders.find_orders(db, "t1", 0),),
    "orders.orders_at": (lambda db: orders.orders_at(db, "t1"),),
    "orders.put_orders": (lambda db: orders.put_orders(db, OrdersRow("t1", 1, "u1", 1, {"x": 1})),),
    "orders.drop_orders": (lambda db: orders.drop_orders(db, "t1"), lambda db: orders.drop_orders(db, "t3", 0)),
    "orders.hand_orders": (lambda db: orders.hand_orders(db, "t1", 0, "u2"),),
    "steps.add_steps": (lambda db: steps.add_steps(db, "t1", [StepRow(1, 0, "{}", "person", 1)]),),
    "steps.steps_of": (lambda db: steps.steps_of(db, "t1"),),
    "tables.add_table": (lambda db: tables.add_table(db, table_row("new")),),
    "tables.find_table": (lambda db: tables.find_table(db, "t1"),),
    "tables.find_tables": (lambda db: tables.find_tables(db, ["t1", "t2"]),),
    "tables.hold_table": (lambda db: tables.hold_table(db, "t1"),),
    "tables.find_versions": (
        lambda db: tables.find_versions(db, ["t1"]),
        lambda db: tables.find_versions(db, [f"t{i}" for i in range(200)]),
    ),
    "tables.find_by_invitation": (lambda db: tables.find_by_invitation(db, "secret1"),),
    "tables.going_on": (lambda db: tables.going_on(db, "u1"), lambda db: tables.going_on(db, "u9")),
    "tables.any_tables_of": (lambda db: tables.any_tables_of(db, "u1", 20),),
    "tables.ended_tables": (
        lambda db: tables.ended_tables(db, "u1", "over", 20),
        lambda db: tables.ended_tables(db, "u1", "closed", 20, HALF),
    ),
    "tables.still_going_on": (lambda db: tables.still_going_on(db, [f"t{i}" for i in range(500)]),),
    "tables.by_invitation": (lambda db: tables.by_invitation(db, [f"t{i}" for i in range(500)]),),
    "tables.finished_ids": (_all_finished,),
    "moderation.add_report": (
        lambda db: moderation.add_report(db, by_id="u1", about_id="u2", table_id="t1", text="x", quoted="", at=1),
    ),
    "moderation.open_reports": (lambda db: moderation.open_reports(db, 50),),
    "moderation.number_of_reports": (lambda db: moderation.number_of_reports(db, "u1", 0),),
    "moderation.reports_by": (lambda db: moderation.reports_by(db, "u1", 100),),
    "moderation.close_reports_by": (lambda db: moderation.close_reports_by(db, "u1", 1),),
    "moderation.close_report": (lambda db: moderation.close_report(db, 1, 1),),
    "moderation.add_log_line": (
        lambda db: moderation.add_log_line(db, at=1, by_id="u1", action="x", about_id="u2", text=""),
    ),
    "moderation.latest_log": (lambda db: moderation.latest_log(db, 50),),
    "moderation.standing_of": (lambda db: moderation.standing_of(db, "u1"),),
    "moderation.set_moderator": (lambda db: moderation.set_moderator(db, "u1", moderator=True),),
    "moderation.set_muted": (lambda db: moderation.set_muted(db, "u1", 1),),
    "moderation.set_banned": (lambda db: moderation.set_banned(db, "u1", 1),),
    "tables.set_time_left": (lambda db: tables.set_time_left(db, "t8", {0: 1, 1: None}),),
    "vacations.find_vacation": (lambda db: vacations.find_vacation(db, "u1"),),
    "vacations.set_vacation": (lambda db: vacations.set_vacation(db, "u1", Vacation(), Vacation(1, 2, 3)),),
    "ties.add_tie": (lambda db: ties.add_tie(db, "u1", "u2", "follow", 1),),
    "ties.drop_tie": (lambda db: ties.drop_tie(db, "u1", "u2", "follow"),),
    "ties.has_tie": (lambda db: ties.has_tie(db, "u1", "u2", "follow"),),
    "ties.ties_of": (lambda db: ties.ties_of(db, "u1", 200),),
    "ties.tied_to": (lambda db: ties.tied_to(db, "u1", "follow", ["u2", "u4"]),),
    "ties.hand_ties": (
        lambda db: ties.hand_ties(db, "u9001", "u5", 200),
        lambda db: ties.hand_ties(db, "u9001", "u1", 200),
    ),
    "lists.open_tables_of": (lambda db: lists.open_tables_of(db, ["u1", "u9", "u5"], 25),),
    "statistics.add_played": (
        lambda db: statistics.add_played(
            db,
            [PlayedRow("u3", "t1", "patrician", 2, 9, 1, True, 1)],
            [Count("u3", "patrician", "all", "", 1, 1, 9, 1, 1)],
        ),
    ),
    "statistics.counts_of": (
        lambda db: statistics.counts_of(db, "u1", [("patrician", "opponent", 8), ("patrician", "all", 1)]),
    ),
    "statistics.latest_and_best": (lambda db: statistics.latest_and_best(db, "u1", ["patrician", "x"], 100, 5),),
    "statistics.played_after": (lambda db: statistics.played_after(db, "u1", "t5", 500),),
    "statistics.forget_opponent": (lambda db: statistics.forget_opponent(db, "u1"),),
    "statistics.hand_statistics": (lambda db: statistics.hand_statistics(db, "u9001", "u1"),),
    "tables.stale_tables": (
        lambda db: tables.stale_tables(db, MANY),
        lambda db: tables.stale_tables(db, MANY, tables.Place(MANY // 2, "t")),
    ),
    "tables.set_seat": (lambda db: tables.set_seat(db, SeatRow("t1", 0, user_id="u2")),),
    "tables.change": (lambda db: tables.change(db, "t1", state="closed", ended_at=1),),
    "duties.set_due": (lambda db: duties.set_due(db, "t8", 1),),
    "tables.finish": (lambda db: tables.finish(db, "t8", {}, 1),),
    "tables.advance": (lambda db: tables.advance(db, "t8", 0, 1, 0, 1, 1, 1, 0),),
    "duties.claim_due": (lambda db: duties.claim_due(db, MANY, MANY + 1, 8),),
    "duties.claim_these": (lambda db: duties.claim_these(db, ["t8", "t308"], MANY, MANY + 1),),
    "duties.count_attempts": (lambda db: duties.count_attempts(db, ["t8", "t308"]),),
    "duties.attempts_at": (lambda db: duties.attempts_at(db, "t8"),),
    "duties.end_attempts": (lambda db: duties.end_attempts(db, "t8"),),
    "duties.pause": (lambda db: duties.pause(db, "t8", 1, 4),),
    "duties.resume": (lambda db: duties.resume(db, "t8", 1),),
    "duties.renew": (lambda db: duties.renew(db, "t8", 0, 1, 2),),
    "duties.next_due": (lambda db: duties.next_due(db),),
}


def test_plans_of_all_functions_that_use_the_database_are_checked() -> None:
    asking = {
        f"{module.__name__.rpartition('.')[2]}.{name}"
        for module in MODULES
        for name, function in vars(module).items()
        if inspect.isfunction(function)
        and function.__module__ == module.__name__
        and not name.startswith("_")
        and next(iter(inspect.signature(function).parameters), "") == "db"
    }
    assert set(CALLS) == asking


@pytest.mark.slow
@in_loop
async def test_no_statement_looks_at_more_rows_than_it_needs(database_url: str) -> None:
    async with opened(database_url) as database:
        await fill(database)
        asked = [asked for call in CALLS.values() for one in call for asked in await statements(database, one)]
        different = list(
            {msgspec.json.encode([sql, values], enc_hook=str): (sql, values) for sql, values in asked}.values()
        )
        assert len(different) > len(CALLS)
        examined = examined_by_postgres if database.is_postgres else examined_by_sqlite
        most = MOST_ROWS if database.is_postgres else MOST_STEPS
        for analysed in (False, True):
            if analysed:
                async with database.write() as w:
                    await w.db.execute(text("ANALYZE"))
            costs = [(await examined(database, *one), one[0]) for one in different]
            assert [cost for cost in costs if cost[0] > most] == [], f"with statistics: {analysed}"


class Undo(Exception):
    """Leaves a transaction, so that it changes nothing."""


async def fill(database: Database) -> None:
    series = A_SERIES["postgresql" if database.is_postgres else "sqlite"]
    async with database.write() as w:
        for statement in FILL:
            filled = statement.format(series=series.format(last=MANY - 1), last=MANY - 1, three=series.format(last=2))
            if not database.is_postgres:  # it names the columns of a series differently
                filled = filled.replace("AS s(i)", "AS s").replace("AS k(i)", "AS k")
            await w.db.exec_driver_sql(filled)


async def statements(database: Database, call: Call) -> list[tuple[str, Any]]:
    """The statements that a function sends to the database."""
    noted: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, values: Any, _context: Any, many: bool) -> None:
        noted.append((statement, values[0] if many else values))

    with suppress(Undo):
        async with database.write() as w:
            engine = w.db.sync_engine if hasattr(w.db, "sync_engine") else w.db.engine.sync_engine
            event.listen(engine, "before_cursor_execute", note)
            try:
                await call(w.db)
            finally:
                event.remove(engine, "before_cursor_execute", note)
            raise Undo
    return [(sql, values) for sql, values in noted if not sql.startswith(("SAVEPOINT", "RELEASE", "ROLLBACK"))]


async def examined_by_sqlite(database: Database, sql: str, values: Any) -> int:
    """Steps of the virtual machine, in hundreds."""
    taken = 0

    def count() -> int:
        nonlocal taken
        taken += 100
        return 0

    with suppress(Undo):
        async with database.write() as w:
            connection: sqlite3.Connection = driver_of(w.db)._connection
            connection.set_progress_handler(count, 100)
            with suppress(sqlite3.IntegrityError):
                connection.execute(sql, tuple(values)).fetchall()
            connection.set_progress_handler(None, 0)
            raise Undo
    return taken


async def examined_by_postgres(database: Database, sql: str, values: Any) -> int:
    """Rows read by the nodes of a plan."""
    if sql.startswith("INSERT"):
        return 0  # it reads nothing
    with suppress(Undo):
        async with database.write() as w:
            plan = (await w.db.exec_driver_sql(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}", tuple(values))).scalar_one()
            if isinstance(plan, str):
                plan = msgspec.json.decode(plan)
            raise Undo
    return rows_read(plan[0]["Plan"])


def rows_read(node: dict[str, Any]) -> int:
    below = sum(rows_read(child) for child in node.get("Plans", ()))
    removed = sum(node.get(f"Rows Removed by {what}", 0) for what in ("Filter", "Index Recheck", "Join Filter"))
    return int(below + node["Actual Loops"] * (node["Actual Rows"] + removed))
