"""docs/strength.md and its two curves, made from what `signoria arena ... --json` printed: docs/strength/*.json."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from signoria.arena.charts import strength_and_time
from signoria.arena.report import STYLE
from signoria.arena.summary import Pairing, Summary
from signoria.arena.words import milliseconds, points, share
from signoria.bots.levels import LEVELS
from signoria.games import GAMES, find_game

HERE = Path(__file__).parent / "strength"


class Claim(NamedTuple):
    """What a match has to show."""

    file: str
    bot: str
    against: str
    says: str
    least: float | None = None
    """The share that is asked for."""


PATRICIAN = (
    Claim("p-2-random", "greedy", "random", "two players", 0.90),
    Claim("p-2-greedy", "search:1000", "greedy", "two players", 0.85),
    Claim("p-2-search", "search:10000", "search:1000", "two players, the whole interval above", 0.55),
    Claim("p-4-greedy", "search:1000", "greedy", "four players, one against three (fair: 25%)", 0.50),
    Claim("p-2-expansions", "search:1000", "greedy", "two players, both expansions", None),
    Claim("p-4-expansions", "search:1000", "greedy", "four players, both expansions, one against three", None),
)
IL_PRINCIPE = (
    Claim("i-2-random", "greedy", "random", "two players", 0.90),
    Claim("i-2-greedy", "search:1000", "greedy", "two players", 0.75),
    Claim("i-2-search", "search:10000", "search:1000", "two players, the whole interval above", 0.55),
    Claim("i-4-greedy", "search:1000", "greedy", "four players, one against three (fair: 25%)", 0.40),
    Claim("i-2-variant", "search:1000", "greedy", "two players, money variant", None),
)


def strength_md(made: str) -> str:
    """How strong the bots are, each figure with the command that prints it."""
    return (
        f"{made}# How strong the bots are\n\n"
        "Games of `signoria arena`: every deal is played from every seat, win shares and margins with 95% intervals.\n"
        "Bots with a number of iterations for a level play the same games again, so each figure can be had again with its\n"
        "command; times are those of a core of a shared virtual machine, and noisy.\n\n"
        f"## Patrician\n\n{_table(PATRICIAN)}\n{_curve('patrician')}\n"
        f"## Il Principe\n\n{_table(IL_PRINCIPE)}\n{_curve('il-principe')}\n"
        f"## The opponents by name\n\n{_levels()}\n"
        f"{FAIR}"
    )


FAIR = """\
## Nothing hidden helps them

A bot is given a view, and behind it a state in which everything its seat cannot know is hidden. The proof is a test:
`pytest tests/bots/test_fairness.py` takes positions of every setting of both games, deals everything hidden anew behind
the same view, and asks for the same step with the same seed.

## How they think

- `greedy` looks at each step once. In Patrician: what the towers of a city are worth as they stand, as if every floor
  to come were anybody's; what a card to be taken promises in portraits, floors and symbols. In Il Principe: how near
  hand and ducats come to each city, what its crests would do in the regions, what roles will earn, and what is left
  over. The functions stand in `bot/heuristic.py` of each game, one for each of these questions.
- `search` imagines thousands of games. Each is dealt anew from what the seat knows, goes down one tree that all deals
  share, and is played on to the end; everybody in it plays for themselves. What looks promising at first glance is
  tried first and more often. An end counts as the share of the win, with some weight on the margin. Of many bids a few
  are thought about: the next ones, two jumps, and the one that nobody can go above.
- A tree takes at most 25 MB for each thread. `signoria bench GAME --players 2` prints iterations a second.
"""


def curve_svg(game: str) -> str:
    """What thinking buys, as a picture that stands alone."""
    drawn = strength_and_time(_read(f"{game[0]}-curve").ranking)
    style = STYLE.replace("svg { display: block; width: 100%; height: auto;", "svg {").replace(
        "max-width: 30rem; margin: 0 auto;", ""
    )
    return drawn.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" width="640" ', 1).replace(
        ">", f'><style>{style}</style><rect width="100%" height="100%" style="fill: var(--card)"/>', 1
    )


def _read(file: str) -> Summary:
    return msgspec.json.decode((HERE / f"{file}.json").read_bytes(), type=Summary)


def _table(claims: tuple[Claim, ...]) -> str:
    lines = ["| match | games | win share | asked | margin | ms a decision |", "| --- | --- | --- | --- | --- | --- |"]
    commands = []
    for claim in claims:
        summary = _read(claim.file)
        row = next(row for row in summary.pairings if (row.bot, row.against) == (claim.bot, claim.against))
        lines.append(_line(claim, row))
        commands.append(command(summary))
    told = "\n".join(f"    {text}" for text in commands)
    return "\n".join(lines) + f"\n\nThe commands, in the same order:\n\n{told}\n"


def _line(claim: Claim, row: Pairing) -> str:
    asked = "" if claim.least is None else f"{claim.least:.0%}"
    times = f"{milliseconds(row.ms)} : {milliseconds(row.against_ms)}"
    match = f"**{claim.bot}** against {claim.against}, {claim.says}"
    return f"| {match} | {row.games:,} | {share(row.share)} | {asked} | {points(row.margin)} | {times} |"


def command(summary: Summary) -> str:
    """What was typed to get these games."""
    setting = summary.setting
    usual = msgspec.to_builtins(find_game(setting["game"]).options({"players": setting["options"]["players"]}))
    options = [f"--{name}" for name, value in setting["options"].items() if value is True and not usual[name]]
    games = max(row.games for row in summary.pairings)
    bots = ",".join(setting["bots"])
    return " ".join(
        [
            f"signoria arena {setting['game']} --players {setting['options']['players']}",
            *options,
            f"--bots {bots} --games {games} --seed {setting['seed']}",
        ]
    )


def _curve(game: str) -> str:
    summary = _read(f"{game[0]}-curve")
    return (
        f"![Rating against thinking time, {find_game(game).title}](strength/{game}.svg)\n\n"
        f"Two players, {_least_games(summary)} games for each two of them: `{command(summary)}`\n"
    )


def _least_games(summary: Summary) -> int:
    return min(row.games for row in summary.pairings)


def _levels() -> str:
    rows = "".join(f"| {level.title} | {level.says} |\n" for level in LEVELS)
    told = "".join(_level_results()).rstrip()
    return f"| name | what it is like |\n| --- | --- |\n{rows}\n{told}\n"


def _level_results() -> Iterator[str]:
    for game in GAMES:
        found = [_read(f"{game[0]}-levels"), _read(f"{game[0]}-architetto")]
        yield f"{find_game(game).title}, two players:\n\n"
        yield "| match | games | win share | margin | ms a decision |\n| --- | --- | --- | --- | --- |\n"
        for row in (row for summary in found for row in summary.pairings):
            match = f"{row.bot.capitalize()} against {(row.against or '').capitalize()}"
            times = f"{milliseconds(row.ms)} : {milliseconds(row.against_ms)}"
            yield f"| {match} | {row.games:,} | {share(row.share)} | {points(row.margin)} | {times} |\n"
        yield "\n" + "".join(f"    {command(summary)}\n" for summary in found) + "\n"
