"""Page models of a table for one viewer. They are made from the seat's view, never from the hidden state."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from itertools import takewhile
from typing import Any
from zlib import crc32

import msgspec

from signoria.games import GAMES, AnyGame
from signoria.kernel.shuffle import commitment
from signoria.kernel.words import counted, ordinal
from signoria.server.lobby.absence import missed
from signoria.server.lobby.catalogue import LEVEL_MODELS, bot_name, chosen_options, game_model, level_title
from signoria.server.people.sessions import viewer_model
from signoria.server.play.auto_bidding import bid_limits, has_auctions, lots_of
from signoria.server.play.clocks import clock_words, deadline
from signoria.server.play.draft import last_steps_of
from signoria.server.play.guided_game import before_lessons, lesson
from signoria.server.play.hints import why_no_hints
from signoria.server.play.replay import score_history_of
from signoria.server.play.room import LogEntry, Room, TablePosition, bot_of, decode_step, encode_step
from signoria.server.play.service import TableService
from signoria.store.people import User
from signoria.store.ratings import RatingRow
from signoria.store.tables import SeatRow, TableRow
from signoria.web.models import (
    ChatLine,
    ChoiceModel,
    FairDeal,
    Hint,
    LogLine,
    RatingModel,
    RecentStep,
    ScoreSheet,
    SealedLot,
    SeatModel,
    TableLine,
    TablePage,
)

LOG_LINES = 30
"""Lines of the log on a table's page; the full log is on its own page."""
LAST_LINES = 6
"""The same when the game is over and people look at the score."""
RECENT_STEPS = 12
"""Recent steps whose moves a page can animate. Earlier ones are shown as already made."""
Z95 = 1.96
MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000


def rating_model(row: RatingRow) -> RatingModel:
    """A rating with its uncertainty."""
    return RatingModel(mean=row.mu, reach=Z95 * row.sigma, games=row.games)


def seat_models(
    row: TableRow, user: User | None, ratings: Mapping[str, RatingRow] | None = None
) -> tuple[SeatModel, ...]:
    """The seats of a table."""
    return tuple(_seat_model(row, seat, user, ratings or {}) for seat in row.seats)


def _seat_model(row: TableRow, seat: SeatRow, user: User | None, ratings: Mapping[str, RatingRow]) -> SeatModel:
    scores, winners = (row.result["scores"], row.result["winners"]) if row.result else (None, ())
    gone = row.state != "open" and not seat.bot and not seat.user_id
    rated = ratings.get(seat.bot or seat.user_id or "")
    return SeatModel(
        seat=seat.seat,
        title=GAMES[row.game].seat_name(seat.seat),
        colour=f"seat-{seat.seat}",
        kind="bot" if seat.bot else "person" if seat.user_id or gone else "empty",
        name=_name(row, seat) if seat.bot or seat.user_id or gone else "",
        mine=user is not None and seat.user_id == user.id,
        away=not seat.bot and row.state == "playing" and bot_of(row, seat) is not None,
        resigned=seat.resigned,
        rating=rating_model(rated) if rated else None,
        points=scores[seat.seat]["total"] if scores else None,
        won=seat.seat in winners,
        may_block=_may_block(seat.user_id, user),
        blocked=user is not None and seat.user_id in user.blocked,
    )


def _may_block(user_id: str | None, viewer: User | None) -> bool:
    """Whether a viewer may block a person: another person whom they have not blocked yet."""
    return user_id is not None and viewer is not None and user_id != viewer.id and user_id not in viewer.blocked


def _name(row: TableRow, seat: SeatRow) -> str:
    """The name of the player in a seat; after the game also who played for them."""
    if seat.bot:
        return bot_name(row, seat)
    name = seat.name or "someone"
    return f"{name}, played by {level_title(row.stand_in)}" if row.state == "over" and bot_of(row, seat) else name


def seat_label(room: Room, seat: int) -> str:
    """A seat in a sentence: the player and the game's name for the seat."""
    return f"{_name(room.row, room.row.seats[seat])} ({room.game.seat_name(seat)})"


def table_line(row: TableRow, user: User | None, now: int, hosts: Mapping[str, str]) -> TableLine:
    """A table in a list."""
    since = {"open": row.created_at, "playing": row.turn_at, "over": row.ended_at}.get(row.state) or row.touched_at
    mine = user is not None and row.turn is not None and row.seats[row.turn].user_id == user.id
    return TableLine(
        id=row.id,
        game=row.game,
        title=game_model(row.game).title,
        state=row.state,  # type: ignore[arg-type]
        options=chosen_options(row),
        clock=clock_words(row.clock),
        invited=row.invitation is not None,
        seats=seat_models(row, user),
        turn=row.turn,
        my_turn=mine and row.state == "playing" and bot_of(row, row.seats[row.turn or 0]) is None,
        since=ago(now - since),
        since_ms=since,
        host=hosts.get(row.host_id or "", ""),
    )


def log_lines(log: Iterable[LogEntry]) -> tuple[LogLine, ...]:
    """The log of these steps."""
    return tuple(line for step in log for line in step.lines)


def recent_events(log: Sequence[LogEntry], seat: int | None) -> tuple[Any, ...]:
    """Events of the last turn; for a player also of the turns since their own."""
    if not log:
        return ()
    last = log[-1].seat
    recent = takewhile(lambda step: step.seat == last or seat not in (None, last, step.seat), reversed(log))
    return tuple(event for step in reversed(list(recent)) for event in step.events)


def recent_steps(position: TablePosition, seat: int | None) -> tuple[RecentStep, ...]:
    """The last steps with their events. The step itself is included only for the seat that made it."""
    game, first = position.table.game, max(0, len(position.log) - RECENT_STEPS)
    return tuple(
        RecentStep(
            k=k,
            seat=entry.seat,
            step=decode_step(game, position.entries[entry.n][1]) if entry.seat == seat else None,
            events=entry.events,
        )
        for k, entry in enumerate(position.log[first:], first + 1)
    )


def page_version(service: TableService, room: Room, user: User | None = None) -> str:
    """A version that changes whenever a table looks different to anyone, even just because of the time.

    A person's automatic bids and blocked people change only that person's version.
    """
    turn, mine = room.row.turn, room.seats_of(user.id if user and room.sealed else None)
    own = "".join(f".s{crc32(msgspec.json.encode(room.sealed[seat]))}" for seat in mine if seat in room.sealed)
    if user and user.blocked:
        here = {said.user_id for said in room.messages} | {seat.user_id for seat in room.row.seats}
        own += "".join(f".b{crc32(user_id.encode())}" for user_id in sorted(user.blocked.intersection(here)))
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
    asking = playing and seat is not None and row.turn == seat and bot_of(row, row.seats[seat]) is None
    stood_in = playing and bool(mine) and all(bot_of(row, row.seats[own]) for own in mine)
    host = user is not None and row.host_id == user.id
    belongs = host or bool(mine)
    blocked = user.blocked if user else frozenset()
    removed = user is not None and user.id in room.removed
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
        memory_aid=row.aid,
        clock=clock_words(row.clock),
        stand_in=level_title(row.stand_in),
        rated=row.counts,
        seats=seat_models(row, user, room.ratings if row.counts else None),
        seat=seat,
        my_seats=mine,
        stood_in=stood_in,
        hand_over=hand_over,
        is_host=host,
        invitation=f"{base}/invited/{row.invitation}" if row.invitation and row.state == "open" and belongs else None,
        may_sit=row.state == "open" and (row.invitation is None or belongs) and not removed,
        may_share=row.state == "open" and _may_share(row, mine),
        removed=removed,
        turn=row.turn,
        asked=status_sentence(room, mine),
        question=room.game.words.question(view) if asking else "",
        deadline_ms=deadline(row),
        chapter=position.table.chapter if playing and position else "",
        view=view,
        choices=_choices(room.game, view) if asking else (),
        may_undo=playing and seat is not None and not stood_in and _may_undo(position, seat),
        may_hint=asking and why_no_hints(row) is None,
        hint=_hint(room, seat) if asking else None,
        sealed=_sealed(room, view) if playing and not stood_in and len(mine) == 1 else (),
        may_leave=playing and any(bot_of(row, row.seats[own]) is None for own in mine),
        may_return=playing and any(row.seats[own].away and not row.seats[own].resigned for own in mine),
        may_resign=playing and any(not row.seats[own].resigned for own in mine),
        may_call_stand_in=bool(mine) and row.turn is not None and row.turn not in mine and missed(row, row.turn, now),
        log=log_lines(position.log[-LOG_LINES:])[-(LOG_LINES if playing else LAST_LINES) :] if position else (),
        chat=tuple(
            ChatLine(
                id=said.id,
                seat=said.seat,
                name=said.name,
                says=said.text,
                at=clock_time(said.at),
                may_block=_may_block(said.user_id, user),
            )
            for said in room.messages
            if said.user_id not in blocked
        ),
        unseen=sum(said.user_id in blocked for said in room.messages),
        sheet=score_sheet(position) if position and row.state == "over" else None,
        course=score_history_of(room),
        lately=recent_events(position.log[before_lessons(row) :], seat) if position else (),
        recent=recent_steps(position, seat) if position else (),
        fair=fair_deal(row),
        rematch=row.rematch_id,
        levels=LEVEL_MODELS,
        lesson=lesson(row, position, seat) if position and row.state in ("playing", "over") and not stood_in else None,
        kept=room.kept if room.viewers else {},
        now_ms=now,
    )


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


def status_sentence(room: Room, mine: tuple[int, ...]) -> str:
    """The state of a table in one sentence: who has to do what."""
    row, position = room.row, room.position
    if row.state == "open":
        missing = sum(1 for seat in row.seats if not seat.bot and not seat.user_id)
        if not missing:
            return "Everyone is here. Any player can start the game."
        return f"Waiting for {missing} more {'player' if missing == 1 else 'players'}."
    if row.state == "closed" or position is None:
        return "This table is closed."
    if row.state == "over":
        return _ended(room, mine)
    turn = row.turn
    assert turn is not None
    asks = position.table.asks
    if mine and all(row.seats[own].resigned for own in mine):
        return f"You resigned. {level_title(row.stand_in)} finishes the game for you."
    if mine and all(room.played_by_bot(own) for own in mine):
        return f"{level_title(row.stand_in)} plays for you until you take your seat back."
    if turn in mine and room.played_by_bot(turn) is None:
        return f"Your turn: {asks}." if len(mine) == 1 else f"{row.seats[turn].name}, it is your turn: {asks}."
    return f"Waiting for {seat_label(room, turn)} to {asks}."


def _ended(room: Room, mine: tuple[int, ...]) -> str:
    """Who won, and how far this viewer was behind."""
    result = room.row.result
    assert result is not None
    assert room.position is not None
    winners = [seat_label(room, seat) for seat in result["winners"]]
    says = f"The game is over: {' and '.join(winners)} {'wins' if len(winners) == 1 else 'share the win'}."
    if len(mine) != 1 or mine[0] in result["winners"]:
        return says
    totals = [score["total"] for score in result["scores"]]
    behind = totals[result["winners"][0]] - totals[mine[0]]
    by = f"{counted(behind, 'point')} behind" if behind else "tied on points but behind on the tiebreak"
    return f"{says} You are {ordinal(room.position.table.places[mine[0]])}, {by}."


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
    if not has_auctions(room.row.game):
        return ()
    most = bid_limits(view, room.sealed.get(view.seat))
    return tuple(SealedLot(lot=lot.name, now=lot.now, most=most.get(lot.name)) for lot in lots_of(view))


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


def ago(milliseconds: int) -> str:
    """How long ago something was."""
    if milliseconds < MINUTE:
        return "just now"
    if milliseconds < HOUR:
        return f"{counted(milliseconds // MINUTE, 'minute')} ago"
    if milliseconds < DAY:
        return f"{counted(milliseconds // HOUR, 'hour')} ago"
    return f"{counted(milliseconds // DAY, 'day')} ago"


def clock_time(at: int) -> str:
    """The time next to a message; the page's script converts it to local time."""
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%dT%H:%MZ")
