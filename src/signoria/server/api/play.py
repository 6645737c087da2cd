"""Endpoints for playing: views, legal steps, steps, undo, orders."""

from itertools import takewhile
from typing import Any

import msgspec

from signoria.kernel.language import say
from signoria.server.api.calls import ApiCall
from signoria.server.api.operations import TABLE, Operation
from signoria.server.api.per_game import (
    EXAMPLE_GAME,
    events_type,
    events_with_sentences,
    per_game,
    step_type,
    view_type,
)
from signoria.server.api.requests import CHECK_STEP, CHOOSE, MAKE_STEP, OwnSeat, SealBid, Undo, ViewQuery
from signoria.server.api.responses.play import (
    EarlyChoices,
    LegalSteps,
    PositionView,
    SealedBidInfo,
    StepCheck,
    StepResult,
)
from signoria.server.errors import Conflict, StaleVersion
from signoria.server.play import orders
from signoria.server.play.ordered_steps import (
    bid_limits,
    chosen_steps,
    has_orders,
    in_this_round,
    lots_of,
    note_of,
    orders_of,
    still_to_choose,
)
from signoria.server.play.room import Room, TablePosition


def _begun(room: Room) -> TablePosition:
    if room.position is None:
        raise Conflict(say("The game has not begun."))
    return room.position


async def view(call: ApiCall) -> PositionView[msgspec.Struct]:
    """The view of your own seat, or of a spectator."""
    room = await call.room()
    seat = None if call.query.seat is msgspec.UNSET else call.query.seat
    if seat is not None:
        room.own_seat(call.user_id, seat)
    position = _begun(room)
    table = position.table
    return PositionView(n=position.n, turn=table.turn, asked=table.asked, view=table.view(seat))


async def legal(call: ApiCall) -> LegalSteps[msgspec.Struct]:
    """The legal steps of your own seat."""
    room, seat = await call.room(), call.query.seat
    room.own_seat(call.user_id, seat)
    position = _begun(room)
    table = position.table
    return LegalSteps(
        n=position.n, turn=table.turn, asked=table.asked, legal=table.legal if is_asked(room, seat) else ()
    )


def is_asked(room: Room, seat: int) -> bool:
    """Whether it is a seat's turn and no bot plays for it."""
    return (
        room.row.state == "playing"
        and room.position is not None
        and room.position.table.turn == seat
        and room.played_by_bot(seat) is None
    )


async def why_not(call: ApiCall) -> StepCheck:
    """Why a step is not legal now."""
    room = await call.room()
    wanted = await call.body(CHECK_STEP[room.row.game])
    room.own_seat(call.signed_in_user.id, wanted.seat)
    return StepCheck(refusal=_begun(room).table.why_not(wanted.step, wanted.seat))


async def make_step(call: ApiCall) -> StepResult[msgspec.Struct]:
    """Make a step. It is saved when the response arrives. Repeating the request returns the same response."""
    room = await call.room()
    wanted = await call.body(MAKE_STEP[room.row.game])
    call.limit("steps", "moves")
    try:
        await call.service.make_step(room, call.signed_in_user.id, wanted.seat, wanted.n, wanted.step)
    except StaleVersion as error:
        raise StaleVersion(str(error), room.n) from None
    return _made(room, wanted.n)


async def undo(call: ApiCall) -> StepResult[msgspec.Struct]:
    """Undo your last step. The undo is saved when the response arrives."""
    room, wanted = await call.room(), await call.body(Undo)
    call.limit("steps", "moves")
    try:
        await call.service.undo(room, call.signed_in_user.id, wanted.seat, wanted.n)
    except StaleVersion as error:
        raise StaleVersion(str(error), room.n) from None
    return _made(room, wanted.n)


def _made(room: Room, n: int) -> StepResult[msgspec.Struct]:
    """The game after the step that was made at `n`."""
    position = _begun(room)
    since = [entry for entry in position.log if entry.n >= n]
    brought = since[:1] if since and since[0].n == n else []
    if brought:
        brought += takewhile(lambda entry: entry.by == "house", since[1:])
    return StepResult(
        n=position.n,
        state="over" if position.table.over else "playing",
        turn=position.table.turn,
        asked=position.table.asked,
        events=events_with_sentences(event for entry in brought for event in entry.events),
    )


async def sealed(call: ApiCall) -> SealedBidInfo:
    """The automatic bids of your own seat in this round; nobody else can see them."""
    room, seat = await call.room(), call.query.seat
    room.own_seat(call.user_id, seat)
    return _sealed(room, seat)


async def seal(call: ApiCall) -> SealedBidInfo:
    """Set an automatic bid. It is saved when the response arrives."""
    room, wanted = await call.room(), await call.body(SealBid)
    call.limit("steps", "moves")
    await orders.seal(call.service, room, call.signed_in_user, wanted.seat, wanted.lot, wanted.most)
    return _sealed(room, wanted.seat)


def _sealed(room: Room, seat: int) -> SealedBidInfo:
    view = _begun(room).table.view(seat)
    if not has_orders(room.row.game):
        return SealedBidInfo(lots=(), most={})
    lots, most = tuple(lot.name for lot in lots_of(view)), bid_limits(view, room.orders.get(seat))
    return SealedBidInfo(lots=lots, most={lot: most[lot] for lot in lots if lot in most})


async def early_choices(call: ApiCall) -> EarlyChoices[msgspec.Struct]:
    """The early choices of your own seat; nobody else can see them."""
    room, seat = await call.room(), call.query.seat
    room.own_seat(call.user_id, seat)
    return _early_choices(room, seat)


async def choose(call: ApiCall) -> EarlyChoices[msgspec.Struct]:
    """Make an early choice. It is saved when the response arrives."""
    room = await call.room()
    wanted = await call.body(CHOOSE[room.row.game])
    call.limit("steps", "moves")
    user = call.signed_in_user
    await orders.choose(call.service, room, user, wanted.seat, wanted.choice, wanted.steps)
    return _early_choices(room, wanted.seat)


def _early_choices(room: Room, seat: int) -> EarlyChoices[msgspec.Struct]:
    table = _begun(room).table
    if not has_orders(room.row.game) or table.over:
        return EarlyChoices(possible={}, chosen={}, choosing=(), note="")
    view, row = table.view(seat), room.orders.get(seat)
    game_orders, valid = orders_of(view), in_this_round(view, row)
    possible: dict[str, tuple[Any, ...]] = {
        choice: tuple(game_orders.plans(view, choice)) for choice in game_orders.choices(view)
    }
    return EarlyChoices(
        possible=possible,
        chosen=chosen_steps(view, row),
        choosing=still_to_choose(table, room.orders),
        note=note_of(valid),
    )


VIEWS = tuple(per_game(PositionView, view_type).values())
LEGAL = tuple(per_game(LegalSteps, step_type).values())
EARLY = tuple(per_game(EarlyChoices, step_type).values())
MADE = tuple(per_game(StepResult, events_type).values())
STEP = msgspec.to_builtins(EXAMPLE_GAME.step_of(0))
NOT_BEGUN = {403: "The seat is not yours.", 409: "The game has not started."}

OPERATIONS = (
    Operation(
        method="GET",
        path=f"{TABLE}/view",
        handler=view,
        summary="View of a seat",
        more="Only your own seat; without a seat, the view of a spectator.",
        tag="play",
        query=ViewQuery,
        answers=VIEWS,
        refuses=NOT_BEGUN,
    ),
    Operation(
        method="GET",
        path=f"{TABLE}/legal",
        handler=legal,
        summary="Legal steps of your own seat",
        tag="play",
        query=OwnSeat,
        answers=LEGAL,
        refuses=NOT_BEGUN,
    ),
    Operation(
        method="POST",
        path=f"{TABLE}/why-not",
        handler=why_not,
        summary="Why a step is not legal now",
        tag="play",
        body=tuple(CHECK_STEP.values()),
        answers=(StepCheck,),
        needs_user=True,
        example={"seat": 0, "step": STEP},
        refuses=NOT_BEGUN,
    ),
    Operation(
        method="POST",
        path=f"{TABLE}/steps",
        handler=make_step,
        summary="Make a step",
        more="It is safe to repeat a request: the step is made once, and the response is the same. A step that comes too "
        "late gets status 409 with the current `n`.",
        tag="play",
        body=tuple(MAKE_STEP.values()),
        answers=MADE,
        needs_user=True,
        example={"seat": 0, "n": 12, "step": STEP},
        refuses={
            403: "The seat is not yours.",
            409: "The game has moved on (`n` is the current number), it is not your turn, or no game is in progress.",
            422: "The step is illegal (see `clause` and `possible`), or a field is invalid.",
        },
    ),
    Operation(
        method="POST",
        path=f"{TABLE}/undo",
        handler=undo,
        summary="Undo your last step",
        more="Possible until something is revealed or another player moves.",
        tag="play",
        body=(Undo,),
        answers=MADE,
        needs_user=True,
        example={"seat": 0, "n": 13},
        refuses={403: "The seat is not yours.", 409: "The step can no longer be undone, or the game has moved on."},
    ),
    Operation(
        method="GET",
        path=f"{TABLE}/sealed",
        handler=sealed,
        summary="Automatic bids of your own seat",
        tag="play",
        query=OwnSeat,
        answers=(SealedBidInfo,),
        refuses=NOT_BEGUN,
    ),
    Operation(
        method="POST",
        path=f"{TABLE}/sealed",
        handler=seal,
        summary="Set an automatic bid",
        more="On this seat's turn in that auction, the server bids the minimum up to `most`, then passes. These steps look "
        "like any other step of the seat, and nobody else can see `most`.",
        tag="play",
        body=(SealBid,),
        answers=(SealedBidInfo,),
        needs_user=True,
        example={"seat": 0, "lot": "green", "most": 5},
        refuses={
            403: "The seat is not yours.",
            409: "This seat cannot bid in such an auction now or later in this round.",
        },
    ),
    Operation(
        method="GET",
        path=f"{TABLE}/orders",
        handler=early_choices,
        summary="Early choices of your own seat",
        tag="play",
        query=OwnSeat,
        answers=EARLY,
        refuses=NOT_BEGUN,
    ),
    Operation(
        method="POST",
        path=f"{TABLE}/orders",
        handler=choose,
        summary="Choose before you are asked",
        more="The server makes the steps as soon as this seat is asked for them. Until then you can change or withdraw the "
        "choice. These steps look like any other step of the seat, and nobody else can see the choice. Where everyone "
        "chooses at the same time, others can see that you have chosen. If the steps are no longer legal, the server "
        "drops the choice, and `note` says why.",
        tag="play",
        body=tuple(CHOOSE.values()),
        answers=EARLY,
        needs_user=True,
        example={"seat": 0, "choice": "offer", "steps": [STEP]},
        refuses={
            403: "The seat is not yours.",
            409: "This seat cannot make this choice in advance now.",
            422: "The steps are impossible (see `clause`), or a field is invalid.",
        },
    ),
)
