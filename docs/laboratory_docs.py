"""Writes docs/laboratory.md from docs/lab/figures.json. `make lab-docs` plays the games and draws docs/lab/*.svg again."""

import sys
from pathlib import Path
from typing import Any

import msgspec

from signoria.games import GAMES, AnyGame, find_game
from signoria.lab import charts
from signoria.lab.experiment import experiment_of
from signoria.lab.figures import Results
from signoria.lab.playing import on_cores, run
from signoria.web.kit.report import stand_alone

HERE = Path(__file__).parent / "lab"
PLAYED = {"patrician": 200_000, "il-principe": 40_000}
"""Games with each number of players."""
SHOWN = {"patrician": 3, "il-principe": 4}
"""The number of players of the drawings."""
DRAWN = {
    "patrician": ("Prestige tokens", "Portraits", "Symbols"),
    "il-principe": ("Cities", "Roles", "Crests by region"),
}
"""Groups of things whose worth is drawn."""

TEXT = """\
# The laboratory

    signoria lab patrician --bots greedy --games 200000 --out report.html

This command plays many games and writes one illustrated HTML page that needs no other file. The page shows scores and where they
come from, seat advantage with intervals, and the length of games. It shows what each card, city, role or token was worth to the
players who held it, and how often each clause came into play. It also shows how all this differs by number of players and by
strength of play.

- `--bots` names one bot for all seats or one for each. `random` and `greedy` are compiled: `signoria lab patrician --games 1000000
  --bots random --out report.html` took 21 seconds on two cores that other programs used too (34 seconds of CPU time, or 23 with
  `--no-sides`). The first run also compiles the rules and took 58 seconds of CPU time. Other bots, such as `search:200`, are not
  compiled and play a few games a second.
- `--players` and all other options of the game work as in `signoria play`. By default the report also compares other numbers of
  players and other bots; `--no-sides` leaves that out.
- `--json` prints all figures for programs. `--seed` repeats the same games.
- `--gpu` plays `random` and `greedy` on an NVIDIA GPU (`pip install 'signoria[gpu]'`). `--ray auto` or `--ray ADDRESS` spreads the games over a Ray cluster
  (`pip install 'signoria[cluster]'`). If a machine fails, other machines play its games again, and the sums are the same.

## Change a component and see what it does

    signoria deck design patrician > mine.toml          # every printed figure of the game
    signoria lab patrician --compare standard mine.toml --out report.html

Edit any value of your copy first: the points of a token, the cards of a city, the ducats of an income. The report lists what you
changed and shows the effect on balance, scores, length and on the worth of everything else, each difference with its interval. A
file that the rules cannot play is refused with the reason. `--compare` takes two variants. A variant is `standard`, a components
file, a list of components as `signoria deck show` prints it, or options such as `messengers` or `messengers,ambassadors`.

## What "worth" means

For each thing, such as a card, the report compares the players of the same game: how many more points did a player have for each
one that they held? This is a correlation, not a cause. A player who is ahead founds more cities, and a good player takes good
cards. In random play almost everything is held by chance, so the report shows that figure beside the other.

What is counted in a game, and how, is in `counters.py` of the game.
"""


def laboratory_md(made: str) -> str:
    """The whole document."""
    figures = msgspec.json.decode((HERE / "figures.json").read_bytes())
    return made + TEXT + "".join(_told(find_game(name), figures[name]) for name in GAMES)


def _told(game: AnyGame, figures: dict[str, Any]) -> str:
    drawn = "".join(
        f"![{title}, {game.title}](lab/{game.name}-{name}.svg)\n\n" for name, title in figures["drawings"].items()
    )
    rows = "".join(f"| {' | '.join(row)} |\n" for row in figures["by_players"])
    real = "".join(f"| {' | '.join(row)} |\n" for row in figures["reported"])
    return (
        f"\n## {game.title} as it is shipped\n\n"
        f"All seats are played by `greedy`, {PLAYED[game.name]:,} games with each number of players"
        f" (`signoria lab {game.name} --players N --games {PLAYED[game.name]}`).\n\n"
        "| players | wins by turn order | points | highest score, 9 of 10 games | lead of the best | decisions |\n"
        "| --- | --- | --- | --- | --- | --- |\n"
        f"{rows}\n"
        "This table has reported results of real games. Beside them is the range of nine tenths of our games, from the first place"
        " to the\nlast. A reported result inside the range agrees with our components and bots:\n\n"
        f"| players | what | reported | `greedy` | `random` |\n| --- | --- | --- | --- | --- |\n{real}\n{drawn}"
    )


def play_all() -> None:
    """Play the games and write drawings and figures."""
    told: dict[str, Any] = {}
    for name in GAMES:
        game, by_players, reported = find_game(name), [], []
        drawings = {"scores": "Final scores", "sources": "Where points come from"}
        for players in game.seats:
            strong, weak = (_results(game, players, bot) for bot in ("greedy", "random"))
            by_players.append(_row(strong))
            for (real, ranks), (_, others) in zip(strong.reported(), weak.reported(), strict=True):
                here, there = (", ".join(f"{rank.low:g} to {rank.high:g}" for rank in some) for some in (ranks, others))
                label = strong.label(real.column)
                reported.append([str(players), label, "-".join(map(str, real.values)), here, there])
            if players == SHOWN[name]:
                _write(name, "scores", charts.scores(strong))
                _write(name, "sources", charts.sources(strong))
                for group, found in strong.worth():
                    if group.title in DRAWN[name]:
                        short = group.title.lower().replace(" ", "-")
                        drawings[short] = f"What was worth how many points: {group.title.lower()}"
                        _write(name, short, charts.worth(found))
        told[name] = {"by_players": by_players, "reported": reported, "drawings": drawings}
    (HERE / "figures.json").write_bytes(msgspec.json.format(msgspec.json.encode(told), indent=1) + b"\n")


def _results(game: AnyGame, players: int, bot: str) -> Results:
    experiment = experiment_of(game, game.options({"players": players}), None, (bot,) * players, 1)
    return Results(experiment, run(on_cores(), experiment, PLAYED[game.name], lambda _: None))


def _row(results: Results) -> list[str]:
    shares = [results.win_share(turn) for turn in range(results.players)]
    top = results.range_of("total", 0)
    return [
        str(results.players),
        ", ".join(f"{share.mean:.1%}" for share in shares) + f" (±{max(share.reach for share in shares):.1%})",
        f"{results.mean_points:.1f}",
        f"{top.low:g} to {top.high:g}",
        f"{results.margin:.1f}",
        f"{results.decisions:.0f}",
    ]


def _write(game: str, name: str, drawn: str) -> None:
    (HERE / f"{game}-{name}.svg").write_text(stand_alone(drawn, charts.STYLE) + "\n", "utf-8")


if __name__ == "__main__" and "--play" in sys.argv:
    play_all()
