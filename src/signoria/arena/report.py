"""The report of an arena as one self-contained HTML page."""

from collections.abc import Iterable, Sequence
from html import escape

from signoria.arena.charts import bars, histogram, matrix, ratings, strength_and_time
from signoria.arena.summary import ArenaSummary
from signoria.arena.words import PAIRINGS, RANKING, pairing_cells, ranking_cells
from signoria.games import find_game
from signoria.kernel.words import counted
from signoria.web.kit.report import card, page, table


def write_report(summary: ArenaSummary, command: str) -> str:
    """The whole page. `command` is the command that made it."""
    setting = summary.setting
    title = find_game(setting["game"]).title
    bots = [standing.bot for standing in summary.ranking]
    told = [
        f"<h1>{escape(title)} arena</h1>",
        f'<p class="dim">{escape(_what(summary))}</p>',
        f'<p class="verdict">{escape(str(summary.sprt))}</p>' if summary.sprt is not None else "",
        f'<div class="cards">{"".join(_drawings(summary, bots))}</div>' if bots else "",
        "".join((*_margins(summary), *_tables(summary))) if bots else "",
        f'<p class="note">Made by</p><pre>{escape(command)}</pre>',
    ]
    return page(f"{title} arena", told)


def _what(summary: ArenaSummary) -> str:
    """What was played, in one line."""
    options = dict(summary.setting["options"])
    words = [f"{options.pop('players')} players"]
    words += [name if value is True else f"{name} {value}" for name, value in options.items() if value is not False]
    words += [counted(summary.games, "game"), f"seed {summary.setting['seed']}"]
    words += [f"{name} {version}" for name, version in summary.setting["versions"].items()]
    return " · ".join(words)


def _drawings(summary: ArenaSummary, bots: Sequence[str]) -> Iterable[str]:
    yield card("Rating", "Plackett-Luce, with 95% intervals; 25 is the mean of all bots.", ratings(summary.ranking))
    yield card(
        "Head to head",
        "Win share of the bot on the left against the bot above.",
        matrix(summary.pairings, bots),
    )
    yield card(
        "Strength and thinking time",
        "Rating against mean time per decision; levels of the same bot are joined.",
        strength_and_time(summary.ranking),
    )
    yield card(
        "Win shares", "The dashed line is the fair share, the thin line the 95% interval.", bars(summary.pairings)
    )


def _margins(summary: ArenaSummary) -> Iterable[str]:
    told = [row for row in summary.pairings if row.margins]
    if told:
        note = "Points ahead of (green) or behind (orange) the best opponent; the mean is on the right."
        yield card("Margins", note, f'<div class="small">{"".join(map(histogram, told))}</div>')


def _tables(summary: ArenaSummary) -> Iterable[str]:
    yield card("Ranking", "ms is the thinking time per decision.", table(RANKING, map(ranking_cells, summary.ranking)))
    fair = f"A fair share is {summary.pairings[0].fair:.1%}."
    yield card("Pairings", fair, table(PAIRINGS, map(pairing_cells, summary.pairings), "two"))
    if summary.forfeits:
        lost = ((f"{row.match}, deal {row.deal}, rotation {row.rotation}", row.says) for row in summary.forfeits)
        yield card("Forfeits", "", table(("game", "reason"), lost, "two words"))
