"""The page model of a table for one viewer. It is made from the seat's view, never from the hidden state."""

from functools import lru_cache
from typing import Any
from zlib import crc32

import msgspec

from signoria.games import AnyGame
from signoria.kernel.language import ENGLISH, language, say
from signoria.kernel.shuffle import commitment
from signoria.server.lobby.absence import may_replace, missed
from signoria.server.lobby.catalogue import chosen_options, game_model, level_title
from signoria.server.people.sessions import viewer_model
from signoria.server.play.clocks import clock_words, deadline
from signoria.server.play.draft import last_steps_of
from signoria.server.play.guided_game import before_lessons, lesson
from signoria.server.play.hints import why_no_hints
from signoria.server.play.ordered_steps import (
    bid_limits,
    choosing,
    chosen_steps,
    has_orders,
    in_this_round,
    lots_of,
    note_of,
    orders_of,
    still_to_choose,
)
from signoria.server.play.recent_events import ended_section, log_lines, recent_events, recent_steps
from signoria.server.play.replay import score_history_of
from signoria.server.play.room import Room, TablePosition, bot_of, encode_step, encode_steps
from signoria.server.play.seat_models import may_block, seat_models
from signoria.server.play.service import TableService
from signoria.server.play.status import question, status_sentence
from signoria.server.play.times import clock_time
from signoria.store.messages import MessageRow
from signoria.store.people import User
from signoria.store.tables import TableRow
from signoria.web.models import (
    ChatLine,
    ChoiceModel,
    EarlyChoice,
    FairDeal,
    Hint,
    NoteModel,
    Plan,
    ScoreSheet,
    SealedLot,
    TablePage,
)

LOG_LINES = 30
"""Lines of the log on a table's page; the full log is on its own page."""
LAST_LINES = 6
"""The same when the game is over and people look at the score."""


def page_version(service: TableService, room: Room, user: User | None = None) -> str:
    """A version that changes whenever a table looks different to anyone, even just because of the time.

    A person's orders and blocked people change only that person's version.
    """
    turn, mine = room.row.turn, room.seats_of(user.id if user and room.orders else None)
    own = "".join(f".s{crc32(msgspec.json.encode(room.orders[seat]))}" for seat in mine if seat in room.orders)
    if user and user.unheard:
        here = {message.user_id for message in room.messages} | {seat.user_id for seat in room.row.seats}
        own += "".join(f".b{crc32(user_id.encode())}" for user_id in sorted(user.unheard.intersection(here)))
    return f"{room.version}{'.gone' if turn is not None and missed(room.row, turn, service.now()) else ''}{own}"


def table_page(
    service: TableService, room: Room, user: User | None, wanted_seat: int | None, base: str = ""
) -> TablePage:
    """A table for one viewer. `wanted_seat` is the seat whose cards the viewer asked to see, of several on one device.

    `base` is the address at which the viewer reaches the server, for invite links.
    """
    row, position, now = room.row, room.position, service.now()
    mine = room.seats_of(user.id if user else None)
    seat, hand_over = whose_view(room, mine, wanted_seat)
    playing = row.state == "playing" and position is not None
    view = None if position is None else position.table.view(seat)
    stood_in = playing and bool(mine) and all(bot_of(row, row.seats[own]) for own in mine)
    ordering = playing and not stood_in and len(mine) == 1 and has_orders(row.game)
    taught = lesson(row, position, seat) if position and row.state in ("playing", "over") and not stood_in else None
    early = _early(room, view) if ordering and not taught else None
    answered = early is not None and bool(early.chosen)
    asking = playing and seat is not None and row.turn == seat and bot_of(row, row.seats[seat]) is None and not answered
    host = user is not None and row.host_id == user.id
    belongs = host or bool(mine)
    unheard = user.unheard if user else frozenset()
    removed, invited = user is not None and user.id in room.removed, user is not None and user.id in room.invited
    log = position.log[before_lessons(row) :] if position else ()
    lately = recent_events(log, seat)
    return TablePage(
        viewer=viewer_model(user),
        id=row.id,
        game=game_model(row.game),
        state=row.state,  # type: ignore[arg-type]
        version=page_version(service, room, user),
        n=room.n,
        told=len(position.log) if position else 0,
        mover=position.log[-1].seat if position and position.log else None,
        options=chosen_options(row),
        players_rules=_players_rules(room) if row.state == "open" else None,
        memory_aid=row.aid,
        clock=clock_words(row),
        stand_in=level_title(row.stand_in),
        rated=row.counts,
        seats=seat_models(row, user, room.ratings if row.counts else None, now),
        seat=seat,
        my_seats=mine,
        stood_in=stood_in,
        hand_over=hand_over,
        is_host=host,
        invitation=f"{base}/invited/{row.invitation}" if row.invitation and row.state == "open" and belongs else None,
        may_sit=row.state == "open" and (row.invitation is None or belongs or invited) and not removed,
        may_invite=row.state == "open" and belongs and any(not (seat.bot or seat.user_id) for seat in row.seats),
        friends=_to_invite(room, user) if row.state == "open" and belongs else (),
        may_share=row.state == "open" and _may_share(row, mine),
        removed=removed,
        turn=row.turn,
        choosing=still_to_choose(position.table, room.orders) if playing and position else (),
        asked=status_sentence(room, mine),
        question=question(room, view, mine) if asking or (early is not None and not answered) else "",
        deadline_ms=deadline(row),
        chapter=position.table.chapter if playing and position else "",
        view=view,
        choices=_choices(room.game, view) if asking else (),
        may_undo=playing and seat is not None and not stood_in and _may_undo(position, seat),
        may_hint=asking and why_no_hints(row) is None,
        hint=_hint(room, seat) if asking else None,
        sealed=_sealed(room, view) if ordering else (),
        early=early,
        plans=_plans(room, view) if ordering and not taught else (),
        order_note=_order_note(room, view) if ordering else "",
        may_leave=playing and any(bot_of(row, row.seats[own]) is None for own in mine),
        may_return=playing and any(row.seats[own].away and not row.seats[own].resigned for own in mine),
        may_resign=playing and any(not row.seats[own].resigned for own in mine),
        may_call_stand_in=bool(mine)
        and row.turn is not None
        and row.turn not in mine
        and may_replace(room, row.turn, now),
        log=log_lines(position.log[-LOG_LINES:])[-(LOG_LINES if playing else LAST_LINES) :] if position else (),
        chat=tuple(
            ChatLine(
                id=message.id,
                seat=message.seat,
                name=message.name,
                says=message_text(message),
                at=clock_time(message.at),
                profile=message.account or "",
                may_block=may_block(message.user_id, user),
            )
            for message in room.messages
            if message.user_id not in unheard
        ),
        unseen=sum(message.user_id in unheard for message in room.messages),
        sheet=score_sheet(position) if position and row.state == "over" else None,
        course=score_history_of(room),
        lately=lately,
        recap=ended_section(log, lately, room.game.section_start),
        recent=recent_steps(position, seat) if position else (),
        fair=fair_deal(row),
        rematch=row.rematch_id,
        levels=game_model(row.game).levels,
        lesson=taught,
        kept=room.kept if room.viewers else {},
        now_ms=now,
    )


def _players_rules(room: Room) -> NoteModel | None:
    """What the number of players decides at this table."""
    note = room.game.players_rules(room.game.options(room.row.options))
    return NoteModel(says=room.game.texts.tell(note.says), clause=note.clause) if note else None


def _to_invite(room: Room, user: User | None) -> tuple[str, ...]:
    """The names of people whom the viewer follows, and who are neither at the table nor invited."""
    there = room.row.people | room.invited | room.removed
    return tuple(name for user_id, name in (user.followed if user else ()) if user_id not in there)


def _may_share(row: TableRow, mine: tuple[int, ...]) -> bool:
    """Whether a player may add another player on the same device in the next empty seat."""
    empty = [seat for seat in row.seats if not seat.bot and not seat.user_id]
    alone = all(seat.bot or seat in empty or seat.seat in mine for seat in row.seats)
    return bool(mine) and bool(empty) and (row.invitation is not None or (alone and len(empty) == 1))


def whose_view(room: Room, mine: tuple[int, ...], wanted_seat: int | None) -> tuple[int | None, int | None]:
    """The seat whose view is shown, and the seat that should get the device next.

    With several people on one device, a hand is shown only during its owner's turn, after they have taken the device.
    """
    if not mine or room.position is None:
        return None, None
    if len(mine) == 1:
        return mine[0], None
    if room.row.state != "playing":
        return None, None
    turn = room.row.turn
    if turn is None or turn not in mine or room.played_by_bot(turn):
        return None, None
    return (turn, None) if wanted_seat == turn else (None, turn)


def _may_undo(position: TablePosition | None, seat: int) -> bool:
    if position is None or position.table.may_undo != seat:
        return False
    own = last_steps_of(list(position.log[-position.table.undoable :]), seat)
    return any(entry.by != "house" for entry in own)


def _hint(room: Room, seat: int | None) -> Hint | None:
    """The current hint for a seat, as long as the game has not moved on."""
    cached_hint = None if seat is None else room.cached_hints.get(seat)
    return cached_hint.hint if cached_hint and cached_hint.n == room.n else None


def _choices(game: AnyGame, view: Any) -> tuple[ChoiceModel, ...]:
    """Legal steps in words."""
    tell = game.words.tell
    return tuple(ChoiceModel(step=encode_step(step), says=tell(view, step)) for step in game.buttons(view))


def _sealed(room: Room, view: Any) -> tuple[SealedLot, ...]:
    """The auctions in which this viewer can set an automatic bid, and the current bids."""
    most = bid_limits(view, room.orders.get(view.seat))
    return tuple(SealedLot(lot=lot.name, now=lot.now, most=most.get(lot.name)) for lot in lots_of(view))


def _early(room: Room, view: Any) -> EarlyChoice | None:
    """The choice that everyone makes now, for a viewer who can make it before being asked, or has made it."""
    assert room.position is not None
    if view.seat not in choosing(room.position.table):
        return None
    orders, chosen = orders_of(view), chosen_steps(view, room.orders.get(view.seat))
    choice = next((name for name in orders.choices(view) if name in orders.together), "")
    if not choice or (room.row.turn == view.seat and choice not in chosen):
        return None
    mine = chosen.get(choice, ())
    plans = (
        ()
        if mine
        else tuple(_plan(choice, steps, mine, orders.in_words(choice, steps)) for steps in orders.plans(view, choice))
    )
    return EarlyChoice(choice=choice, steps=orders.steps(view, choice), plans=plans, chosen=mine)


def _plans(room: Room, view: Any) -> tuple[Plan, ...]:
    """What this viewer can decide for later in this round."""
    orders, chosen = orders_of(view), chosen_steps(view, room.orders.get(view.seat))
    later = (choice for choice in orders.choices(view) if choice not in orders.together)
    return tuple(_plan(choice, steps, chosen.get(choice)) for choice in later for steps in orders.plans(view, choice))


def _plan(choice: str, steps: tuple[Any, ...], chosen: tuple[Any, ...] | None, says: str = "") -> Plan:
    return Plan(choice=choice, steps=steps, value=encode_steps(steps), says=says, chosen=steps == chosen)


def _order_note(room: Room, view: Any) -> str:
    return note_of(in_this_round(view, room.orders.get(view.seat)))


def score_sheet(position: TablePosition) -> ScoreSheet:
    """The current scores."""
    return ScoreSheet(scores=position.table.scores, outcome=position.table.outcome)


@lru_cache(1024)
def _commitment(seed: str) -> str:
    return commitment(bytes.fromhex(seed))


def fair_deal(row: TableRow) -> FairDeal:
    """The proof of a fair shuffle."""
    over = row.state == "over"
    return FairDeal(
        commitment=_commitment(row.seed),
        salts=tuple(seat.salt for seat in row.seats) if over else (),
        seed=row.seed if over else None,
    )


def message_text(message: MessageRow) -> str:
    """A chat message: what a person wrote, or what the server announces, in the language that is spoken now."""
    if message.said is None or language() == ENGLISH:
        return message.text
    says, values = msgspec.json.decode(message.said, type=tuple[str, dict[str, str | int]])
    return say(says, **values)
