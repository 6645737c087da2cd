"""Summary of an arena: the result of every pairing and the ranking of all bots."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import Any

import msgspec

from signoria.arena.intervals import Interval, mean_interval, share_interval
from signoria.arena.matches import MIXED, Match
from signoria.arena.playing import Played
from signoria.arena.rating import rate
from signoria.arena.results import header
from signoria.arena.setting import Setting
from signoria.arena.sprt import Verdict


class Pairing(msgspec.Struct, frozen=True, kw_only=True):
    """A bot's result in a match."""

    match: str
    bot: str
    against: str | None
    """None for mixed tables."""
    games: int
    deals: int
    share: Interval
    """Share of the wins."""
    fair: float
    """The share of each bot if all were equally strong."""
    margin: Interval | None
    """The bot's points minus those of its best opponent, in games without a forfeit; None with fewer than two deals."""
    margins: dict[int, int]
    """How often each margin occurred."""
    ms: float | None
    """Milliseconds per decision."""
    against_ms: float | None


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """A bot's result over all its games."""

    bot: str
    rating: Interval
    share: Interval
    margin: Interval | None
    ms: float | None
    decisions: int
    games: int
    forfeits: int


class Forfeit(msgspec.Struct, frozen=True):
    """A game that a bot forfeited."""

    match: str
    deal: int
    rotation: int
    bot: str
    says: str


class ArenaSummary(msgspec.Struct, frozen=True, kw_only=True):
    """All results, as `--json` prints them."""

    setting: dict[str, Any]
    """As in the first line of a results file."""
    games: int
    ranking: tuple[Standing, ...]
    """Best bot first."""
    pairings: tuple[Pairing, ...]
    forfeits: tuple[Forfeit, ...]
    sprt: Verdict | None = None


def summarise(
    setting: Setting, matches: Sequence[Match], games: Iterable[Played], verdict: Verdict | None = None
) -> ArenaSummary:
    """Summarise games, given in the order in which they count. Deals not yet played in every rotation are left out."""
    rotations = {match.name: len(match.rotations) for match in matches}
    given = [played for played in games if played.match in rotations]
    there = Counter((played.match, played.deal) for played in given)
    whole = [played for played in given if there[played.match, played.deal] == rotations[played.match]]
    ratings = rate(whole, setting.bots)
    standings = [_standing(bot, ratings[bot], whole) for bot in setting.bots if any(bot in game.bots for game in whole)]
    return ArenaSummary(
        setting=header(setting),
        games=len(whole),
        ranking=tuple(sorted(standings, key=lambda standing: -standing.rating.mean)),
        pairings=tuple(row for match in matches for row in _pairings(match, whole)),
        forfeits=tuple(
            Forfeit(game.match, game.deal, game.rotation, bot, says)
            for game in whole
            for bot, says in zip(game.bots, game.forfeits, strict=True)
            if says is not None
        ),
        sprt=verdict,
    )


def own_share(bot: str, played: Played) -> float:
    """A bot's share of the win; the mean if it has several seats."""
    return fmean(share for name, share in zip(played.bots, played.shares, strict=True) if name == bot)


def own_margins(bot: str, played: Played) -> list[int]:
    """Points minus those of the best opponent, for each seat of a bot; empty if any bot forfeited."""
    if any(played.forfeits):
        return []
    margins = []
    for seat, name in enumerate(played.bots):
        if name == bot:
            others = played.points[:seat] + played.points[seat + 1 :]
            margins.append(played.points[seat] - max(others))
    return margins


def milliseconds(bot: str, games: Iterable[Played]) -> tuple[float | None, int]:
    """A bot's mean time per decision, and the number of decisions."""
    spent, decisions = 0.0, 0
    for game in games:
        for seat, name in enumerate(game.bots):
            if name == bot:
                spent += game.seconds[seat]
                decisions += game.decisions[seat]
    return (1000 * spent / decisions if decisions else None), decisions


def _by_deal(values: Iterable[tuple[int, float]]) -> list[float]:
    """The mean of each deal."""
    deals: dict[int, list[float]] = defaultdict(list)
    for deal, value in values:
        deals[deal].append(value)
    return [fmean(deals[deal]) for deal in sorted(deals)]


def _share(bot: str, games: Sequence[Played]) -> Interval:
    deals = _by_deal((game.deal, own_share(bot, game)) for game in games)
    return share_interval(deals, len(games) / len(deals))


def _margin(bot: str, games: Sequence[Played]) -> Interval | None:
    deals = _by_deal((game.deal, margin) for game in games for margin in own_margins(bot, game))
    return mean_interval(deals) if len(deals) > 1 else None


def _standing(bot: str, rating: Interval, whole: Sequence[Played]) -> Standing:
    games = [game for game in whole if bot in game.bots]
    ms, decisions = milliseconds(bot, games)
    lost = sum(
        name == bot and says is not None for game in games for name, says in zip(game.bots, game.forfeits, strict=True)
    )
    return Standing(
        bot=bot,
        rating=rating,
        share=_share(bot, games),
        margin=_margin(bot, games),
        ms=ms,
        decisions=decisions,
        games=len(games),
        forfeits=lost,
    )


def _pairings(match: Match, whole: Sequence[Played]) -> Iterable[Pairing]:
    """One line for the measured bot; for mixed tables, one for each bot."""
    everyone = match.name == MIXED
    for bot in match.bots if everyone else match.bots[:1]:
        games = [game for game in whole if game.match == match.name and bot in game.bots]
        if not games:
            continue
        against = None if everyone else match.bots[1]
        yield Pairing(
            match=match.name,
            bot=bot,
            against=against,
            games=len(games),
            deals=len({game.deal for game in games}),
            share=_share(bot, games),
            fair=1 / len(match.rotations[0]),
            margin=_margin(bot, games),
            margins=dict(sorted(Counter(margin for game in games for margin in own_margins(bot, game)).items())),
            ms=milliseconds(bot, games)[0],
            against_ms=milliseconds(against, games)[0] if against is not None else None,
        )
