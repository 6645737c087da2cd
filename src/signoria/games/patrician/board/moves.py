"""How the pieces of Patrician move: cards fly, floors fall, messengers ride, tokens go to their winners."""

from collections.abc import Iterator, Sequence
from typing import Any

from signoria.games.patrician.rulebook.components import ROAD_IDS, ROADS
from signoria.games.patrician.view import View
from signoria.games.patrician.words.events import (
    CardLaidOut,
    CardPlayed,
    CardTaken,
    CityScored,
    FloorBuilt,
    FloorMoved,
    MessengerPlaced,
    TowerWon,
)
from signoria.web.models import RecentStep
from signoria.web.moves import PieceMove, StepMoves, slides

RIDERS = dict(zip(ROADS, (f"rider-{road}" for road in ROAD_IDS), strict=True))


def find_moves(view: View, steps: Sequence[RecentStep]) -> list[StepMoves]:
    """The moves of each step, as this viewer sees them."""
    ended = _last_of_own_turn(view, steps)
    return [
        StepMoves(
            step.k,
            (
                *(move for event in step.events for move in _moves(view, event)),
                *(_laid_away(view) if step.k == ended else ()),
            ),
        )
        for step in steps
    ]


def _moves(view: View, event: Any) -> Iterator[PieceMove]:
    match event:
        case CardPlayed(_, seat, card) if seat == view.seat:
            if card == view.card and view.turn == seat:
                yield PieceMove(f"laid-{card}", was=f"card-{card}", to=(f"city-{_city(view, card)}",), sound="card")
            else:
                yield PieceMove(f"card-{card}", sound="card")
        case CardPlayed(_, seat, card):
            yield PieceMove(f"card-{card}", places=_hand(seat), via=f"city-{_city(view, card)}", sound="card")
            yield from _closing_up(view, seat)
        case FloorBuilt(_, _, city, site, level):
            yield PieceMove(f"floor-{city}-{site}-{level - 1}", how="drop", sound="stone")
        case FloorMoved(_, _, city, origin, _, left, level):
            lifted = f"floor-{city}-{origin}-{left - 1}"
            yield PieceMove(f"floor-{city}-{1 - origin}-{level - 1}", was=lifted, sound="stone")
        case CityScored(_, city, high, low):
            yield _token(city, "high", high)
            yield _token(city, "low", low)
        case CardTaken(_, seat, _, card):
            yield PieceMove(f"card-{card}", to=() if seat == view.seat else _hand(seat), sound="card")
            yield from _closing_up(view, seat)
        case CardLaidOut(_, _, card):
            yield PieceMove(f"card-{card}", places=("pile-backs", "pile"), sound="card", later=True)
        case MessengerPlaced(_, _, between):
            yield PieceMove(RIDERS[between], how="ride", sound="hooves")
        case _:
            pass


def last_moved(lately: Sequence[Any]) -> list[str]:
    """Floors, messengers and cards on the board that recent events put where they are."""
    ids: dict[str, None] = {}
    for event in lately:
        match event:
            case FloorBuilt(_, _, city, site, level):
                ids[f"floor-{city}-{site}-{level - 1}"] = None
            case FloorMoved(_, _, city, origin, _, _, level):
                ids[f"floor-{city}-{1 - origin}-{level - 1}"] = None
            case CardLaidOut(_, _, card):
                ids[f"card-{card}"] = None
            case CardTaken(_, _, _, card):
                ids.pop(f"card-{card}", None)
            case MessengerPlaced(_, _, between):
                ids[RIDERS[between]] = None
            case _:
                pass
    return list(ids)


def _hand(seat: int) -> tuple[str, ...]:
    return f"fan-{seat}", f"player-{seat}"


def _token(city: str, rank: str, won: TowerWon) -> PieceMove:
    """A copy of the token goes to its winner; the token itself stays, marked."""
    return PieceMove(f"token-{city}-{rank}", to=(f"tokens-{won.seat}", f"player-{won.seat}"), how="leave", sound="coin")


def _closing_up(view: View, seat: int) -> list[PieceMove]:
    """Cards in another hand that the viewer knows."""
    if seat == view.seat or not view.remembered:
        return []
    return slides([f"card-{card}" for card in view.remembered.hands[seat] if card])


def _city(view: View, card: str) -> str:
    return next(one.city for one in view.components.cards if one.id == card)


def _last_of_own_turn(view: View, steps: Sequence[RecentStep]) -> int | None:
    """The step that ended the viewer's last turn, if the turn is over: with it the played card goes onto the stack."""
    own = [step.k for step in steps if step.seat == view.seat]
    return own[-1] if own and view.turn != view.seat else None


def _laid_away(view: View) -> Iterator[PieceMove]:
    if view.seat is not None and view.players[view.seat].stack:
        card = view.players[view.seat].stack[-1]
        yield PieceMove(f"card-{card}", was=f"laid-{card}", sound="card")
