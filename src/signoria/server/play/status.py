"""The state of a table in one sentence: who has to do what, or who won."""

from typing import Any

from signoria.kernel.language import all_of, say, say_count
from signoria.kernel.words import ordinal
from signoria.server.lobby.catalogue import level_title
from signoria.server.play.ordered_steps import has_chosen, still_to_choose
from signoria.server.play.room import Room
from signoria.server.play.seat_models import player_name, seat_label


def status_sentence(room: Room, mine: tuple[int, ...]) -> str:
    """The state of a table in one sentence: who has to do what."""
    row, position = room.row, room.position
    if row.state == "open":
        missing = sum(1 for seat in row.seats if not seat.bot and not seat.user_id)
        if not missing:
            return say("Everyone is here. Any player can start the game.")
        return say_count("Waiting for {n} more player.", "Waiting for {n} more players.", missing)
    if row.state == "closed" or position is None:
        return say("This table is closed.")
    if row.state == "over":
        return _ended(room, mine)
    turn = row.turn
    assert turn is not None
    asks = position.table.asks
    if mine and all(row.seats[own].resigned for own in mine):
        return say("You resigned. {bot} finishes the game for you.", bot=level_title(row.stand_in))
    if mine and all(room.played_by_bot(own) for own in mine):
        return say("{bot} plays for you until you take your seat back.", bot=level_title(row.stand_in))
    others = _missing(room, mine)
    if turn in mine and room.played_by_bot(turn) is None:
        if len(mine) > 1:
            return say("{player}, it is your turn: {asked}.", player=row.seats[turn].name, asked=asks)
        if turn in has_chosen(position.table, room.orders):
            return others or say("Everyone has chosen.")
        return f"{say('Your turn: {asked}.', asked=asks)} {others}".strip()
    if others:
        has_to = any(own in still_to_choose(position.table, room.orders) for own in mine)
        return f"{say('Your choice: {asked}.', asked=asks)} {others}" if has_to and len(mine) == 1 else others
    return say("Waiting for {player} to {asked}.", player=seat_label(room, turn), asked=asks)


def question(room: Room, view: Any, mine: tuple[int, ...]) -> str:
    """The question for a viewer who has to decide something now."""
    return f"{room.game.words.question(view)} {_missing(room, mine)}".strip()


def _missing(room: Room, mine: tuple[int, ...]) -> str:
    """Who else has not yet made a choice that everyone makes at the same time; empty if nobody is missing."""
    assert room.position is not None
    waiting = still_to_choose(room.position.table, room.orders)
    missing = [room.row.seats[seat] for seat in waiting if seat not in mine and room.played_by_bot(seat) is None]
    if not missing:
        return ""
    done = len(mine) == 1 and mine[0] not in waiting
    says = say("You have chosen.") if done else say("Everyone chooses at the same time.")
    players = ", ".join(player_name(room.row, seat) for seat in missing)
    return f"{says} {say('Still missing: {players}.', players=players)}"


def _ended(room: Room, mine: tuple[int, ...]) -> str:
    """Who won, and how far this viewer was behind."""
    result = room.row.result
    assert result is not None
    assert room.position is not None
    winners = [seat_label(room, seat) for seat in result["winners"]]
    if len(winners) == 1:
        says = say("The game is over: {player} wins.", player=winners[0])
    else:
        says = say("The game is over: {players} share the win.", players=all_of(winners))
    if len(mine) != 1 or mine[0] in result["winners"]:
        return says
    totals = [score["total"] for score in result["scores"]]
    behind = totals[result["winners"][0]] - totals[mine[0]]
    place = ordinal(room.position.table.places[mine[0]])
    if behind:
        own = say_count(
            "You are {place}, {n} point behind.", "You are {place}, {n} points behind.", behind, place=place
        )
    else:
        own = say("You are {place}, tied on points but behind on the tiebreak.", place=place)
    return f"{says} {own}"
