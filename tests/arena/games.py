"""Made-up games for tests of the statistics."""

from collections.abc import Sequence

import msgspec

from signoria.arena import Fixture, Played


def made_up(
    fixture: Fixture, winner: str, points: Sequence[int] | None = None, forfeits: Sequence[str | None] | None = None
) -> Played:
    """A game won by one bot, or shared by its copies."""
    seats = len(fixture.bots)
    won = [float(bot == winner) for bot in fixture.bots]
    return Played(
        match=fixture.match,
        deal=fixture.deal,
        rotation=fixture.rotation,
        bots=fixture.bots,
        points=tuple(points or [30 + 5 * int(share) for share in won]),
        shares=tuple(share / sum(won) for share in won),
        forfeits=tuple(forfeits or [None] * seats),
        decisions=(20,) * seats,
        seconds=(0.02,) * seats,
    )


def timeless(played: Played) -> Played:
    """Everything that must be the same wherever a game is played."""
    return msgspec.structs.replace(played, seconds=())
