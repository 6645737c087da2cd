"""Writes docs/strength.md and its two curves from the output of `signoria arena ... --json` in docs/strength/*.json."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from signoria.arena.calibration import Calibration
from signoria.arena.charts import strength_and_time
from signoria.arena.summary import ArenaSummary, Pairing
from signoria.arena.words import milliseconds, points, share
from signoria.bots.levels import LEVELS
from signoria.bots.weights import cards_of
from signoria.cli.exploit import Exploit
from signoria.games import GAMES, find_game
from signoria.web.kit.report import stand_alone

HERE = Path(__file__).parent / "strength"


class Claim(NamedTuple):
    """A match in the table, and the win share it should reach."""

    file: str
    bot: str
    against: str
    says: str
    least: float | None = None
    """The target for the win share."""


PATRICIAN = (
    Claim("p-2-random", "greedy", "random", "two players", 0.90),
    Claim("p-2-greedy", "search:1000", "greedy", "two players", 0.85),
    Claim("p-2-search", "search:10000", "search:1000", "two players, whole interval above the target", 0.55),
    Claim("p-4-greedy", "search:1000", "greedy", "four players, one against three (fair: 25%)", 0.50),
    Claim("p-2-expansions", "search:1000", "greedy", "two players, both expansions", None),
    Claim("p-4-expansions", "search:1000", "greedy", "four players, both expansions, one against three", None),
)
IL_PRINCIPE = (
    Claim("i-2-random", "greedy", "random", "two players", 0.90),
    Claim("i-2-greedy", "search:1000", "greedy", "two players", 0.75),
    Claim("i-2-search", "search:10000", "search:1000", "two players, whole interval above the target", 0.55),
    Claim("i-4-greedy", "search:1000", "greedy", "four players, one against three (fair: 25%)", 0.40),
    Claim("i-2-variant", "search:1000", "greedy", "two players, money variant", None),
)


def strength_md(made: str) -> str:
    """How strong the bots are; each figure has the command that prints it."""
    return (
        f"{made}# How strong the bots are\n\n"
        "All games were played with `signoria arena`: every deal is played from every seat, and win shares and margins have 95%\n"
        "intervals. Bots with a fixed number of iterations always play the same games, so you can reproduce each figure with its\n"
        "command. Times were measured on one core of a shared virtual machine and vary.\n\n"
        f"## Patrician\n\n{_table(PATRICIAN)}\n{_curve('patrician')}\n"
        f"## Il Principe\n\n{_table(IL_PRINCIPE)}\n{_curve('il-principe')}\n"
        f"## The networks\n\n{_networks()}\n"
        f"## The named opponents\n\n{_levels()}\n"
        f"{FAIR}"
    )


FAIR = """\
## Bots do not see hidden cards

A bot gets the view of its seat and a state from which everything its seat cannot know was removed. A test proves it:
`pytest tests/bots/test_fairness.py` takes positions of both games with all options, deals the hidden cards again in a way that
leaves the view unchanged, and checks that the bot makes the same move with the same seed.

## How they think

- `greedy` estimates each legal move once, without looking ahead. In Patrician it asks what the towers of a city are worth now,
  assuming that anyone may build the remaining floors, and what portraits, floors and symbols a card would bring. In Il Principe
  it asks how close its hand and ducats come to founding each city, what the crests would score in the regions, what roles will
  earn, and what is left afterwards. Each game has one function for each of these questions (`bot/heuristic.py`).
- `search` plays thousands of possible games in its head. For each one it deals the cards that its seat cannot see at random,
  follows one tree shared by all deals, and plays the game to the end. Every player in it plays for themselves. Moves that look
  promising are tried first and more often. The result of a game is the share of the win, with some weight on the margin. Of many
  possible bids the search considers only a few: the next ones, two jumps, and the bid that nobody can exceed.
- A tree takes at most 25 MB per thread. `signoria bench GAME --players 2` prints iterations per second.
"""


def curve_svg(game: str) -> str:
    """Strength against thinking time, as a complete SVG file."""
    return stand_alone(strength_and_time(_read(f"{game[0]}-curve").ranking))


def _read(file: str) -> ArenaSummary:
    return msgspec.json.decode((HERE / f"{file}.json").read_bytes(), type=ArenaSummary)


def _table(claims: tuple[Claim, ...]) -> str:
    lines = [
        "| match | games | win share | target | margin | ms per decision |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    commands = []
    for claim in claims:
        summary = _read(claim.file)
        row = next(row for row in summary.pairings if (row.bot, row.against) == (claim.bot, claim.against))
        lines.append(_line(claim, row))
        commands.append(command(summary))
    listed = "\n".join(f"    {text}" for text in commands)
    return "\n".join(lines) + f"\n\nThe commands, in the same order:\n\n{listed}\n"


def _line(claim: Claim, row: Pairing) -> str:
    target = "" if claim.least is None else f"{claim.least:.0%}"
    times = f"{milliseconds(row.ms)} : {milliseconds(row.against_ms)}"
    match = f"**{claim.bot}** against {claim.against}, {claim.says}"
    return f"| {match} | {row.games:,} | {share(row.share)} | {target} | {points(row.margin)} | {times} |"


def command(summary: ArenaSummary) -> str:
    """The command that plays these games."""
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
        f"Two players, {_least_games(summary)} games for each pair of bots: `{command(summary)}`\n"
    )


def _least_games(summary: ArenaSummary) -> int:
    return min(row.games for row in summary.pairings)


NETWORKS = """\
A network is [released](training.md#is-it-better-than-the-search) for a table only if it beats the search at equal time, both at
20 and at 100 milliseconds per decision. At tables without a released network `net` plays games to their end, as `search` does.

These are the tests of two networks that were trained on 19 November 2026: the one for two players of Patrician in 15 minutes on two
cores, and the one for four players of Il Principe in nine minutes with eight threads and a GPU (H200), from 588,000 games:

    signoria train patrician --players 2 --minutes 15 --seed 1 --threads 1
    signoria train il-principe --players 4 --within 9.0 --threads 8 --layers 128,32 --seed 1
"""
NETWORKS_AIMS = """\
The tests with four players ran on a machine with other work, so both bots got less done in their time. With the ambassadors alone,
the test at 100 milliseconds was stopped after 45 minutes without an answer. This is how far the networks are from what we aim for. The
searches had the same time for each decision.

| table | time | aim | found |
| --- | --- | --- | --- |
| Patrician, two players | 0.1s | 70% | missed: 68.3% of 82 games |
| Il Principe, two players | 0.1s | 80% | met: 81% of 32 games |
| Patrician, four players, against three searches | 0.1s | 45% | missed: no network was better than the search |
| Il Principe, four players, against three searches | 0.1s | 45% | missed: 39.5% of 76 games, but better than the search |
| Patrician, two players | 0.9s | 60% | met: 73% of 60 games |
| Il Principe, two players | 0.9s | 70% | missed: 60.0% of 60 games |

For four players we tried this:

- Ten minutes on two cores that other programs used, too. In Patrician the network won 31% of 48 games against three searches at 20
  milliseconds, and in Il Principe 32.5% of 120 games at 100 milliseconds; 25% is fair, and neither test was decided.
- Nine minutes with seven and eight threads, a GPU and layers of 128 and 32 units, and far more games. In Il Principe this gave the
  network above. In Patrician (1,053,000 games) the network explained 63% of the differences between positions, hardly more than
  the 61% after ten minutes on two cores (with two players it is 82%). It won 19% of 13 games at 100 milliseconds, with 30% of a playout
  in the value of a position (`--mix 0.3`). So Patrician with four players does not need more games, but better features.

In Il Principe the network's lead shrinks the longer both bots think: from 48% to 39% with four players, and from 81% to 60% with two.
"""
STRONGEST = """\
### At 0.9 seconds

This is the time of the strongest opponent. Both bots have it for each decision:

| match | games | win share | margin | ms per decision |
| --- | --- | --- | --- | --- |
"""
NETWORKS_EARLIER = """\
### Networks of 18 November 2026

These networks were trained with `--deals 0`: a search chose the moves of self-play. Training took about three and a half minutes each
with eight threads, and seven minutes more with six threads for four players of Il Principe. With two players of Patrician the value
of a position was 70% what the network expected, and 30% the result of a playout (`--mix 0.3`). A test without an answer stopped when its
time was over. The tests with four players of Il Principe and the last one of its money variant ran on a busy machine, where both bots
get less done.
"""
NETWORKS_LONGER = """\
Three of them were trained once more, each for eight and a half minutes: two players of Patrician with seven threads and
`--mix 0.3`, four and three players of Il Principe with five and four threads
(`signoria train GAME --players N --deals 0 --within 9.3`). They were tested on a machine with other work:
"""
NETWORKS_LEFT = """\
The second training was repeated with the same seed and a minute less; it ended with nearly the same errors (Patrician 0.0149 and 0.0154,
Il Principe 0.0068 and 0.0072 with three players, 0.0068 and 0.0066 with four).
"""


def _networks() -> str:
    return "\n".join(
        (
            NETWORKS,
            _network_tests("net"),
            NETWORKS_AIMS,
            _strongest(),
            _exploiters(),
            _calibrations(),
            NETWORKS_EARLIER,
            _network_tests("net-first"),
            NETWORKS_LONGER,
            _network_tests("net-second"),
            NETWORKS_LEFT,
        )
    )


EXPLOITERS = """\
### Can they be exploited?

An exploiter is a network that was trained only to beat `net` ([training](training.md#can-it-be-exploited)). With two players it should
win less than 60% of the games at 20 milliseconds a decision.

| command | exploiter learned from | games | win share |
| --- | --- | --- | --- |
"""
CALIBRATIONS = """\
### Do they win as often as they say?

Before each move equal bots say how likely they are to win. On average this should differ from how often they do win by at most 3
percentage points. Patrician's network was 4.6 off in the games of seed 1. From these games its card has the certainty that it needed
(`--note`), and the table shows other games. Il Principe's network is 3 to 4 points too hopeful for the player to move, whether the
chance is small or even. A certainty of 1.15, which fitted the games of seed 1 best, did not help: in 400 games of seed 2 the mean
difference was 3.5 points again.

| command | games | mean difference |
| --- | --- | --- |
"""


def _strongest() -> str:
    rows, commands = [], []
    for game in GAMES:
        summary = _read(f"{game[0]}-2-strongest")
        (row,) = summary.pairings
        times = f"{milliseconds(row.ms)} : {milliseconds(row.against_ms)}"
        match = f"{find_game(game).title}, **{row.bot}** against {row.against}"
        rows.append(f"| {match} | {row.games:,} | {share(row.share)} | {points(row.margin)} | {times} |\n")
        commands.append(f"    {command(summary)}\n")
    return STRONGEST + "".join(rows) + "\n" + "".join(commands)


def _exploiters() -> str:
    rows = []
    for game in GAMES:
        found = msgspec.json.decode((HERE / f"{game[0]}-exploiter.json").read_bytes(), type=Exploit)
        assert found.share is not None
        asked = f"`signoria exploit {game} --players 2 --minutes 10`"
        rows.append(f"| {asked} | {found.games_learned:,} games | {found.games:,} | {share(found.share)} |\n")
    return EXPLOITERS + "".join(rows)


def _calibrations() -> str:
    rows = []
    for game, seed in (("patrician", 2), ("il-principe", 1)):
        found = msgspec.json.decode((HERE / f"{game[0]}-calibration.json").read_bytes(), type=Calibration)
        asked = f"`signoria calibrate {game} --players 2 --bot net:0.02s --games {found.games} --seed {seed}`"
        rows.append(f"| {asked} | {found.games:,} | {found.deviation:.1f} percentage points |\n")
    return CALIBRATIONS + "".join(rows)


def _network_tests(folder: str) -> str:
    lines = ["| table | time | games | win share | fair | answer |", "| --- | --- | --- | --- | --- | --- |"]
    for path in sorted((HERE / folder).glob("*.json")):
        summary = _read(f"{folder}/{path.stem}")
        (row,), test = summary.pairings, summary.sprt
        assert test is not None
        table, _, time = path.stem.rpartition("-")
        tested = (summary.setting["options"], row.bot, row.games, round(row.share.mean, 9))
        released = any(
            tested == (one["options"], one["bot"], one["games"], round(one["share"], 9))
            for card in cards_of(find_game(summary.setting["game"])).values()
            for one in card.results
            if any(one["options"] == table.options for table in card.settings)
        )
        answer = f"{test.verdict}, released" if released else test.verdict
        lines.append(f"| {table} | {time} | {row.games:,} | {share(row.share)} | {row.fair:.0%} | {answer} |")
    return "\n".join(lines) + "\n"


OPPONENTS = """\
Weaker opponents see less or look less far ahead; none of them makes random mistakes. Scalpellino, Capomastro and Provveditore are
`net:30`, `net:200` and `net:1500`. The opponents with a style are searches of 200 iterations whose imagined games count half by the
usual result and half by what the style likes. In Il Principe, Costruttore likes cities and crests, Speculatore cards from auctions and
roles, and Avaro ducats. In Patrician, Costruttore likes towers, whatever they are worth, Speculatore portraits and messengers, and Avaro
dislikes floors that won it no tower.
"""


def _levels() -> str:
    rows = "".join(f"| {level.title} | {level.says} |\n" for level in LEVELS)
    results = "".join(_level_results()).rstrip()
    return f"{OPPONENTS}\n| name | description |\n| --- | --- |\n{rows}\n{results}\n"


def _level_results() -> Iterator[str]:
    for game in GAMES:
        asked = f"signoria arena {game} --players 2 --bots"
        commands = (
            ("levels", f"{asked} garzone,muratore,scalpellino,capomastro,provveditore --games 60 --seed 1"),
            ("architetto", f"{asked} architetto,provveditore --games 20 --seed 1"),
            ("styles", f"{asked} costruttore,speculatore,avaro,scalpellino,capomastro --games 40 --seed 1"),
        )
        found = [_read(f"{game[0]}-{name}") for name, _ in commands if (HERE / f"{game[0]}-{name}.json").exists()]
        yield f"{find_game(game).title}, two players:\n\n"
        if not found:
            yield "Not measured yet. The commands:\n\n" + "".join(f"    {command}\n" for _, command in commands) + "\n"
            continue
        yield "| match | games | win share | margin | ms per decision |\n| --- | --- | --- | --- | --- |\n"
        for row in (row for summary in found for row in summary.pairings):
            match = f"{row.bot.capitalize()} against {(row.against or '').capitalize()}"
            times = f"{milliseconds(row.ms)} : {milliseconds(row.against_ms)}"
            yield f"| {match} | {row.games:,} | {share(row.share)} | {points(row.margin)} | {times} |\n"
        yield "\n" + "".join(f"    {command(summary)}\n" for summary in found) + "\n"
