"""The report of a study as one self-contained HTML page."""

from collections.abc import Iterable
from html import escape

from signoria.kernel.words import counted
from signoria.lab import charts
from signoria.lab.charts import ordinal
from signoria.lab.figures import Estimate, Results
from signoria.lab.study import Side, Study
from signoria.web.kit.plot import box, drawing
from signoria.web.kit.report import card, page, table

CONFOUNDED = (
    "How many more points players had than the others in the same game, for each one that they held, with 95% intervals."
    " This is a correlation, not a cause: players who are ahead can afford more, and good players choose what is good."
)
BY_CHANCE = " In random play, chance decides almost everything that players hold; the tables show that figure too."
SMALL = 220
"""The width of small drawings."""
MOST_CHANGES = 12
"""Things and happenings whose change is listed."""


def write_report(study: Study, command: str) -> str:
    """The whole page. `command` is the command that made it."""
    base, other = study
    main = base.main
    title = f"{main.game.title} in the laboratory"
    told = [
        f"<h1>{escape(title)}</h1>",
        f'<p class="dim">{escape(_what(main))}</p>',
        f'<p class="verdict">{" ".join(escape(sentence) for sentence in findings(main))}</p>',
        "".join(_compared(base, other)) if other is not None else "",
        f'<div class="cards">{"".join(_drawings(main))}</div>',
        "".join(_worth(base)),
        _happenings(base),
        "".join(_sides(base)),
        f'<p class="note">Made by</p><pre>{escape(command)}</pre>',
    ]
    return page(title, told, charts.STYLE + STYLE)


STYLE = """
td svg { width: 90px; max-width: none; margin: 0; } .words td:nth-child(n+3), .words th:nth-child(n+3) { text-align: right; white-space: nowrap; }
details { margin-top: .5rem; } summary { cursor: pointer; padding: .6rem 0; }
.worth { columns: 2 24rem; column-gap: 1rem; } .worth section { break-inside: avoid; }
"""


def _what(results: Results) -> str:
    """What was played, in one line."""
    options = dict(results.experiment.options)
    words = [f"{options.pop('players')} players"]
    words += [name if value is True else f"{name} {value}" for name, value in options.items() if value is not False]
    bots = results.experiment.bots
    words += [f"bots: {', '.join(bots) if len(set(bots)) > 1 else bots[0]}"]
    words += [f"components: {results.experiment.title}", counted(results.games, "game")]
    return " · ".join([*words, f"seed {results.experiment.seed}"])


def findings(results: Results) -> Iterable[str]:
    """The most important results in sentences."""
    best = max(range(results.players), key=lambda turn: results.win_share(turn).mean)
    share = results.win_share(best)
    if share.low > results.fair:
        yield (
            f"The {ordinal(best + 1)} player wins most often: {share.mean:.1%} of the games, where a fair share is"
            f" {results.fair:.1%}."
        )
    else:
        yield "These games show no advantage for any place in the turn order."
    top = max(results.parts, key=results.part)
    yield (
        f"Players have {results.mean_points:.1f} points on average, {results.part(top) / results.mean_points:.0%} of them"
        f" from {results.label(top)}."
    )
    yield f"The best player is ahead of the second by {results.margin:.1f} points."
    if results.shared >= 0.001:
        yield f"Players share the win in {results.shared:.1%} of the games."


def _drawings(results: Results) -> Iterable[str]:
    yield card("Final scores", "How often each number of points occurred.", charts.scores(results))
    yield card("Where points come from", "Mean points in turn order.", charts.sources(results))
    yield card(
        "Seat advantage",
        "How often each player wins in turn order, with 95% intervals. The dashed line is a fair share.",
        charts.seats([results]),
    )
    yield card(
        "Length",
        f"Decisions of all players together in a game: {results.decisions:.0f} on average.",
        charts.lengths(results),
    )
    if real := list(results.reported()):
        rows = [
            (
                f"{'-'.join(map(str, one.values))} ({results.label(one.column)})",
                ", ".join(f"{rank.low:g} to {rank.high:g}" for rank in ranks),
                "yes" if all(r.low <= v <= r.high for v, r in zip(one.values, ranks, strict=True)) else "no",
            )
            for one, ranks in real
        ]
        note = (
            "Results of real games with the same number of players, and the range of nine tenths of the games here, from"
            " the first place to the last."
        )
        yield card("Reported games", note, table(("reported", "here", "all within"), rows, "words"))


def _worth(side: Side) -> Iterable[str]:
    by_chance = _by_chance(side)
    note = CONFOUNDED + (BY_CHANCE if by_chance else "")
    yield f'<section><h2>What things were worth</h2><p class="note">{escape(note)}</p></section><div class="worth">'
    for group, found in side.main.worth():
        rows = [
            (
                one.thing.label,
                one.detail,
                f"{one.a_game:.2f}",
                _points(one.points),
                *([_points(by_chance.get(one.thing.id))] if by_chance else []),
                f"{one.win_share:.1%}",
                _percent(one.win),
            )
            for one in found
        ]
        chance = ["points, random play"] if by_chance else []
        names = ("", "shows", "held per game", "points", *chance, "win share", "wins for each")
        figures = f"<details><summary>Show as a table</summary>{table(names, rows, 'two')}</details>"
        yield card(group.title, group.says, charts.worth(found) + figures)
    yield "</div>"


def _by_chance(side: Side) -> dict[str, Estimate]:
    """What things were worth in random play, by their ids."""
    for results in side.by_strength:
        if set(results.experiment.bots) == {"random"}:
            return {one.thing.id: one.points for _, found in results.worth() for one in found}
    return {}


def _points(value: Estimate | None) -> str:
    return "" if value is None else f"{value.mean:+.2f} ±{value.reach:.2f}"


def _percent(value: Estimate) -> str:
    return f"{value.mean:+.2%} ±{value.reach:.2%}"


def _happenings(side: Side) -> str:
    titles = {clause.id: clause.says for clause in side.main.game.clauses}
    rows = []
    for one in side.main.occurrences():
        bar = drawing(12, f"{one.share.mean:.1%}", [box(0, 1, 90 * one.share.mean, 10, "bar")], 90)
        cells = (
            f'<td title="{escape(titles.get(one.happening.clause, ""))}">{one.happening.clause}</td>'
            f"<td>{escape(one.happening.says)}</td><td>{bar}</td><td>{one.share.mean:.1%}</td><td>{one.a_game:.2f}</td>"
        )
        rows.append(f"<tr>{cells}</tr>")
    if not rows:
        return ""
    head = "".join(f"<th>{name}</th>" for name in ("clause", "what happened", "", "of games", "per game"))
    body = f'<table class="two words"><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table>'
    return card(
        "Which clauses came into play",
        "The share of games in which something happened, and how often it happened in a game.",
        f'<div class="scroll" tabindex="0">{body}</div>',
    )


KEY = ("", "games", "1st player wins", "best place", "points", "highest score", "lead of the best", "decisions")


def _key_figures(name: str, results: Results) -> tuple[str, ...]:
    best = max(range(results.players), key=lambda turn: results.win_share(turn).mean)
    top = results.range_of("total", 0)
    return (
        name,
        f"{results.games:,}",
        f"{results.win_share(0).mean:.1%} ±{results.win_share(0).reach:.1%}",
        f"{ordinal(best + 1)}, {results.win_share(best).mean:.1%}",
        f"{results.mean_points:.1f}",
        f"{top.middle:g} ({top.low:g} to {top.high:g})",
        f"{results.margin:.1f}",
        f"{results.decisions:.0f}",
    )


def _sides(side: Side) -> Iterable[str]:
    if side.by_players:
        rows = [_key_figures(f"{one.players} players", one) for one in side.by_players]
        drawn = "".join(
            f"<div><p>{one.players} players</p>{charts.seats([one], SMALL)}</div>" for one in side.by_players
        )
        bot = side.by_players[0].experiment.bots[0]
        yield card(
            "By number of players",
            f"All seats are played by {bot}. Highest score: the median, and the range of nine tenths of the games.",
            table(KEY, rows) + f'<div class="small">{drawn}</div>',
        )
    if side.by_strength:
        rows = [_key_figures(one.experiment.bots[0], one) for one in side.by_strength]
        parts = side.main.parts
        by_part = [(one.experiment.bots[0], *(f"{one.part(part):.1f}" for part in parts)) for one in side.by_strength]
        yield card(
            "By strength of play",
            "The same table with all seats played by bots of different strength, and where their points come from.",
            table(KEY, rows) + table(("", *map(side.main.label, parts)), by_part),
        )


# Comparisons


def _compared(base: Side, other: Side) -> Iterable[str]:
    a, b = base.main, other.main
    names = a.experiment.title, b.experiment.title
    changes = [
        (change.what, _value(change.was), _value(change.now)) for one in (a, b) for change in one.experiment.changes
    ]
    note = (
        f"How often each player wins in turn order: the red dots are {names[0]}, the green dots {names[1]}. Differences"
        f" are {names[1]} minus {names[0]}; a star marks those outside their 95% interval."
    )
    body = table(("changed figure", "was", "is"), changes) if changes else ""
    body += charts.seats([a, b]) + table(("", *names, "difference"), _differences(a, b))
    yield card(f"{names[1]} compared with {names[0]}", note, body)
    things = sorted(_changed_worth(a, b), key=lambda row: -abs(row[1]))[:MOST_CHANGES]
    if things:
        rows = [cells for cells, _ in things]
        title = "Largest changes in worth"
        said = "Points for each one held, where the difference is outside its 95% interval."
        yield card(title, said, table(("", *names, "difference"), rows))
    happened = sorted(_changed_happenings(a, b), key=lambda row: -abs(row[1]))[:MOST_CHANGES]
    if happened:
        rows = [cells for cells, _ in happened]
        said = "The share of games in which something happened, where the difference is outside its 95% interval."
        yield card("What happens more or less often", said, table(("", *names, "difference"), rows, "words"))
    sides = list(_pairs(base, other))
    if sides:
        figures = []
        for name, one, two in sides:
            figures += [_key_figures(f"{name}: {names[0]}", one), _key_figures(f"{name}: {names[1]}", two)]
        said = "By number of players, and by strength of play."
        yield card("The same with other players", said, table(KEY, figures))


def _value(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _pairs(base: Side, other: Side) -> Iterable[tuple[str, Results, Results]]:
    for one in base.by_players:
        for two in other.by_players:
            if one.players == two.players:
                yield f"{one.players} players", one, two
    for one, two in zip(base.by_strength, other.by_strength, strict=True):
        yield one.experiment.bots[0], one, two


def _differences(a: Results, b: Results) -> Iterable[tuple[str, str, str, str]]:
    """The main figures of two variants and their differences; clear ones have a star."""
    for turn in range(a.players):
        one, two = a.win_share(turn), b.win_share(turn)
        more = two.minus(one)
        yield (
            f"{ordinal(turn + 1)} player wins",
            f"{one.mean:.2%} ±{one.reach:.2%}",
            f"{two.mean:.2%} ±{two.reach:.2%}",
            _percent(more) + (" *" if more.clear else ""),
        )
    for turn in range(a.players):
        one, two = a.points(turn), b.points(turn)
        more = two.minus(one)
        yield (
            f"{ordinal(turn + 1)} player's points",
            f"{one.mean:.2f} ±{one.reach:.2f}",
            f"{two.mean:.2f} ±{two.reach:.2f}",
            _points(more) + (" *" if more.clear else ""),
        )
    for part in dict.fromkeys((*a.parts, *b.parts)):
        was, now = a.part(part), b.part(part)
        yield f"points from {a.label(part)}", f"{was:.2f}", f"{now:.2f}", f"{now - was:+.2f}"
    for name, was, now in (("lead of the best", a.margin, b.margin), ("decisions", a.decisions, b.decisions)):
        yield name, f"{was:.2f}", f"{now:.2f}", f"{now - was:+.2f}"
    yield "shared wins", f"{a.shared:.2%}", f"{b.shared:.2%}", f"{b.shared - a.shared:+.2%}"


def _changed_worth(a: Results, b: Results) -> Iterable[tuple[tuple[str, str, str, str], float]]:
    was = {one.thing.id: one for _, found in a.worth() for one in found}
    for _, found in b.worth():
        for two in found:
            if two.thing.id in was:
                one = was[two.thing.id]
                more = two.points.minus(one.points)
                if more.clear:
                    label = f"{two.thing.label} {two.detail}".strip()
                    yield (label, _points(one.points), _points(two.points), _points(more)), more.mean


def _changed_happenings(a: Results, b: Results) -> Iterable[tuple[tuple[str, str, str, str], float]]:
    def key(results: Results) -> dict[tuple[str, str], Estimate]:
        return {(one.happening.clause, one.happening.says): one.share for one in results.occurrences()}

    was, now, never = key(a), key(b), Estimate(0, 0)
    for clause, says in dict.fromkeys((*was, *now)):
        one, two = was.get((clause, says), never), now.get((clause, says), never)
        more = two.minus(one)
        if more.clear:
            yield (f"{clause}: {says}", f"{one.mean:.1%}", f"{two.mean:.1%}", f"{more.mean:+.1%}"), more.mean
